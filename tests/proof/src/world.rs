//! A desk with the people around it: what they do, and what they were told.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, ensure};
use frontdesk_local::{Call, Data, Desk, Fault, Functions, Options};
use frontdesk_local_telegram::{Rates, RawUpdate};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(crate) const STAFF: i64 = -1_001_000_000_001;
pub(crate) const ANNA: i64 = 501;
pub(crate) const BORIS: i64 = 502;

/// How far the clock may be moved in search of quiet: beyond all retries of an outage.
const HORIZON: Duration = Duration::from_hours(12);

/// How long, in real time, it may take until only the clock can move anything. A function may take a
/// minute, several may follow each other, and the machine may be busy.
const LONGEST_REST: Duration = Duration::from_mins(10);

/// What a customer was answered.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    pub(crate) token: String,
    pub(crate) content: Value,
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// What a press was answered; every delivery of the same update adds one.
#[derive(Clone, Debug)]
pub(crate) struct Pressed {
    pub(crate) update_id: i64,
    pub(crate) user: i64,
    pub(crate) lead: String,
    pub(crate) status: Option<u16>,
    pub(crate) body: Option<Value>,
}

pub(crate) struct World {
    pub(crate) desk: Desk,
    http: reqwest::Client,
    pub(crate) submissions: Vec<Submission>,
    pub(crate) presses: Vec<Pressed>,
    next_update: i64,
    pub(crate) told: bool,
}

impl World {
    pub(crate) async fn new(functions: Functions) -> anyhow::Result<Self> {
        // It never speaks TLS; reading the system's roots would take longer than the rest of a start.
        let http = reqwest::Client::builder().tls_certs_only([]).build()?;
        let options = Options {
            data: Data::Memory,
            settings: project().join("desk.toml"),
            manual: true,
            ..Options::default()
        };
        let desk = Desk::start(options, functions).await?;
        Ok(Self {
            desk,
            http,
            submissions: Vec::new(),
            presses: Vec::new(),
            next_update: 1,
            told: false,
        })
    }

    fn tell(&self, what: impl FnOnce() -> String) {
        if self.told {
            println!("{} {}", self.desk.clock().now(), what());
        }
    }

    /// A customer sends the form of draft `n`; `variant` is another content under the same token.
    pub(crate) async fn submit(&mut self, n: usize, variant: usize) -> anyhow::Result<u16> {
        let token = format!("draft-token-of-proof-{n:04}");
        let content = json!({
            "name": format!("CANARY{n}"),
            "phone": "8 (812) 777-66-55",
            "message": format!("CANARYTEXT {variant}"),
        });
        let request = self
            .http
            .post(format!("{}/forms/contact", self.desk.url()))
            .header("idempotency-key", &token)
            .json(&content);
        let response = request.send().await?;
        let status = response.status().as_u16();
        let body = response.text().await?;
        self.tell(|| format!("submit {n} variant {variant}: {status} {body}"));
        self.submissions.push(Submission {
            token,
            content,
            status,
            body,
        });
        Ok(status)
    }

    /// Somebody presses "take" of `lead` on `message`; with copies, that many arrive at once.
    pub(crate) async fn press(
        &mut self,
        user: i64,
        lead: &str,
        message: i64,
        copies: usize,
    ) -> anyhow::Result<i64> {
        let update_id = 700_000_000 + self.next_update;
        self.next_update += 1;
        let update = json!({"update_id": update_id, "callback_query": {
            "id": format!("press-{update_id}"), "chat_instance": "1", "data": format!("take:{lead}"),
            "from": {"id": user, "is_bot": false, "first_name": "Somebody"},
            "message": {"message_id": message, "date": 1_800_000_000,
                        "chat": {"id": STAFF, "type": "supergroup", "title": "Staff"}},
        }});
        self.deliver(
            user,
            lead,
            RawUpdate {
                update_id: None,
                copies: Some(copies),
                update,
            },
        )
        .await?;
        Ok(update_id)
    }

