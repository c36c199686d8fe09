//! Invariants of an effect's whole life, from what its writes and sends tell.

use anyhow::{Context, ensure};
use jiff::Timestamp;

use crate::story::{Story, Written};

/// Checks one effect's life. `moves` are the moments at which the clock was moved by hand: a lease is
/// over when the clock says so, but a send that was under way when the clock jumped could not know. An
/// effect that is settled by the staff waits for nothing while it is unknown.
pub(super) fn check(
    story: &Story,
    moves: &[Timestamp],
    is_settled_by_staff: bool,
) -> anyhow::Result<()> {
    for write in &story.writes {
        write_alone(write, is_settled_by_staff)?;
    }
    for step in story.writes.windows(2) {
        let (before, after) = (&step[0], &step[1]);
        ensure!(
            before.shown <= after.shown,
            "3: shown falls: {before:?} {after:?}"
        );
        // What is read in `before` was written no later than `after` was.
        let taken_over = before.is_lease() && after.is_lease() && before.holder != after.holder;
        ensure!(
            !taken_over || before.lease_until.is_none_or(|until| until <= after.at),
            "2: a lease is taken over while it lasts: {before:?} {after:?}"
        );
    }
    sends(story, moves).context("2")?;
    uncounted(story).context("5")
}

/// 1, 5: whatever waits has a `due`; no start has more than eight attempts.
fn write_alone(write: &Written, is_settled_by_staff: bool) -> anyhow::Result<()> {
    let waits = match write.state.as_str() {
        "pending" | "sending" => true,
        state => state == "unknown" && !is_settled_by_staff,
    };
    ensure!(!waits || write.has_due, "1: without a due: {write:?}");
    ensure!((0..=8).contains(&write.attempts), "5: {write:?}");
    Ok(())
}

/// 2: each send lies inside the lease of the attempt that makes it, and no two overlap.
fn sends(story: &Story, moves: &[Timestamp]) -> anyhow::Result<()> {
    let mut last: Option<Timestamp> = None;
    for sent in &story.sends {
        let lease = story
            .writes
            .iter()
            .rev()
            .find(|write| write.invocation == sent.invocation && write.at <= sent.at)
            .filter(|write| write.is_lease());
        let lease = lease.with_context(|| format!("a send without a lease: {sent:?}"))?;
        let jumped = moves.iter().any(|at| lease.at <= *at && *at <= sent.ended);
        if jumped {
            continue;
        }
        ensure!(
            lease.lease_until.is_some_and(|until| sent.ended <= until),
            "outside its lease: {sent:?} {lease:?}"
        );
        ensure!(
            last.is_none_or(|last| last <= sent.at),
            "sends overlap: {sent:?} begins before {last:?}"
        );
        last = Some(sent.ended);
    }
    Ok(())
}

/// 5: an attempt that Telegram answered 429 or 401 is not counted.
fn uncounted(story: &Story) -> anyhow::Result<()> {
    for step in story.writes.windows(2) {
        let (lease, after) = (&step[0], &step[1]);
        let is_its_end = !after.is_lease()
            && lease.holder == after.holder
            && lease.invocation == after.invocation;
        if !lease.is_lease() || !is_its_end {
            continue;
        }
        let first = story
            .sends
            .iter()
            .find(|sent| sent.invocation == lease.invocation && sent.at >= lease.at);
        let refused = first.is_some_and(|sent| matches!(sent.status, Some(429 | 401)));
        ensure!(
            !refused || after.attempts == lease.attempts - 1,
            "a refusal is counted: {lease:?} {after:?}"
        );
    }
    Ok(())
}

/// 17: there are no more messages than causes, waits, hand-overs and failures; a brief is announced, too, when its card
/// has come or has failed.
pub(super) fn messages(story: &Story, card: Option<&Story>) -> anyhow::Result<()> {
    let announced = card.map_or(0, Story::new_messages);
    let (causes, deferrals) = (story.causes + announced, story.deferrals());
    ensure!(
        story.messages <= causes + deferrals + story.hand_overs + story.failures(),
        "17: {} messages of {causes} causes, {deferrals} deferrals and {} hand-overs",
        story.messages,
        story.hand_overs
    );
    Ok(())
}
