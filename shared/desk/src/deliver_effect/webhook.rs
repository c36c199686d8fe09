//! The bot's webhook and the commands that people are offered: told to Telegram, and looked at.

use std::time::Instant;

use frontdesk_domain::WebhookTrouble;
use frontdesk_domain::effect::Effect;
use frontdesk_telegram::{Error, GetWebhookInfo, SetWebhook, TIMEOUT, WebhookInfo};
use jiff::{SignedDuration, Timestamp};

use super::outcome::Attempt;
use super::{Delivery, MARGIN, commands};
use crate::Registration;
use crate::register_webhook::CHECK_EVERY;

/// So many updates do not wait while the desk keeps up.
const MANY_PENDING: u64 = 100;

pub(super) async fn register<C: Fn() -> Timestamp>(
    delivery: &Delivery<'_, C>,
    effect: &Effect,
) -> Attempt {
    let Some(registration) = delivery.registration else {
        return Attempt::rejected("no_address");
    };
    if let Err(error) = set(delivery, registration).await {
        return Attempt::of(error, (delivery.clock)());
    }
    let ends = effect.lease.as_ref().map(|lease| lease.until);
    for offered in commands::offered(&delivery.desk.settings) {
        let now = (delivery.clock)();
        let lease_is_short = ends.is_none_or(|ends| {
            SignedDuration::try_from(TIMEOUT).is_ok_and(|call| ends.duration_since(now) < call)
        });
        let left = delivery.deadline.saturating_duration_since(Instant::now());
        if lease_is_short || left < TIMEOUT + MARGIN {
            // The menus are a convenience; the next day's registration goes through them again.
            return Attempt {
                error: Some("commands_not_all_offered"),
                ..Attempt::done(effect.want, None)
            };
        }
        match delivery.telegram.call(&offered).await {
            Ok(_) => {}
            // A chat that the bot is not in, or that has become another, has no menu; commands work there
            // all the same.
            Err(error @ (Error::Rejected(_) | Error::Migrated(_))) => {
                tracing::warn!(error.kind = error.kind(), "commands.not_offered");
            }
            Err(error) => return Attempt::of(error, now),
        }
    }
    Attempt::done(effect.want, None)
}

/// Asks how Telegram fares, and puts right an address that somebody else has set. What is found wrong
/// stays on the effect, though it is done.
pub(super) async fn check<C: Fn() -> Timestamp>(
    delivery: &Delivery<'_, C>,
    effect: &Effect,
) -> Attempt {
    let Some(registration) = delivery.registration else {
        return Attempt::rejected("no_address");
    };
    let now = (delivery.clock)();
    let info = match delivery.telegram.call(&GetWebhookInfo {}).await {
        Ok(info) => info,
        Err(error) => return Attempt::of(error, now),
    };
    let trouble = trouble(&info, registration, now);
    if info.url != registration.url
        && let Err(error) = set(delivery, registration).await
    {
        return Attempt::of(error, (delivery.clock)());
    }
    Attempt {
        error: trouble.map(WebhookTrouble::name),
        ..Attempt::done(effect.want, None)
    }
}

fn trouble(
    info: &WebhookInfo,
    registration: &Registration,
    now: Timestamp,
) -> Option<WebhookTrouble> {
    let failed_lately = info.last_error_date.is_some_and(|seconds| {
        let failed = Timestamp::from_second(seconds).unwrap_or(Timestamp::MIN);
        now.duration_since(failed) < CHECK_EVERY + SignedDuration::from_mins(1)
    });
    if info.url != registration.url {
        Some(WebhookTrouble::OtherAddress)
    } else if failed_lately && info.pending_update_count > 0 {
        Some(WebhookTrouble::DeliveriesFail)
    } else if info.pending_update_count > MANY_PENDING {
        Some(WebhookTrouble::UpdatesWait)
    } else {
        None
    }
}

async fn set<C>(delivery: &Delivery<'_, C>, registration: &Registration) -> Result<(), Error> {
    let method = SetWebhook {
        url: registration.url.clone(),
        secret_token: registration.secret.clone(),
        allowed_updates: Registration::UPDATES.to_vec(),
    };
    delivery.telegram.call(&method).await.map(|_| ())
}
