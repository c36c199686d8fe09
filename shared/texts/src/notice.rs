//! What the desk tells of itself: the daily report, and warnings.

use std::fmt::Write;

use frontdesk_domain::{Alert, Language, Report, Watched, WebhookTrouble};
use frontdesk_settings::Settings;
use jiff::Timestamp;

use crate::html::escape;
use crate::languages::{date, date_and_time, text, text_with};

/// The report in Telegram's HTML. The same report gives the same text, always.
pub fn render_report(settings: &Settings, report: &Report) -> String {
    let language = settings.staff_language;
    let line = |id, count, rest: &str| counted_line(language, id, (count, Report::MOST), rest);
    let open = |id, count, now| {
        let values = [
            ("count", counted(count, Report::MOST).into()),
            ("open", counted(now, Report::MOST).into()),
        ];
        text_with(language, id, values)
    };
    let oldest = report.oldest_unclaimed.map(|at| since(settings, at));
    let covered = report.day.yesterday().unwrap_or(report.day);
    let title = text_with(
        language,
        "report-title",
        [("day", date(language, covered).into())],
    );
    let undelivered = match report.oldest_undelivered {
        None => text(language, "report-nothing-waits").to_owned(),
        Some(at) => {
            let at = date_and_time(language, at, &settings.zone);
            text_with(language, "report-waits", [("at", at.into())])
        }
    };
    let lines = [
        line("report-accepted", report.accepted, ""),
        line("report-repeats", report.repeats, ""),
        line(
            "report-new",
            report.new,
            oldest.as_deref().unwrap_or_default(),
        ),
        line("report-in-work", report.in_work, ""),
        undelivered,
        open("report-unknown", report.unknown_sends, report.unknown),
        open("report-failed", report.failures, report.failed),
        line("report-kept-aside", report.kept_aside, ""),
    ];
    let mut html = format!("<b>{}</b>", escape(&title));
    for line in lines {
        let _ = write!(html, "\n{}", escape(&line));
    }
    html
}

/// A count, with "+" where counting ended at `most`.
fn counted(count: u32, most: u32) -> String {
    let more = if count >= most { "+" } else { "" };
    format!("{count}{more}")
}

/// A line that tells a count, and what else belongs to it.
pub(crate) fn counted_line(
    language: Language,
    id: &'static str,
    (count, most): (u32, u32),
    rest: &str,
) -> String {
    let values = [
        ("count", counted(count, most).into()),
        ("rest", rest.into()),
    ];
    text_with(language, id, values)
}

/// Since when the oldest of what is counted waits.
pub(crate) fn since(settings: &Settings, at: Timestamp) -> String {
    let language = settings.staff_language;
    let at = date_and_time(language, at, &settings.zone);
    text_with(language, "report-since", [("at", at.into())])
}

/// A warning, or the word that all is well again.
pub fn render_warning(settings: &Settings, alert: &Alert) -> String {
    let language = settings.staff_language;
    let detail = || match alert.watched {
        Watched::Delay => alert.detail.parse().map_or_else(
            |_| alert.detail.clone(),
            |at: Timestamp| date_and_time(language, at, &settings.zone),
        ),
        _ => alert.detail.clone(),
    };
    let id = match (alert.watched, alert.is_bad()) {
        (Watched::Delay, true) => "warning-delay",
        (Watched::Delay, false) => "warning-delay-over",
        (Watched::Outcomes, true) => "warning-outcomes",
        (Watched::Outcomes, false) => "warning-outcomes-over",
        (Watched::DeadLetters, true) => "warning-dead-letters",
        (Watched::DeadLetters, false) => "warning-dead-letters-over",
        (Watched::Chats, true) => "warning-chats",
        (Watched::Chats, false) => "warning-chats-over",
        (Watched::Webhook, true) => match WebhookTrouble::named(&alert.detail) {
            Some(WebhookTrouble::OtherAddress) => "warning-webhook-other-address",
            Some(WebhookTrouble::UpdatesWait) => "warning-webhook-updates-wait",
            // A trouble that only a newer version knows is told in the most general way.
            Some(WebhookTrouble::DeliveriesFail) | None => "warning-webhook-deliveries-fail",
        },
        (Watched::Webhook, false) => "warning-webhook-over",
    };
    let said = text_with(language, id, [("detail", detail().into())]);
    let mark = if alert.is_bad() { "⚠️" } else { "✅" };
    format!("{mark} {}", escape(&said))
}

/// A notice that may have arrived before, unknown to the desk, says so in its first line.
pub fn marked_as_repeat(settings: &Settings, html: &str) -> String {
    let said = text(settings.staff_language, "notice-may-be-repeat");
    format!("<i>{}</i>\n{html}", escape(said))
}
