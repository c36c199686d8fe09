//! The bot's webhook registers itself: whenever its address or secret is another, and once a day in any
//! case, Telegram is told.

use frontdesk_domain::effect::EffectId;
use frontdesk_storage::Error;
use jiff::Timestamp;

use crate::Desk;

/// Wishes that Telegram knows the webhook of this digest, unless that is wished already.
pub async fn register_webhook(desk: &Desk, wanted: &str, now: Timestamp) -> Result<(), Error> {
    let bot = desk.bot().clone();
    if desk.store.want_webhook(&bot, wanted, now).await? {
        tracing::info!("webhook.to_be_registered");
        desk.announce_now([EffectId::Webhook { bot }].iter()).await;
    }
    Ok(())
}
