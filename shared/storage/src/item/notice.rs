use frontdesk_domain::{Alert, Report, Watched};
use jiff::SignedDuration;
use jiff::civil::Date;

use super::{Item, Writer, count_of, number_of, optional, require_known_format, text_of, time_of};
use crate::{Error, keys};

/// How long a report is kept.
pub(crate) const REPORT_KEPT: SignedDuration = SignedDuration::from_hours(24 * 400);

pub(crate) fn alert_item(alert: &Alert) -> Item {
    Writer::new(keys::alert(alert.watched))
        .number("version", alert.version)
        .time("since", alert.since)
        .text("detail", &alert.detail)
        .finish()
}

pub(crate) fn read_alert(watched: Watched, item: &Item) -> Result<Alert, Error> {
    require_known_format(item)?;
    Ok(Alert {
        watched,
        version: count_of(item, "version")?,
        since: time_of(item, "since")?,
        detail: text_of(item, "detail")?.to_owned(),
    })
}

pub(crate) fn report_item(report: &Report) -> Item {
    Writer::new(keys::report(report.day))
        .time("made", report.made)
        .number("accepted", report.accepted)
        .number("repeats", report.repeats)
        .number("kept_aside", report.kept_aside)
        .number("unknown_sends", report.unknown_sends)
        .number("failures", report.failures)
        .number("unknown", report.unknown)
        .number("failed", report.failed)
        .maybe(report.oldest_undelivered, |item, since| {
            item.time("oldest_undelivered", since)
        })
        .maybe(report.oldest_unclaimed, |item, since| {
            item.time("oldest_unclaimed", since)
        })
        .number("new", report.new)
        .number("in_work", report.in_work)
        .number("expires", (report.made + REPORT_KEPT).as_second())
        .finish()
}

pub(crate) fn read_report(day: Date, item: &Item) -> Result<Report, Error> {
    require_known_format(item)?;
    Ok(Report {
        day,
        made: time_of(item, "made")?,
        accepted: number_of(item, "accepted")?,
        repeats: number_of(item, "repeats")?,
        kept_aside: number_of(item, "kept_aside")?,
        unknown_sends: number_of(item, "unknown_sends")?,
        failures: number_of(item, "failures")?,
        unknown: number_of(item, "unknown")?,
        failed: number_of(item, "failed")?,
        oldest_undelivered: optional(item, "oldest_undelivered", time_of)?,
        oldest_unclaimed: optional(item, "oldest_unclaimed", time_of)?,
        new: number_of(item, "new")?,
        in_work: number_of(item, "in_work")?,
    })
}
