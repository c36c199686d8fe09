//! One attempt at an effect: whether it may start, and what its outcome makes of the effect.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use super::{
    EARLY, Effect, LEASE, Lease, MAX_ATTEMPTS, MessageRef, State, TOLERANCE, UNKNOWN_WAIT, backoff,
};

/// How long to wait when Telegram does not take the bot's token: somebody must put it right.
const UNAUTHORIZED_WAIT: SignedDuration = SignedDuration::from_mins(1);

/// What a queue message finds when it asks for an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Store this, and go.
    Lease(Box<Effect>),
    /// The attempts are used up, or what the last one did must be settled by the staff: store this and
    /// attempt nothing.
    GiveUp(Box<Effect>),
    /// It failed, and this message is no redrive: to the dead letters with it.
    DeadLetter,
    /// Another is at it with the same message, which the queue has delivered twice: it must stay, for it
    /// becomes the dead letter if the other fails.
    Leased,
    /// Not now. Its `due` brings it back, moved to this where it lies before the time to act.
    Wait {
        /// Where `due` must move to.
        due: Option<Timestamp>,
    },
    /// Nothing is left to do.
    Settled,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Telegram confirmed it.
    Done {
        /// The version of the request that was read before it was shown.
        shown: u32,
        /// The message that shows it, of a card.
        message: Option<MessageRef>,
        /// The strays that no longer have a button.
        cleared: BTreeSet<MessageRef>,
    },
    /// The noted message is gone: a person deleted it, or it is in a chat that has become another.
    Gone,
    /// Telegram said to wait until then. It uses up no attempt.
    RateLimited {
        /// Until when.
        until: Timestamp,
    },
    /// The chat is another now, and that has been noted. It uses up no attempt.
    Migrated,
    /// The bot's token was refused. It uses up no attempt.
    Unauthorized,
    /// It surely did not happen: no connection, or Telegram said that it failed.
    Retryable,
    /// The request went out and no complete answer came.
    Unknown,
    /// Refused for good.
    Rejected,
}

impl Effect {
    /// Decides whether a queue message that was sent at `sent_at` may attempt this effect, as `holder`:
    /// what names the message, a colon, and what names this delivery of it.
    pub fn start(&self, now: Timestamp, sent_at: Timestamp, holder: String) -> Start {
        if self.is_unsettled() {
            return Start::Settled;
        }
        let mut next = self.clone();
        match self.state {
            State::Sending => match &self.lease {
                Some(lease) if lease.until > now => {
                    return if message_of(&lease.holder) == message_of(&holder) {
                        Start::Leased
                    } else {
                        Start::Wait { due: None }
                    };
                }
                lease => next.lose_attempt(lease.as_ref().map_or(now, |lease| lease.until), now),
            },
            State::Done if self.is_behind() => next.attempts = 0,
            State::Done => return Start::Settled,
            State::Failed if self.failed_at.is_some_and(|failed_at| sent_at <= failed_at) => {
                return Start::DeadLetter;
            }
            State::Failed => {
                next.attempts = 0;
                next.resends = 0;
            }
            State::Pending | State::Unknown => {}
        }
        if next.is_unsettled() {
            return Start::GiveUp(Box::new(next));
        }
        if next.unknowns > 0 {
            next.adopt_stray(now);
        }
        let may_act = now + TOLERANCE;
        if matches!(next.state, State::Pending | State::Unknown) && next.not_before > may_act {
            let woken = next.not_before - EARLY;
            let moved = self.due.is_none_or(|due| due < woken);
            return Start::Wait {
                due: moved.then_some(woken),
            };
        }
        if next.attempts >= MAX_ATTEMPTS {
            next.fail(now);
            return Start::GiveUp(Box::new(next));
        }
        next.state = State::Sending;
        next.attempts += 1;
        next.failed_at = None;
        next.lease = Some(Lease { holder, until: now });
        next.run_lease_from(now);
        Start::Lease(Box::new(next))
    }

