#![doc = include_str!("../README.md")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use frontdesk_desk::register_webhook::{CHECK_EVERY, check_webhook, register_webhook};
use frontdesk_desk::run_due::{Swept, run_due};
use frontdesk_desk::run_report::run_report;
use frontdesk_desk::watch::watch;
use frontdesk_desk::{Desk, Registration};
use frontdesk_queue::DeadLetters;
use frontdesk_storage::Error;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// What the schedule sends.
#[derive(Clone, Debug, Deserialize)]
pub struct Tick {
    /// Which schedule.
    pub schedule: Schedule,
    /// The time for which it was scheduled.
    pub time: Timestamp,
}

/// A schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// Each minute: what is due, and whether all is well.
    Sweep,
    /// Each hour: the daily report, where one is due.
    Report,
}

/// What a tick did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Done {
    /// A sweep.
    Swept(Swept),
    /// Reports.
    Reported {
        /// How many were made.
        reports: usize,
    },
}

/// What the function holds from one tick to the next.
#[derive(Debug)]
pub struct ClockWork {
    desk: Desk,
    dead_letters: DeadLetters,
    registration: Option<Registration>,
    known: Mutex<Known>,
}

/// What earlier ticks of this process came to, so that one that changes nothing costs little.
#[derive(Debug, Default)]
struct Known {
    /// The digest of the webhook that was last wished for.
    webhook: String,
    /// When a look at the webhook was last wished for.
    checked: Option<Timestamp>,
}

impl ClockWork {
    /// The clock's work at `desk`; where the desk has a public address, its webhook is registered by
    /// the first tick.
    pub fn new(desk: Desk, dead_letters: DeadLetters, registration: Option<Registration>) -> Self {
        Self {
            desk,
            dead_letters,
            registration,
            known: Mutex::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn tend_webhook(&self, now: Timestamp) -> Result<(), Error> {
        let Some(registration) = &self.registration else {
            return Ok(());
        };
        let digest = registration.digest(now);
        if self.known().webhook != digest {
            let is_new = register_webhook(&self.desk, &digest, now).await?;
            self.known().webhook = digest;
            if is_new {
                // A look would find what Telegram is only about to be told.
                return Ok(());
            }
        }
        let checked = self.known().checked;
        if checked.is_none_or(|checked| now.duration_since(checked) >= CHECK_EVERY) {
            check_webhook(&self.desk, now).await?;
            self.known().checked = Some(now);
        }
        Ok(())
    }

    async fn look(&self, swept: &Swept, now: Timestamp) {
        let dead_letters = match self.dead_letters.count().await {
            Ok(dead_letters) => dead_letters,
            Err(error) => {
                tracing::warn!(error.kind = error.kind, "watch.failed");
                return;
            }
        };
        if let Err(error) = watch(&self.desk, swept.oldest, dead_letters, now).await {
            // The next tick looks again.
            tracing::warn!(error.kind = error.kind(), "watch.failed");
        }
    }
}

/// How far a schedule's time may be ahead of the function's clock.
const EARLIEST: SignedDuration = SignedDuration::from_mins(1);

/// Runs what `tick` asks for; `now` is the function's own clock. An error makes the tick fail, and
/// the next one finds what is still due.
pub async fn handle(work: &ClockWork, tick: Tick, now: Timestamp) -> Result<Done, Error> {
    match tick.schedule {
        Schedule::Sweep => {
            // A tick that comes late still does what is due by now; one that is a little early, what is
            // due at its time.
            let now = now.max(tick.time.min(now + EARLIEST));
            if let Err(error) = work.tend_webhook(now).await {
                // The next tick tries again; what is due does not wait for it.
                tracing::warn!(error.kind = error.kind(), "webhook.not_wished_for");
            }
            let swept = run_due(&work.desk, now).await?;
            work.look(&swept, now).await;
            Ok(Done::Swept(swept))
        }
        Schedule::Report => {
            let reports = run_report(&work.desk, tick.time, now).await?;
            Ok(Done::Reported { reports })
        }
    }
}
