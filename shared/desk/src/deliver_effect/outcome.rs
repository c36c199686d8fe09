use std::collections::BTreeSet;

use frontdesk_domain::effect::{MessageRef, Outcome};
use frontdesk_telegram::Error;
use jiff::{SignedDuration, Timestamp};

/// The longest wait that is accepted from Telegram. Waits of hours have been seen; more than a month must
/// be a mistake, and asking again after it does no harm.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(31 * 24);

/// What came of an attempt, and the kind of what went wrong.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) outcome: Outcome,
    pub(super) error: Option<&'static str>,
    /// When the clock is to look at the effect again although it is done.
    pub(super) rests_until: Option<Timestamp>,
}

impl Attempt {
    pub(super) fn done(shown: u32, message: Option<MessageRef>) -> Self {
        let outcome = Outcome::Done {
            shown,
            message,
            cleared: BTreeSet::new(),
        };
        Self {
            outcome,
            error: None,
            rests_until: None,
        }
    }

    pub(super) fn rejected(error: &'static str) -> Self {
        Self {
            outcome: Outcome::Rejected,
            error: Some(error),
            rests_until: None,
        }
    }

    /// What it came to could not be noted where it has to be: it is found again by the next attempt.
    pub(super) fn not_noted() -> Self {
        Self {
            outcome: Outcome::Retryable,
            error: Some("not_noted"),
            rests_until: None,
        }
    }

    /// The outcome that an error of the Bot API means, `now` being the moment of its answer.
    pub(super) fn of(error: Error, now: Timestamp) -> Self {
        let outcome = match error {
            Error::NotConnected | Error::Server => Outcome::Retryable,
            Error::NoAnswer(_) => Outcome::Unknown,
            Error::RateLimited(seconds) => {
                let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
                let wait = SignedDuration::from_secs(seconds).min(LONGEST_WAIT);
                Outcome::RateLimited { until: now + wait }
            }
            Error::Migrated(_) => Outcome::Migrated,
            Error::Unauthorized => Outcome::Unauthorized,
            Error::MessageGone => Outcome::Gone,
            Error::NotModified | Error::Rejected(_) => Outcome::Rejected,
        };
        Self {
            outcome,
            error: Some(error.kind()),
            rests_until: None,
        }
    }
}
