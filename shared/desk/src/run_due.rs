//! The clock ticks: effects that are due without a message for them get one.

use frontdesk_domain::effect::HandOver;
use frontdesk_storage::{DueEntry, Error, SHARDS};
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::Desk;
use crate::attend::attend;

/// Entries read at once; one send to the queue takes ten.
const PAGE: u8 = 50;
/// Pages of one shard in one run. What is left is longest overdue, so the next run begins with it.
const PAGES: usize = 10;
/// How long an entry that this version cannot handle, or that is not to be read, is put off, so that it
/// never fills the page.
const PUT_OFF: SignedDuration = SignedDuration::from_hours(1);

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Swept {
    /// Effects handed over to the queue.
    pub handed_over: usize,
    /// Requests that were called out again, given back or looked at in vain.
    pub attended: usize,
    /// Entries that somebody else moved first.
    pub moved_on: usize,
    /// Entries of a kind not known here, or due only in a while, put off.
    pub put_off: usize,
    /// Entries and pages at which the table failed; they stay due.
    pub failed: usize,
    /// Since when the oldest effect waits to be delivered, as far as it was seen: of each shard, what is
    /// due first.
    #[serde(skip)]
    pub oldest: Option<Timestamp>,
}

/// Hands over what is due. A single failure is noted and the rest goes on; the error is the first
/// one where no shard could be read to its end and nothing was handed over.
pub async fn run_due(desk: &Desk, now: Timestamp) -> Result<Swept, Error> {
    let mut swept = Swept::default();
    let (mut unread, mut first_error) = (0, None);
    for shard in 0..SHARDS {
        for _ in 0..PAGES {
            let entries = match desk.store.read_due(shard, PAGE).await {
                Ok(entries) => entries,
                Err(error) => {
                    tracing::warn!(error.kind = error.kind(), shard, "sweep.page_failed");
                    swept.failed += 1;
                    unread += 1;
                    first_error.get_or_insert(error);
                    break;
                }
            };
            let since = entries.iter().filter_map(|entry| entry.since);
            swept.oldest = since.chain(swept.oldest).min();
            let due = entries.partition_point(|entry| entry.due <= now);
            let done_before = swept.handed_over + swept.put_off;
            hand_over(desk, &entries[..due], now, &mut swept).await;
            // A page without any progress is what others have moved and the index still shows.
            let progress = swept.handed_over + swept.put_off > done_before;
            if due < usize::from(PAGE) || !progress {
                break;
            }
        }
    }
    if desk.settings.attention.is_wanted() {
        look_at_requests(desk, now, &mut swept).await;
    }
    let Swept {
        handed_over,
        attended,
        moved_on,
        put_off,
        failed,
        oldest: _,
    } = swept;
    if handed_over + attended + moved_on + put_off + failed > 0 {
        tracing::info!(
            handed_over,
            attended,
            moved_on,
            put_off,
            failed,
            "sweep.done"
        );
    }
    match first_error {
        Some(error) if unread == SHARDS && swept.handed_over == 0 => Err(error),
        _ => Ok(swept),
    }
}

/// Looks at the requests whose time has come, one after another. What fails is noted, and the rest goes on;
/// it stays due where the table failed, and is put off where this version cannot handle it.
async fn look_at_requests(desk: &Desk, now: Timestamp, swept: &mut Swept) {
    let entries = match desk.store.read_attention(PAGE).await {
        Ok(entries) => entries,
        Err(error) => {
            tracing::warn!(error.kind = error.kind(), "sweep.requests_failed");
            swept.failed += 1;
            return;
        }
    };
    for entry in entries.iter().take_while(|entry| entry.due <= now) {
        let Some(id) = entry.request() else { continue };
        match attend(desk, id, entry, now).await {
            Ok(true) => swept.attended += 1,
            Ok(false) => swept.moved_on += 1,
            Err(error) => {
                tracing::warn!(lead.id = %id, error.kind = error.kind(), "sweep.request_failed");
                swept.failed += 1;
                let may_pass = matches!(error, Error::Unavailable { .. } | Error::Contended { .. });
                if !may_pass && let Err(error) = desk.store.move_due(entry, now + PUT_OFF).await {
                    tracing::warn!(error.kind = error.kind(), "sweep.request_not_put_off");
                }
            }
        }
    }
}

/// Moves each entry's `due` first and sends then: dying in between only costs the grace.
async fn hand_over(desk: &Desk, entries: &[DueEntry], now: Timestamp, swept: &mut Swept) {
    for entries in entries.chunks(10) {
        let moves = entries.iter().map(|entry| {
            let put_off = HandOver {
                due: now + PUT_OFF,
                delay: None,
            };
            let effect = entry.effect();
            let plan = match &effect {
                Some(_) => HandOver::at(entry.not_before.unwrap_or(now), now),
                None => put_off,
            };
            async move {
                (
                    effect,
                    plan.delay,
                    desk.store.move_due(entry, plan.due).await,
                )
            }
        });
        let mut due = Vec::new();
        for (effect, delay, moved) in join_all(moves).await {
            match (effect.zip(delay), moved) {
                (Some(message), Ok(true)) => due.push(message),
                (None, Ok(true)) => swept.put_off += 1,
                (_, Ok(false)) => swept.moved_on += 1,
                (_, Err(error)) => {
                    tracing::warn!(error.kind = error.kind(), "sweep.entry_failed");
                    swept.failed += 1;
                }
            }
        }
        if !due.is_empty() {
            desk.announce(&due).await;
            swept.handed_over += due.len();
        }
    }
}
