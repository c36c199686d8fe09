//! Invariants of reports and warnings.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use frontdesk_local::Call;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use super::{body, number, text};
use crate::notices::{is_bad, is_report_of, is_warning};
use crate::story::{Key, Story};
use crate::world::World;

/// The zone and the hour of the sample settings.
const ZONE: &str = "Europe/Moscow";
const HOUR: i8 = 9;

/// 16: one report for each local day since the first run that made one, up to the last run.
pub(super) fn reports(world: &World, items: &[Value]) -> anyhow::Result<()> {
    let Some((first, last)) = world.report_runs else {
        return Ok(());
    };
    let mut days = Vec::new();
    for item in items.iter().filter(|item| text(item, "sk") == "REPORT") {
        days.push(
            text(item, "pk")
                .trim_start_matches("REPORT#")
                .parse::<Date>()?,
        );
    }
    days.sort();
    let (Some(earliest), Some(latest)) = (days.first(), days.last()) else {
        anyhow::bail!("no report at all");
    };
    ensure!(
        *earliest >= due_day(first)? && *latest == due_day(last)?,
        "reports of {days:?} for runs from {first} to {last}"
    );
    ensure!(
        days.windows(2)
            .all(|days| days[0].tomorrow().is_ok_and(|next| next == days[1])),
        "a day without a report: {days:?}"
    );
    for day in days {
        let sent = count(world, |text| is_report_of(text, &day.to_string()));
        let effect = items.iter().find(|item| {
            text(item, "pk") == format!("REPORT#{day}") && text(item, "sk").starts_with("EFF#")
        });
        let effect = effect.with_context(|| format!("no effect for the report of {day}"))?;
        let unknowns = number(effect, "unknowns");
        let is_done = text(effect, "state") == "done";
        ensure!(
            sent <= 1 + unknowns && (sent >= 1 || unknowns > 0 || !is_done),
            "{sent} reports of {day}: {effect}"
        );
    }
    Ok(())
}

/// The latest day whose report is due.
fn due_day(at: Timestamp) -> anyhow::Result<Date> {
    let local = at.in_tz(ZONE)?;
    let date = local.date();
    Ok(if local.hour() >= HOUR {
        date
    } else {
        date.yesterday()?
    })
}

/// Warnings are told when something turns, and not again: there are no more of them than turns. The last
/// one says how it stands.
pub(super) fn warnings(
    world: &World,
    items: &[Value],
    calls: &[Call],
    stories: &BTreeMap<Key, Story>,
) -> anyhow::Result<()> {
    let turns: i64 = items
        .iter()
        .filter(|item| text(item, "sk") == "ALERT")
        .map(|item| number(item, "version"))
        .sum();
    let unknowns: i64 = items
        .iter()
        .filter(|item| text(item, "sk").starts_with("EFF#warning"))
        .map(|item| number(item, "unknowns"))
        .sum();
    let told = count(world, is_warning);
    ensure!(
        told <= turns + unknowns,
        "{told} warnings of {turns} turns and {unknowns} unknown sends"
    );
    // What cannot be told in the notices' chat goes by mail, and nobody may have looked since it can be.
    let is_out_of_reach = |call: &Call| {
        let body = body(call);
        text(&body, "UpdateExpression").contains("unreachable_since = ")
    };
    if calls.iter().any(is_out_of_reach) {
        return Ok(());
    }
    for alert in items.iter().filter(|item| text(item, "sk") == "ALERT") {
        let of_alert = |key: &&Key| key.0 == text(alert, "pk") && key.1.starts_with("EFF#warning");
        let sends = stories.iter().filter(|(key, _)| of_alert(key));
        let arrived = sends.flat_map(|(_, story)| story.sends.iter().filter(|sent| sent.is_done));
        let last = arrived.last();
        let (told, stands) = (
            last.is_some_and(|sent| is_bad(&sent.text)),
            number(alert, "version") % 2 == 1,
        );
        ensure!(told == stands, "told last: {last:?}, and it is {alert}");
    }
    Ok(())
}

fn count(world: &World, is_it: impl Fn(&str) -> bool) -> i64 {
    let messages = world.staff_messages();
    let such = messages.iter().filter(|(_, message)| is_it(&message.text));
    i64::try_from(such.count()).unwrap_or(i64::MAX)
}
