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
                next.message = None;
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
mod tests {
    use super::*;
    use crate::effect::EffectId;
    use crate::{Name, RequestId};

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).expect("a time")
    }

    fn card() -> Effect {
        let request = RequestId::parse("3f9a22c107bed4").expect("an id");
        let place = Name::parse("staff").expect("a name");
        Effect::new(EffectId::Card { request, place }, at(0))
    }

    fn leased(effect: &Effect, now: i64) -> Effect {
        match effect.start(at(now), at(now), format!("attempt-{now}")) {
            Start::Lease(effect) => *effect,
            other => panic!("no lease but {other:?}"),
        }
    }

    fn message(message: i64) -> MessageRef {
        MessageRef {
            chat: -100,
            message,
        }
    }

    fn shown(version: u32, at: MessageRef) -> Outcome {
        Outcome::Done {
            shown: version,
            message: Some(at),
            cleared: BTreeSet::new(),
        }
    }

    #[test]
    fn a_confirmed_send_is_done_and_waits_for_nothing() {
        let sending = leased(&card(), 1);
        assert_eq!(
            sending.start(at(2), at(2), "other".into()),
            Start::Wait { due: None }
        );
        let done = sending.finish(&shown(1, message(7)), None, at(2), 0.5);
        assert_eq!(
            (done.state, done.due, done.message),
            (State::Done, None, Some(message(7)))
        );
        assert_eq!(done.start(at(3), at(3), "late".into()), Start::Settled);
    }

    #[test]
    fn of_a_message_that_is_delivered_twice_the_second_delivery_leaves_it() {
        let start = |effect: &Effect, holder: &str| effect.start(at(1), at(1), holder.to_owned());
        let Start::Lease(sending) = start(&card(), "1f2e:a") else {
            panic!("nobody has it");
        };
        assert_eq!(start(&sending, "1f2e:b"), Start::Leased);
        assert_eq!(start(&sending, "77aa:b"), Start::Wait { due: None });
    }

    #[test]
    fn a_wish_during_the_lease_sends_it_round_again() {
        let mut sending = leased(&card(), 1);
        sending.want = 2;
        let again = sending.finish(&shown(1, message(7)), None, at(2), 0.5);
        assert_eq!(
            (again.state, again.shown, again.attempts),
            (State::Pending, 1, 0)
        );
        assert_eq!(leased(&again, 2).message, Some(message(7)));
    }

    #[test]
    fn a_card_without_an_answer_is_unknown_and_goes_again_after_half_a_minute() {
        let unknown = leased(&card(), 0).finish(&Outcome::Unknown, Some("timeout"), at(10), 0.0);
        assert_eq!((unknown.state, unknown.unknowns), (State::Unknown, 1));
        assert_eq!(unknown.not_before, at(40));
        assert!(matches!(
            unknown.start(at(30), at(30), "early".into()),
            Start::Wait { .. }
        ));
        assert_eq!(leased(&unknown, 40).attempts, 2);
    }

    #[test]
    fn a_pressed_copy_of_an_unknown_send_becomes_the_card() {
        let mut sending = leased(&card(), 0);
        sending.strays.insert(message(7));
        let known = sending.finish(&Outcome::Unknown, Some("timeout"), at(10), 0.0);
        assert_eq!(
            (known.state, known.message, known.unknowns),
            (State::Pending, Some(message(7)), 1)
        );
        assert!(known.strays.is_empty());
    }

    #[test]
    fn a_dead_holder_is_an_unknown_send_but_only_a_repeated_edit() {
        let sending = leased(&card(), 0);
        assert!(matches!(
            sending.start(at(61), at(61), "b".into()),
            Start::Wait { .. }
        ));
        let second = leased(&sending, 90);
        assert_eq!((second.unknowns, second.attempts), (1, 2));

        let mut done = leased(&card(), 0).finish(&shown(1, message(7)), None, at(1), 0.0);
        done.want = 2;
        let editing = leased(&done, 10);
        let second = leased(&editing, 71);
        assert_eq!((second.unknowns, second.attempts), (0, 2));
    }

    #[test]
    fn waiting_for_telegram_uses_up_no_attempt_however_long() {
        let until = at(70_000);
        let waiting =
            leased(&card(), 0).finish(&Outcome::RateLimited { until }, Some("429"), at(1), 0.0);
        assert_eq!(
            (waiting.attempts, waiting.not_before, waiting.due),
            (0, until, Some(until - EARLY))
        );
        assert_eq!(waiting.message_delay(at(1)), None);
    }

    #[test]
    fn eight_attempts_fail_it_and_only_a_later_message_starts_it_afresh() {
        let mut effect = card();
        let mut now = 0;
        for attempt in 1..=MAX_ATTEMPTS {
            effect = leased(&effect, now).finish(&Outcome::Retryable, Some("500"), at(now), 0.0);
            assert_eq!(
                effect.state == State::Failed,
                attempt == MAX_ATTEMPTS,
                "{attempt}"
            );
            now += 3600;
        }
        let failed_at = effect.failed_at.expect("it failed");
        assert_eq!(
            effect.start(at(now), failed_at, "old".into()),
            Start::DeadLetter
        );
        let afresh = leased(&effect, now);
        assert_eq!((afresh.attempts, afresh.failed_at), (1, None));
    }

    #[test]
    fn a_holder_that_dies_every_time_ends_as_failed() {
        let mut effect = card();
        let mut now = 0;
        for _ in 0..MAX_ATTEMPTS {
            effect = leased(&effect, now);
            now += 100;
        }
        assert!(matches!(
            effect.start(at(now), at(now), "x".into()),
            Start::GiveUp(_)
        ));
    }

    #[test]
    fn a_deleted_card_is_sent_anew_once() {
        let mut done = leased(&card(), 0).finish(&shown(1, message(7)), None, at(1), 0.0);
        done.want = 2;
        let anew = leased(&done, 2).finish(&Outcome::Gone, Some("gone"), at(3), 0.0);
        assert_eq!(
            (anew.state, anew.message, anew.resends),
            (State::Pending, None, 1)
        );
        let mut again = leased(&anew, 3).finish(&shown(2, message(8)), None, at(4), 0.0);
        again.want = 3;
        let failed = leased(&again, 5).finish(&Outcome::Gone, Some("gone"), at(6), 0.0);
        assert_eq!(failed.state, State::Failed);
        let redriven = leased(&failed, 60).finish(&Outcome::Gone, Some("gone"), at(61), 0.0);
        assert_eq!(
            (redriven.state, redriven.message),
            (State::Pending, None),
            "sent anew"
        );
    }
}
