//! A load: customers who send at a steady rate, whatever becomes of those before them, through the whole
//! local cloud with the stand-in's real limits and some faults; then a report of what became of it.

mod report;

use std::str::FromStr;
use std::time::{Duration, Instant};

use anyhow::bail;
use fastrand::Rng;
use frontdesk_local::{Data, Desk, Fault, Functions, Kind, Options, Target};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::case::fault;
use report::Report;

/// How often a customer without a confirmation sends again, and after how long.
const SENDS: usize = 4;
const SEND_AGAIN: Duration = Duration::from_millis(500);
/// How far the clock may be moved in search of quiet.
const HORIZON: SignedDuration = SignedDuration::from_hours(48);
/// Leads for which one fault is planned.
const LEADS_OF_A_FAULT: usize = 8;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Leads a second, of real time
    #[arg(long, default_value_t = 20)]
    rate: u32,
    /// For how long they come
    #[arg(long, default_value_t = 10)]
    seconds: u32,
    /// Groups that they go to in turn
    #[arg(long, default_value_t = 1)]
    groups: usize,
    /// The seed of the faults, or "none"; a random one is chosen and printed without
    #[arg(long, default_value_t = Faults::random())]
    faults: Faults,
}

#[derive(Clone, Copy)]
struct Faults(Option<u64>);

impl Faults {
    fn random() -> Self {
        Self(Some(fastrand::u64(..1_000_000_000)))
    }
}

impl FromStr for Faults {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "none" {
            return Ok(Self(None));
        }
        text.parse().map(|seed| Self(Some(seed)))
    }
}

impl std::fmt::Display for Faults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(seed) => write!(f, "{seed}"),
            None => f.write_str("none"),
        }
    }
}

/// A customer's lead, by what he was told.
struct Sent {
    token: String,
    group: usize,
    at: Timestamp,
    /// The number, where he was given one.
    accepted: Option<String>,
}

pub(crate) async fn run(functions: Functions, arguments: Arguments) -> anyhow::Result<()> {
    let Arguments {
        rate,
        seconds,
        groups,
        faults,
    } = arguments;
    let leads = usize::try_from(rate * seconds)?;
    let settings = tempfile::NamedTempFile::new()?;
    std::fs::write(settings.path(), frontdesk_local::settings_of_groups(groups))?;
    let options = Options {
        data: Data::Memory,
        settings: settings.path().to_owned(),
        manual: true,
        ..Options::default()
    };
    println!("{leads} leads, {rate} a second, to {groups} groups, faults {faults}");
    let desk = Desk::start(options, functions).await?;
    if let Faults(Some(seed)) = faults {
        let mut rng = Rng::with_seed(seed);
        for n in 0..leads.div_ceil(LEADS_OF_A_FAULT) {
            let fault = some_fault(n, &mut rng, leads);
            desk.add_fault(fault).await.map_err(anyhow::Error::msg)?;
        }
    }
    let (began, begun) = (Instant::now(), desk.clock().now());
    let sent = arrive(&desk, leads, groups, rate).await?;
    quiet(&desk).await?;
    let report = Report::of(&desk, &sent)?;
    report.print(&desk, began.elapsed(), begun);
    desk.stop().await;
    if report.lost + report.doubled > 0 {
        bail!("{} lost, {} doubled", report.lost, report.doubled);
    }
    Ok(())
}

/// Customers come at their rate; none waits for another's answer.
async fn arrive(desk: &Desk, leads: usize, groups: usize, rate: u32) -> anyhow::Result<Vec<Sent>> {
    let http = reqwest::Client::new();
    let mut arrivals = tokio::time::interval(Duration::from_secs(1) / rate);
    let mut customers = tokio::task::JoinSet::new();
    for n in 0..leads {
        arrivals.tick().await;
        let group = n % groups;
        let (http, clock) = (http.clone(), desk.clock().clone());
        let url = format!("{}/forms/g{group}", desk.url());
        customers.spawn(async move {
            let (token, at) = (format!("draft-token-of-load-{n:06}"), clock.now());
            let phone = format!("+7812{n:07}");
            let fields = json!({"name": "Vera", "phone": phone, "message": "Please call me"});
            let mut accepted = None;
            for send in 0..SENDS {
                if send > 0 {
                    tokio::time::sleep(SEND_AGAIN).await;
                }
                accepted = submit(&http, &url, &token, &fields).await;
                if accepted.is_some() {
                    break;
                }
            }
            Sent {
                token,
                group,
                at,
                accepted,
            }
        });
    }
    Ok(customers.join_all().await)
}

/// The lead's number, if it was accepted.
async fn submit(http: &reqwest::Client, url: &str, token: &str, fields: &Value) -> Option<String> {
    let request = http.post(url).header("idempotency-key", token).json(fields);
    let response = request.send().await.ok()?;
    if response.status() != reqwest::StatusCode::CREATED {
        return None;
    }
    let body: Value = response.json().await.ok()?;
    body["id"].as_str().map(str::to_owned)
}

/// The `n`th fault: each kind in turn, each striking somewhere in the course of the load.
fn some_fault(n: usize, rng: &mut Rng, leads: usize) -> Fault {
    let skip = rng.u64(..leads as u64);
    let on = |target, kind, operation: Option<&str>| Fault {
        skip,
        operation: operation.map(str::to_owned),
        ..fault(target, kind)
    };
    let send = Some("sendMessage");
    match n % 10 {
        0 => on(Target::Telegram, Kind::LoseAnswer, send),
        1 => on(Target::Telegram, Kind::Drop, send),
        2 => Fault {
            value: Some(502),
            times: 3,
            ..on(Target::Telegram, Kind::Status, send)
        },
        3 => Fault {
            value: Some(rng.u64(1..20)),
            ..on(Target::Telegram, Kind::RetryAfter, send)
        },
        4 => on(Target::Sqs, Kind::Drop, Some("SendMessageBatch")),
        5 => on(Target::Dynamodb, Kind::Conflict, Some("TransactWriteItems")),
        6 => Fault {
            times: 3,
            ..on(Target::Dynamodb, Kind::Throttle, None)
        },
        7 => on(Target::Dynamodb, Kind::LoseAnswer, None),
        8 => Fault {
            after: rng.bool(),
            ..on(Target::Telegram, Kind::Kill, send)
        },
        _ => Fault {
            after: rng.bool(),
            ..on(Target::Dynamodb, Kind::Kill, None)
        },
    }
}

/// Moves the clock from one thing to do to the next, sweeping each time, until nothing is left.
async fn quiet(desk: &Desk) -> anyhow::Result<()> {
    let end = desk.clock().now() + HORIZON;
    loop {
        // A tick that fails is followed by the next one.
        let _ = desk.tick("sweep", None).await;
        let Some(next) = rest(desk).await? else {
            return Ok(());
        };
        let now = desk.clock().now();
        if now > end {
            bail!("it does not become quiet: something is due at {next}");
        }
        let wait = next.duration_since(now).max(SignedDuration::ZERO);
        desk.advance(Duration::try_from(wait)? + Duration::from_millis(100))?;
    }
}

/// Waits until only the clock can move anything, and says when it will.
async fn rest(desk: &Desk) -> anyhow::Result<Option<Timestamp>> {
    for _ in 0..3000 {
        let settled = desk.settle(Duration::from_millis(100)).await?;
        let idle = settled
            .left
            .as_ref()
            .is_none_or(|left| left.visible == 0 && left.invocations == 0 && left.deliveries == 0);
        if idle {
            return Ok(settled.next_due);
        }
    }
    bail!("it does not come to rest")
}
