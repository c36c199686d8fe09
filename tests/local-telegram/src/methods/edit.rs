//! editMessageText, editMessageReplyMarkup, deleteMessage.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use crate::answer::Refusal;
use crate::chat::{Chat, ChatKind, Content, Message};
use crate::markup::Markup;
use crate::state::State;
use crate::{methods, text};

/// How long after sending a bot may delete a message.
const DELETABLE: SignedDuration = SignedDuration::from_hours(48);
const NOT_MODIFIED: &str = "message is not modified: specified new message content and reply \
                            markup are exactly the same as a current content and reply markup of \
                            the message";

pub(super) fn text(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let text = text::message_text(params)?;
    let markup = Markup::read(params)?;
    edit(state, now, params, |message| match &mut message.content {
        Content::Text(old) if *old == text && message.markup == markup => {
            Err(Refusal::bad_request(NOT_MODIFIED))
        }
        Content::Text(old) => {
            *old = text;
            message.markup = markup;
            Ok(())
        }
        _ => Err(Refusal::bad_request(
            "there is no text in the message to edit",
        )),
    })
}

/// Without `reply_markup` the buttons go; the same holds for an edit of the text.
pub(super) fn markup(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let markup = Markup::read(params)?;
    edit(state, now, params, |message| {
        if message.markup == markup {
            return Err(Refusal::bad_request(NOT_MODIFIED));
        }
        message.markup = markup;
        Ok(())
    })
}

fn edit(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
    change: impl FnOnce(&mut Message) -> Result<(), Refusal>,
) -> Result<Value, Refusal> {
    let (chat, message_id) = place(state, params)?;
    let message = chat
        .live(message_id)
        .ok_or_else(|| Refusal::bad_request("message to edit not found"))?;
    if !message.from_bot || !message.markup.is_editable() {
        return Err(Refusal::bad_request("message can't be edited"));
    }
    change(message)?;
    message.edits += 1;
    message.edit_date = Some(now.as_second());
    let message = message.clone();
    Ok(chat.message_json(&message))
}

pub(super) fn delete(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let (chat, message_id) = place(state, params)?;
    let private = chat.kind == ChatKind::Private;
    let message = chat
        .live(message_id)
        .ok_or_else(|| Refusal::bad_request("message to delete not found"))?;
    let age = SignedDuration::from_secs(now.as_second() - message.date);
    if age > DELETABLE || !(message.from_bot || private) {
        return Err(Refusal::bad_request("message can't be deleted"));
    }
    message.deleted = true;
    Ok(Value::Bool(true))
}

fn place<'a>(
    state: &'a mut State,
    params: &Map<String, Value>,
) -> Result<(&'a mut Chat, i64), Refusal> {
    let chat_id = methods::chat_id(params)?;
    let message_id = methods::integer(params, "message_id")
        .ok_or_else(|| Refusal::bad_request("message identifier is not specified"))?;
    let chat = state.chat(chat_id)?;
    chat.check_access()?;
    Ok((chat, message_id))
}
