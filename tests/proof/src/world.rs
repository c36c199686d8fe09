//! A desk with the world around it: its clock, its faults, and the way to quiet.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, ensure};
use frontdesk_local::{Call, Data, Desk, Fault, Functions, Kind, Options, Target};
use frontdesk_local_telegram::{Message, Rates, Via};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::people::{Pressed, STAFF, Submission};

/// The outbox's queue.
const OUTBOX: &str = "frontdesk-outbox";

/// The outbox's dead letters.
pub(crate) const DEAD_LETTERS: &str = "frontdesk-outbox-dead";

/// How far the clock may be moved in search of quiet: beyond all retries of an outage.
const HORIZON: Duration = Duration::from_hours(12);

/// How long, in real time, it may take until only the clock can move anything. A function may take a
/// minute, several may follow each other, and the machine may be busy.
const LONGEST_REST: Duration = Duration::from_mins(10);

/// Where Telegram is to deliver its updates, of a desk that has an address.
const ADDRESS: &str = "https://desk.example/telegram/desk";

/// What sort of desk it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sort {
    /// It calls out and takes back what nobody works on.
    pub(crate) is_watchful: bool,
    /// It has a public address, which it registers with Telegram.
    pub(crate) has_address: bool,
}

pub(crate) struct World {
    pub(crate) desk: Desk,
    pub(crate) http: reqwest::Client,
    pub(crate) submissions: Vec<Submission>,
    pub(crate) presses: Vec<Pressed>,
    /// The messages on which staff pressed "take": the request, the chat and the message.
    pub(crate) cards_pressed: BTreeSet<(String, i64, i64)>,
    pub(crate) next_update: i64,
    /// When the clock was moved, as it was before.
    pub(crate) moves: Vec<Timestamp>,
    /// Groups that have become supergroups.
    pub(crate) former_chats: Vec<i64>,
    /// When the report schedule first ran, and when it last did.
    pub(crate) report_runs: Option<(Timestamp, Timestamp)>,
    /// Customers of the bot's who mean to confirm what they have written.
    pub(crate) customers: Vec<i64>,
    /// How often something was asked for in a group.
    pub(crate) answers_asked: usize,
    /// Whether the table gave no answer for a while: what was to be written then may be no call at all.
    pub(crate) is_table_silent: bool,
    /// Whether it says what it does.
    pub(crate) told: bool,
}

impl World {
    pub(crate) async fn new(functions: Functions, sort: Sort) -> anyhow::Result<Self> {
        // It never speaks TLS; reading the system's roots would take longer than the rest of a start.
        let http = reqwest::Client::builder().tls_certs_only([]).build()?;
        let options = Options {
            data: Data::Memory,
            webhook_url: sort.has_address.then(|| ADDRESS.to_owned()),
            settings: if sort.is_watchful {
                watchful_settings()?
            } else {
                project().join("desk.toml")
            },
            manual: true,
            keep_requests: true,
            ..Options::default()
        };
        let desk = Desk::start(options, functions).await?;
        Ok(Self {
            desk,
            http,
            submissions: Vec::new(),
            presses: Vec::new(),
            cards_pressed: BTreeSet::new(),
            next_update: 1,
            moves: Vec::new(),
            former_chats: Vec::new(),
            report_runs: None,
            customers: Vec::new(),
            answers_asked: 0,
            is_table_silent: false,
            told: false,
        })
    }

    pub(crate) fn tell(&self, what: impl FnOnce() -> String) {
        if self.told {
            println!("{} {}", self.desk.clock().now(), what());
        }
    }

    pub(crate) async fn sweep(&self) {
        self.tell(|| "sweep".to_owned());
        // A tick that fails is followed by the next one.
        let _ = self.desk.tick("sweep", None).await;
    }

    /// The report schedule runs.
    pub(crate) async fn report(&mut self) {
        self.tell(|| "report".to_owned());
        let now = self.desk.clock().now();
        let (first, _) = self.report_runs.unwrap_or((now, now));
        self.report_runs = Some((first, now));
        // One that fails is made up for by the next.
        let _ = self.desk.tick("report", Some(now)).await;
    }

    pub(crate) fn advance(&mut self, seconds: u64) -> anyhow::Result<()> {
        self.moves.push(self.desk.clock().now());
        self.tell(|| format!("advance {seconds} s"));
        self.desk.advance(Duration::from_secs(seconds))?;
        Ok(())
    }

