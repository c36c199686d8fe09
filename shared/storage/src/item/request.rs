use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::{
    Answer, ContactKey, ContentDigest, DraftToken, FromDialog, HistoryEntry, Picked, Request,
    RequestId, State,
};

use super::draft::{language_of, names_value, read_names, read_range, source_of};
use super::{
    Item, Writer, count_of, name_of, number_of, optional, require_known_format, text_of, time_of,
};
use crate::{Error, keys};

/// Texts above this many bytes are kept in the immutable body, so that later writes stay small.
const LONGEST_IN_REQUEST: usize = 1024;

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
        .text("number_pk", keys::number_partition(&request.id.to_string()))
        .text("number_sk", request.id.to_string())
        .maybe(request.dialog.as_ref(), |item, dialog| {
            item.number("chat", dialog.chat)
                .text("language", dialog.language.code())
                .maybe(dialog.link.as_ref(), |item, link| {
                    item.text("link", link.as_str())
                })
                .time("began", dialog.began)
                .number("files", dialog.files)
        })
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

/// Attributes that only some states have; a change takes those of the former state away.
pub(crate) const OF_SOME_STATES: [&str; 8] = [
    "due_shard",
    "due",
    "called_out",
    "assignee",
    "assignee_name",
    "closed_by",
    "closed_name",
    "closed_reason",
];

/// The attributes of a request that its changes write, but for the version.
pub(crate) fn changing(request: &Request) -> Item {
    let partition = keys::list_partition("lead", request.state.name());
    let mut item = Writer(Item::new())
        .text("state", request.state.name())
        .time("changed", request.changed)
        .text("list_pk", partition)
        .time("list_sk", request.changed)
        .maybe(request.attention, |item, due| {
            item.text("due_shard", keys::ATTENTION_PARTITION)
                .time("due", due)
        })
        .maybe(request.called_out.then_some(1), |item, one| {
            item.number("called_out", one)
        });
    item = match &request.state {
        State::New => item,
        State::InWork { assignee, name } => item
            .number("assignee", *assignee)
            .text("assignee_name", name),
        State::Closed { by, name, reason } => item
            .number("closed_by", *by)
            .text("closed_name", name)
            .maybe(reason.as_ref(), |item, reason| {
                item.text("closed_reason", reason)
            }),
    };
    if let Some(dialog) = &request.dialog {
        item = item.number("unreachable", u8::from(dialog.unreachable));
        if !dialog.refused.is_empty() {
            let refused = dialog.refused.iter().cloned().collect();
            item = item.with("refused", AttributeValue::Ss(refused));
        }
    }
    item.finish()
}

fn answers(answers: &[&Answer]) -> AttributeValue {
    let answer = |answer: &&Answer| {
        let item = Writer(Item::new())
            .text("field", answer.field.as_str())
            .text("text", &answer.text)
            .maybe(answer.e164.as_ref(), |item, e164| item.text("e164", e164))
            .maybe(answer.picked.as_ref(), picked)
            .finish();
        AttributeValue::M(item)
    };
    AttributeValue::L(answers.iter().map(answer).collect())
}

fn picked(item: Writer, picked: &Picked) -> Writer {
    match picked {
        Picked::Options(names) => item.with("options", names_value(names)),
        Picked::Range(range) => item.text("range", range.code()),
        Picked::OwnNumber => item.number("own_number", 1),
    }
}

fn read_picked(item: &Item) -> Result<Option<Picked>, Error> {
    if item.contains_key("options") {
        return Ok(Some(Picked::Options(read_names(item, "options")?)));
    }
    if item.contains_key("range") {
        return read_range(item, "range").map(Picked::Range).map(Some);
    }
    Ok(item.contains_key("own_number").then_some(Picked::OwnNumber))
}

fn read_dialog(item: &Item) -> Result<FromDialog, Error> {
    let refused = item.get("refused").and_then(|value| value.as_ss().ok());
    Ok(FromDialog {
        chat: number_of(item, "chat")?,
        language: language_of(item, "language")?,
        link: optional(item, "link", source_of)?,
        began: time_of(item, "began")?,
        files: number_of(item, "files")?,
        unreachable: optional(item, "unreachable", number_of::<u8>)?.unwrap_or_default() > 0,
        refused: refused.into_iter().flatten().cloned().collect(),
    })
}

/// Reads a request; the answers of its body come after its own.
pub(crate) fn read_request(item: &Item, body: Option<&Item>) -> Result<Request, Error> {
    let malformed = |attribute| Error::Malformed { attribute };
    require_known_format(item)?;
    let mut answers = read_answers(item)?;
    if let Some(body) = body {
        require_known_format(body)?;
        answers.extend(read_answers(body)?);
    }
    let state = match text_of(item, "state")? {
        "new" => State::New,
        "in_work" => State::InWork {
            assignee: number_of(item, "assignee")?,
            name: text_of(item, "assignee_name")?.to_owned(),
        },
        "closed" => State::Closed {
            by: number_of(item, "closed_by")?,
            name: text_of(item, "closed_name")?.to_owned(),
            reason: optional(item, "closed_reason", |item, name| {
                Ok(text_of(item, name)?.to_owned())
            })?,
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
        version: count_of(item, "version")?,
        created: time_of(item, "created")?,
        changed: time_of(item, "changed")?,
        attention: optional(item, "due", time_of)?,
        called_out: item.contains_key("called_out"),
        dialog: item
            .contains_key("chat")
            .then(|| read_dialog(item))
            .transpose()?,
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
            picked: read_picked(item)?,
        })
    };
    list.iter().map(answer).collect()
}

pub(crate) fn read_history(item: &Item) -> Result<HistoryEntry, Error> {
    let version = text_of(item, keys::SK)?
        .strip_prefix("LOG#")
        .and_then(|version| version.parse().ok())
        .ok_or(Error::Malformed {
            attribute: keys::SK,
        })?;
    let state = |name| {
        let known = State::NAMES;
        let written = text_of(item, name)?;
        known
            .into_iter()
            .find(|state| *state == written)
            .ok_or(Error::Malformed { attribute: name })
    };
    Ok(HistoryEntry {
        version,
        at: time_of(item, "at")?,
        actor: number_of(item, "actor")?,
        from: state("from")?,
        to: state("to")?,
    })
}

pub(crate) fn history_item(id: RequestId, entry: &HistoryEntry) -> Item {
    Writer::new(keys::history(id, entry.version))
        .time("at", entry.at)
        .number("actor", entry.actor)
        .text("from", entry.from)
        .text("to", entry.to)
        .finish()
}
