//! How long a failed attempt waits for the next.

use jiff::SignedDuration;

/// Attempts per start, after which an effect is failed.
pub const MAX_ATTEMPTS: u32 = 8;

/// Seconds after the first, second, … counted attempt.
const SECONDS: [i64; MAX_ATTEMPTS as usize - 1] = [15, 60, 240, 900, 3600, 3600, 3600];

/// The wait after the `attempts`-th attempt, in whole milliseconds. `jitter` is from 0 to 1 and takes
/// up to a tenth off. The waits never exceed an hour, and together outlast three hours even at the
/// greatest jitter, so that an outage of that length fails nothing.
pub fn backoff(attempts: u32, jitter: f64) -> SignedDuration {
    let step = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX);
    let seconds = SECONDS[step.min(SECONDS.len() - 1)];
    // Below 2^53, and the factor is at most 1.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    let millis = (seconds as f64 * 1000.0 * (1.0 - 0.1 * jitter.clamp(0.0, 1.0))) as i64;
    SignedDuration::from_millis(millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_waits_together_outlast_three_hours_and_none_exceeds_one() {
        let shortest: SignedDuration = (1..MAX_ATTEMPTS)
            .map(|attempts| backoff(attempts, 1.0))
            .sum();
        assert!(shortest > SignedDuration::from_hours(3), "{shortest:?}");
        assert!((1..=20).all(|attempts| backoff(attempts, 0.0) <= SignedDuration::from_hours(1)));
    }
}
