//! A draft as it is stored: in its panel's item, with long texts and files in items of their own, so that
//! a step that does not change them writes little.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::dialog::{BriefFile, Draft, FileKind, Given, Phase, Range, Source};
use frontdesk_domain::{DraftToken, Language, Name, RequestId};

use super::{
    Item, Writer, count_of, name_of, number_of, optional, require_known_format, text_of, time_of,
};
use crate::{Error, keys};

/// Texts above this many bytes have an item of their own, so that the draft's own stays within a kilobyte: a
/// step that does not change them writes two units for it.
const LONGEST_IN_DRAFT: usize = 128;

/// The attribute that holds a draft. What has ended needs no answers any more.
pub(crate) fn draft_value(draft: &Draft) -> AttributeValue {
    let open = draft.is_open();
    let answers = draft.answers.iter().filter(|_| open);
    let item = Writer(Item::new())
        .text("token", draft.token.as_str())
        .text("language", draft.language.code())
        .maybe(draft.source.as_ref(), |item, source| {
            item.text("source", source.as_str())
        })
        .time("began", draft.began)
        .time("changed", draft.changed)
        .with("answers", AttributeValue::L(answers.map(answer).collect()))
        .number("files", count(if open { draft.files.len() } else { 0 }))
        .maybe(draft.told_album.as_ref(), |item, album| {
            item.text("told_album", album)
        })
        .maybe(draft.cut_album.as_ref(), |item, album| {
            item.text("cut_album", album)
        })
        .maybe(draft.former, |item, id| item.text("former", id.to_string()));
    let item = match &draft.phase {
        Phase::Asking {
            step,
            returning,
            marked,
        } => item
            .text("phase", "asking")
            .text("step", step.as_str())
            .number("returning", u8::from(*returning))
            .with("marked", names_value(marked)),
        Phase::Preview => item.text("phase", "preview"),
        Phase::Sent(id) => item.text("phase", "sent").text("request", id.to_string()),
        Phase::Cancelled => item.text("phase", "cancelled"),
        Phase::Expired => item.text("phase", "expired"),
    };
    AttributeValue::M(item.finish())
}

fn answer((step, given): (&Name, &Given)) -> AttributeValue {
    let item = Writer(Item::new()).text("step", step.as_str());
    let item = match given {
        Given::Skipped => item.text("kind", "skipped"),
        Given::Files => item.text("kind", "files"),
        Given::Chosen(names) => item
            .text("kind", "chosen")
            .with("names", names_value(names)),
        Given::Range(range) => item.text("kind", "range").text("range", range.code()),
        Given::Text(text) if is_long(text) => item.text("kind", "long_text"),
        Given::Text(text) => item.text("kind", "text").text("text", text),
        Given::Contact { text, e164, own } => item
            .text("kind", "contact")
            .text("text", text)
            .text("e164", e164)
            .number("own", u8::from(*own)),
    };
    AttributeValue::M(item.finish())
}

/// Reads a draft from its panel's item and the items of its parts. A part that has expired is as if it
/// had not been answered.
pub(crate) fn read_draft(
    item: &Item,
    parts: &HashMap<String, Item>,
) -> Result<Option<Draft>, Error> {
    let malformed = |attribute| Error::Malformed { attribute };
    let Some(value) = item.get("draft") else {
        return Ok(None);
    };
    require_known_format(item)?;
    let version = count_of(item, "draft_version")?;
    let item = value.as_m().map_err(|_| malformed("draft"))?;
    let token = DraftToken::parse(text_of(item, "token")?).map_err(|_| malformed("token"))?;
    let list = item.get("answers").and_then(|value| value.as_l().ok());
    let mut answers = BTreeMap::new();
    for value in list.ok_or(malformed("answers"))? {
        let answer = value.as_m().map_err(|_| malformed("answers"))?;
        let step = name_of(answer, "step")?;
        let long = part_of(parts, &keys::draft_text(&step), &token)?;
        if let Some(given) = read_answer(answer, long)? {
            answers.insert(step, given);
        }
    }
    let files = (0..number_of::<u8>(item, "files")?)
        .filter_map(|at| part_of(parts, &keys::draft_file(at.into()), &token).transpose())
        .map(|part| read_file(part?))
        .collect::<Result<_, _>>()?;
    let phase = match text_of(item, "phase")? {
        "asking" => Phase::Asking {
            step: name_of(item, "step")?,
            returning: number_of::<u8>(item, "returning")? > 0,
            marked: read_names(item, "marked")?,
        },
        "preview" => Phase::Preview,
        "sent" => Phase::Sent(request_of(item, "request")?),
        "cancelled" => Phase::Cancelled,
        "expired" => Phase::Expired,
        _ => return Err(malformed("phase")),
    };
    Ok(Some(Draft {
        version,
        language: language_of(item, "language")?,
        source: optional(item, "source", source_of)?,
        began: time_of(item, "began")?,
        changed: time_of(item, "changed")?,
        answers,
        files,
        told_album: optional(item, "told_album", owned_text)?,
        cut_album: optional(item, "cut_album", owned_text)?,
        former: optional(item, "former", request_of)?,
        phase,
        token,
    }))
}

