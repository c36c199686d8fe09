use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use std::time::{Duration, Instant};

use arbitrary::{Arbitrary, Unstructured};
use frontdesk_desk::deliver_effect::Delivery;
use frontdesk_domain::effect::{EffectId, MAX_ATTEMPTS};
use frontdesk_domain::{Name, RequestId};
use frontdesk_notifier::Notifier;
use frontdesk_storage::{
    Conversation, DraftChange, EffectKey, Error, Loaded, LoadedEffect, NewRequest, Store, Subject,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use crate::aws::{Aws, Call};
use crate::sample::{REQUEST, STAFF_CHAT, now, with_notifier};

/// Items as the table might hold them: right ones with some attributes gone, of other types, of extreme
/// values or of a newer version.
#[derive(Arbitrary, Debug)]
struct Input {
    request: Vec<Change>,
    body: Option<Vec<Change>>,
    card: Vec<Change>,
    chat: Option<Vec<Change>>,
    sent_at: u32,
    panel: Vec<Change>,
    draft: Vec<Change>,
    text: Vec<Change>,
    file: Vec<Change>,
    answer: Vec<Change>,
}

#[derive(Arbitrary, Debug)]
struct Change {
    at: u8,
    to: To,
}

#[derive(Arbitrary, Debug)]
enum To {
    Nothing,
    Text(String),
    Word(u8),
    Number(i64),
    Small(i8),
    FromNow(i32),
    Digits(String),
    Flag(bool),
    Null,
    Texts(Vec<String>),
    Messages(Vec<(i64, i64)>),
    Empty,
}

/// Values that mean something somewhere.
const WORDS: [&str; 21] = [
    "new",
    "in_work",
    "closed",
    "pending",
    "sending",
    "done",
    "unknown",
    "failed",
    "contact",
    "CONTACT#00",
    "asking",
    "preview",
    "sent",
    "cancelled",
    "text",
    "long_text",
    "chosen",
    "range",
    "photo",
    "500000-",
    REQUEST,
];

/// Stored items: what can be read is written back as it was, what cannot is told by the attribute that is
/// wrong, nothing of a newer version is touched, and no value makes a delivery do what it must not.
pub fn items(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let mut changed = BTreeSet::new();
    let mut changed_by = |item, changes: &[Change]| change(item, changes, &mut changed);
    let request = changed_by(request(), &input.request);
    let card = changed_by(card(), &input.card);
    let body = input
        .body
        .as_ref()
        .map(|changes| changed_by(body(), changes));
    let chat = input
        .chat
        .as_ref()
        .map(|changes| changed_by(chat(), changes));
    let items: Vec<_> = [&request, &card]
        .into_iter()
        .chain(&body)
        .chain(&chat)
        .cloned()
        .collect();
    with_notifier(async |notifier, aws| {
        let table = Table {
            changed,
            request,
            card,
            body,
        };
        table.answer(aws, &items);
        let desk = &notifier.desk;
        table.load(&desk.store, aws).await;
        table.look_at(&desk.store, aws).await;
        table.sweep(&desk.store).await;
        let sent_at = Timestamp::from_second(i64::from(input.sent_at)).expect("a time");
        table.deliver(notifier, aws, sent_at).await;
        conversation(&input, notifier, aws, sent_at).await;
    });
}

struct Table {
    changed: BTreeSet<String>,
    request: Value,
    card: Value,
    body: Option<Value>,
}

impl Table {
    fn answer(&self, aws: &Aws, items: &[Value]) {
        aws.hold(items);
        aws.answer("Query", json!({"Count": 1, "Items": [self.card]}));
        let next_free = number(now().as_millisecond() + 3150);
        aws.answer(
            "UpdateItem",
            json!({"Attributes": {"next_free": next_free}}),
        );
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

    async fn load(&self, store: &Store, aws: &Aws) {
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
    async fn look_at(&self, store: &Store, aws: &Aws) {
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

    async fn sweep(&self, store: &Store) {
        match store.read_due(0, 10).await {
            Ok(entries) => assert_eq!(entries[0].effect(), Some(key())),
            Err(error) => self.is_told(&error),
        }
    }

    async fn deliver(&self, notifier: &Notifier, aws: &Aws, sent_at: Timestamp) {
        aws.take_calls();
        let delivery = Delivery {
            desk: &notifier.desk,
            telegram: &notifier.telegram,
            registration: None,
            clock: now,
            deadline: Instant::now() + Duration::from_mins(1),
        };
        if let Err(error) = delivery.deliver(&key(), sent_at).await {
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

/// The same for a customer's draft with its parts, and for what answers a command.
async fn conversation(input: &Input, notifier: &Notifier, aws: &Aws, sent_at: Timestamp) {
    let mut changed = BTreeSet::new();
    let mut panel = change(panel(), &input.panel, &mut changed);
    if let Some(draft) = panel.pointer_mut("/draft/M") {
        *draft = change(draft.take(), &input.draft, &mut changed);
    }
    let text = change(draft_text(), &input.text, &mut changed);
    let file = change(draft_file(), &input.file, &mut changed);
    let answer = change(answer(), &input.answer, &mut changed);
    aws.reset();
    aws.hold(slice::from_ref(&answer));
    aws.find("CHAT#desk#77", &[panel.clone(), text.clone(), file.clone()]);
    let may_be_newer = [&panel, &text, &file, &answer].into_iter().any(is_newer);
    let told = |error: &Error| match error {
        Error::Malformed { attribute } => assert!(changed.contains(*attribute), "{attribute}"),
        Error::Newer => assert!(may_be_newer),
        other => panic!("{other}"),
    };
    let desk = &notifier.desk;
    match desk.store.read_conversation(&bot(), 77).await {
        Err(error) => told(&error),
        Ok(Conversation { draft: None, .. }) => assert!(panel["draft"].is_null()),
        Ok(Conversation {
            draft: Some(draft), ..
        }) => {
            assert!(!is_newer(&panel), "what is newer was read");
            let change = DraftChange {
                chat: 77,
                before: Some(draft.clone()),
                after: draft,
                keep: SignedDuration::from_hours(24 * 365),
                panel: None,
            };
            aws.take_calls();
            let stored = desk.store.change_draft(&bot(), &change, now()).await;
            assert!(stored.expect("it is written"));
            let call = &aws.take_calls()[0];
            let written = &call.body["ExpressionAttributeValues"][":draft"]["M"];
            let before = &panel["draft"]["M"];
            let kept = ["token", "source", "began", "changed", "phase", "told_album"];
            for name in kept {
                assert!(same(&before[name], &written[name]), "{name}");
            }
        }
    }
    let bot = bot();
    let ids = [
        EffectId::Panel {
            bot: bot.clone(),
            chat: 77,
        },
        EffectId::Answer {
            bot,
            update: 5,
            chat: 77,
        },
    ];
    for (id, item) in ids.iter().zip([&panel, &answer]) {
        aws.take_calls();
        let delivery = Delivery {
            desk,
            telegram: &notifier.telegram,
            registration: None,
            clock: now,
            deadline: Instant::now() + Duration::from_mins(1),
        };
        let key = EffectKey::from(id);
        if let Err(error) = delivery.deliver(&key, sent_at).await {
            told(&error);
        }
        let calls = aws.take_calls();
        let writes = calls.iter().filter(|call| call.is_write());
        for call in writes.filter(|call| call.body["Key"]["sk"]["S"] == key.sk.as_str()) {
            let written = set_by(call);
            assert!(
                !is_newer(item) || written.keys().eq(["due"]),
                "a newer version's"
            );
        }
    }
}

fn bot() -> Name {
    Name::parse("desk").expect("a name")
}

fn key() -> EffectKey {
    EffectKey::from(&EffectId::Card {
        request: RequestId::parse(REQUEST).expect("an id"),
        place: Name::parse("staff").expect("a name"),
    })
}

fn is_newer(item: &Value) -> bool {
    read_number(&item["v"]).is_some_and(|format| format > 1)
}

/// Applies changes to an item's attributes, or to those of its first answer, and notes their names.
fn change(mut item: Value, changes: &[Change], changed: &mut BTreeSet<String>) -> Value {
    for change in changes {
        let value = change.to.value();
        let attributes = item.as_object_mut().expect("an item");
        let names: Vec<_> = attributes
            .keys()
            .filter(|name| !["pk", "sk"].contains(&name.as_str()))
            .cloned()
            .collect();
        let inner = [
            "field",
            "text",
            "e164",
            "step",
            "kind",
            "names",
            "range",
            "own",
            "options",
            "own_number",
        ];
        let at = usize::from(change.at) % (names.len() + inner.len() + 1);
        let (place, name) = match (names.get(at), inner.get(at.wrapping_sub(names.len()))) {
            (Some(name), _) => (Some(attributes), name.as_str()),
            (None, Some(name)) => (first_answer(attributes), *name),
            (None, None) => (Some(attributes), "of_a_newer_version"),
        };
        let Some(place) = place else { continue };
        match value {
            Some(value) => place.insert(name.to_owned(), value),
            None => place.remove(name),
        };
        changed.insert(name.to_owned());
    }
    item
}

fn first_answer(attributes: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    let answers = attributes.get_mut("answers")?;
    answers.pointer_mut("/L/0/M")?.as_object_mut()
}

impl To {
    fn value(&self) -> Option<Value> {
        Some(match self {
            Self::Nothing => return None,
            Self::Text(text) => text_value(text),
            Self::Word(at) => text_value(WORDS[usize::from(*at) % WORDS.len()]),
            Self::Number(number) => json!({"N": number.to_string()}),
            Self::Small(number) => json!({"N": number.to_string()}),
            Self::FromNow(millis) => number(now().as_millisecond() + i64::from(*millis)),
            Self::Digits(text) => json!({"N": text}),
            Self::Flag(flag) => json!({"BOOL": flag}),
            Self::Null => json!({"NULL": true}),
            Self::Texts(texts) => json!({"SS": texts}),
            Self::Messages(messages) => {
                let texts = messages
                    .iter()
                    .map(|(chat, message)| format!("{chat}:{message}"));
                json!({"SS": texts.collect::<BTreeSet<_>>()})
            }
            Self::Empty => json!({"L": []}),
        })
    }
}

fn text_value(text: &str) -> Value {
    json!({"S": text})
}

fn number(number: i64) -> Value {
    json!({"N": number.to_string()})
}

fn read_number(value: &Value) -> Option<i64> {
    value["N"].as_str()?.parse().ok()
}

/// Numbers are equal by value and sets in any order, as they are to DynamoDB.
fn same(one: &Value, other: &Value) -> bool {
    let set = |value: &Value| {
        value["SS"].as_array().map(|texts| {
            let pair = |text: &Value| {
                let (chat, message) = text.as_str()?.split_once(':')?;
                Some((chat.parse::<i64>().ok()?, message.parse::<i64>().ok()?))
            };
            texts.iter().map(pair).collect::<BTreeSet<_>>()
        })
    };
    match (read_number(one), read_number(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other || set(one).is_some() && set(one) == set(other),
    }
}

/// What an update sets, by attribute.
fn set_by(call: &Call) -> BTreeMap<String, Value> {
    let body = &call.body;
    let expression = body["UpdateExpression"].as_str().expect("an expression");
    let set = expression
        .split(" REMOVE ")
        .next()
        .and_then(|set| set.strip_prefix("SET "));
    let assignments = set.expect("a SET").split(", ").map(|assignment| {
        let (name, value) = assignment.split_once(" = ").expect("an assignment");
        let name = body["ExpressionAttributeNames"][name]
            .as_str()
            .unwrap_or(name);
        (
            name.to_owned(),
            body["ExpressionAttributeValues"][value].clone(),
        )
    });
    assignments.collect()
}

/// An answer's attributes that this version knows.
fn known_of_answer(answer: &Value) -> [Option<String>; 3] {
    ["field", "text", "e164"].map(|name| answer["M"][name]["S"].as_str().map(str::to_owned))
}

fn request() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "REQ"}, "v": {"N": "1"},
        "source": {"S": "contact"}, "token": {"S": "0123456789abcdefghijkl"}, "digest": {"S": "00"},
        "answers": {"L": [
            {"M": {"field": {"S": "phone"}, "text": {"S": "8121234567"}, "e164": {"S": "+78121234567"}}},
        ]},
        "contact_pk": {"S": "CONTACT#00"}, "contact_sk": {"N": "1795960000000"},
        "version": {"N": "2"}, "state": {"S": "in_work"}, "assignee": {"N": "501"},
        "assignee_name": {"S": "Anna"}, "closed_by": {"N": "502"}, "closed_name": {"S": "Boris"},
        "closed_reason": {"S": "a double"}, "due": {"N": "1795970000000"}, "called_out": {"N": "1"},
        "chat": {"N": "77"}, "language": {"S": "ru"}, "link": {"S": "site"},
        "began": {"N": "1795950000000"}, "files": {"N": "2"}, "unreachable": {"N": "1"},
        "refused": {"SS": ["a.pdf"]}, "created": {"N": "1795960000000"},
        "changed": {"N": "1795960100000"}, "list_pk": {"S": "lead#in_work"},
        "list_sk": {"N": "1795960100000"},
    })
}

fn body() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "BODY"}, "v": {"N": "1"},
        "answers": {"L": [{"M": {"field": {"S": "message"}, "text": {"S": "long ".repeat(400)}}}]},
    })
}

