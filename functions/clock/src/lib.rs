#![doc = include_str!("../README.md")]

use std::sync::{Mutex, PoisonError};

use frontdesk_desk::register_webhook::register_webhook;
use frontdesk_desk::run_due::{Swept, run_due};
use frontdesk_desk::{Desk, Registration};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

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
    /// Each minute: what is due.
    Sweep,
}

/// What the function holds from one tick to the next.
#[derive(Debug)]
pub struct ClockWork {
    desk: Desk,
    registration: Option<Registration>,
    /// The digest of the webhook that was last wished for, so that a tick costs nothing.
    wanted: Mutex<String>,
}

impl ClockWork {
    /// The clock's work at `desk`; where the desk has a public address, its webhook is registered by
    /// the first tick.
    pub fn new(desk: Desk, registration: Option<Registration>) -> Self {
        Self {
            desk,
            registration,
            wanted: Mutex::default(),
        }
    }

    async fn register(&self, now: Timestamp) -> Result<(), frontdesk_storage::Error> {
        let Some(registration) = &self.registration else {
            return Ok(());
        };
        let digest = registration.digest(now);
        let known = || self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if *known() != digest {
            register_webhook(&self.desk, &digest, now).await?;
            *known() = digest;
        }
        Ok(())
    }
}

/// How far a schedule's time may be ahead of the function's clock.
const EARLIEST: SignedDuration = SignedDuration::from_mins(1);

/// Runs what `tick` asks for; `now` is the function's own clock. An error makes the tick fail, and
/// the next one finds what is still due.
pub async fn handle(
    work: &ClockWork,
    tick: Tick,
    now: Timestamp,
) -> Result<Swept, frontdesk_storage::Error> {
    let Schedule::Sweep = tick.schedule;
    // A tick that comes late still does what is due by now; one that is a little early, what is due at
    // its time.
    let now = now.max(tick.time.min(now + EARLIEST));
    if let Err(error) = work.register(now).await {
        // The next tick tries again; what is due does not wait for it.
        tracing::warn!(error.kind = error.kind(), "webhook.not_wished_for");
    }
    run_due(&work.desk, now).await
}
