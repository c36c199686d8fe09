//! Items: the only place that knows the names of attributes.

use std::collections::{BTreeSet, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::effect::{Effect, EffectId, Lease, MessageRef, State as EffectState};
use frontdesk_domain::{
    Answer, ContactKey, ContentDigest, DraftToken, HistoryEntry, Name, Request, RequestId, State,
};
use jiff::Timestamp;

use crate::{Error, keys};

pub(crate) type Item = HashMap<String, AttributeValue>;

/// The version of the items' format that is written here. Items of a later one are left alone.
pub(crate) const FORMAT: u32 = 1;
/// Texts above this many bytes are kept in the immutable body, so that later writes stay small.
const LONGEST_IN_REQUEST: usize = 1024;

/// Builds an item attribute by attribute.
pub(crate) struct Writer(Item);

impl Writer {
    pub(crate) fn new(key: (String, String)) -> Self {
        Self(keys::key_of(key)).number("v", FORMAT)
    }

    fn with(mut self, name: &str, value: AttributeValue) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    pub(crate) fn text(self, name: &str, value: impl Into<String>) -> Self {
        self.with(name, AttributeValue::S(value.into()))
    }

    pub(crate) fn number(self, name: &str, value: impl Into<i64>) -> Self {
        self.with(name, number(value))
    }

    pub(crate) fn time(self, name: &str, value: Timestamp) -> Self {
        self.with(name, time(value))
    }

    pub(crate) fn maybe<T>(self, value: Option<T>, write: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => write(self, value),
            None => self,
        }
    }

    pub(crate) fn finish(self) -> Item {
        self.0
    }
}

pub(crate) fn number(value: impl Into<i64>) -> AttributeValue {
    AttributeValue::N(value.into().to_string())
}

/// Times are stored as milliseconds since 1970.
pub(crate) fn time(value: Timestamp) -> AttributeValue {
    AttributeValue::N(value.as_millisecond().to_string())
}

pub(crate) fn text_of<'a>(item: &'a Item, name: &'static str) -> Result<&'a str, Error> {
    let text = item.get(name).and_then(|value| value.as_s().ok());
    text.map(String::as_str)
        .ok_or(Error::Malformed { attribute: name })
}

pub(crate) fn number_of<N: TryFrom<i64>>(item: &Item, name: &'static str) -> Result<N, Error> {
    let number = item.get(name).and_then(|value| value.as_n().ok());
    let number = number.and_then(|digits| digits.parse::<i64>().ok());
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or(Error::Malformed { attribute: name })
}

pub(crate) fn time_of(item: &Item, name: &'static str) -> Result<Timestamp, Error> {
    Timestamp::from_millisecond(number_of(item, name)?)
        .map_err(|_| Error::Malformed { attribute: name })
}

