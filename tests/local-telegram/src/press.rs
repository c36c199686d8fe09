//! Presses and raw updates.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::delivery::Key;
use crate::outcome::Error;
use crate::person::Press;
use crate::state::{State, Update};

/// The update of a press, with the message as Telegram has it now.
pub(crate) fn press(state: &mut State, now: Timestamp, press: &Press) -> Result<Update, Error> {
    let chat_id = press
        .chat_id
        .ok_or(Error::Malformed("chat_id is missing"))?;
    let user = press
        .user
        .as_ref()
        .ok_or(Error::Malformed("user is missing"))?;
    let message_id = press
        .message_id
        .ok_or(Error::Malformed("message_id is missing"))?;
    let data = press
        .callback_data
        .as_ref()
        .ok_or(Error::Malformed("callback_data is missing"))?;
    let chat = state
        .chats
        .get(&chat_id)
        .ok_or(Error::UnknownChat(chat_id))?;
    let message = chat.message(message_id).ok_or(Error::UnknownMessage {
        chat_id,
        message_id,
    })?;
    let message = if message.deleted {
        json!({"chat": chat.json(), "message_id": message_id, "date": 0})
    } else {
        chat.message_json(message)
    };
    let id = fastrand::u64(1 << 62..1 << 63).to_string();
    let body = json!({
        "id": id,
        "from": user.json(false),
        "message": message,
        "chat_instance": chat.instance,
        "data": data,
    });
    state.open_query(&id, now);
    Ok(state.keep("callback_query", body, Key::User(user.id)))
}

/// Takes an update as it is. A press in it can be answered.
pub(crate) fn raw(state: &mut State, now: Timestamp, mut update: Value) -> Result<Update, Error> {
    let Some(object) = update.as_object_mut() else {
        return Err(Error::Malformed("an update is an object"));
    };
    let id = match object.get("update_id") {
        None => {
            let id = state.take_update_id();
            object.insert("update_id".to_owned(), id.into());
            id
        }
        Some(id) => id
            .as_i64()
            .ok_or(Error::Malformed("update_id is not an integer"))?,
    };
    if let Some(query) = update["callback_query"]["id"].as_str() {
        state.open_query(query, now);
    }
    let key = key(&update);
    Ok(state.keep_raw(id, update, key))
}

/// The queue that Telegram puts an update in.
fn key(update: &Value) -> Key {
    let mut kinds = update.as_object().into_iter().flatten();
    let Some((kind, content)) = kinds.find(|(name, _)| *name != "update_id") else {
        return Key::Kind(String::new());
    };
    match kind.as_str() {
        "message" | "edited_message" | "channel_post" | "edited_channel_post" => {
            content["chat"]["id"].as_i64().map(Key::Chat)
        }
        "callback_query" => content["from"]["id"].as_i64().map(Key::User),
        _ => None,
    }
    .unwrap_or_else(|| Key::Kind(kind.clone()))
}
