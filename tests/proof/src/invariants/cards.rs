//! Invariants of cards: what the chats show of each request.

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::{number, text};
use crate::story::{Story, grouped};
use crate::talk::{is_answer, is_reminder};
use crate::world::World;

/// 3, 12, 13: the card in the chat against its effect and its request.
pub(super) fn check(
    world: &World,
    request: &Value,
    effect: &Value,
    story: &Story,
) -> anyhow::Result<()> {
    let (version, shown, want) = (
        number(request, "version"),
        number(effect, "shown"),
        number(effect, "want"),
    );
    ensure!(
        shown <= version && want <= version,
        "3: {effect} of version {version}"
    );
    let id = text(request, "pk").trim_start_matches("REQ#");
    let chats = world.desk.telegram().chats();
    let messages: Vec<Value> = chats
        .iter()
        .filter(|chat| chat.chat_id < 0)
        .flat_map(|chat| chat.messages.iter().map(|message| (chat.chat_id, message)))
        .filter(|(_, message)| {
            let is_other = is_answer(&message.text) || is_reminder(&message.text);
            message.text.contains(&grouped(id)) && !is_other
        })
        .map(|(chat, message)| {
            let mut message = json!(message);
            message["chat"] = json!(chat);
            message
        })
        .collect();
    // What stands in a group that has become a supergroup cannot be edited any more.
    let (former, messages): (Vec<_>, Vec<_>) = messages.into_iter().partition(|message| {
        world
            .former_chats
            .iter()
            .any(|chat| message["chat"] == *chat)
    });
    let there = i64::try_from(messages.len())?;
    let (unknowns, resends) = (number(effect, "unknowns"), story.resends());
    for there in [there, i64::try_from(former.len())?] {
        ensure!(
            there <= 1 + unknowns + resends,
            "12: {there} messages, {resends} resends, {effect}"
        );
    }
    if text(effect, "state") == "done" {
        ensure!(
            unknowns > 0 || there == 1 + resends || !former.is_empty(),
            "12: {there} messages, {resends} resends, {effect}"
        );
        ensure!(shown == version, "13: done at {shown} of {version}");
        let noted = messages.iter().chain(&former).find(|message| {
            message["message_id"] == effect["message"] && message["chat"] == effect["message_chat"]
        });
        let noted = noted.with_context(|| format!("13: no such message: {effect}"))?;
        ensure!(
            takes(noted) == (text(request, "state") == "new"),
            "13: {noted} of {request}"
        );
        if let Some(name) = request["assignee_name"].as_str() {
            ensure!(
                text(noted, "text").contains(&format!("Taken by {name}")),
                "13: {noted} of {request}"
            );
        }
        if let Some(name) = request["closed_name"].as_str() {
            ensure!(
                text(noted, "text").contains(&format!("Closed by {name}"))
                    && noted["buttons"] == json!([]),
                "13: {noted} of {request}"
            );
        }
        let unreachable = text(noted, "text").contains("Cannot be reached in Telegram");
        ensure!(
            unreachable == (number(request, "unreachable") == 1),
            "13: {noted} of {request}"
        );
        let others = messages
            .iter()
            .filter(|message| message["deleted"] != true && takes(message))
            .count();
        let live = i64::try_from(others)? - i64::from(takes(noted) && noted["deleted"] != true);
        ensure!(live <= unknowns, "13: {live} other live buttons, {effect}");
        // Strays are let go with the last attempt.
        let tries = story.writes.iter().map(|write| write.attempts).max();
        let stray = messages.iter().find(|message| {
            let (chat, message_id) = (number(message, "chat"), number(message, "message_id"));
            let pressed = (id.to_owned(), chat, message_id);
            world.cards_pressed.contains(&pressed)
                && message["message_id"] != effect["message"]
                && message["deleted"] != true
                && takes(message)
        });
        ensure!(
            stray.is_none()
                || text(request, "state") == "new"
                || tries.is_none_or(|tries| tries >= 8),
            "13: pressed, and it can still be taken there: {stray:?}"
        );
    }
    Ok(())
}

/// True where a message has a button that takes its request.
fn takes(message: &Value) -> bool {
    let rows = message["buttons"].as_array().into_iter().flatten();
    let mut buttons = rows.filter_map(Value::as_array).flatten();
    buttons.any(|button| {
        let data = button["callback_data"].as_str();
        data.is_some_and(|data| data.starts_with("take:"))
    })
}
