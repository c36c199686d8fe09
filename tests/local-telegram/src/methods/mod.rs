//! The Bot API methods, one file for each group.

mod admin;
mod callback;
mod edit;
mod send;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::answer::{Refusal, Via};
use crate::schema;
use crate::state::State;

/// Fields that the schema has but that mean nothing in the chats here.
const UNSUPPORTED: [(&str, &str); 8] = [
    ("business_connection_id", "business connection not found"),
    ("message_thread_id", "message thread not found"),
    ("inline_message_id", "MESSAGE_ID_INVALID"),
    (
        "direct_messages_topic_id",
        "the stand-in has no direct messages chats",
    ),
    (
        "ephemeral_message_parameters",
        "the stand-in has no ephemeral messages",
    ),
    ("message_effect_id", "the stand-in has no message effects"),
    (
        "suggested_post_parameters",
        "the stand-in has no suggested posts",
    ),
    ("rich_message", "the stand-in has no rich messages"),
];

/// Does one method.
pub(crate) fn perform(
    state: &mut State,
    now: Timestamp,
    method: &str,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    if let Some(fault) = schema::first_fault(method, params) {
        return Err(Refusal::bad_request(fault));
    }
    for (field, text) in UNSUPPORTED {
        if params.contains_key(field) {
            return Err(Refusal::bad_request(text));
        }
    }
    match method {
        "sendMessage" => send::message(state, now, params),
        "sendDocument" => send::file(state, now, params, "document"),
        "sendPhoto" => send::file(state, now, params, "photo"),
        "sendMediaGroup" => send::album(state, now, params),
        "editMessageText" => edit::text(state, now, params),
        "editMessageReplyMarkup" => edit::markup(state, now, params),
        "deleteMessage" => edit::delete(state, now, params),
        "answerCallbackQuery" => callback::answer(state, now, params),
        "setMyCommands" => admin::set_commands(params),
        "setWebhook" => admin::set_webhook(state, params),
        "deleteWebhook" => Ok(admin::delete_webhook(state, params)),
        "getWebhookInfo" => Ok(admin::webhook_info(state)),
        "getMe" => Ok(admin::me(state)),
        "getUpdates" => admin::updates(state, params),
        _ => Err(Refusal::unknown_method()),
    }
}

/// Whether Telegram does such a method when a webhook response carries it.
pub(crate) fn is_ignored(method: &str, via: Via) -> bool {
    let method = method.to_ascii_lowercase();
    via == Via::Webhook
        && (method.starts_with("get")
            || ["setwebhook", "deletewebhook", "close", "logout"].contains(&method.as_str()))
}

fn integer(params: &Map<String, Value>, name: &str) -> Option<i64> {
    params.get(name).and_then(Value::as_i64)
}

fn flag(params: &Map<String, Value>, name: &str) -> bool {
    params.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The chat that a request names: only ids lead to chats here, no channel names.
fn chat_id(params: &Map<String, Value>) -> Result<i64, Refusal> {
    match params.get("chat_id") {
        None => Err(Refusal::bad_request("chat_id is empty")),
        Some(id) => id
            .as_i64()
            .ok_or_else(|| Refusal::bad_request("chat not found")),
    }
}
