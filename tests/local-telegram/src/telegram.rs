//! The handle on the stand-in.

use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_local_clock::Clock;
use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio::sync::watch;

use crate::answer::{ApiAnswer, Refusal, Via};
use crate::chat::{self, Barred, ChatKind};
use crate::delivery::Deliver;
use crate::journal::Request;
use crate::person::User;
use crate::rates::Rates;
use crate::state::{State, Update};
use crate::view::{self, Chat};
use crate::{methods, schema};

/// The bot that the stand-in knows.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Bot {
    /// Its display name.
    pub name: String,
    /// Its name without the `@`.
    pub username: String,
    /// Its token: id, colon, secret part.
    pub token: String,
    /// Its user id.
    pub id: i64,
    /// What the webhook's secret header holds; `setWebhook` replaces it.
    pub secret: Option<String>,
}

impl Bot {
    pub(crate) fn user(&self) -> User {
        User {
            username: Some(self.username.clone()),
            ..User::new(self.id, &self.name)
        }
    }
}

/// The stand-in. Clones are handles on the same one. Calls that deliver updates, [`Telegram::migrate`]
/// and [`Telegram::set_webhook`] too, need a tokio runtime around them.
#[derive(Clone)]
pub struct Telegram {
    inner: Arc<Inner>,
}

struct Inner {
    clock: Clock,
    state: Mutex<State>,
    changes: watch::Sender<u64>,
}

impl Telegram {
    /// A Telegram in which nothing has happened yet.
    pub fn new(clock: Clock, bot: Bot) -> Self {
        let state = Mutex::new(State::new(bot));
        Self {
            inner: Arc::new(Inner {
                clock,
                state,
                changes: watch::Sender::new(0),
            }),
        }
    }

    /// The bot, with the secret that the webhook is to be called with now.
    pub fn bot(&self) -> Bot {
        self.with(|state| state.bot.clone())
    }

    /// Adds a chat that the bot is in. Private chats begin with their first message instead.
    pub fn add_chat(&self, chat_id: i64, kind: ChatKind, title: &str) {
        self.with(|state| {
            state
                .chats
                .entry(chat_id)
                .or_insert_with(|| chat::Chat::new(chat_id, kind, title));
        });
        self.changed_now();
    }

    /// Delivers updates to `deliver` from now on, those too that are waiting.
    pub fn set_webhook(&self, deliver: Deliver) {
        self.with(|state| {
            state.webhook.deliver = Some(deliver);
            state.webhook.active = true;
        });
        self.start_pending();
    }

