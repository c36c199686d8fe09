use std::time::Duration;

use frontdesk_domain::effect::{self, EffectId};
use frontdesk_domain::{Counter, Name};
use frontdesk_queue::{Message, Queue};
use frontdesk_settings::Settings;
use frontdesk_storage::{EffectKey, Store};
use jiff::Timestamp;

/// What every use case works with.
#[derive(Debug)]
pub struct Desk {
    /// The business's settings.
    pub settings: Settings,
    /// The table.
    pub store: Store,
    /// The outbox's queue.
    pub queue: Queue,
}

/// Where Telegram is to send the bot's updates.
#[derive(Clone)]
pub struct Registration {
    /// The webhook's address.
    pub url: String,
    /// What comes back in each request's header.
    pub secret: String,
}

impl Registration {
    /// The kinds of update that are asked for.
    pub const UPDATES: [&str; 4] = [
        "message",
        "edited_message",
        "callback_query",
        "my_chat_member",
    ];

    /// A digest of what Telegram is to know on the day of `now` (UTC). It is another each day, so that
    /// whatever else has changed the webhook, or the bot, is put right by the next.
    pub fn digest(&self, now: Timestamp) -> String {
        let day = now.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
        effect::digest(
            [&self.url, &self.secret, &day]
                .into_iter()
                .map(String::as_str)
                .chain(Self::UPDATES),
        )
    }
}

impl std::fmt::Debug for Registration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registration")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl Desk {
    pub(crate) fn bot(&self) -> &Name {
        &self.settings.bot.name
    }

    /// Puts messages for stored effects on the queue. Whatever happens, the caller has succeeded: an
    /// effect without a message is sent by the clock when it is due.
    pub async fn announce(&self, effects: &[(EffectKey, Duration)]) {
        let messages: Vec<_> = effects
            .iter()
            .map(|(key, delay)| {
                (
                    Message {
                        pk: key.pk.clone(),
                        sk: key.sk.clone(),
                    },
                    *delay,
                )
            })
            .collect();
        if let Err(error) = self.queue.send(&messages).await {
            tracing::warn!(
                error.kind = error.kind,
                messages = error.messages,
                "outbox.left_to_the_clock"
            );
        }
    }

    pub(crate) async fn announce_now(&self, effects: impl Iterator<Item = &EffectId>) {
        let keys: Vec<_> = effects
            .map(|id| (EffectKey::from(id), Duration::ZERO))
            .collect();
        if !keys.is_empty() {
            self.announce(&keys).await;
        }
    }

    /// Adds one to a counter of the desk's day. It stands outside what it counts, so a failure is only logged.
    pub(crate) async fn count(&self, counter: Counter, now: Timestamp) {
        let day = now.to_zoned(self.settings.zone.clone()).date();
        if let Err(error) = self.store.count(counter, day).await {
            let counter = counter.name();
            tracing::warn!(error.kind = error.kind(), counter, "counter.missed");
        }
    }
}
