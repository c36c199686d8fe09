//! A request with its card, as it is read, looked at, swept and delivered.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use frontdesk_desk::deliver_effect::Delivery;
use frontdesk_domain::effect::MAX_ATTEMPTS;
use frontdesk_domain::{Name, RequestId};
use frontdesk_notifier::Notifier;
use frontdesk_storage::{Error, Loaded, LoadedEffect, NewRequest, Store, Subject};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::change::{read_number, same};
use super::{bot, give_slots, is_newer, key};
use crate::aws::{Aws, Call};
use crate::sample::{REQUEST, STAFF_CHAT, now};

pub(super) struct Table {
    pub(super) changed: BTreeSet<String>,
    pub(super) request: Value,
    pub(super) card: Value,
    pub(super) body: Option<Value>,
}

impl Table {
    pub(super) fn answer(&self, aws: &Aws, items: &[Value]) {
        aws.hold(items);
        aws.answer("Query", json!({"Count": 1, "Items": [self.card]}));
        give_slots(aws);
    }

    /// An error that is right: it names what was changed, or says that it is of a newer version.
    fn is_told(&self, error: &Error) {
        match error {
            Error::Malformed { attribute } => {
                assert!(
                    self.changed.contains(*attribute),
                    "{attribute} is as it should be"
                );
            }
            Error::Newer => assert!(self.is_newer()),
            other => panic!("{other}"),
        }
    }

    fn is_newer(&self) -> bool {
        [&self.request, &self.card]
            .into_iter()
            .chain(&self.body)
            .any(is_newer)
    }

    pub(super) async fn load(&self, store: &Store, aws: &Aws) {
        let loaded = store.load_effect(&bot(), &key(), Some(STAFF_CHAT)).await;
        aws.take_calls();
        let LoadedEffect {
            effect, subject, ..
        } = match loaded {
            Ok(Loaded::Found(loaded)) => *loaded,
            Ok(Loaded::Newer { .. }) => return assert!(self.is_newer()),
            Ok(Loaded::Missing) => panic!("it is there"),
            Err(error) => return self.is_told(&error),
        };
        assert!(!self.is_newer(), "what is newer was read");
        store
            .write_effect(&effect, &effect)
            .await
            .expect("it is written");
        let written = set_by(&aws.take_calls()[0]);
        for (name, value) in &written {
            let derived = ["v", "revision", "due_shard", "list_pk", "list_sk"];
            assert!(
                derived.contains(&name.as_str()) || same(&self.card[name], value),
                "{name}"
            );
        }
        for needed in [
            "state",
            "want",
            "shown",
            "not_before",
            "attempts",
            "unknowns",
            "resends",
        ] {
            assert!(written.contains_key(needed), "{needed}");
        }
        let Subject::Request(request) = subject else {
            panic!("a request is there");
        };
        let new = NewRequest {
            request: *request,
            files: Vec::new(),
            effects: Vec::new(),
        };
        store.insert_request(&new).await.expect("it is stored");
        self.reads_back(&aws.take_calls()[0]);
    }

    /// What was read of the request is stored as it was.
    fn reads_back(&self, transaction: &Call) {
        let items = transaction.body["TransactItems"].as_array().expect("items");
        let items = || items.iter().map(|item| &item["Put"]["Item"]);
        let request = items()
            .next()
            .and_then(Value::as_object)
            .expect("a request");
        for (name, value) in request.iter().filter(|(name, _)| *name != "answers") {
            // A flag is written where it was not there, a language in its short form.
            let derived = [
                "v",
                "list_pk",
                "list_sk",
                "contact_sk",
                "due_shard",
                "number_pk",
                "number_sk",
                "called_out",
                "unreachable",
                "language",
            ];
            assert!(
                derived.contains(&name.as_str()) || same(&self.request[name], value),
                "{name}"
            );
        }
        let all = |items: &mut dyn Iterator<Item = &Value>| {
            let answers = items
                .filter_map(|item| item["answers"]["L"].as_array())
                .flatten();
            let mut answers: Vec<_> = answers.map(known_of_answer).collect();
            answers.sort();
            answers
        };
        let before = all(&mut [&self.request].into_iter().chain(&self.body));
        assert_eq!(all(&mut items()), before);
    }