    pub(crate) async fn fault(&mut self, fault: Fault) -> anyhow::Result<()> {
        self.tell(|| format!("fault {}", json!(fault)));
        self.is_table_silent |=
            fault.target == Target::Dynamodb && matches!(fault.fault, Kind::Refuse | Kind::Delay);
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

    /// The message for the card of `lead` comes once more.
    pub(crate) async fn redeliver(&self, lead: &str) -> anyhow::Result<()> {
        self.tell(|| format!("the card of {lead} is delivered again"));
        let message = json!({"pk": format!("REQ#{lead}"), "sk": "EFF#card#staff"});
        let url = format!("http://localhost/000000000000/{OUTBOX}");
        let send = json!({"QueueUrl": url, "MessageBody": message.to_string()});
        let send = send.to_string();
        let sent = self.desk.sqs().handle("SendMessage", send.as_bytes()).await;
        ensure!(sent.status == 200, "the queue takes nothing");
        Ok(())
    }

    /// The queue delivers what it has given out a second time.
    pub(crate) fn deliver_twice(&self) -> anyhow::Result<()> {
        let messages = self.desk.sqs().deliver_twice(OUTBOX)?;
        self.tell(|| format!("{messages} are delivered twice"));
        Ok(())
    }

    /// Waits until a card is leased, or until it is plain that none will be.
    pub(crate) async fn leased(&self) {
        let is_leased = || {
            let calls = self.calls();
            let writes = calls
                .iter()
                .filter(|call| call.function == "notifier" && call.operation == "UpdateItem");
            // The slot in the chat's pace, and the lease.
            writes.count() >= 2
        };
        for _ in 0..200 {
            if is_leased() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Moves the clock from one thing to do to the next, sweeping each time, until nothing is left.
    pub(crate) async fn quiet(&mut self) -> anyhow::Result<()> {
        let end = self.desk.clock().now() + HORIZON;
        self.rest().await?;
        loop {
            self.sweep().await;
            let Some(next) = self.rest().await? else {
                return Ok(());
            };
            let now = self.desk.clock().now();
            if next > now + HORIZON {
                // Nothing but the end of a draft is so far off.
                return Ok(());
            }
            ensure!(now < end, "it does not become quiet: {}", self.undone()?);
            let wait = next.duration_since(now).as_secs().max(0).unsigned_abs() + 1;
            self.advance(wait)?;
        }
    }

    /// Redrives the dead letters and lets all become quiet.
    pub(crate) async fn redrive_all(&mut self) -> anyhow::Result<()> {
        // Longer than a look into the queue hides its messages.
        self.advance(60)?;
        let moved = self.desk.sqs().redrive(DEAD_LETTERS).await?;
        self.tell(|| format!("{moved} redriven"));
        self.quiet().await
    }

    /// The effects that wait for something, for an error's words.
    fn undone(&self) -> anyhow::Result<String> {
        let mut items = self.desk.db().all()?;
        items.retain(|item| item["due"].is_i64());
        Ok(json!(items).to_string())
    }

    /// Faults end, all becomes quiet, and customers without a confirmation send again.
    pub(crate) async fn heal(&mut self) -> anyhow::Result<()> {
        self.desk.clear_faults().await;
        self.quiet().await?;
        if self.report_runs.is_some() {
            self.report().await;
        }
        for (draft, variant) in self.unconfirmed() {
            ensure!(
                self.submit(draft, variant).await? < 500,
                "the desk is well, and yet refuses"
            );
        }
        self.confirm_at_last().await?;
        self.quiet().await
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        self.desk.calls()
    }

    /// The stand-in's limits off, where pace is not what is looked at.
    pub(crate) fn without_limits(&self) {
        self.desk.telegram().set_rates(Rates::NONE);
    }

    /// Somebody has the bot's updates sent elsewhere.
    pub(crate) async fn turn_webhook_away(&self) -> anyhow::Result<()> {
        let elsewhere = json!({"url": "https://elsewhere.example/", "secret_token": "theirs"});
        let answer = self.ask_telegram("setWebhook", elsewhere).await;
        ensure!(answer["ok"] == true, "{answer}");
        Ok(())
    }

    /// Whether Telegram knows the desk's own address.
    pub(crate) async fn is_registered(&self) -> bool {
        let known = self.ask_telegram("getWebhookInfo", json!({})).await;
        known["result"]["url"] == ADDRESS
    }

    async fn ask_telegram(&self, method: &str, params: Value) -> Value {
        let telegram = self.desk.telegram();
        let token = telegram.bot().token;
        let answer = telegram.call(&token, method, params, Via::Api).await;
        answer.body
    }

    /// A group becomes a supergroup, and Telegram says so.
    pub(crate) fn migrate(&mut self, chat: i64) -> Option<i64> {
        let to = self.desk.telegram().migrate(chat)?;
        self.tell(|| format!("{chat} becomes {to}"));
        self.former_chats.push(chat);
        Some(to)
    }

    /// The staff's group as it is now.
    pub(crate) fn staff_group(&self) -> i64 {
        let mut groups = self.desk.telegram().chats().into_iter();
        let now =
            groups.find(|chat| chat.chat_id < 0 && !self.former_chats.contains(&chat.chat_id));
        now.map_or(STAFF, |chat| chat.chat_id)
    }

    /// The messages in the staff's groups, each with its chat.
    pub(crate) fn staff_messages(&self) -> Vec<(i64, Message)> {
        let chats = self.desk.telegram().chats().into_iter();
        chats
            .filter(|chat| chat.chat_id < 0)
            .flat_map(|chat| {
                let id = chat.chat_id;
                chat.messages.into_iter().map(move |message| (id, message))
            })
            .collect()
    }
}

/// The sample settings of a desk that calls out and takes back what nobody works on.
fn watchful_settings() -> anyhow::Result<PathBuf> {
    static WRITTEN: OnceLock<Option<PathBuf>> = OnceLock::new();
    let write = || {
        let sample = std::fs::read_to_string(project().join("desk.toml")).ok()?;
        let folder = project().join("target");
        let path = folder.join("watchful.toml");
        let watchful = sample.replace("\n# call_out_after", "\ncall_out_after");
        let watchful = watchful.replace("\n# return_after", "\nreturn_after");
        // Another process may be about to read it.
        let file = tempfile::NamedTempFile::new_in(folder).ok()?;
        std::fs::write(file.path(), watchful).ok()?;
        file.persist(&path).ok().map(|_| path)
    };
    WRITTEN
        .get_or_init(write)
        .clone()
        .context("the settings cannot be written")
}

pub(crate) fn project() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
