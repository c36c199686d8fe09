//! The chat that an effect goes to: which it is now, when it may be sent to, and what a refusal says
//! of it.

use frontdesk_domain::effect::{Effect, Lane, Outcome};
use frontdesk_storage::{Chat, Error, Pace};
use frontdesk_telegram as telegram;
use jiff::{SignedDuration, Timestamp};

use super::Delivery;
use super::outcome::Attempt;
use crate::metrics::Metric;

/// Telegram takes 20 messages a minute in a group and about one a second in a private chat
/// (core.telegram.org/bots/faq); a twentieth less, since a message may be late by its delay's rounding and
/// then be closer to the next.
const GROUP_INTERVAL: SignedDuration = SignedDuration::from_millis(3150);
const PRIVATE_INTERVAL: SignedDuration = SignedDuration::from_millis(1050);

/// A chat as it is now.
pub(super) struct TargetChat {
    /// Its id, that of the supergroup where the group has become one.
    pub(super) id: i64,
    /// Its id in the settings.
    home: i64,
    known: Chat,
    was_unreachable: bool,
}

impl TargetChat {
    /// Follows the chat of the settings if it has become another; what the effect showed in the former
    /// one is forgotten, as it cannot be edited any more.
    pub(super) async fn follow<C: Fn() -> Timestamp>(
        delivery: &Delivery<'_, C>,
        home: i64,
        known: Chat,
        effect: &mut Effect,
    ) -> Result<Self, Error> {
        let was_unreachable = known.unreachable_since.is_some();
        let (id, known) = match known.migrated_to {
            Some(to) => (
                to,
                delivery
                    .desk
                    .store
                    .read_chat(delivery.desk.bot(), to)
                    .await?,
            ),
            None => (home, known),
        };
        effect.keep_messages_in(id);
        Ok(Self {
            id,
            home,
            known,
            was_unreachable,
        })
    }

    /// What the leased effect is instead, if it has to wait: for the end of a 429's wait, or for its slot
    /// in the chat's pace. A slot that is reserved is kept, unless it lies inside such a wait. An album of
    /// several `messages` takes as many slots and goes out in the last of them.
    pub(super) async fn wait<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        leased: &Effect,
        messages: usize,
        now: Timestamp,
    ) -> Result<Option<Effect>, Error> {
        let blocked_until = self.known.blocked_until.unwrap_or(Timestamp::MIN);
        let Some(lane) = leased.lane() else {
            let blocked = Outcome::RateLimited {
                until: blocked_until,
            };
            return Ok((blocked_until > now)
                .then(|| leased.finish(&blocked, Some("chat_blocked"), now, 0.0)));
        };
        let store = &delivery.desk.store;
        let one = if self.id < 0 {
            GROUP_INTERVAL
        } else {
            PRIVATE_INTERVAL
        };
        let pace = Pace {
            bot: delivery.desk.bot(),
            chat: self.id,
            interval: one,
        };
        if let Some(slot) = leased.slot.filter(|slot| *slot >= blocked_until) {
            let keeps = match lane {
                Lane::Message => true,
                Lane::Notice => store.take_noticed_slot(pace, slot).await?,
            };
            if keeps {
                return Ok(None);
            }
        }
        let slot = match lane {
            Lane::Message => {
                let earliest = now.max(blocked_until);
                let count = i32::try_from(messages).unwrap_or(i32::MAX);
                let pace = Pace {
                    interval: pace.interval.saturating_mul(count),
                    ..pace
                };
                let first = store.take_slot(pace, &self.known, earliest).await?;
                first + one.saturating_mul(count.saturating_sub(1))
            }
            Lane::Notice => {
                // At the end of a 429's wait, the messages that it has put off go first.
                let earliest = now.max(blocked_until.saturating_add(pace.interval).unwrap_or(now));
                store
                    .take_notice_slot(pace, &self.known, earliest, now)
                    .await?
            }
        };
        Ok((slot > now).then(|| leased.wait_for_slot(slot, now)))
    }

    /// Notes that the chat can be reached again, if it could not be.
    pub(super) async fn reached<C: Fn() -> Timestamp>(&self, delivery: &Delivery<'_, C>) {
        if self.was_unreachable {
            self.note_reach(delivery, None).await;
        }
    }

    async fn note_reach<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        refused_at: Option<Timestamp>,
    ) {
        let (store, bot) = (&delivery.desk.store, delivery.desk.bot());
        if let Err(error) = store.note_reach(bot, self.home, refused_at).await {
            // The next message to the chat finds the same.
            tracing::warn!(error.kind = error.kind(), "chat.not_noted");
        }
    }

    /// What an error means, having noted what it says of the chat.
    pub(super) async fn failed<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        error: telegram::Error,
    ) -> Attempt {
        let (store, bot) = (&delivery.desk.store, delivery.desk.bot());
        let attempt = Attempt::of(error, (delivery.clock)());
        if error.is_of_the_chat() && !self.was_unreachable {
            self.note_reach(delivery, Some((delivery.clock)())).await;
        }
        let noted = match (&attempt.outcome, error) {
            (Outcome::RateLimited { until }, _) => {
                Metric::RateLimited.record(1);
                store.block_chat(bot, self.id, *until).await
            }
            (_, telegram::Error::Migrated(to)) => store.migrate_chat(bot, self.id, to).await,
            _ => Ok(()),
        };
        if let Err(error) = noted {
            // The next attempt is told the same again.
            tracing::warn!(error.kind = error.kind(), "chat.not_noted");
        }
        attempt
    }
}
