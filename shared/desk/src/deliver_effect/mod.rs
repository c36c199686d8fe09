//! A queue message names an effect: it is leased, performed and finished, or left alone.

mod answer;
mod brief;
mod card;
mod chat;
mod commands;
mod confirmation;
mod notice;
mod outcome;
mod panel;
mod post;
mod rest;
mod task;
mod webhook;

use std::time::{Duration, Instant};

use frontdesk_domain::Counter;
use frontdesk_domain::effect::{Effect, EffectId, Outcome, Start, State};
use frontdesk_storage::{EffectKey, Error, Finished, Loaded, LoadedEffect, Subject};
use frontdesk_telegram::{Client, TIMEOUT};
use jiff::{SignedDuration, Timestamp};

use crate::metrics::Metric;
use crate::{Desk, Registration};
use chat::TargetChat;
use outcome::Attempt;
use task::Task;

/// How often one message takes an effect round again when it was changed meanwhile.
const ROUNDS: usize = 4;
/// How soon an effect of a newer version is offered again: that version is being deployed.
const NEWER_WAIT: SignedDuration = SignedDuration::from_mins(5);
/// Strays seen to in one attempt: with the card itself, as many calls as a lease has time for.
const MOST_STRAYS: usize = 3;
/// Time for what surrounds an attempt's calls.
const MARGIN: Duration = Duration::from_secs(5);
/// How long the write that follows a send waits before it is tried again.
const FINISH_PAUSE: Duration = Duration::from_millis(250);

/// What is to become of the queue message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is done with: nothing is left, or the effect's `due` brings another.
    Delete,
    /// The message must come again: nothing else would bring the effect back, or another delivery of the
    /// same message is at it.
    Keep,
    /// The effect has failed before: back to the queue until that gives it to the dead letters.
    DeadLetter,
    /// The effect has failed by this delivery: the same, and where the message is gone another takes its
    /// place.
    Failed,
}

/// What delivering needs beside the desk.
pub struct Delivery<'a, C> {
    /// The desk.
    pub desk: &'a Desk,
    /// The Bot API.
    pub telegram: &'a Client,
    /// The webhook that Telegram is to know, where there is one.
    pub registration: Option<&'a Registration>,
    /// Reads the present time.
    pub clock: C,
    /// When the function is stopped.
    pub deadline: Instant,
}

