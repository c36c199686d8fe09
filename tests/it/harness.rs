//! A desk under test, driven over HTTP like any script from outside would.

use std::path::{Path, PathBuf};
use std::time::Duration;

use frontdesk_local::{Data, Functions, Options};
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

/// The staff's chat in the sample settings.
pub(crate) const STAFF: i64 = -1_001_000_000_001;
/// Two members of staff in the sample settings.
pub(crate) const ANNA: i64 = 501;
pub(crate) const BORIS: i64 = 502;

pub(crate) struct Desk {
    pub(crate) local: frontdesk_local::Desk,
    pub(crate) http: reqwest::Client,
}

/// The project's folder.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

impl Desk {
    /// A desk in memory whose schedules run only when told, so that tests decide what happens when.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options {
            data: Data::Memory,
            settings: project().join("desk.toml"),
            manual: true,
            ..Options::default()
        };
        change(&mut options);
        let functions = tokio::task::spawn_blocking(Functions::build)
            .await
            .unwrap()
            .unwrap();
        let local = frontdesk_local::Desk::start(options, functions)
            .await
            .unwrap();
        Self {
            local,
            http: reqwest::Client::new(),
        }
    }

    /// A desk of another business. The file with its settings is to be kept for as long as the desk.
    pub(crate) async fn start_as(settings: &str) -> (Self, NamedTempFile) {
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), settings).unwrap();
        let path = file.path().to_path_buf();
        let desk = Self::start_with(|options| options.settings = path).await;
        (desk, file)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.local.url())
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.http.get(self.url(path)).send().await.unwrap()
    }

    pub(crate) fn post(&self, path: &str) -> reqwest::RequestBuilder {
        self.http.post(self.url(path))
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method.parse().unwrap(), self.url(path))
    }

    /// Calls an endpoint of the control interface that must succeed.
    pub(crate) async fn control(&self, path: &str, body: Value) -> Value {
        let response = self
            .post(&format!("/_local/{path}"))
            .json(&body)
            .send()
            .await
            .unwrap();
        let (status, text) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{path} {body}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    pub(crate) async fn submit(&self, token: &str, fields: &Value) -> (StatusCode, Value) {
        self.submit_to("contact", token, fields).await
    }

    async fn submit_to(&self, form: &str, token: &str, fields: &Value) -> (StatusCode, Value) {
        let request = self
            .post(&format!("/forms/{form}"))
            .header("idempotency-key", token)
            .json(fields);
        let response = request.send().await.unwrap();
        (response.status(), response.json().await.unwrap())
    }

    /// Sends a lead that must be accepted, and returns its id.
    pub(crate) async fn lead(&self, token: &str) -> String {
        self.lead_to("contact", token).await
    }

    /// The same by another form.
    pub(crate) async fn lead_to(&self, form: &str, token: &str) -> String {
        let (status, body) = self.submit_to(form, token, &lead()).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        body["id"].as_str().unwrap().to_owned()
    }

    /// Waits until nothing moves any more.
    pub(crate) async fn settle(&self) -> Value {
        self.control("settle", json!({"timeout_s": 60})).await
    }

    /// The same, but what only the clock can move does not count: a message that a killed process
    /// had received, and what is due but has seen no sweep yet.
    pub(crate) async fn settle_but_for_the_clock(&self) -> Value {
        for _ in 0..600 {
            let settle = json!({"timeout_s": 0.1});
            let response = self
                .post("/_local/settle")
                .json(&settle)
                .send()
                .await
                .unwrap();
            let body: Value = response.json().await.unwrap();
            let idle = ["visible", "invocations", "deliveries"];
            if body["settled"] == true || idle.iter().all(|what| body["left"][what] == 0) {
                return body;
            }
        }
        panic!("it does not settle");
    }

    /// Runs the sweep now, then waits until nothing moves any more.
    pub(crate) async fn sweep(&self) {
        self.control("tick", json!({"schedule": "sweep"})).await;
        self.settle().await;
    }

    pub(crate) async fn advance(&self, seconds: u64) {
        self.control("clock", json!({"advance_s": seconds})).await;
    }

    /// Moves the clock as far as the desk itself says that something happens next, and lets it happen,
    /// until nothing is left to happen or `limit_s` have passed.
    pub(crate) async fn run_to_quiet(&self, limit_s: i64) {
        let end = self.local.clock().now().as_second() + limit_s;
        self.settle_but_for_the_clock().await;
        loop {
            // Due entries keep the desk from settling until a sweep has seen them.
            self.control("tick", json!({"schedule": "sweep"})).await;
            let settled = self.settle_but_for_the_clock().await;
            let Some(next) = settled["next_due"].as_str() else {
                return;
            };
            let next: jiff::Timestamp = next.parse().unwrap();
            let now = self.local.clock().now();
            if next.as_second() > end {
                return;
            }
            let wait = next.duration_since(now).as_secs().max(0).unsigned_abs() + 1;
            self.advance(wait).await;
        }
    }

    /// Moves the clock by `seconds`, from one thing that happens to the next.
    pub(crate) async fn run_for(&self, seconds: i64) {
        let end = self.local.clock().now() + jiff::SignedDuration::from_secs(seconds);
        self.run_to_quiet(seconds).await;
        let left = end.duration_since(self.local.clock().now());
        self.advance(left.as_secs().max(0).unsigned_abs()).await;
    }

    /// Lets so many minutes pass with a sweep in each, in which nothing may be asked of Telegram.
    pub(crate) async fn sends_nothing_for(&self, minutes: usize) {
        let sent = self.requests().await.len();
        for _ in 0..minutes {
            self.advance(60).await;
            self.sweep().await;
        }
        assert_eq!(self.requests().await.len(), sent, "nothing goes there");
    }

    /// The stand-in's limits off, where pace is not what is looked at.
    pub(crate) async fn without_limits(&self) {
        let none =
            json!({"per_chat_per_minute": 0, "per_group_per_minute": 0, "bot_per_second": 0});
        self.control("rates", none).await;
    }

    pub(crate) async fn fault(&self, fault: Value) {
        self.control("faults", fault).await;
    }

    pub(crate) async fn end_faults(&self) {
        self.request("DELETE", "/_local/faults")
            .send()
            .await
            .unwrap();
    }

    pub(crate) async fn press(&self, user: i64, message: &Value, data: &str) -> Value {
        self.press_in(STAFF, user, message, data).await
    }

    pub(crate) async fn press_in(
        &self,
        chat: i64,
        user: i64,
        message: &Value,
        data: &str,
    ) -> Value {
        self.control(
            "press",
            json!({
                "chat_id": chat,
                "user": {"id": user, "first_name": "Somebody"},
                "message_id": message["message_id"],
                "callback_data": data,
            }),
        )
        .await
    }

    /// Somebody presses a message that the stand-in does not show (yet): the update comes all the same.
    pub(crate) async fn press_unseen(&self, user: i64, message_id: i64, data: &str) -> Value {
        let update = json!({"callback_query": {
            "id": "unseen", "chat_instance": "1", "data": data,
            "from": {"id": user, "is_bot": false, "first_name": "Somebody"},
            "message": {"message_id": message_id, "date": 0, "chat": {"id": STAFF, "type": "supergroup"}},
        }});
        self.control("update", json!({"update": update})).await
    }

    pub(crate) async fn chats(&self) -> Vec<Value> {
        let chats: Value = self.get("/_local/chats").await.json().await.unwrap();
        chats["chats"].as_array().unwrap().clone()
    }

    /// The staff chat's messages that are not deleted: but for notices, its cards.
    pub(crate) async fn cards(&self) -> Vec<Value> {
        let mut messages = self.messages(STAFF).await;
        messages.retain(|message| !is_notice(message) && !is_reminder(message));
        messages
    }

    /// The reports and warnings in the staff chat, as texts.
    pub(crate) async fn notices(&self) -> Vec<String> {
        let messages = self.messages(STAFF).await;
        messages
            .iter()
            .filter(|message| is_notice(message))
            .map(|message| message["text"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Runs a schedule at the present time, and what it causes.
    pub(crate) async fn tick(&self, schedule: &str) -> Value {
        let done = self.control("tick", json!({"schedule": schedule})).await;
        self.settle().await;
        done
    }

    pub(crate) async fn messages(&self, chat_id: i64) -> Vec<Value> {
        let chats = self.chats().await;
        let chat = chats.iter().find(|chat| chat["chat_id"] == chat_id);
        let messages = chat
            .and_then(|chat| chat["messages"].as_array())
            .cloned()
            .unwrap_or_default();
        messages
            .into_iter()
            .filter(|message| message["deleted"] != true)
            .collect()
    }

    pub(crate) async fn the_card(&self) -> Value {
        let mut cards = self.cards().await;
        assert_eq!(cards.len(), 1, "{cards:#?}");
        cards.remove(0)
    }

    /// Every Bot API request so far.
    pub(crate) async fn requests(&self) -> Vec<Value> {
        let text = self.get("/_local/requests").await.text().await.unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    pub(crate) async fn items(&self, pk: &str) -> Vec<Value> {
        let path = format!("/_local/items?pk={}", pk.replace('#', "%23"));
        let items: Value = self.get(&path).await.json().await.unwrap();
        items["items"].as_array().unwrap().clone()
    }

    /// One item of a request: `REQ`, `BODY`, `LOG#…`, `EFF#…`.
    pub(crate) async fn item(&self, lead: &str, sk: &str) -> Value {
        let items = self.items(&format!("REQ#{lead}")).await;
        items
            .into_iter()
            .find(|item| item["sk"] == sk)
            .unwrap_or(Value::Null)
    }

    pub(crate) async fn effect(&self, lead: &str) -> Value {
        self.item(lead, "EFF#card#staff").await
    }

    pub(crate) async fn queue(&self, name: &str) -> Value {
        let queues: Value = self.get("/_local/queues").await.json().await.unwrap();
        let queues = queues["queues"].as_array().unwrap();
        queues
            .iter()
            .find(|queue| queue["name"] == name)
            .unwrap()
            .clone()
    }

    pub(crate) async fn dead_letters(&self) -> u64 {
        self.queue("frontdesk-outbox-dead").await["visible"]
            .as_u64()
            .unwrap()
    }

    /// Ends the test: every request that the product made must be one that the Bot API takes.
    pub(crate) async fn finish(self) {
        let requests = self.requests().await;
        crate::structure::check_bot_requests(&requests);
        self.local.stop().await;
    }
}

/// What a customer fills in.
pub(crate) fn lead() -> Value {
    json!({"name": "Vera", "phone": "8 (812) 123-45-67", "message": "Please call me"})
}

/// A draft token that differs for each `n`.
pub(crate) fn token(n: usize) -> String {
    format!("draft-token-for-tests-{n:04}")
}

/// True for what the desk tells of itself.
fn is_notice(message: &Value) -> bool {
    let text = message["text"].as_str().unwrap_or_default();
    [
        "⚠️",
        "✅",
        "Report for",
        "This may be a repeat: whether the first one",
    ]
    .iter()
    .any(|beginning| text.starts_with(beginning))
}

/// The buttons that take a request.
pub(crate) fn take_buttons(message: &Value) -> Vec<String> {
    let mut buttons = buttons(message);
    buttons.retain(|data| data.starts_with("take:"));
    buttons
}

fn is_reminder(message: &Value) -> bool {
    message["text"].as_str().unwrap_or_default().contains("🔔")
}

pub(crate) fn buttons(message: &Value) -> Vec<String> {
    let rows = message["buttons"].as_array().cloned().unwrap_or_default();
    let buttons = rows.iter().filter_map(|row| row.as_array()).flatten();
    buttons
        .map(|button| {
            button["callback_data"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Waits until `condition` holds, or fails after ten seconds.
pub(crate) async fn eventually<F: Future<Output = bool>>(
    what: &str,
    mut condition: impl FnMut() -> F,
) {
    let holds = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(
        tokio::time::timeout(Duration::from_secs(10), holds)
            .await
            .is_ok(),
        "{what}"
    );
}