fn card() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "EFF#card#staff"}, "v": {"N": "1"},
        "state": {"S": "sending"}, "want": {"N": "2"}, "shown": {"N": "1"},
        "not_before": {"N": "1795960000000"}, "slot": {"N": "1795960000000"},
        "due_shard": {"S": "DUE#1"}, "due": {"N": "1795960120000"}, "since": {"N": "1795960000000"}, "attempts": {"N": "1"},
        "unknowns": {"N": "0"}, "resends": {"N": "0"}, "holder": {"S": "0123456789abcdef"},
        "lease_until": {"N": "1795960060000"}, "message_chat": {"N": STAFF_CHAT.to_string()},
        "message": {"N": "7"}, "strays": {"SS": [format!("{STAFF_CHAT}:8")]}, "revision": {"N": "4"},
        "failed_at": {"N": "1795960000000"}, "error": {"S": "timeout"},
    })
}

/// A customer's draft, in the item of its panel; what its phases and answers need is all there.
fn panel() -> Value {
    let mut item = card();
    item["pk"] = text_value("CHAT#desk#77");
    item["sk"] = text_value("EFF#panel");
    item["draft_version"] = number(4);
    item["draft"] = json!({"M": {
        "token": {"S": "0123456789abcdefghijkl"}, "language": {"S": "ru"}, "source": {"S": "site"},
        "began": {"N": "1795960000000"}, "changed": {"N": "1795960100000"},
        "answers": {"L": [
            {"M": {"step": {"S": "description"}, "kind": {"S": "long_text"}, "text": {"S": "A shop"},
                "names": {"L": [{"S": "site"}]}, "range": {"S": "500000-"}, "e164": {"S": "+78121234567"},
                "own": {"N": "1"}}},
            {"M": {"step": {"S": "brief"}, "kind": {"S": "files"}}},
        ]},
        "files": {"N": "1"}, "told_album": {"S": "a"}, "phase": {"S": "asking"},
        "step": {"S": "services"}, "returning": {"N": "0"}, "marked": {"L": [{"S": "site"}]},
        "request": {"S": REQUEST},
    }});
    item
}

