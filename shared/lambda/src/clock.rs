use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};

use crate::optional;

/// Tells the time. In a local run it can be moved: `DESK_CLOCK_OFFSET_FILE` names a file with the
/// milliseconds by which it is ahead.
#[derive(Clone, Debug)]
pub struct Clock {
    offset_file: Option<PathBuf>,
}

impl Clock {
    /// The clock that the environment asks for.
    pub fn from_environment() -> Self {
        Self {
            offset_file: optional("DESK_CLOCK_OFFSET_FILE").map(PathBuf::from),
        }
    }

    /// The present time.
    pub fn now(&self) -> Timestamp {
        let offset = self
            .offset_file
            .as_ref()
            .and_then(|file| std::fs::read_to_string(file).ok());
        let millis = offset
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(0);
        Timestamp::now()
            .saturating_add(SignedDuration::from_millis(millis))
            .unwrap_or(Timestamp::MAX)
    }
}
