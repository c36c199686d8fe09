//! The bot's own affairs: webhook, commands, identity, polling.

use serde_json::{Map, Value, json};

use crate::answer::Refusal;
use crate::methods::{flag, integer};
use crate::state::State;

const SCOPES: [&str; 7] = [
    "default",
    "all_private_chats",
    "all_group_chats",
    "all_chat_administrators",
    "chat",
    "chat_administrators",
    "chat_member",
];
const PORTS: [&str; 4] = ["443", "80", "88", "8443"];

pub(super) fn set_commands(params: &Map<String, Value>) -> Result<Value, Refusal> {
    let commands = params["commands"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if commands.len() > 100 {
        return Err(Refusal::bad_request("BOT_COMMANDS_TOO_MUCH"));
    }
    for command in commands {
        let name = command["command"].as_str().unwrap_or_default();
        let is_part = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
        if !(1..=32).contains(&name.len()) || !name.bytes().all(is_part) {
            return Err(Refusal::bad_request("BOT_COMMAND_INVALID"));
        }
        let description = command["description"].as_str().unwrap_or_default();
        if !(1..=256).contains(&description.chars().count()) {
            return Err(Refusal::bad_request("BOT_COMMAND_DESCRIPTION_INVALID"));
        }
    }
    if let Some(scope) = params.get("scope")
        && !scope["type"]
            .as_str()
            .is_some_and(|kind| SCOPES.contains(&kind))
    {
        return Err(Refusal::bad_request(
            "can't parse BotCommandScope: unsupported type specified",
        ));
    }
    let language = params
        .get("language_code")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if ![0, 2].contains(&language.len()) || !language.bytes().all(|byte| byte.is_ascii_lowercase())
    {
        return Err(Refusal::bad_request("invalid language code specified"));
    }
    Ok(Value::Bool(true))
}

/// Keeps what it is told. Updates go to the delivery function that the desk has set, whatever the
/// address; `secret_token` becomes the bot's secret.
pub(super) fn set_webhook(
    state: &mut State,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let url = params["url"].as_str().unwrap_or_default();
    if url.is_empty() {
        return Ok(delete_webhook(state, params));
    }
    check_address(url)?;
    let secret = params
        .get("secret_token")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if secret.len() > 256 {
        return Err(Refusal::bad_request("secret token is too long"));
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !secret.bytes().all(is_part) {
        return Err(Refusal::bad_request(
            "secret token contains unallowed characters",
        ));
    }
    drop_pending(state, params);
    state.bot.secret = Some(secret.to_owned()).filter(|secret| !secret.is_empty());
    let webhook = &mut state.webhook;
    webhook.active = true;
    url.clone_into(&mut webhook.url);
    webhook.max_connections = integer(params, "max_connections");
    if let Some(allowed) = params.get("allowed_updates") {
        webhook.allowed_updates = Some(allowed.clone());
    }
    Ok(Value::Bool(true))
}

fn check_address(url: &str) -> Result<(), Refusal> {
    let Some(rest) = url.strip_prefix("https://") else {
        return Err(Refusal::bad_request(
            "bad webhook: An HTTPS URL must be provided for webhook",
        ));
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match host.rsplit_once(':') {
        Some((_, port)) if !PORTS.contains(&port) => Err(Refusal::bad_request(
            "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
        )),
        _ => Ok(()),
    }
}

pub(super) fn delete_webhook(state: &mut State, params: &Map<String, Value>) -> Value {
    drop_pending(state, params);
    state.webhook.active = false;
    state.webhook.url.clear();
    Value::Bool(true)
}

/// Forgets what waits; what is in flight goes on.
fn drop_pending(state: &mut State, params: &Map<String, Value>) {
    if flag(params, "drop_pending_updates") {
        state.pending.clear();
        for lane in state.lanes.values_mut() {
            lane.jobs.truncate(1);
        }
    }
}

pub(super) fn webhook_info(state: &State) -> Value {
    let waiting = state
        .lanes
        .values()
        .map(|lane| lane.jobs.len())
        .sum::<usize>();
    let webhook = &state.webhook;
    let mut info = json!({
        "url": webhook.url,
        "has_custom_certificate": false,
        "pending_update_count": waiting + state.pending.len(),
    });
    if webhook.active {
        info["max_connections"] = json!(webhook.max_connections.unwrap_or(40));
    }
    if let Some(allowed) = &webhook.allowed_updates {
        info["allowed_updates"] = allowed.clone();
    }
    if let Some((date, message)) = &webhook.last_error {
        info["last_error_date"] = json!(date);
        info["last_error_message"] = json!(message);
    }
    info
}

pub(super) fn me(state: &State) -> Value {
    let mut me = state.bot.user().json(true);
    for (name, value) in [
        ("can_join_groups", true),
        ("can_read_all_group_messages", true),
        ("supports_inline_queries", false),
        ("can_connect_to_business", false),
        ("has_main_web_app", false),
    ] {
        me[name] = json!(value);
    }
    me
}

/// Answers at once, whatever `timeout` says.
pub(super) fn updates(state: &mut State, params: &Map<String, Value>) -> Result<Value, Refusal> {
    if state.webhook.active {
        return Err(Refusal::conflict(
            "can't use getUpdates method while webhook is active; use deleteWebhook to delete the \
             webhook first",
        ));
    }
    if let Some(offset) = integer(params, "offset") {
        state.pending.retain(|id| *id >= offset);
    }
    let limit = integer(params, "limit").and_then(|limit| usize::try_from(limit).ok());
    let waiting = state.pending.iter().filter_map(|id| state.updates.get(id));
    Ok(waiting
        .take(limit.unwrap_or(100))
        .map(|update| (*update.body).clone())
        .collect())
}