fn draft_text() -> Value {
    json!({
        "pk": {"S": "CHAT#desk#77"}, "sk": {"S": "DRAFT#text#description"}, "v": {"N": "1"},
        "token": {"S": "0123456789abcdefghijkl"}, "expires": {"N": "1805960000"},
        "text": {"S": "long ".repeat(200)},
    })
}

fn draft_file() -> Value {
    json!({
        "pk": {"S": "CHAT#desk#77"}, "sk": {"S": "DRAFT#file#00"}, "v": {"N": "1"},
        "token": {"S": "0123456789abcdefghijkl"}, "expires": {"N": "1805960000"},
        "kind": {"S": "document"}, "file_id": {"S": "f"}, "name": {"S": "brief.pdf"},
        "size": {"N": "1000"}, "caption": {"S": ""}, "album": {"S": "a"},
    })
}

/// What answers a command in a chat.
fn answer() -> Value {
    let id = EffectId::Answer {
        bot: bot(),
        update: 5,
        chat: 77,
    };
    let key = EffectKey::from(&id);
    let mut item = card();
    item["pk"] = text_value(&key.pk);
    item["sk"] = text_value(&key.sk);
    item["html"] = text_value("<b>5</b> requests");
    item["buttons"] = json!({"L": [{"L": [{"L": [{"S": "More"}, {"S": "list:"}]}]}]});
    item["reply_to"] = number(7);
    item["reply_chat"] = number(-5);
    item["expires"] = number(1_805_960_000);
    item
}

fn chat() -> Value {
    json!({
        "pk": {"S": format!("CHAT#desk#{STAFF_CHAT}")}, "sk": {"S": "CHAT"}, "v": {"N": "1"},
        "blocked_until": {"N": "1795960000000"}, "next_free": {"N": "1795960000000"},
        "migrated_to": {"N": "-1009000000001"},
    })
}
