//! A stand-in with a staff group, one customer and a webhook that can be reprogrammed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_local_clock::Clock;
use frontdesk_local_telegram::{
    ApiAnswer, Bot, ChatKind, Message, Say, Telegram, User, Via, WebhookAnswer,
};
use serde_json::{Value, json};

pub(crate) const TOKEN: &str = "700:local-token";
pub(crate) const STAFF: i64 = -1_001_000_000_001;
pub(crate) const CUSTOMER: i64 = 42;

type Script = Box<dyn Fn(&Value) -> Option<WebhookAnswer> + Send + Sync>;

pub(crate) struct Desk {
    pub(crate) telegram: Telegram,
    pub(crate) clock: Clock,
    seen: Arc<Mutex<Vec<Value>>>,
    script: Arc<Mutex<Script>>,
}

impl Desk {
    /// Every update is answered 200; the customer has written once.
    pub(crate) async fn open() -> Self {
        let clock = Clock::new();
        let bot = Bot {
            name: "Desk".into(),
            username: "desk_bot".into(),
            token: TOKEN.into(),
            id: 700,
            secret: None,
        };
        let telegram = Telegram::new(clock.clone(), bot);
        telegram.add_chat(STAFF, ChatKind::Supergroup, "Staff");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let script: Arc<Mutex<Script>> =
            Arc::new(Mutex::new(Box::new(|_| Some(WebhookAnswer::status(200)))));
        telegram.set_webhook(Arc::new({
            let (seen, script) = (seen.clone(), script.clone());
            move |update| {
                let answer = lock(&script)(&update);
                lock(&seen).push(update);
                Box::pin(async move {
                    match answer {
                        Some(answer) => answer,
                        None => std::future::pending().await,
                    }
                })
            }
        }));
        let desk = Self {
            telegram,
            clock,
            seen,
            script,
        };
        desk.say("hello").await;
        lock(&desk.seen).clear();
        desk
    }

    /// What the webhook answers from now on; nothing means that it never does.
    pub(crate) fn answer_with(
        &self,
        script: impl Fn(&Value) -> Option<WebhookAnswer> + Send + Sync + 'static,
    ) {
        *lock(&self.script) = Box::new(script);
    }

    pub(crate) fn seen(&self) -> Vec<Value> {
        lock(&self.seen).clone()
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.clock
            .advance(Duration::from_secs(seconds))
            .expect("no file to write");
    }

    /// Waits until something holds.
    pub(crate) async fn until(&self, holds: impl Fn(&Self) -> bool) {
        let mut changes = self.telegram.changes();
        while !holds(self) {
            changes.changed().await.expect("the stand-in lives");
        }
    }

    pub(crate) async fn call(&self, method: &str, params: Value) -> ApiAnswer {
        self.telegram.call(TOKEN, method, params, Via::Api).await
    }

    /// Does a method that must succeed.
    pub(crate) async fn done(&self, method: &str, params: Value) -> Value {
        let answer = self.call(method, params).await;
        assert_eq!(answer.status, 200, "{:?}", answer.description());
        answer.result().clone()
    }

    /// Sends a method that must be refused with 400 and gives the reason.
    pub(crate) async fn refused(&self, method: &str, params: Value) -> String {
        let answer = self.call(method, params).await;
        assert_eq!(answer.status, 400);
        let text = answer.description().expect("a description");
        text.strip_prefix("Bad Request: ")
            .expect("the usual start")
            .to_owned()
    }

    /// A card with one button in the staff group.
    pub(crate) async fn card(&self) -> i64 {
        let markup = json!({"inline_keyboard": [[{"text": "Take", "callback_data": "take:1"}]]});
        let params = json!({"chat_id": STAFF, "text": "card", "reply_markup": markup});
        let message = self.done("sendMessage", params).await;
        message["message_id"].as_i64().expect("an id")
    }

    pub(crate) async fn say(&self, text: &str) {
        let said = self
            .telegram
            .say(Say::text(customer(), CUSTOMER, text))
            .await;
        said.expect("a customer may write");
    }

    pub(crate) fn message(&self, chat_id: i64, message_id: i64) -> Message {
        let chat = self.telegram.chat(chat_id).expect("a chat");
        let mut messages = chat.messages.into_iter();
        messages
            .find(|message| message.message_id == message_id)
            .expect("a message")
    }
}

pub(crate) fn customer() -> User {
    User {
        language_code: Some("en".into()),
        ..User::new(CUSTOMER, "Cleo")
    }
}

pub(crate) fn anna() -> User {
    User::new(501, "Anna")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