fn read_answer(item: &Item, long: Option<&Item>) -> Result<Option<Given>, Error> {
    Ok(Some(match text_of(item, "kind")? {
        "skipped" => Given::Skipped,
        "files" => Given::Files,
        "chosen" => Given::Chosen(read_names(item, "names")?),
        "range" => Given::Range(read_range(item, "range")?),
        "text" => Given::Text(owned_text(item, "text")?),
        "long_text" => match long {
            Some(part) => Given::Text(owned_text(part, "text")?),
            None => return Ok(None),
        },
        "contact" => Given::Contact {
            text: owned_text(item, "text")?,
            e164: owned_text(item, "e164")?,
            own: number_of::<u8>(item, "own")? > 0,
        },
        _ => return Err(Error::Malformed { attribute: "kind" }),
    }))
}

/// The part of this key, if it is there and belongs to the draft.
fn part_of<'a>(
    parts: &'a HashMap<String, Item>,
    sk: &str,
    token: &DraftToken,
) -> Result<Option<&'a Item>, Error> {
    let part = parts
        .get(sk)
        .filter(|part| text_of(part, "token") == Ok(token.as_str()));
    part.map(require_known_format).transpose()?;
    Ok(part)
}

/// The item of a draft's long text, where the step has one.
pub(crate) fn text_item(pk: &str, draft: &Draft, step: &Name, expires: i64) -> Option<Item> {
    let Some(Given::Text(text)) = draft
        .answers
        .get(step)
        .filter(|given| is_long_answer(given))
    else {
        return None;
    };
    let item = part(pk, keys::draft_text(step), draft, expires);
    Some(item.text("text", text).finish())
}

/// The item of a draft's file.
pub(crate) fn file_item(pk: &str, draft: &Draft, at: usize, expires: i64) -> Option<Item> {
    let file = draft.files.get(at)?;
    let item = part(pk, keys::draft_file(at), draft, expires);
    Some(write_file(item, file).finish())
}

fn part(pk: &str, sk: String, draft: &Draft, expires: i64) -> Writer {
    Writer::new((pk.to_owned(), sk))
        .text("token", draft.token.as_str())
        .number("expires", expires)
}

fn is_long(text: &str) -> bool {
    text.len() > LONGEST_IN_DRAFT
}

fn is_long_answer(given: &Given) -> bool {
    matches!(given, Given::Text(text) if is_long(text))
}

/// The item of a request's files, where it has any.
pub(crate) fn brief_item(id: RequestId, files: &[BriefFile]) -> Option<Item> {
    let file = |file: &BriefFile| AttributeValue::M(write_file(Writer(Item::new()), file).finish());
    let files: Vec<_> = files.iter().map(file).collect();
    (!files.is_empty()).then(|| {
        Writer::new(keys::brief(id))
            .with("files", AttributeValue::L(files))
            .finish()
    })
}

pub(crate) fn read_brief(item: &Item) -> Result<Vec<BriefFile>, Error> {
    let malformed = Error::Malformed { attribute: "files" };
    require_known_format(item)?;
    let list = item.get("files").and_then(|value| value.as_l().ok());
    let file = |value: &AttributeValue| read_file(value.as_m().map_err(|_| malformed.clone())?);
    list.ok_or(malformed.clone())?.iter().map(file).collect()
}

fn write_file(item: Writer, file: &BriefFile) -> Writer {
    item.text("kind", file.kind.name())
        .text("file_id", &file.file_id)
        .maybe(file.name.as_ref(), |item, name| item.text("name", name))
        .maybe(file.size, |item, size| {
            item.number("size", i64::try_from(size).unwrap_or(i64::MAX))
        })
        .text("caption", &file.caption)
        .maybe(file.album.as_ref(), |item, album| item.text("album", album))
}

