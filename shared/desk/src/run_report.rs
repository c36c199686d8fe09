//! The daily report. Its figures are taken once and stored with the effect that sends it, so that what
//! arrives late still tells of its day.

use frontdesk_domain::effect::{Effect, EffectId, State};
use frontdesk_domain::{self as domain, Counter, Report};
use frontdesk_storage::{Error, Listed, SHARDS};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::Desk;
use crate::metrics::Metric;

/// Entries of each shard that are looked through for the oldest effect.
const LOOKED_THROUGH: u8 = 50;

/// Makes the reports that are due at `scheduled` and not made yet, and returns how many. `now` is the
/// function's own clock: a run may be late, and is still for its own hour.
pub async fn run_report(desk: &Desk, scheduled: Timestamp, now: Timestamp) -> Result<usize, Error> {
    let time = &desk.settings.notices.report;
    let place = &desk.settings.notices.place;
    let mut last = desk.store.last_report().await?;
    let mut made = 0;
    for day in time.days_due(last, scheduled) {
        let report = figures(desk, day, now).await?;
        let place = place.clone();
        let effect = Effect::new(EffectId::Report { day, place }, now);
        if !desk.store.insert_report(&report, &effect, last).await? {
            // Another run makes them.
            break;
        }
        tracing::info!(report.day = %day, "report.made");
        desk.announce_now([&effect.id].into_iter()).await;
        last = Some(day);
        made += 1;
    }
    if let Some(day) = last {
        let place = place.clone();
        let effect = desk
            .store
            .read_effect(&EffectId::Report { day, place })
            .await?;
        let undelivered = effect.filter(|effect| effect.state != State::Done);
        let overdue = undelivered
            .and_then(|effect| effect.since)
            .map_or(0, |since| now.duration_since(since).as_secs());
        Metric::ReportOverdue.record(u64::try_from(overdue).unwrap_or_default());
    }
    Ok(made)
}

/// Nobody waits for them, so they are taken one after another.
async fn figures(desk: &Desk, day: Date, now: Timestamp) -> Result<Report, Error> {
    let store = &desk.store;
    let covered = desk.settings.notices.report.covered(day);
    let mut accepted = 0;
    for state in domain::State::NAMES {
        accepted += store.count_accepted(state, covered).await?;
    }
    let counters = [
        Counter::LeadRepeated,
        Counter::UpdateRepeated,
        Counter::UpdateKeptAside,
        Counter::SendUnknown,
        Counter::EffectFailed,
    ];
    let yesterday = day.yesterday().unwrap_or(day);
    let [
        leads_again,
        updates_again,
        kept_aside,
        unknown_sends,
        failures,
    ] = store.read_counts(counters, yesterday).await?;
    let count = |listed| store.count_listed(listed, Timestamp::MAX, Report::MOST);
    let [new, in_work, _] = domain::State::NAMES.map(Listed::Requests);
    let mut oldest_undelivered = None;
    for shard in 0..SHARDS {
        let due = store.read_due(shard, LOOKED_THROUGH).await?;
        let since = due.iter().filter_map(|entry| entry.since);
        oldest_undelivered = since.chain(oldest_undelivered).min();
    }
    Ok(Report {
        day,
        made: now,
        accepted,
        repeats: leads_again + updates_again,
        kept_aside,
        unknown_sends,
        failures,
        unknown: count(Listed::Effects(State::Unknown)).await?,
        failed: count(Listed::Effects(State::Failed)).await?,
        oldest_undelivered,
        oldest_unclaimed: store.oldest_listed(new).await?,
        new: count(new).await?,
        in_work: count(in_work).await?,
    })
}
