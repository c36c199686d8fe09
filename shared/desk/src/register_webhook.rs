//! The bot's webhook registers itself: whenever its address or secret is another, and once a day in any
//! case, Telegram is told. In between it is looked at.

use frontdesk_domain::effect::EffectId;
use frontdesk_storage::Error;
use jiff::{SignedDuration, Timestamp};

use crate::Desk;

/// Wishes that Telegram knows the webhook of this digest, unless that is wished already; true if it was
/// not.
pub async fn register_webhook(desk: &Desk, wanted: &str, now: Timestamp) -> Result<bool, Error> {
    let bot = desk.bot().clone();
    let is_new = desk.store.want_webhook(&bot, wanted, now).await?;
    if is_new {
        tracing::info!("webhook.to_be_registered");
        desk.announce_now([EffectId::Webhook { bot }].iter()).await;
    }
    Ok(is_new)
}

/// How often Telegram is asked how it fares with the webhook.
pub const CHECK_EVERY: SignedDuration = SignedDuration::from_mins(15);

/// Wishes for a look at the webhook, unless one was wished for lately.
pub async fn check_webhook(desk: &Desk, now: Timestamp) -> Result<(), Error> {
    let bot = desk.bot().clone();
    if desk
        .store
        .want_webhook_check(&bot, CHECK_EVERY, now)
        .await?
    {
        desk.announce_now([EffectId::WebhookCheck { bot }].iter())
            .await;
    }
    Ok(())
}
