use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::{
    Answer, ContactKey, ContentDigest, DraftToken, HistoryEntry, Request, RequestId, State,
};

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
