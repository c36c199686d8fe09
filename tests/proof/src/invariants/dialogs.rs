//! Invariants of the bot's dialog: its requests, their confirmations and their files.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::{number, text};
use crate::story::{Story, grouped};
use crate::talk::{DESCRIPTION, PHONE, is_confirmation};
use crate::world::World;

/// What is said of a draft that was not finished.
const EXPIRED: &str = "not finished in time";
/// The kinds of error which say that a customer does not take messages.
const UNREACHABLE: [&str; 4] = [
    "blocked_by_user",
    "user_deactivated",
    "chat_not_found",
    "forbidden",
];

/// 8: a draft that was confirmed is one request with what was written, and each answer names its number.
pub(super) fn requests(world: &World, requests: &BTreeMap<&str, &Value>) -> anyhow::Result<()> {
    let tokens: BTreeSet<_> = requests
        .values()
        .map(|request| text(request, "token"))
        .collect();
    ensure!(tokens.len() == requests.len(), "two requests of one token");
    for customer in &world.customers {
        let mut theirs = requests
            .iter()
            .filter(|(_, request)| request["chat"] == *customer);
        let (pk, request) = theirs.next().context("confirmed and lost")?;
        ensure!(theirs.next().is_none(), "two requests of one draft");
        let id = pk.trim_start_matches("REQ#");
        let told = world.numbers_told(*customer);
        ensure!(
            !told.is_empty() && told.iter().all(|told| told == id),
            "{id} was told as {told:?}"
        );
        let answers = request["answers"].as_array().context("answers")?;
        for written in [DESCRIPTION, PHONE] {
            ensure!(
                answers.iter().any(|answer| text(answer, "text") == written),
                "other content stored: {answers:?}"
            );
        }
        ensure!(number(request, "files") == 1, "without its file: {request}");
    }
    Ok(())
}

/// True where an effect has failed because its customer does not take messages.
pub(super) fn is_unreachable(effect: &Value) -> bool {
    let to_customer = ["EFF#confirmation", "EFF#panel"]
        .iter()
        .any(|kind| text(effect, "sk").starts_with(kind));
    to_customer && text(effect, "state") == "failed" && UNREACHABLE.contains(&text(effect, "error"))
}

/// 12: that a draft was not finished in time is told once, but for sends without an answer.
pub(super) fn expired(world: &World, effects: &[&Value]) -> anyhow::Result<()> {
    let panels = effects
        .iter()
        .filter(|effect| text(effect, "sk") == "EFF#panel");
    for panel in panels.filter(|panel| panel["draft"]["phase"] == "expired") {
        let chat = text(panel, "pk").rsplit('#').next().unwrap_or_default();
        let told = world
            .messages(chat.parse()?)
            .iter()
            .filter(|message| message.text.contains(EXPIRED))
            .count();
        let told = i64::try_from(told)?;
        let is_done = text(panel, "state") == "done";
        ensure!(
            told <= 1 + number(panel, "unknowns") && (told >= 1 || !is_done),
            "told {told} times: {panel}"
        );
    }
    Ok(())
}

/// 12: a customer is told once at the most, and what may have been told is not told again.
pub(super) fn confirmation(
    world: &World,
    request: &Value,
    effect: &Value,
    story: &Story,
) -> anyhow::Result<()> {
    let number_told = grouped(text(request, "pk").trim_start_matches("REQ#"));
    let sent = world
        .messages(number(request, "chat"))
        .iter()
        .filter(|message| is_confirmation(&message.text) && message.text.contains(&number_told))
        .count();
    let unknowns = number(effect, "unknowns");
    let holds = match text(effect, "state") {
        "done" => sent == 1 && unknowns == 0,
        "unknown" => sent <= 1 && unknowns == 1,
        state => state == "failed" && sent == 0 && unknowns == 0,
    };
    ensure!(holds, "12: {sent} confirmations: {effect}");
    let mut writes = story.writes.iter();
    if writes.any(|write| write.state == "unknown") {
        ensure!(
            writes.next().is_none(),
            "12: an unknown confirmation is attempted again: {:?}",
            story.writes
        );
    }
    Ok(())
}

/// 12, 15: a place has each file once, but for sends without an answer, as a reply to the card
/// where its chat has that.
pub(super) fn brief(
    world: &World,
    items: &[Value],
    effect: &Value,
    card: &Story,
) -> anyhow::Result<()> {
    let pk = text(effect, "pk");
    let kept = items
        .iter()
        .find(|item| text(item, "pk") == pk && text(item, "sk") == "BRIEF");
    let files = kept
        .and_then(|kept| kept["files"].as_array())
        .context("no files")?;
    let messages = world.staff_messages();
    let sent: Vec<_> = messages
        .iter()
        .filter(|(_, message)| {
            let file = message.attachment.as_ref();
            file.is_some_and(|file| {
                files
                    .iter()
                    .any(|kept| text(kept, "file_id") == file.file_id)
            })
        })
        .collect();
    let (there, all) = (i64::try_from(sent.len())?, i64::try_from(files.len())?);
    let unknowns = number(effect, "unknowns");
    ensure!(
        there <= all + unknowns,
        "12: {there} of {all} files: {effect}"
    );
    if text(effect, "state") == "done" {
        ensure!(
            number(effect, "shown") == all && (unknowns > 0 || there == all),
            "12: {there} of {all} files: {effect}"
        );
    }
    let shown = grouped(pk.trim_start_matches("REQ#"));
    let cards: Vec<_> = messages
        .iter()
        .filter(|(_, message)| message.attachment.is_none() && message.text.contains(&shown))
        .collect();
    let lost = card.writes.iter().any(|write| write.state == "failed")
        || cards.iter().any(|(_, card)| card.deleted);
    for (chat, file) in sent {
        let is_reply = cards
            .iter()
            .any(|(of, card)| of == chat && file.reply_to == Some(card.message_id));
        let is_alone = cards.iter().all(|(of, _)| of != chat);
        ensure!(
            is_reply || is_alone || lost,
            "15: {file:?} replies to no card"
        );
    }
    Ok(())
}