pub(crate) fn optional<T>(
    item: &Item,
    name: &'static str,
    read: impl FnOnce(&Item, &'static str) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    item.contains_key(name)
        .then(|| read(item, name))
        .transpose()
}

fn name_of(item: &Item, name: &'static str) -> Result<Name, Error> {
    Name::parse(text_of(item, name)?).ok_or(Error::Malformed { attribute: name })
}

/// A request's item and, where a text is long, its body's.
pub(crate) fn request_items(request: &Request) -> (Item, Option<Item>) {
    let (long, short): (Vec<_>, Vec<_>) = request
        .answers
        .iter()
        .partition(|answer| answer.text.len() > LONGEST_IN_REQUEST);
    let item = Writer::new(keys::request(request.id))
        .text("source", request.source.as_str())
        .text("token", request.token.as_str())
        .text("digest", request.digest.as_str())
        .with("answers", answers(&short))
        .number("version", request.version)
        .time("created", request.created)
        .maybe(request.contact.as_ref(), |item, contact| {
            item.text("contact_pk", keys::contact_partition(contact))
                .time("contact_sk", request.created)
        })
        .finish();
    let item = item.into_iter().chain(changing(request)).collect();
    let body = (!long.is_empty()).then(|| {
        Writer::new(keys::body(request.id))
            .with("answers", answers(&long))
            .finish()
    });
    (item, body)
}

/// The attributes of a request that its changes write, but for the version.
pub(crate) fn changing(request: &Request) -> Item {
    let partition = keys::list_partition("lead", request.state.name());
    let mut item = Writer(Item::new())
        .text("state", request.state.name())
        .time("changed", request.changed)
        .text("list_pk", partition)
        .time("list_sk", request.changed);
    if let State::InWork { assignee, name } = &request.state {
        item = item
            .number("assignee", *assignee)
            .text("assignee_name", name);
    }
    item.finish()
}

fn answers(answers: &[&Answer]) -> AttributeValue {
    let answer = |answer: &&Answer| {
        let item = Writer(Item::new())
            .text("field", answer.field.as_str())
            .text("text", &answer.text)
            .maybe(answer.e164.as_ref(), |item, e164| item.text("e164", e164))
            .finish();
        AttributeValue::M(item)
    };
    AttributeValue::L(answers.iter().map(answer).collect())
}

/// Reads a request; the answers of its body come after its own.
pub(crate) fn read_request(item: &Item, body: Option<&Item>) -> Result<Request, Error> {
    let malformed = |attribute| Error::Malformed { attribute };
    let mut answers = read_answers(item)?;
    if let Some(body) = body {
        answers.extend(read_answers(body)?);
    }
    let state = match text_of(item, "state")? {
        "new" => State::New,
        "in_work" => State::InWork {
            assignee: number_of(item, "assignee")?,
            name: text_of(item, "assignee_name")?.to_owned(),
        },
        _ => return Err(malformed("state")),
    };
    let contact = optional(item, "contact_pk", |item, name| {
        let key = text_of(item, name)?
            .strip_prefix("CONTACT#")
            .ok_or(malformed(name))?;
        Ok(ContactKey::stored(key.to_owned()))
    })?;
    let id = text_of(item, keys::PK)?
        .strip_prefix("REQ#")
        .ok_or(malformed("pk"))?;
    Ok(Request {
        id: RequestId::parse(id).map_err(|_| malformed("pk"))?,
        source: name_of(item, "source")?,
        token: DraftToken::parse(text_of(item, "token")?).map_err(|_| malformed("token"))?,
        digest: ContentDigest::stored(text_of(item, "digest")?.to_owned()),
        answers,
        contact,
        state,
        version: number_of(item, "version")?,
        created: time_of(item, "created")?,
        changed: time_of(item, "changed")?,
    })
}

fn read_answers(item: &Item) -> Result<Vec<Answer>, Error> {
    let malformed = Error::Malformed {
        attribute: "answers",
    };
    let list = item
        .get("answers")
        .and_then(|value| value.as_l().ok())
        .ok_or(malformed.clone())?;
    let answer = |value: &AttributeValue| {
        let item = value.as_m().map_err(|_| malformed.clone())?;
        Ok(Answer {
            field: name_of(item, "field")?,
            text: text_of(item, "text")?.to_owned(),
            e164: optional(item, "e164", |item, name| {
                Ok(text_of(item, name)?.to_owned())
            })?,
        })
    };
    list.iter().map(answer).collect()
}

pub(crate) fn history_item(id: RequestId, entry: &HistoryEntry) -> Item {
    Writer::new(keys::history(id, entry.version))
        .time("at", entry.at)
        .number("actor", entry.actor)
        .text("from", entry.from)
        .text("to", entry.to)
        .finish()
}

fn effect_state_name(state: EffectState) -> &'static str {
    match state {
        EffectState::Pending => "pending",
        EffectState::Sending => "sending",
        EffectState::Done => "done",
        EffectState::Unknown => "unknown",
        EffectState::Failed => "failed",
    }
}

/// Every attribute of an effect that attempts write; one that is absent from an item is removed.
pub(crate) const EFFECT_ATTRIBUTES: [&str; 21] = [
    "v",
    "state",
    "want",
    "shown",
    "not_before",
    "due_shard",
    "due",
    "attempts",
    "unknowns",
    "resends",
    "holder",
    "lease_until",
    "message_chat",
    "message",
    "strays",
    "revision",
    "failed_at",
    "error",
    "list_pk",
    "list_sk",
    "slot",
];

