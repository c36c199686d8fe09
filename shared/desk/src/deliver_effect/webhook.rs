//! The bot's webhook: told to Telegram, and looked at.

use frontdesk_domain::effect::Effect;
use frontdesk_telegram::{Error, GetWebhookInfo, SetWebhook, WebhookInfo};
use jiff::{SignedDuration, Timestamp};

use super::Delivery;
use super::outcome::Attempt;
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
    match set(delivery, registration).await {
        Ok(()) => Attempt::done(effect.want, None),
        Err(error) => Attempt::of(error, (delivery.clock)()),
    }
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
        error: trouble,
        ..Attempt::done(effect.want, None)
    }
}

fn trouble(
    info: &WebhookInfo,
    registration: &Registration,
    now: Timestamp,
) -> Option<&'static str> {
    let failed_lately = info.last_error_date.is_some_and(|seconds| {
        let failed = Timestamp::from_second(seconds).unwrap_or(Timestamp::MIN);
        now.duration_since(failed) < CHECK_EVERY + SignedDuration::from_mins(1)
    });
    if info.url != registration.url {
        Some("other_address")
    } else if failed_lately && info.pending_update_count > 0 {
        Some("deliveries_fail")
    } else if info.pending_update_count > MANY_PENDING {
        Some("updates_wait")
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
