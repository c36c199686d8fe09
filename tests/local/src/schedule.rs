//! The schedules of the clock function.

use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_local_clock::Clock;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use tokio::sync::oneshot;

use crate::functions::Function;
use crate::instances::Lambda;
use crate::outcome::Outcome;

/// A schedule: its name in the event, and how far apart its times are.
struct Schedule {
    name: &'static str,
    every: SignedDuration,
}

/// The schedules that exist.
const SCHEDULES: [Schedule; 2] = [
    Schedule {
        name: "sweep",
        every: SignedDuration::from_mins(1),
    },
    Schedule {
        name: "report",
        every: SignedDuration::from_hours(1),
    },
];

/// Runs the schedules of one desk.
pub(crate) struct Scheduler {
    clock: Clock,
    lambda: Lambda,
    /// The latest time of each schedule that was run, or from which it starts.
    last: Mutex<[Timestamp; SCHEDULES.len()]>,
}

impl Scheduler {
    /// Nothing is due before the next time of each schedule.
    pub(crate) fn new(clock: Clock, lambda: Lambda) -> Arc<Self> {
        let now = clock.now();
        let last = Mutex::new(SCHEDULES.map(|schedule| latest(now, schedule.every)));
        Arc::new(Self {
            clock,
            lambda,
            last,
        })
    }

    /// Runs what is due, until it is dropped.
    pub(crate) async fn run(self: Arc<Self>) {
        loop {
            self.catch_up();
            self.clock.sleep_until(self.next()).await;
        }
    }

    /// Starts what fell due since it last ran: once, for the latest of the missed times.
    pub(crate) fn catch_up(&self) {
        let now = self.clock.now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        for (schedule, last) in SCHEDULES.iter().zip(last.iter_mut()) {
            let due = latest(now, schedule.every);
            if due > *last {
                *last = due;
                // Its outcome shows in the logs; the next time comes anyway.
                drop(self.start(schedule.name, due));
            }
        }
    }

    /// Runs a schedule now and waits for its outcome; nothing if there is no such schedule.
    pub(crate) async fn tick(&self, name: &str, at: Option<Timestamp>) -> Option<Outcome> {
        let schedule = SCHEDULES.iter().find(|schedule| schedule.name == name)?;
        let outcome = self.start(
            schedule.name,
            at.unwrap_or_else(|| whole_second(self.clock.now())),
        );
        outcome.await.ok()
    }

    fn start(&self, name: &str, at: Timestamp) -> oneshot::Receiver<Outcome> {
        self.lambda.begin(
            Function::Clock,
            json!({"schedule": name, "time": at}).to_string(),
        )
    }

    fn next(&self) -> Timestamp {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let next = SCHEDULES
            .iter()
            .zip(last.iter())
            .map(|(schedule, last)| *last + schedule.every);
        next.min().unwrap_or(Timestamp::MAX)
    }
}

/// The scheduled times of EventBridge have no fractions.
fn whole_second(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

/// The latest time of a schedule that is not after `now`; times are multiples of the interval.
fn latest(now: Timestamp, every: SignedDuration) -> Timestamp {
    let over = now.as_second().rem_euclid(every.as_secs());
    Timestamp::from_second(now.as_second() - over).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::instances::idle;

    #[test]
    fn times_are_whole_minutes() {
        let now: Timestamp = "2026-11-29T16:00:59.9Z".parse().expect("a time");
        let at = latest(now, SignedDuration::from_mins(1));
        assert_eq!(at.to_string(), "2026-11-29T16:00:00Z");
        assert_eq!(latest(at, SignedDuration::from_mins(1)), at);
    }

    #[tokio::test]
    async fn missed_times_are_made_up_for_once() {
        let (clock, lambda) = (Clock::new(), idle());
        let scheduler = Scheduler::new(clock.clone(), lambda.clone());
        scheduler.catch_up();
        assert_eq!(lambda.begun(), 0);
        clock
            .advance(Duration::from_hours(3))
            .expect("no file to write");
        scheduler.catch_up();
        scheduler.catch_up();
        assert_eq!(lambda.begun(), SCHEDULES.len() as u64);
    }

    #[tokio::test]
    async fn an_unknown_schedule_is_not_run() {
        let lambda = idle();
        let scheduler = Scheduler::new(Clock::new(), lambda.clone());
        assert!(scheduler.tick("nothing", None).await.is_none());
        assert_eq!(lambda.begun(), 0);
        assert!(scheduler.tick("sweep", None).await.is_some());
    }
}
