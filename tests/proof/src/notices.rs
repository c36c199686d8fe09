//! How reports and warnings are known by what they say.

use jiff::ToSpan;
use jiff::civil::Date;

/// What a warning that something is bad begins with, but for the word that it may be a repeat.
const BAD: &str = "⚠️";
/// The same of the word that it is good again.
const GOOD: &str = "✅";

pub(crate) fn is_warning(shown: &str) -> bool {
    is_bad(shown) || shown.contains(GOOD)
}

pub(crate) fn is_bad(shown: &str) -> bool {
    shown.contains(BAD)
}

/// True for the report that is made on `day`, of the day before.
pub(crate) fn is_report_of(shown: &str, day: &str) -> bool {
    let Ok(day) = day.parse::<Date>() else {
        return false;
    };
    let covered = day.saturating_sub(1.day()).strftime("%-d %b %Y");
    shown.contains(&format!("Report for {covered}"))
}