pub(crate) fn effect_item(effect: &Effect) -> Item {
    let key = keys::effect(&effect.id);
    let shard = keys::due_partition(keys::shard_of(&key.0));
    let in_trouble = matches!(effect.state, EffectState::Unknown | EffectState::Failed);
    let strays: Vec<_> = effect.strays.iter().map(stray_text).collect();
    Writer::new(key)
        .text("state", effect_state_name(effect.state))
        .number("want", effect.want)
        .number("shown", effect.shown)
        .time("not_before", effect.not_before)
        .maybe(effect.due, |item, due| {
            item.text("due_shard", shard).time("due", due)
        })
        .maybe(effect.slot, |item, slot| item.time("slot", slot))
        .number("attempts", effect.attempts)
        .number("unknowns", effect.unknowns)
        .number("resends", effect.resends)
        .maybe(effect.lease.as_ref(), |item, lease| {
            item.text("holder", &lease.holder)
                .time("lease_until", lease.until)
        })
        .maybe(effect.message, |item, message| {
            item.number("message_chat", message.chat)
                .number("message", message.message)
        })
        .maybe((!strays.is_empty()).then_some(strays), |item, strays| {
            item.with("strays", AttributeValue::Ss(strays))
        })
        .number("revision", effect.revision)
        .maybe(effect.failed_at, |item, at| item.time("failed_at", at))
        .maybe(effect.error.as_ref(), |item, error| {
            item.text("error", error)
        })
        .maybe(in_trouble.then_some(effect.not_before), |item, at| {
            let partition = keys::list_partition("effect", effect_state_name(effect.state));
            item.text("list_pk", partition).time("list_sk", at)
        })
        .finish()
}

pub(crate) fn stray_text(stray: &MessageRef) -> String {
    format!("{}:{}", stray.chat, stray.message)
}

pub(crate) fn read_effect(id: EffectId, item: &Item) -> Result<Effect, Error> {
    let state = match text_of(item, "state")? {
        "pending" => EffectState::Pending,
        "sending" => EffectState::Sending,
        "done" => EffectState::Done,
        "unknown" => EffectState::Unknown,
        "failed" => EffectState::Failed,
        _ => return Err(Error::Malformed { attribute: "state" }),
    };
    let lease = optional(item, "holder", |item, name| {
        Ok(Lease {
            holder: text_of(item, name)?.to_owned(),
            until: time_of(item, "lease_until")?,
        })
    })?;
    let message = optional(item, "message", |item, name| {
        Ok(MessageRef {
            chat: number_of(item, "message_chat")?,
            message: number_of(item, name)?,
        })
    })?;
    Ok(Effect {
        id,
        state,
        want: number_of(item, "want")?,
        shown: number_of(item, "shown")?,
        not_before: time_of(item, "not_before")?,
        slot: optional(item, "slot", time_of)?,
        due: optional(item, "due", time_of)?,
        attempts: number_of(item, "attempts")?,
        unknowns: number_of(item, "unknowns")?,
        resends: number_of(item, "resends")?,
        lease,
        message,
        strays: read_strays(item)?,
        revision: number_of(item, "revision")?,
        failed_at: optional(item, "failed_at", time_of)?,
        error: optional(item, "error", |item, name| {
            Ok(text_of(item, name)?.to_owned())
        })?,
    })
}

fn read_strays(item: &Item) -> Result<BTreeSet<MessageRef>, Error> {
    let malformed = Error::Malformed {
        attribute: "strays",
    };
    let Some(value) = item.get("strays") else {
        return Ok(BTreeSet::new());
    };
    let stray = |text: &String| {
        let (chat, message) = text.split_once(':')?;
        Some(MessageRef {
            chat: chat.parse().ok()?,
            message: message.parse().ok()?,
        })
    };
    let strays = value.as_ss().map_err(|_| malformed.clone())?;
    strays
        .iter()
        .map(|text| stray(text).ok_or(malformed.clone()))
        .collect()
}