    /// Answers a Bot API request and journals it.
    #[expect(
        clippy::unused_async,
        reason = "a request to Telegram takes time for its caller"
    )]
    pub async fn call(&self, token: &str, method: &str, params: Value, via: Via) -> ApiAnswer {
        if via == Via::Webhook || self.with(|state| state.bot.token == token) {
            return self.perform(method, params, via);
        }
        let is_token = token
            .split_once(':')
            .is_some_and(|(id, secret)| id.parse::<u64>().is_ok() && !secret.is_empty());
        let answer = ApiAnswer::from(Err(Refusal::unauthorized(!is_token)));
        self.record(method, params, Some(&answer), via);
        answer
    }

    /// Does a method of the bot and journals it.
    pub(crate) fn perform(&self, method: &str, params: Value, via: Via) -> ApiAnswer {
        let params = if params.is_null() {
            Value::Object(Map::new())
        } else {
            params
        };
        let now = self.inner.clock.now();
        let name = schema::method_name(method);
        let outcome = match (name, params.as_object()) {
            _ if methods::is_ignored(method, via) => None,
            (None, _) => Some(Err(Refusal::unknown_method())),
            (Some(_), None) => Some(Err(Refusal::bad_request("parameters must be an object"))),
            (Some(name), Some(object)) => {
                Some(self.with(|state| methods::perform(state, now, name, object)))
            }
        };
        let ignored = || ApiAnswer {
            status: 200,
            retry_after: None,
            body: Value::Null,
        };
        let answer = outcome.map(ApiAnswer::from);
        self.record(name.unwrap_or(method), params, answer.as_ref(), via);
        if name == Some("setWebhook") {
            self.start_pending();
        }
        answer.unwrap_or_else(ignored)
    }

    /// Journals a request that something in front of the stand-in answered itself, or dropped.
    pub fn record_faulted(
        &self,
        method: &str,
        params: Value,
        status: Option<u16>,
        response: Option<Value>,
    ) {
        let at = self.inner.clock.now();
        let method = schema::method_name(method).unwrap_or(method).to_owned();
        let request = Request {
            method,
            params,
            status,
            response,
            at,
            via: Via::Api,
        };
        self.with(|state| state.journal.push(request));
        self.changed_now();
    }

    fn record(&self, method: &str, params: Value, answer: Option<&ApiAnswer>, via: Via) {
        let request = Request {
            method: method.to_owned(),
            params,
            status: answer.map(|answer| answer.status),
            response: answer.map(|answer| answer.body.clone()),
            at: self.inner.clock.now(),
            via,
        };
        self.with(|state| state.journal.push(request));
        self.changed_now();
    }

    /// The chats as people see them now.
    pub fn chats(&self) -> Vec<Chat> {
        self.with(|state| state.chats.values().map(view::chat).collect())
    }

    /// One chat as people see it now.
    pub fn chat(&self, chat_id: i64) -> Option<Chat> {
        self.with(|state| state.chats.get(&chat_id).map(view::chat))
    }

    /// Every Bot API request so far, in order.
    pub fn requests(&self) -> Vec<Request> {
        self.with(|state| state.journal.clone())
    }

    /// Sets the limits; what was sent before counts against them.
    pub fn set_rates(&self, rates: Rates) {
        self.with(|state| state.meter.rates = rates);
    }

    /// The limits.
    pub fn rates(&self) -> Rates {
        self.with(|state| state.meter.rates)
    }

    /// A person deletes a message. False when it is not there.
    pub fn delete_message(&self, chat_id: i64, message_id: i64) -> bool {
        let deleted = self.with(|state| {
            let message = state
                .chats
                .get_mut(&chat_id)
                .and_then(|chat| chat.live(message_id));
            message.map(|message| message.deleted = true).is_some()
        });
        self.changed_now();
        deleted
    }

    /// A group becomes a supergroup: the new id, or none when there is no such chat. Both service
    /// messages are sent on their way.
    pub fn migrate(&self, chat_id: i64) -> Option<i64> {
        let now = self.inner.clock.now();
        let (new_id, updates) = self.with(|state| state.migrate(chat_id, now))?;
        self.start(updates);
        Some(new_id)
    }

    /// The bot can reach the chat no more. False when there is no such chat.
    pub fn block(&self, chat_id: i64, reason: Barred) -> bool {
        self.set_barred(chat_id, Some(reason))
    }

    /// The bot can reach the chat again. False when there is no such chat.
    pub fn unblock(&self, chat_id: i64) -> bool {
        self.set_barred(chat_id, None)
    }

    fn set_barred(&self, chat_id: i64, barred: Option<Barred>) -> bool {
        self.with(|state| {
            state
                .chats
                .get_mut(&chat_id)
                .map(|chat| chat.barred = barred)
        })
        .is_some()
    }

    /// How many updates are on their way to the webhook, not counting those that wait for a repeat
    /// or behind another.
    pub fn in_flight(&self) -> usize {
        self.with(|state| {
            state
                .lanes
                .values()
                .filter(|lane| lane.retry_at.is_none())
                .count()
        })
    }

    /// When the next repeat is due.
    pub fn next_retry(&self) -> Option<Timestamp> {
        self.with(|state| state.lanes.values().filter_map(|lane| lane.retry_at).min())
    }

    /// Waits for the next change: a request, a delivery, a person's act. What changed before the call
    /// does not count; to miss nothing between a look and a wait, use [`Telegram::changes`].
    pub async fn changed(&self) {
        // The sender lives as long as this handle.
        let _ = self.changes().changed().await;
    }

    /// A receiver that notes each change from now on.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.inner.changes.subscribe()
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self
            .inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn changed_now(&self) {
        self.inner.changes.send_modify(|count| *count += 1);
    }

    /// Sends on their way what has waited for a webhook.
    fn start_pending(&self) {
        let updates = self.with(|state| {
            if state.webhook.target().is_none() {
                return Vec::new();
            }
            let waiting = std::mem::take(&mut state.pending);
            waiting
                .iter()
                .filter_map(|id| state.updates.get(id).cloned())
                .collect()
        });
        self.start(updates);
    }

    /// Sends updates on their way without waiting.
    fn start(&self, updates: Vec<Update>) {
        for update in updates {
            drop(self.enqueue(update.key.clone(), update));
        }
        self.changed_now();
    }
}
