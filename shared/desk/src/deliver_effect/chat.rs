//! The chat that an effect goes to: which it is now, when it may be sent to, and what a refusal says
//! of it.

use frontdesk_domain::effect::{Effect, Outcome};
use frontdesk_storage::{Chat, Error};
use frontdesk_telegram as telegram;
use jiff::{SignedDuration, Timestamp};

use super::Delivery;
use super::outcome::Attempt;

/// Telegram takes 20 messages a minute in a group and about one a second in a private chat
/// (core.telegram.org/bots/faq); a twentieth less, since a message may be late by its delay's rounding and then be closer to the next.
const GROUP_INTERVAL: SignedDuration = SignedDuration::from_millis(3150);
const PRIVATE_INTERVAL: SignedDuration = SignedDuration::from_millis(1050);

/// A chat as it is now.
pub(super) struct TargetChat {
    /// Its id, that of the supergroup where the group has become one.
    pub(super) id: i64,
    known: Chat,
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
        Ok(Self { id, known })
    }

    /// What the leased effect is instead, if it has to wait: for the end of a 429's wait, or for its slot
    /// in the chat's pace. A slot that is reserved is kept, unless it lies inside such a wait.
    pub(super) async fn wait<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        leased: &Effect,
        now: Timestamp,
    ) -> Result<Option<Effect>, Error> {
        let blocked_until = self.known.blocked_until.unwrap_or(Timestamp::MIN);
        if !leased.needs_slot() {
            let blocked = Outcome::RateLimited {
                until: blocked_until,
            };
            return Ok((blocked_until > now)
                .then(|| leased.finish(&blocked, Some("chat_blocked"), now, 0.0)));
        }
        if leased.slot.is_some_and(|slot| slot >= blocked_until) {
            return Ok(None);
        }
        let interval = if self.id < 0 {
            GROUP_INTERVAL
        } else {
            PRIVATE_INTERVAL
        };
        let earliest = now.max(blocked_until);
        let (store, bot) = (&delivery.desk.store, delivery.desk.bot());
        let slot = store
            .take_slot(bot, self.id, &self.known, earliest, interval)
            .await?;
        Ok((slot > now).then(|| leased.wait_for_slot(slot, now)))
    }

    /// What an error means, having noted what it says of the chat.
    pub(super) async fn failed<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        error: telegram::Error,
    ) -> Attempt {
        let (store, bot) = (&delivery.desk.store, delivery.desk.bot());
        let attempt = Attempt::of(error, (delivery.clock)());
        let noted = match (&attempt.outcome, error) {
            (Outcome::RateLimited { until }, _) => store.block_chat(bot, self.id, *until).await,
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