    /// Has the lease run from `now` on: what comes before it is written may have taken its time.
    pub fn run_lease_from(&mut self, now: Timestamp) {
        let until = now + LEASE;
        self.due = Some(self.due.map_or(until, |due| due.max(until)));
        if let Some(lease) = &mut self.lease {
            lease.until = until;
        }
    }

    /// The holder of the lease died, or was too slow to say what came of it.
    fn lose_attempt(&mut self, ended: Timestamp, now: Timestamp) {
        self.error = Some("lease_ended".to_owned());
        if self.repeats_when_sent_again() {
            self.note_unknown(ended + UNKNOWN_WAIT, now);
        } else {
            self.state = State::Pending;
            self.not_before = ended;
        }
    }

    /// What the effect is after an attempt. `error` names the kind of what went wrong; `jitter` is
    /// from 0 to 1.
    pub fn finish(
        &self,
        outcome: &Outcome,
        error: Option<&str>,
        now: Timestamp,
        jitter: f64,
    ) -> Self {
        let mut next = self.clone();
        next.error = error.map(str::to_owned);
        next.slot = None;
        let uncounted = self.attempts.saturating_sub(1);
        match outcome {
            Outcome::Done {
                shown,
                message,
                cleared,
            } => {
                next.shown = next.shown.max(*shown);
                next.message = message.or(next.message);
                next.strays
                    .retain(|stray| !cleared.contains(stray) && Some(*stray) != next.message);
                if next.want > next.shown {
                    next.attempts = 0;
                    next.wait_until(State::Pending, now, now);
                } else if next.is_behind() && next.attempts < MAX_ATTEMPTS {
                    next.wait_until(State::Pending, now + backoff(next.attempts, jitter), now);
                } else {
                    next.strays.clear();
                    next.state = State::Done;
                    next.due = None;
                    next.since = None;
                }
            }
            Outcome::Gone if next.resends == 0 => {
                // A late press may have named it as a stray, too.
                if let Some(gone) = next.message.take() {
                    next.strays.remove(&gone);
                }
                next.resends = 1;
                next.attempts = uncounted;
                next.wait_until(State::Pending, now, now);
            }
            Outcome::Gone | Outcome::Rejected => next.fail(now),
            Outcome::RateLimited { until } => {
                next.attempts = uncounted;
                next.wait_until(State::Pending, *until, now);
            }
            Outcome::Migrated => {
                next.attempts = uncounted;
                next.wait_until(State::Pending, now, now);
            }
            Outcome::Unauthorized => {
                next.attempts = uncounted;
                next.wait_until(State::Pending, now + UNAUTHORIZED_WAIT, now);
            }
            Outcome::Unknown if self.repeats_when_sent_again() => {
                let wait = backoff(next.attempts, jitter).max(UNKNOWN_WAIT);
                next.note_unknown(now + wait, now);
                let again = next.id.is_sent_again();
                if again && next.state == State::Unknown && next.attempts >= MAX_ATTEMPTS {
                    next.fail(now);
                }
            }
            Outcome::Retryable | Outcome::Unknown if next.attempts >= MAX_ATTEMPTS => {
                next.fail(now);
            }
            Outcome::Retryable | Outcome::Unknown => {
                next.wait_until(State::Pending, now + backoff(next.attempts, jitter), now);
            }
        }
        next
    }

    /// What a leased effect is when it lets go again, because its chat's next free slot is only at
    /// `slot`: nothing was attempted.
    pub fn wait_for_slot(&self, slot: Timestamp, now: Timestamp) -> Self {
        let until = Outcome::RateLimited { until: slot };
        Self {
            slot: Some(slot),
            ..self.finish(&until, Some("paced"), now, 0.0)
        }
    }
}

fn message_of(holder: &str) -> &str {
    holder
        .split_once(':')
        .map_or(holder, |(message, _)| message)
}

#[cfg(test)]
mod tests;
