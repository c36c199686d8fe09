//! sendMessage, sendDocument, sendPhoto, sendMediaGroup.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::answer::Refusal;
use crate::chat::{Chat, ChatKind, Content, File, FileKind};
use crate::markup::Markup;
use crate::state::State;
use crate::{methods, text};

pub(super) fn message(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let content = Content::Text(text::message_text(params)?);
    let sent = send(state, now, params, vec![content])?;
    Ok(sent.into_iter().next().unwrap_or_default())
}

pub(super) fn file(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
    field: &str,
) -> Result<Value, Refusal> {
    let caption = text::caption(params)?;
    let file = find_file(state, params, field, kind_of(field))?;
    let sent = send(state, now, params, vec![Content::File { file, caption }])?;
    Ok(sent.into_iter().next().unwrap_or_default())
}

pub(super) fn album(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let media: Vec<_> = params["media"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .collect();
    if !(2..=10).contains(&media.len()) {
        let text = "group send failed: an album has 2-10 items";
        return Err(Refusal::bad_request(text));
    }
    let mut contents = Vec::with_capacity(media.len());
    for item in &media {
        let kind = match item["type"].as_str() {
            Some("document") => FileKind::Document,
            Some("photo") => FileKind::Photo,
            _ => {
                return Err(Refusal::bad_request(
                    "the stand-in has documents and photos only",
                ));
            }
        };
        let caption = text::caption(item)?;
        contents.push(Content::File {
            file: find_file(state, item, "media", kind)?,
            caption,
        });
    }
    if media.iter().any(|item| item["type"] != media[0]["type"]) {
        let text = "document can't be mixed with other media types";
        return Err(Refusal::bad_request(text));
    }
    Ok(Value::Array(send(state, now, params, contents)?))
}

/// Sends one message, or several as an album.
fn send(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
    contents: Vec<Content>,
) -> Result<Vec<Value>, Refusal> {
    let markup = Markup::read(params)?;
    let chat_id = methods::chat_id(params)?;
    let bot = state.bot.user();
    let chat = state.chat(chat_id)?;
    chat.check_access()?;
    markup.check_chat(chat.kind)?;
    let reply_to = reply_to(chat, params)?;
    let is_group = chat.kind != ChatKind::Private;
    state
        .meter
        .take(chat_id, is_group, contents.len(), now)
        .map_err(Refusal::too_many_requests)?;
    let album = (contents.len() > 1).then(|| fastrand::i64(1..).to_string());
    let chat = state.chat(chat_id)?;
    let mut sent = Vec::with_capacity(contents.len());
    for content in contents {
        let message = chat.post(now.as_second(), bot.clone(), content);
        message.from_bot = true;
        message.markup = markup.clone();
        message.reply_to = reply_to;
        message.media_group_id.clone_from(&album);
        let message = message.clone();
        sent.push(chat.message_json(&message));
    }
    Ok(sent)
}

/// The message that `reply_parameters` names, if it is still there or has to be.
fn reply_to(chat: &mut Chat, params: &Map<String, Value>) -> Result<Option<i64>, Refusal> {
    let Some(reply) = params.get("reply_parameters").and_then(Value::as_object) else {
        return Ok(None);
    };
    let here = reply
        .get("chat_id")
        .is_none_or(|id| id.as_i64() == Some(chat.id));
    let found = methods::integer(reply, "message_id").filter(|id| here && chat.live(*id).is_some());
    if found.is_none() && !methods::flag(reply, "allow_sending_without_reply") {
        return Err(Refusal::bad_request("message to be replied not found"));
    }
    Ok(found)
}

fn kind_of(field: &str) -> FileKind {
    if field == "photo" {
        FileKind::Photo
    } else {
        FileKind::Document
    }
}

/// A file by its id. The stand-in has no network and takes no uploads.
fn find_file(
    state: &State,
    params: &Map<String, Value>,
    field: &str,
    kind: FileKind,
) -> Result<File, Refusal> {
    let id = params
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or_default();
    if id.starts_with("http://") || id.starts_with("https://") {
        return Err(Refusal::bad_request("failed to get HTTP URL content"));
    }
    let Some(file) = state.files.get(id) else {
        return Err(Refusal::bad_request(
            "wrong file identifier/HTTP URL specified",
        ));
    };
    if file.kind != kind {
        let text = format!("can't use file of type {:?} as {kind:?}", file.kind);
        return Err(Refusal::bad_request(text));
    }
    Ok(file.clone())
}