impl<C: Fn() -> Timestamp> Delivery<'_, C> {
    /// Delivers the effect that the message `id` of `sent_at` names. An error means that nothing was
    /// done and the message should come again.
    pub async fn deliver(
        &self,
        key: &EffectKey,
        id: &str,
        sent_at: Timestamp,
    ) -> Result<Verdict, Error> {
        for _ in 0..ROUNDS {
            let chat = self.home_of(key);
            let loaded = match self
                .desk
                .store
                .load_effect(self.desk.bot(), key, chat)
                .await?
            {
                Loaded::Found(loaded) => *loaded,
                Loaded::Newer { due } => return self.leave_to_newer(key, due).await,
                Loaded::Missing => {
                    tracing::warn!(effect.id = %key, "effect.missing");
                    return Ok(Verdict::Delete);
                }
            };
            match self.round(key, loaded, id, sent_at).await? {
                Round::Again => {}
                Round::Over(verdict) => return Ok(verdict),
            }
        }
        Ok(Verdict::Keep)
    }

    /// The chat that the settings name for the effect's place.
    fn home_of(&self, key: &EffectKey) -> Option<i64> {
        let id = key.id()?;
        match (&id, id.customer()) {
            (EffectId::Answer { chat, .. }, _) => Some(*chat),
            (_, Some(chat)) => Some(chat),
            (_, None) => Some(self.desk.settings.place(id.place()?)?.chat_id),
        }
    }

    async fn leave_to_newer(
        &self,
        key: &EffectKey,
        due: Option<Timestamp>,
    ) -> Result<Verdict, Error> {
        tracing::info!(effect.id = %key, "effect.left_to_newer");
        let Some(due) = due else {
            // Done, or failed and redriven: only the newer version can tell.
            return Ok(Verdict::Keep);
        };
        let later = (self.clock)() + NEWER_WAIT;
        self.desk.store.move_effect_due(key, due, later).await?;
        Ok(Verdict::Delete)
    }

    async fn round(
        &self,
        key: &EffectKey,
        loaded: LoadedEffect,
        id: &str,
        sent_at: Timestamp,
    ) -> Result<Round, Error> {
        let LoadedEffect {
            effect: stored,
            subject,
            chat,
        } = loaded;
        if let Some(round) = self.put_off(key, &stored, &subject).await? {
            return Ok(round);
        }
        let mut effect = stored.clone();
        let target = match self.home_of(key) {
            Some(home) => Some(TargetChat::follow(self, home, chat, &mut effect).await?),
            None => None,
        };
        let now = (self.clock)();
        let leased = match effect.start(now, sent_at, holder(id)) {
            Start::Lease(leased) => *leased,
            Start::GiveUp(failed) => {
                return Ok(
                    match self.desk.store.write_effect(&stored, &failed).await? {
                        Finished::Stored(failed) => Round::Over(self.settle(&failed, now).await),
                        Finished::Changed(_) => Round::Again,
                    },
                );
            }
            Start::DeadLetter if stored.is_unreachable() => {
                return Ok(Round::Over(Verdict::Delete));
            }
            Start::DeadLetter => return Ok(Round::Over(Verdict::DeadLetter)),
            Start::Leased => return Ok(Round::Over(Verdict::Keep)),
            Start::Settled => return self.rest(&stored, effect, &subject).await,
            Start::Wait { due } => {
                if let (Some(to), Some(seen)) = (due, stored.due) {
                    self.desk.store.move_effect_due(key, seen, to).await?;
                }
                return Ok(Round::Over(Verdict::Delete));
            }
        };
        let messages = match &subject {
            Subject::Brief(brief) => brief::next_messages(brief, &leased),
            _ => 1,
        };
        if let Some(target) = &target
            && let Some(waiting) = target.wait(self, &leased, messages, now).await?
        {
            return Ok(
                match self.desk.store.write_effect(&stored, &waiting).await? {
                    Finished::Stored(waiting) => Round::Over(self.settle(&waiting, now).await),
                    Finished::Changed(_) => Round::Again,
                },
            );
        }
        let needed = needed_for(&leased);
        if self.deadline.saturating_duration_since(Instant::now()) < needed {
            // Too late to wait for an answer.
            return Ok(Round::Over(Verdict::Keep));
        }
        let follower = follower(&leased, &subject);
        let task = Task::prepare(self, &leased, subject, target).await?;
        let mut leased = leased;
        leased.run_lease_from((self.clock)());
        let leased = match self.desk.store.write_effect(&stored, &leased).await? {
            Finished::Stored(leased) => *leased,
            Finished::Changed(_) => return Ok(Round::Again),
        };
        let now = (self.clock)();
        let left = leased.lease.as_ref().map_or(SignedDuration::ZERO, |lease| {
            lease.until.duration_since(now)
        });
        if SignedDuration::try_from(needed).is_ok_and(|needed| left < needed) {
            // The lease was long in being written: what is left of it may not outlast the calls.
            let outcome = Outcome::RateLimited { until: now };
            return Ok(self
                .finish(
                    leased,
                    &Attempt {
                        outcome,
                        error: Some("lease_too_short"),
                        rests_until: None,
                    },
                )
                .await);
        }
        let attempt = Box::pin(task.perform(self, &leased)).await;
        let done = self.finish(leased, &attempt).await;
        if let (Some(id), Outcome::Done { .. } | Outcome::Rejected) = (follower, &attempt.outcome) {
            self.desk.announce_now([id].iter()).await;
        }
        Ok(done)
    }

    /// Notes what came of an attempt, for as long as the lease lasts: what was sent is known only here.
    async fn finish(&self, mut leased: Effect, attempt: &Attempt) -> Round {
        let ends = leased
            .lease
            .as_ref()
            .map_or(Timestamp::MIN, |lease| lease.until);
        let holder = leased.lease.as_ref().map(|lease| lease.holder.clone());
        loop {
            let now = (self.clock)();
            let mut finished = leased.finish(&attempt.outcome, attempt.error, now, fastrand::f64());
            if finished.state == State::Done {
                finished.due = attempt.rests_until;
            }
            match self.desk.store.write_effect(&leased, &finished).await {
                Ok(Finished::Stored(finished)) => {
                    return if finished.state == State::Pending && finished.not_before <= now {
                        Round::Again
                    } else {
                        if finished.state == State::Done {
                            record_delay(&leased, now);
                        }
                        Round::Over(self.settle(&finished, now).await)
                    };
                }
                Ok(Finished::Changed(current))
                    if current.state == State::Sending
                        && current.lease.as_ref().map(|lease| &lease.holder) == holder.as_ref() =>
                {
                    leased = *current;
                }
                Ok(Finished::Changed(_)) => {
                    tracing::error!(effect.id = %EffectKey::from(&leased.id), "effect.lease_lost");
                    return Round::Over(Verdict::Keep);
                }
                Err(error) => {
                    tracing::warn!(error.kind = error.kind(), "effect.finish_failed");
                    if (self.clock)() >= ends || Instant::now() + FINISH_PAUSE >= self.deadline {
                        // It may be written all the same, and as failed nothing but this message
                        // would bring it to the dead letters.
                        return Round::Over(Verdict::Keep);
                    }
                    tokio::time::sleep(FINISH_PAUSE).await;
                }
            }
        }
    }

    /// Says where an effect now stands, and sends the message that it waits for.
    async fn settle(&self, effect: &Effect, now: Timestamp) -> Verdict {
        let key = EffectKey::from(&effect.id);
        let error = effect.error.as_deref().unwrap_or_default();
        match effect.state {
            State::Done => {
                tracing::info!(effect.id = %key, version = effect.shown, "effect.done");
            }
            State::Failed if effect.is_unreachable() => {
                tracing::info!(effect.id = %key, error.kind = error, "effect.unreachable");
            }
            State::Failed => {
                tracing::error!(effect.id = %key, error.kind = error, attempts = effect.attempts, "effect.failed");
                self.desk.count(Counter::EffectFailed, now).await;
                return Verdict::Failed;
            }
            State::Unknown => {
                tracing::warn!(effect.id = %key, error.kind = error, unknowns = effect.unknowns, "effect.unknown");
                self.desk.count(Counter::SendUnknown, now).await;
            }
            State::Pending | State::Sending => {
                tracing::info!(effect.id = %key, error.kind = error, attempts = effect.attempts, "effect.again_later");
            }
        }
        if let Some(delay) = effect.message_delay(now) {
            self.desk.announce(&[(key, delay)]).await;
        }
        Verdict::Delete
    }
}

