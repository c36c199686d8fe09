//! The one clock of a local desk: queues, the Telegram stand-in, schedules and the functions all read
//! it, so that moving it moves everything at once. It runs with real time, ahead of it by an offset.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// How far it may be ahead.
const MOST_AHEAD: SignedDuration = SignedDuration::from_hours(100 * 365 * 24);

/// A shared handle on the clock; clones show the same time.
#[derive(Clone, Debug)]
pub struct Clock {
    offset: Arc<watch::Sender<SignedDuration>>,
    file: Option<Arc<PathBuf>>,
}

impl Clock {
    /// A clock that shows real time until it is moved.
    pub fn new() -> Self {
        Self {
            offset: Arc::new(watch::Sender::new(SignedDuration::ZERO)),
            file: None,
        }
    }

    /// The same, with its offset (whole milliseconds, decimal) kept in `file` for other processes.
    pub fn with_file(file: PathBuf) -> std::io::Result<Self> {
        std::fs::write(&file, "0")?;
        Ok(Self {
            file: Some(Arc::new(file)),
            ..Self::new()
        })
    }

    /// The desk's present time.
    pub fn now(&self) -> Timestamp {
        Timestamp::now() + *self.offset.borrow()
    }

    /// Moves the clock forward and wakes whoever sleeps on it.
    pub fn advance(&self, by: Duration) -> std::io::Result<Timestamp> {
        let by = SignedDuration::try_from(by).map_err(std::io::Error::other)?;
        let ahead = self
            .offset
            .borrow()
            .checked_add(by)
            .filter(|ahead| *ahead < MOST_AHEAD);
        if ahead.is_none() {
            return Err(std::io::Error::other(
                "the clock can be a hundred years ahead at the most",
            ));
        }
        let mut written = Ok(());
        self.offset.send_modify(|offset| {
            let moved = *offset + by;
            if let Some(file) = &self.file {
                // Renamed into place, so that a reader never sees half a number.
                let next = file.with_extension("next");
                written = std::fs::write(&next, moved.as_millis().to_string())
                    .and_then(|()| std::fs::rename(&next, file.as_path()));
            }
            *offset = moved;
        });
        written.map(|()| self.now())
    }

    /// Sleeps until the clock shows `at`, whether by waiting or by being moved.
    pub async fn sleep_until(&self, at: Timestamp) {
        let mut moved = self.offset.subscribe();
        loop {
            let Ok(left) = Duration::try_from(at.duration_since(self.now())) else {
                return;
            };
            if left.is_zero() {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(left) => {}
                _ = moved.changed() => {}
            }
        }
    }

    /// Sleeps for `time` on this clock.
    pub async fn sleep(&self, time: Duration) {
        let time = SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX);
        if let Ok(at) = self.now().checked_add(time) {
            self.sleep_until(at).await;
        } else {
            std::future::pending::<()>().await;
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sleeper_wakes_when_the_clock_is_moved() {
        let clock = Clock::new();
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            let at = clock.now() + SignedDuration::from_mins(60);
            async move { clock.sleep_until(at).await }
        });
        clock
            .advance(Duration::from_secs(3601))
            .expect("no file to write");
        sleeper.await.expect("it wakes");
    }
}
