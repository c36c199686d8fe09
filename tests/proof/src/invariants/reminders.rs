//! Invariants of reminders: what the clock says of a request that nobody works on.

use anyhow::ensure;
use frontdesk_local_telegram::Message;
use serde_json::Value;

use super::requests::is_by_clock;
use super::{in_groups, number, stands, text};
use crate::story::{Story, grouped};
use crate::talk::is_reminder;
use crate::world::World;

/// True for the sort key of a reminder's effect.
pub(super) fn is_one(sk: &str) -> bool {
    sk.starts_with("EFF#reminder#")
}

/// The reminders that the history of a request calls for; there is one place in the sample. That a
/// customer cannot be reached is by the clock too, and no reminder: a step that leaves a request new has one
/// if it is `there`.
pub(super) fn called_for(items: &[Value], pk: &str, there: &[&str]) -> Vec<String> {
    let entries = items
        .iter()
        .filter(|item| text(item, "pk") == pk && text(item, "sk").starts_with("LOG#"));
    let by_clock = entries.filter(|entry| is_by_clock(entry));
    let reminders = by_clock.filter_map(|entry| {
        let version = text(entry, "sk").trim_start_matches("LOG#");
        let reminder = format!("EFF#reminder#{}#staff", version.parse::<u32>().ok()?);
        let is_wanted = text(entry, "from") != text(entry, "to")
            || text(entry, "to") == "new" && there.contains(&reminder.as_str());
        is_wanted.then_some(reminder)
    });
    reminders.collect()
}

/// 12: a request has as many reminders in a group as effects for them, sends without an answer and messages
/// sent anew allow; and what is done stands there, unless the request had changed before it was said.
pub(super) fn check(
    world: &World,
    request: &Value,
    effects: &[(&Value, &Story)],
) -> anyhow::Result<()> {
    let pk = text(request, "pk");
    let number_shown = grouped(pk.trim_start_matches("REQ#"));
    let allowed: i64 = effects
        .iter()
        .map(|(effect, story)| 1 + number(effect, "unknowns") + story.resends())
        .sum();
    let is_such =
        |message: &Message| is_reminder(&message.text) && message.text.contains(&number_shown);
    for there in in_groups(world, is_such)? {
        ensure!(
            there <= allowed,
            "12: {there} reminders of {pk}, {allowed} allowed"
        );
    }
    for (effect, _) in effects {
        let version = text(effect, "sk").split('#').nth(2).unwrap_or_default();
        let is_outdated =
            effect["message"].is_null() && version.parse::<i64>()? < number(request, "version");
        ensure!(
            stands(world, effect) || is_outdated || text(effect, "state") != "done",
            "12: no such message: {effect}"
        );
    }
    Ok(())
}