/// The time that an attempt's calls can take: the card, and as many strays as one attempt sees to; or
/// the look at the webhook, and putting it right; or an album, and its first file by itself.
fn needed_for(effect: &Effect) -> Duration {
    let more = match effect.id {
        EffectId::WebhookCheck { .. } | EffectId::Brief { .. } => 1,
        _ => u32::try_from(effect.strays.len().min(MOST_STRAYS)).unwrap_or_default(),
    };
    TIMEOUT * (1 + more) + MARGIN
}

enum Round {
    Again,
    Over(Verdict),
}

/// The effect that waits for the first message of this one: a brief, for its card.
fn follower(effect: &Effect, subject: &Subject) -> Option<EffectId> {
    let (EffectId::Card { request, place }, Subject::Request(subject)) = (&effect.id, subject)
    else {
        return None;
    };
    let has_files = subject
        .dialog
        .as_ref()
        .is_some_and(|dialog| dialog.files > 0);
    (has_files && effect.message.is_none()).then(|| EffectId::Brief {
        request: *request,
        place: place.clone(),
    })
}

/// How long a card took to show what had changed.
fn record_delay(effect: &Effect, now: Timestamp) {
    if let (EffectId::Card { .. }, Some(since)) = (&effect.id, effect.since) {
        let delay = now.duration_since(since).as_millis();
        Metric::CardDelay.record(u64::try_from(delay).unwrap_or_default());
    }
}

/// Who attempts an effect: the message, as far as tells it from the effect's others, and a number.
fn holder(message: &str) -> String {
    let message: String = message.chars().take(8).collect();
    format!("{message}:{:08x}", fastrand::u32(..))
}
