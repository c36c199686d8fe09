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
    let of_forms = requests
        .values()
        .filter(|request| request["chat"].is_null());
    ensure!(of_forms.into_iter().all(|request| {
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

/// What whoever has done something is told, and the state that a request then has.
const SAID: [(&str, &str); 3] = [
    ("It is yours.", "in_work"),
    ("Nobody has it now.", "new"),
    ("It is closed.", "closed"),
];

/// 10: each step in the history has exactly one receipt that says so, by its actor, and the reverse.
pub(super) fn claims(
    world: &World,
    items: &[Value],
    pk: &str,
    request: &Value,
) -> anyhow::Result<()> {
    let lead = pk.trim_start_matches("REQ#");
    let history: BTreeMap<_, _> = items
        .iter()
        .filter(|item| text(item, "pk") == pk && text(item, "sk").starts_with("LOG#"))
        .map(|entry| (text(entry, "sk"), entry))
        .collect();
    for (said, state) in SAID {
        let mut told: Vec<_> = told(world, items, lead, said).into_values().collect();
        let steps = history.values().filter(|entry| {
            !is_by_clock(entry) && text(entry, "to") == state && text(entry, "from") != state
        });
        let mut actors: Vec<_> = steps.map(|entry| number(entry, "actor")).collect();
        told.sort_unstable();
        actors.sort_unstable();
        ensure!(
            told == actors,
            "\"{said}\" was told to {told:?}, {state} was made by {actors:?} of {lead}"
        );
        ensure!(
            actors.iter().all(|actor| [ANNA, BORIS].contains(actor)),
            "{actors:?} are not all of the staff"
        );
    }
    for entry in history.values().filter(|entry| is_by_clock(entry)) {
        ensure!(
            text(entry, "to") == text(entry, "from") || text(entry, "to") == "new",
            "by the clock: {entry}"
        );
    }
    if text(request, "state") == "in_work" {
        let last = history.values().rfind(|entry| text(entry, "from") == "new");
        ensure!(
            last.is_some_and(|entry| entry["actor"] == request["assignee"]),
            "somebody else has it than who took it: {request}"
        );
    }
    Ok(())
}

/// True where nobody has made a step: the clock has called the request out or taken it back, or
/// its customer was found not to take messages.
pub(super) fn is_by_clock(entry: &Value) -> bool {
    number(entry, "actor") == 0
}

/// The updates about a request whose receipts say this, each with its user.
fn told(world: &World, items: &[Value], lead: &str, said: &str) -> BTreeMap<i64, i64> {
    let says_so = |press: &&Pressed| {
        let receipt = format!("UPD#desk#{}", press.update_id);
        items
            .iter()
            .any(|item| text(item, "pk") == receipt && text(item, "reply").contains(said))
    };
    let presses = world.presses.iter().filter(|press| press.lead == lead);
    let told = presses.filter(says_so);
    told.map(|press| (press.update_id, press.user)).collect()
}

/// 6: every 2xx to one update has the same body, which its receipt keeps.
pub(super) fn replies(world: &World, items: &[Value]) -> anyhow::Result<()> {
    let accepted = world
        .presses
        .iter()
        .filter(|press| press.status == Some(200));
    for press in accepted {
        let receipt = format!("UPD#desk#{}", press.update_id);
        let mut items = items.iter();
        let receipt = items.find(|item| text(item, "pk") == receipt && text(item, "sk") == "UPD");
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