    /// Telegram delivers an earlier press again.
    pub(crate) async fn repeat(&mut self, update_id: i64) -> anyhow::Result<()> {
        let first = self
            .presses
            .iter()
            .find(|press| press.update_id == update_id);
        let (user, lead) = first
            .map(|press| (press.user, press.lead.clone()))
            .context("no such press")?;
        let again = RawUpdate {
            update_id: Some(update_id),
            copies: Some(1),
            update: Value::Null,
        };
        self.deliver(user, &lead, again).await
    }

    async fn deliver(&mut self, user: i64, lead: &str, update: RawUpdate) -> anyhow::Result<()> {
        let results = self.desk.telegram().update(update).await?;
        for result in results.into_vec() {
            self.tell(|| {
                format!(
                    "press {} by {user} on {lead}: {:?}",
                    result.update_id, result.status
                )
            });
            self.presses.push(Pressed {
                update_id: result.update_id,
                user,
                lead: lead.to_owned(),
                status: result.status,
                body: result.body,
            });
        }
        Ok(())
    }

    pub(crate) async fn sweep(&self) {
        self.tell(|| "sweep".to_owned());
        // A tick that fails is followed by the next one.
        let _ = self.desk.tick("sweep", None).await;
    }

    pub(crate) fn advance(&self, seconds: u64) -> anyhow::Result<()> {
        self.tell(|| format!("advance {seconds} s"));
        self.desk.advance(Duration::from_secs(seconds))?;
        Ok(())
    }

    pub(crate) async fn fault(&self, fault: Fault) -> anyhow::Result<()> {
        self.tell(|| format!("fault {}", json!(fault)));
        self.desk
            .add_fault(fault)
            .await
            .map_err(anyhow::Error::msg)?;
        Ok(())
    }

    /// Waits until nothing moves but by the clock. Says when the clock has something to do.
    pub(crate) async fn rest(&self) -> anyhow::Result<Option<Timestamp>> {
        let rested = self.desk.rest(LONGEST_REST).await?;
        ensure!(
            rested.settled,
            "it does not come to rest: {}",
            json!(rested.left)
        );
        Ok(rested.next_due)
    }

    /// Moves the clock from one thing to do to the next, sweeping each time, until nothing is left.
    pub(crate) async fn quiet(&self) -> anyhow::Result<()> {
        let end = self.desk.clock().now() + HORIZON;
        self.rest().await?;
        loop {
            self.sweep().await;
            let Some(next) = self.rest().await? else {
                return Ok(());
            };
            let now = self.desk.clock().now();
            ensure!(
                now < end,
                "it does not become quiet: something is due at {next}"
            );
            let wait = next.duration_since(now).as_secs().max(0).unsigned_abs() + 1;
            self.advance(wait)?;
        }
    }

    /// Faults end, all becomes quiet, and customers without a confirmation send again.
    pub(crate) async fn heal(&mut self) -> anyhow::Result<()> {
        self.desk.clear_faults().await;
        self.quiet().await?;
        for at in 0..self.submissions.len() {
            let Submission { token, status, .. } = &self.submissions[at];
            let confirmed = self
                .submissions
                .iter()
                .any(|s| s.token == *token && s.status == 201);
            if *status >= 500 && !confirmed {
                let n = token[token.len() - 4..].parse()?;
                let variant = self.submissions[at].content["message"].to_string();
                let variant = variant
                    .trim_matches(|c: char| !c.is_ascii_digit())
                    .parse()?;
                ensure!(
                    self.submit(n, variant).await? < 500,
                    "the desk is well, and yet refuses"
                );
            }
        }
        self.quiet().await
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.desk.calls()
    }

    /// The stand-in's limits off, where pace is not what is looked at.
    pub(crate) fn without_limits(&self) {
        self.desk.telegram().set_rates(Rates::NONE);
    }

    pub(crate) fn staff_messages(&self) -> Vec<Value> {
        let chats = self.desk.telegram().chats();
        let staff = chats.iter().find(|chat| chat.chat_id == STAFF);
        staff
            .map(|chat| chat.messages.iter().map(|message| json!(message)).collect())
            .unwrap_or_default()
    }
}

pub(crate) fn project() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