    /// The same as a press reads it.
    pub(super) async fn look_at(&self, store: &Store, aws: &Aws) {
        let staff = Name::parse("staff").expect("a name");
        let id = RequestId::parse(REQUEST).expect("an id");
        let view = store.read_for_press(id, [&staff]).await;
        aws.take_calls();
        match view {
            Ok(view) => {
                assert!(
                    !is_newer(&self.request) && !is_newer(&self.card),
                    "what is newer was read"
                );
                assert!(view.request.is_some() && view.cards.len() == 1);
            }
            Err(error) => self.is_told(&error),
        }
    }

    pub(super) async fn sweep(&self, store: &Store) {
        match store.read_due(0, 10).await {
            Ok(entries) => assert_eq!(entries[0].effect(), Some(key())),
            Err(error) => self.is_told(&error),
        }
    }

    pub(super) async fn deliver(&self, notifier: &Notifier, aws: &Aws, sent_at: Timestamp) {
        aws.take_calls();
        let delivery = Delivery {
            desk: &notifier.desk,
            telegram: &notifier.telegram,
            registration: None,
            clock: now,
            deadline: Instant::now() + Duration::from_mins(1),
        };
        if let Err(error) = delivery.deliver(&key(), "message", sent_at).await {
            self.is_told(&error);
        }
        let key = key();
        for call in aws.take_calls().iter().filter(|call| call.is_write()) {
            let pk = call.body["Key"]["pk"]["S"].as_str().expect("a key");
            if pk != key.pk {
                assert!(
                    pk.starts_with("CHAT#desk#") || pk.starts_with("COUNT#"),
                    "{pk}"
                );
                continue;
            }
            let written = set_by(call);
            if self.is_newer() {
                assert_eq!(
                    written.keys().collect::<Vec<_>>(),
                    ["due"],
                    "a newer version's"
                );
                continue;
            }
            let count = |name: &str| read_number(&written[name]).expect(name);
            if written.len() > 1 {
                let stored = read_number(&self.card["attempts"]).unwrap_or_default();
                assert!(count("attempts") <= stored.max(i64::from(MAX_ATTEMPTS)));
                assert!(count("shown") >= read_number(&self.card["shown"]).unwrap_or_default());
                assert_eq!(
                    count("want"),
                    read_number(&self.card["want"]).unwrap_or_default()
                );
            }
        }
    }
}

/// What an update sets, by attribute; null where that is worked out from what is stored.
pub(super) fn set_by(call: &Call) -> BTreeMap<String, Value> {
    let body = &call.body;
    let expression = body["UpdateExpression"].as_str().expect("an expression");
    let set = expression.strip_prefix("SET ").expect("a SET");
    let ends = [" REMOVE ", " ADD ", " DELETE "].map(|clause| set.find(clause));
    let set = &set[..ends.into_iter().flatten().min().unwrap_or(set.len())];
    // Each value up to the next assignment: a function's arguments have commas too, and no equals sign.
    let mut parts: Vec<_> = set.split(" = ").collect();
    let last = parts.pop().expect("a value");
    let mut name = parts.first().copied().expect("an assignment");
    let mut assignments = Vec::new();
    for part in &parts[1..] {
        let (value, next) = part.rsplit_once(", ").expect("a value and a name");
        assignments.push((name, value));
        name = next;
    }
    assignments.push((name, last));
    let named = |(name, value): (&str, &str)| {
        let name = body["ExpressionAttributeNames"][name]
            .as_str()
            .unwrap_or(name);
        let value = body["ExpressionAttributeValues"][value].clone();
        (name.to_owned(), value)
    };
    assignments.into_iter().map(named).collect()
}

/// An answer's attributes that this version knows.
fn known_of_answer(answer: &Value) -> [Option<String>; 3] {
    ["field", "text", "e164"].map(|name| answer["M"][name]["S"].as_str().map(str::to_owned))
}
