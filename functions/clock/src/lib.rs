#![doc = include_str!("../README.md")]

use std::sync::atomic::{AtomicBool, Ordering};

use frontdesk_desk::register_webhook::register_webhook;
use frontdesk_desk::run_due::{Swept, run_due};
use frontdesk_desk::{Desk, Registration};
use jiff::Timestamp;
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
    registered: AtomicBool,
}

impl ClockWork {
    /// The clock's work at `desk`; where the desk has a public address, its webhook is registered by
    /// the first tick.
    pub fn new(desk: Desk, registration: Option<Registration>) -> Self {
        Self {
            desk,
            registration,
            registered: AtomicBool::new(false),
        }
    }
}

/// Runs what `tick` asks for; `now` is the function's own clock. An error makes the tick fail, and
/// the next one finds what is still due.
pub async fn handle(
    work: &ClockWork,
    tick: Tick,
    now: Timestamp,
) -> Result<Swept, frontdesk_storage::Error> {
    let Schedule::Sweep = tick.schedule;
    // A tick that comes late still does what is due by now; one for a time to come, what is due then.
    let now = now.max(tick.time);
    if let Some(registration) = &work.registration
        && !work.registered.load(Ordering::Relaxed)
    {
        register_webhook(&work.desk, registration, now).await?;
        work.registered.store(true, Ordering::Relaxed);
    }
    run_due(&work.desk, now).await
}
