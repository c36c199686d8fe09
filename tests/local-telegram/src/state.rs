//! All that the stand-in remembers.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::Bot;
use crate::answer::Refusal;
use crate::chat::{Chat, ChatKind, Content, File};
use crate::delivery::{Deliver, Key, Lane};
use crate::journal::Request;
use crate::person::User;
use crate::rates::Meter;

/// How long Telegram keeps trying to deliver a message, and how long a press.
pub(crate) const MESSAGE_LIFE: SignedDuration = SignedDuration::from_hours(24);
pub(crate) const PRESS_LIFE: SignedDuration = SignedDuration::from_secs(150);

pub(crate) struct State {
    pub(crate) bot: Bot,
    pub(crate) chats: BTreeMap<i64, Chat>,
    pub(crate) files: HashMap<String, File>,
    pub(crate) queries: HashMap<String, Query>,
    pub(crate) journal: Vec<Request>,
    pub(crate) meter: Meter,
    pub(crate) webhook: Webhook,
    pub(crate) updates: BTreeMap<i64, Update>,
    pub(crate) lanes: BTreeMap<Key, Lane>,
    /// Updates that wait for `getUpdates` or a webhook.
    pub(crate) pending: VecDeque<i64>,
    next_update_id: i64,
    next_copy: u64,
}

/// A press that may be answered.
pub(crate) struct Query {
    pub(crate) at: Timestamp,
    pub(crate) answered: bool,
}

/// An update, which can be delivered again.
#[derive(Clone)]
pub(crate) struct Update {
    pub(crate) id: i64,
    pub(crate) body: Arc<Value>,
    pub(crate) key: Key,
    pub(crate) life: SignedDuration,
}

#[derive(Default)]
pub(crate) struct Webhook {
    pub(crate) deliver: Option<Deliver>,
    pub(crate) active: bool,
    pub(crate) url: String,
    pub(crate) max_connections: Option<i64>,
    pub(crate) allowed_updates: Option<Value>,
    pub(crate) last_error: Option<(i64, String)>,
}

impl Webhook {
    pub(crate) fn target(&self) -> Option<Deliver> {
        self.deliver.clone().filter(|_| self.active)
    }
}

impl State {
    pub(crate) fn new(bot: Bot) -> Self {
        Self {
            bot,
            chats: BTreeMap::new(),
            files: HashMap::new(),
            queries: HashMap::new(),
            journal: Vec::new(),
            meter: Meter::default(),
            webhook: Webhook::default(),
            updates: BTreeMap::new(),
            lanes: BTreeMap::new(),
            pending: VecDeque::new(),
            next_update_id: fastrand::i64(2_000_001..1_000_000_000),
            next_copy: 0,
        }
    }

    /// A chat that the bot knows, or the Bot API's refusal.
    pub(crate) fn chat(&mut self, chat_id: i64) -> Result<&mut Chat, Refusal> {
        self.chats
            .get_mut(&chat_id)
            .ok_or_else(|| Refusal::bad_request("chat not found"))
    }

    /// The next update id. They go up by one, except over ids that raw updates have used.
    pub(crate) fn take_update_id(&mut self) -> i64 {
        while self.updates.contains_key(&self.next_update_id) {
            self.next_update_id += 1;
        }
        self.next_update_id += 1;
        self.next_update_id - 1
    }

    /// A queue of its own for one copy of an update.
    pub(crate) fn take_copy_key(&mut self) -> Key {
        self.next_copy += 1;
        Key::Copy(self.next_copy)
    }

    /// Keeps a new update of `kind`, such as `message`.
    pub(crate) fn keep(&mut self, kind: &str, content: Value, key: Key) -> Update {
        let id = self.take_update_id();
        let mut body = serde_json::Map::new();
        body.insert("update_id".to_owned(), id.into());
        body.insert(kind.to_owned(), content);
        self.keep_raw(id, Value::Object(body), key)
    }

    /// Keeps an update as it is.
    pub(crate) fn keep_raw(&mut self, id: i64, body: Value, key: Key) -> Update {
        let life = if matches!(key, Key::User(_)) {
            PRESS_LIFE
        } else {
            MESSAGE_LIFE
        };
        let update = Update {
            id,
            body: Arc::new(body),
            key,
            life,
        };
        self.updates.insert(id, update.clone());
        update
    }

    /// Remembers that a query was put to the bot; a redelivery does not renew it.
    pub(crate) fn open_query(&mut self, id: &str, at: Timestamp) {
        self.queries.entry(id.to_owned()).or_insert(Query {
            at,
            answered: false,
        });
    }

    /// Makes a basic group a supergroup and gives the two service messages.
    pub(crate) fn migrate(&mut self, chat_id: i64, now: Timestamp) -> Option<(i64, Vec<Update>)> {
        let old = self.chats.get_mut(&chat_id)?;
        if let Some(to) = old.migrated_to {
            return Some((to, Vec::new()));
        }
        let new_id = -(1_000_000_000_000 + fastrand::i64(1_000_000_000..4_000_000_000));
        let anonymous = || User {
            username: Some("GroupAnonymousBot".into()),
            ..User::new(1_087_968_824, "Group")
        };
        let service = |name: &str, id: i64| {
            Content::Fields([(name.to_owned(), id.into())].into_iter().collect())
        };
        let title = old.title.clone();
        let date = now.as_second();
        let left = old.post(date, anonymous(), service("migrate_to_chat_id", new_id));
        left.from_bot = true;
        let left = left.clone();
        let left = old.message_json(&left);
        old.migrated_to = Some(new_id);

        let mut new = Chat::new(new_id, ChatKind::Supergroup, &title);
        let joined = new.post(date, anonymous(), service("migrate_from_chat_id", chat_id));
        joined.from_bot = true;
        let joined = joined.clone();
        let joined = new.message_json(&joined);
        self.chats.insert(new_id, new);
        let updates = vec![
            self.keep("message", left, Key::Chat(chat_id)),
            self.keep("message", joined, Key::Chat(new_id)),
        ];
        Some((new_id, updates))
    }
}
