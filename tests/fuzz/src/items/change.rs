//! Changes to a stored item that no version of ours would make.

use std::collections::BTreeSet;

use arbitrary::Arbitrary;
use serde_json::{Map, Value, json};

use crate::sample::{REQUEST, now};

#[derive(Arbitrary, Debug)]
pub(super) struct Change {
    at: u8,
    to: To,
}

#[derive(Arbitrary, Debug)]
pub(super) enum To {
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

/// Applies changes to an item's attributes, or to those of its first answer, and notes their names.
pub(super) fn change(mut item: Value, changes: &[Change], changed: &mut BTreeSet<String>) -> Value {
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

pub(super) fn first_answer(attributes: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
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

pub(super) fn text_value(text: &str) -> Value {
    json!({"S": text})
}

pub(super) fn number(number: i64) -> Value {
    json!({"N": number.to_string()})
}

pub(super) fn read_number(value: &Value) -> Option<i64> {
    value["N"].as_str()?.parse().ok()
}

/// Numbers are equal by value and sets in any order, as they are to DynamoDB.
pub(super) fn same(one: &Value, other: &Value) -> bool {
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
