//! Invariants of requests: what was sent is stored once, its history is whole, and what people were
//! told is true.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::{number, text};
use crate::people::{ANNA, BORIS, Pressed};
use crate::world::World;

/// 8: each accepted token has exactly one request, with what was sent; its answers are all equal.
pub(super) fn submissions(world: &World, requests: &BTreeMap<&str, &Value>) -> anyhow::Result<()> {
    let tokens: BTreeSet<_> = world.submissions.iter().map(|sent| &sent.token).collect();
    for token in tokens {
        let sent: Vec<_> = world
            .submissions
            .iter()
            .filter(|sent| sent.token == *token)
            .collect();
        let accepted: Vec<_> = sent.iter().filter(|sent| sent.status == 201).collect();
        let stored: Vec<_> = requests
            .values()
            .filter(|request| text(request, "token") == token)
            .collect();
        ensure!(stored.len() <= 1, "{} requests of one token", stored.len());
        let Some(first) = accepted.first() else {
            continue;
        };
        ensure!(stored.len() == 1, "accepted and lost: {first:?}");
        ensure!(
            accepted.iter().all(|sent| sent.body == first.body),
            "other answers: {accepted:?}"
        );
        ensure!(
            accepted.iter().all(|sent| sent.content == first.content),
            "two contents accepted"
        );
        let typed: Vec<_> = ["name", "phone", "message"]
            .map(|field| first.content[field].clone())
            .into();
        let kept = stored[0]["answers"].as_array().context("answers")?;
        let kept: Vec<_> = kept.iter().map(|answer| answer["text"].clone()).collect();
        ensure!(kept == typed, "other content stored: {kept:?}");
        let id = text(stored[0], "pk").trim_start_matches("REQ#");
        ensure!(first.body.contains(id), "another number was told");
    }
    ensure!(requests.values().all(|request| {
        world
            .submissions
            .iter()
            .any(|sent| sent.token == text(request, "token"))
    }));
    Ok(())
}

/// 9: history is contiguous, each "from" is the previous "to", and the last is the state.
pub(super) fn history(items: &[Value], pk: &str, request: &Value) -> anyhow::Result<()> {
    let mut entries: Vec<_> = items
        .iter()
        .filter(|item| text(item, "pk") == pk && text(item, "sk").starts_with("LOG#"))
        .collect();
    entries.sort_by_key(|entry| text(entry, "sk"));
    let mut state = "new";
    for (at, entry) in entries.iter().enumerate() {
        ensure!(
            text(entry, "sk") == format!("LOG#{:010}", at + 2),
            "a gap at {entry}"
        );
        ensure!(text(entry, "from") == state, "it was {state}: {entry}");
        state = text(entry, "to");
    }
    ensure!(
        state == text(request, "state"),
        "history ends with {state}: {request}"
    );
    ensure!(
        number(request, "version") == i64::try_from(entries.len())? + 1,
        "{request}"
    );
    Ok(())
}

/// 10: a claim in the history has exactly one receipt that says "taken", by its actor, and the reverse.
pub(super) fn claims(
    world: &World,
    items: &[Value],
    pk: &str,
    request: &Value,
) -> anyhow::Result<()> {
    let lead = pk.trim_start_matches("REQ#");
    let said_yours = |press: &&Pressed| {
        let receipt = format!("UPD#desk#{}", press.update_id);
        items
            .iter()
            .any(|item| text(item, "pk") == receipt && text(item, "reply").contains("It is yours."))
    };
    let mut winners: BTreeMap<i64, i64> = BTreeMap::new();
    for press in world
        .presses
        .iter()
        .filter(|press| press.lead == lead)
        .filter(said_yours)
    {
        winners.insert(press.update_id, press.user);
    }
    let claims = usize::from(text(request, "state") == "in_work");
    ensure!(
        winners.len() == claims,
        "{} winners, {claims} claims of {lead}",
        winners.len()
    );
    if let Some(user) = winners.values().next() {
        ensure!(
            [ANNA, BORIS].contains(user),
            "{user} is nobody of the staff"
        );
        ensure!(
            number(request, "assignee") == *user,
            "told {user}, stored {request}"
        );
    }
    Ok(())
}

/// 6: every 2xx to one update has the same body, which its receipt keeps.
pub(super) fn replies(world: &World, items: &[Value]) -> anyhow::Result<()> {
    let accepted = world
        .presses
        .iter()
        .filter(|press| press.status == Some(200));
    for press in accepted {
        let receipt = format!("UPD#desk#{}", press.update_id);
        let receipt = items.iter().find(|item| text(item, "pk") == receipt);
        let receipt = receipt.with_context(|| format!("no receipt: {press:?}"))?;
        let kept: Option<Value> = receipt["reply"]
            .as_str()
            .map(serde_json::from_str)
            .transpose()?;
        ensure!(
            kept == press.body,
            "kept {kept:?}, answered {:?}",
            press.body
        );
    }
    Ok(())
}
