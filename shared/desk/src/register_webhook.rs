//! The bot's webhook registers itself: whenever its address or secret is a new one, Telegram is told.

use frontdesk_domain::effect::Effect;
use frontdesk_storage::Error;
use jiff::Timestamp;

use crate::{Desk, Registration};

/// Stores the effect that registers this address and secret, unless it is there already.
pub async fn register_webhook(
    desk: &Desk,
    registration: &Registration,
    now: Timestamp,
) -> Result<(), Error> {
    let effect = Effect::new(registration.effect(), now);
    if desk.store.insert_effect(&effect).await? {
        tracing::info!("webhook.to_be_registered");
        desk.announce_now([&effect.id].into_iter()).await;
    }
    Ok(())
}