fn read_file(item: &Item) -> Result<BriefFile, Error> {
    let kind = FileKind::parse(text_of(item, "kind")?);
    Ok(BriefFile {
        kind: kind.ok_or(Error::Malformed { attribute: "kind" })?,
        file_id: owned_text(item, "file_id")?,
        name: optional(item, "name", owned_text)?,
        size: optional(item, "size", number_of)?,
        caption: owned_text(item, "caption")?,
        album: optional(item, "album", owned_text)?,
    })
}

fn request_of(item: &Item, name: &'static str) -> Result<RequestId, Error> {
    let malformed = |_| Error::Malformed { attribute: name };
    RequestId::parse(text_of(item, name)?).map_err(malformed)
}

fn owned_text(item: &Item, name: &'static str) -> Result<String, Error> {
    Ok(text_of(item, name)?.to_owned())
}

pub(super) fn names_value(names: &[Name]) -> AttributeValue {
    let name = |name: &Name| AttributeValue::S(name.to_string());
    AttributeValue::L(names.iter().map(name).collect())
}

pub(super) fn read_names(item: &Item, name: &'static str) -> Result<Vec<Name>, Error> {
    let malformed = Error::Malformed { attribute: name };
    let list = item.get(name).and_then(|value| value.as_l().ok());
    let read = |value: &AttributeValue| {
        let text = value.as_s().map_err(|_| malformed.clone())?;
        Name::parse(text).ok_or(malformed.clone())
    };
    list.ok_or(malformed.clone())?.iter().map(read).collect()
}

pub(super) fn read_range(item: &Item, name: &'static str) -> Result<Range, Error> {
    Range::parse(text_of(item, name)?).ok_or(Error::Malformed { attribute: name })
}

pub(super) fn language_of(item: &Item, name: &'static str) -> Result<Language, Error> {
    Language::parse(text_of(item, name)?).ok_or(Error::Malformed { attribute: name })
}

pub(super) fn source_of(item: &Item, name: &'static str) -> Result<Source, Error> {
    Source::parse(text_of(item, name)?).ok_or(Error::Malformed { attribute: name })
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use frontdesk_domain::dialog::{Draft, Phase};
    use jiff::Timestamp;

    use super::*;
    use crate::item::number;

    fn stored() -> (Item, HashMap<String, Item>) {
        let step = Name::parse("description").expect("a name");
        let draft = Draft {
            token: DraftToken::from_random([7; 16]),
            version: 1,
            language: Language::ALL[0],
            source: None,
            began: Timestamp::UNIX_EPOCH,
            changed: Timestamp::UNIX_EPOCH,
            answers: BTreeMap::from([(step.clone(), Given::Text("long ".repeat(200)))]),
            files: Vec::new(),
            told_album: None,
            cut_album: None,
            former: None,
            phase: Phase::Preview,
        };
        let key = ("CHAT#desk#77".to_owned(), keys::DRAFT.to_owned());
        let panel = Writer::new(key)
            .with("draft", draft_value(&draft))
            .number("draft_version", 1);
        let text = text_item("CHAT#desk#77", &draft, &step, 0).expect("a long text");
        (
            panel.finish(),
            HashMap::from([(keys::draft_text(&step), text)]),
        )
    }

    #[test]
    fn what_a_newer_version_wrote_of_a_draft_is_not_read() {
        let (panel, parts) = stored();
        let draft = read_draft(&panel, &parts).expect("a draft");
        assert_eq!(draft.expect("a draft").answers.len(), 1);
        let newer = |item: &Item| {
            let mut item = item.clone();
            item.insert("v".to_owned(), number(crate::item::FORMAT + 1));
            item
        };
        assert_eq!(read_draft(&newer(&panel), &parts), Err(Error::Newer));
        let parts = parts
            .iter()
            .map(|(sk, part)| (sk.clone(), newer(part)))
            .collect();
        assert_eq!(read_draft(&panel, &parts), Err(Error::Newer));
    }

    #[test]
    fn a_count_of_files_beyond_all_that_there_may_be_is_an_error() {
        let (mut panel, parts) = stored();
        let draft = panel.get_mut("draft").expect("a draft");
        let AttributeValue::M(draft) = draft else {
            panic!("a map")
        };
        draft.insert("files".to_owned(), number(u32::MAX));
        let error = Error::Malformed { attribute: "files" };
        assert_eq!(read_draft(&panel, &parts), Err(error));
    }
}
