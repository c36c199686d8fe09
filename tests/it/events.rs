//! What each file under `events/` must be answered: a status, or the whole answer.

pub const EXPECTED: &[(&str, &str)] = &[];
