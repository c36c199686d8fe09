//! The daily report: for which day one is due, and what it holds.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// A report that is more than so many days late is not made any more.
const LATEST_DAYS: i32 = 7;

/// When reports are due: each local day at this full hour.
#[derive(Clone, Debug)]
pub struct ReportTime {
    /// The desk's zone.
    pub zone: TimeZone,
    /// The hour of the day, 0 to 23.
    pub hour: i8,
}

impl ReportTime {
    /// The moment at which the report of `day` is due. An hour that a change of the clocks leaves out is
    /// taken as the one after it.
    fn due_at(&self, day: Date) -> Timestamp {
        let moment = day.at(self.hour, 0, 0, 0).to_zoned(self.zone.clone());
        moment.map_or(Timestamp::MAX, |moment| moment.timestamp())
    }

    /// The latest day whose report is due at `now`.
    pub fn latest_due(&self, now: Timestamp) -> Date {
        let today = now.to_zoned(self.zone.clone()).date();
        if self.due_at(today) <= now {
            today
        } else {
            today.saturating_sub(1.day())
        }
    }

    /// The days whose reports are to be made at `now`, oldest first, `last` being the day of the last one
    /// that was: exactly one each day, but for those that nobody would read any more.
    pub fn days_due(&self, last: Option<Date>, now: Timestamp) -> Vec<Date> {
        let latest = self.latest_due(now);
        let Some(last) = last else {
            return vec![latest];
        };
        let first = last
            .saturating_add(1.day())
            .max(latest.saturating_sub(LATEST_DAYS.days()));
        first
            .series(1.day())
            .take_while(|day| *day <= latest)
            .collect()
    }

    /// The local day before `day`, which its report is about: from its first moment up to the next day's.
    pub fn covered(&self, day: Date) -> (Timestamp, Timestamp) {
        let start = |day: Date| {
            day.to_zoned(self.zone.clone())
                .map_or(Timestamp::MAX, |start| start.timestamp())
        };
        (start(day.saturating_sub(1.day())), start(day))
    }
}

/// What a report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The local day on which it is due; it is about the day before.
    pub day: Date,
    /// When it was made.
    pub made: Timestamp,
    /// Requests that were accepted on the day before.
    pub accepted: u32,
    /// Repeats of forms and updates that were recognised then, best effort.
    pub repeats: u32,
    /// Updates that could not be worked on then, best effort.
    pub kept_aside: u32,
    /// Sends of that day whose outcome was not learnt, best effort.
    pub unknown_sends: u32,
    /// Effects that were given up that day, best effort.
    pub failures: u32,
    /// Effects whose outcome is unknown now.
    pub unknown: u32,
    /// Effects that are given up now.
    pub failed: u32,
    /// Since when the oldest effect waits to be delivered.
    pub oldest_undelivered: Option<Timestamp>,
    /// Since when the oldest request waits to be taken.
    pub oldest_unclaimed: Option<Timestamp>,
    /// Requests that nobody has taken now, counted up to [`Self::MOST`].
    pub new: u32,
    /// Requests that are in work now, counted likewise.
    pub in_work: u32,
}

impl Report {
    /// Counting ends here; from there on it is "or more".
    pub const MOST: u32 = 1000;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn berlin(hour: i8) -> ReportTime {
        ReportTime {
            zone: TimeZone::get("Europe/Berlin").expect("a zone"),
            hour,
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    /// Runs the schedule each hour, twice where `doubled`, and returns the days of the reports.
    fn hourly(time: &ReportTime, from: &str, hours: i64, doubled: bool) -> Vec<Date> {
        let mut days: Vec<Date> = Vec::new();
        for hour in 0..hours {
            let now = at(from) + jiff::SignedDuration::from_hours(hour);
            for _ in 0..=u8::from(doubled) {
                days.extend(time.days_due(days.last().copied(), now));
            }
        }
        days
    }

    #[test]
    fn there_is_one_a_local_day_on_days_of_23_and_of_25_hours_too() {
        for hour in [0, 2, 3, 9, 23] {
            for from in ["2026-03-26T00:00:00Z", "2026-10-22T00:00:00Z"] {
                let days = hourly(&berlin(hour), from, 24 * 7, true);
                let pairs = days.windows(2);
                assert!(
                    pairs
                        .into_iter()
                        .all(|pair| pair[0].tomorrow().ok() == Some(pair[1])),
                    "{hour} {days:?}"
                );
                assert!((7..=8).contains(&days.len()), "{hour} {days:?}");
            }
        }
    }

    #[test]
    fn missed_runs_are_caught_up_for_a_week_and_no_longer() {
        let time = berlin(9);
        let last = jiff::civil::date(2026, 6, 1);
        let due = time.days_due(Some(last), at("2026-06-04T12:00:00Z"));
        let days: Vec<_> = due.iter().map(ToString::to_string).collect();
        assert_eq!(days, ["2026-06-02", "2026-06-03", "2026-06-04"]);
        let long_after = time.days_due(Some(last), at("2026-12-04T12:00:00Z"));
        assert_eq!(long_after.len(), 8);
        assert_eq!(time.days_due(Some(last), at("2026-05-01T12:00:00Z")), []);
    }

    #[test]
    fn a_day_that_is_covered_has_the_hours_that_it_has() {
        let hours = |day: &str| {
            let (from, to) = berlin(9).covered(day.parse().expect("a day"));
            to.duration_since(from).as_hours()
        };
        assert_eq!(hours("2026-03-30"), 23);
        assert_eq!(hours("2026-10-26"), 25);
        assert_eq!(hours("2026-06-02"), 24);
    }
}
