//! Exactly one report for each local day, whatever the schedule does.

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::harness::{ANNA, Desk, STAFF, token};

/// Ticks the report schedule with this as its scheduled time.
async fn tick_at(desk: &Desk, at: &str) -> u64 {
    let done = desk
        .control("tick", json!({"schedule": "report", "at": at}))
        .await;
    desk.settle().await;
    done["result"]["reports"].as_u64().unwrap()
}

async fn reports(desk: &Desk) -> Vec<String> {
    let notices = desk.notices().await;
    notices
        .into_iter()
        .filter(|text| text.starts_with("Report for"))
        .collect()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_tells_what_came_in_and_how_it_stands() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.lead(&token(2)).await;
    desk.lead(&token(2)).await;
    desk.settle().await;
    let cards = desk.cards().await;
    let first = cards
        .iter()
        .find(|card| card.to_string().contains(&format!("take:{id}")))
        .unwrap();
    desk.press(ANNA, first, &format!("take:{id}")).await;
    desk.settle().await;
    let now = desk.local.clock().now();
    let zone = jiff::tz::TimeZone::get("Europe/Moscow").unwrap();
    let tomorrow = now.to_zoned(zone.clone()).date().tomorrow().unwrap();
    let at = tomorrow.at(9, 0, 0, 0).to_zoned(zone).unwrap();
    desk.advance(at.timestamp().duration_since(now).as_secs().unsigned_abs())
        .await;
    assert_eq!(tick_at(&desk, &at.timestamp().to_string()).await, 1);
    let [report] = &reports(&desk).await[..] else {
        panic!("one report");
    };
    for line in [
        "Requests accepted: 2",
        "Repeats recognised: 1",
        "Nobody has taken: 1, the oldest since ",
        "In work: 1",
        "Nothing waits to be delivered",
        "Given up: 0, open now: 0",
    ] {
        assert!(report.contains(line), "{line} in {report}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_with_nothing_to_say_has_its_report_and_a_second_run_makes_no_other() {
    let desk = Desk::start().await;
    assert_eq!(tick_at(&desk, "2026-11-29T05:59:59Z").await, 1, "the first");
    for (at, made) in [
        ("2026-11-29T06:00:00Z", 1),
        ("2026-11-29T06:00:00Z", 0),
        ("2026-11-29T07:00:00Z", 0),
        ("2026-11-30T05:00:00Z", 0),
        ("2026-11-30T06:00:00Z", 1),
        // Two days are missed, and caught up.
        ("2026-12-03T06:00:00Z", 3),
        ("2026-12-03T07:00:00Z", 0),
    ] {
        assert_eq!(tick_at(&desk, at).await, made, "{at}");
    }
    desk.run_to_quiet(600).await;
    let reports = reports(&desk).await;
    let days: Vec<_> = reports.iter().map(|text| first_line(text)).collect();
    assert_eq!(
        days,
        [
            "Report for 27 Nov 2026",
            "Report for 28 Nov 2026",
            "Report for 29 Nov 2026",
            "Report for 30 Nov 2026",
            "Report for 1 Dec 2026",
            "Report for 2 Dec 2026"
        ]
    );
    assert!(
        reports[2].contains("Requests accepted: 0"),
        "{}",
        reports[2]
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_runs_at_once_make_one_report() {
    let desk = Desk::start().await;
    let ticks = (0..12).map(|_| tick_at(&desk, "2026-11-29T06:00:00Z"));
    let made: u64 = futures_util::future::join_all(ticks).await.iter().sum();
    assert_eq!(made, 1);
    assert_eq!(reports(&desk).await.len(), 1);
    desk.finish().await;
}

/// Settings whose zone has a change of clocks.
async fn desk_in(zone: &str, hour: i8) -> (Desk, NamedTempFile) {
    let settings = std::fs::read_to_string(crate::harness::project().join("desk.toml")).unwrap();
    let settings = settings
        .replace("zone = \"Europe/Moscow\"", &format!("zone = \"{zone}\""))
        .replace("report_hour = 9", &format!("report_hour = {hour}"));
    Desk::start_as(&settings).await
}

#[tokio::test(flavor = "multi_thread")]
async fn days_of_23_and_25_hours_have_one_report_each_and_missed_runs_are_caught_up() {
    let (desk, _settings) = desk_in("Europe/Berlin", 2).await;
    let start: jiff::Timestamp = "2026-10-23T20:00:00Z".parse().unwrap();
    for hour in 0..72 {
        // Half a day is missed, and every run comes twice.
        if (30..44).contains(&hour) {
            continue;
        }
        let at = (start + jiff::SignedDuration::from_hours(hour)).to_string();
        tick_at(&desk, &at).await;
        tick_at(&desk, &at).await;
    }
    desk.run_to_quiet(600).await;
    let reports = reports(&desk).await;
    let days: Vec<_> = reports.iter().map(|text| first_line(text)).collect();
    assert_eq!(
        days,
        [
            "Report for 22 Oct 2026",
            "Report for 23 Oct 2026",
            "Report for 24 Oct 2026",
            "Report for 25 Oct 2026"
        ]
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_cannot_be_delivered_comes_later_with_the_figures_of_its_day() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "refuse", "times": -1}))
        .await;
    let now = desk.local.clock().now().to_string();
    assert_eq!(tick_at(&desk, &now).await, 1);
    desk.lead(&token(1)).await;
    desk.advance(3600).await;
    desk.end_faults().await;
    desk.run_to_quiet(7200).await;
    let [report] = &reports(&desk).await[..] else {
        panic!("one report");
    };
    assert!(report.contains("Nobody has taken: 0"), "{report}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_fifty_reports_waiting_a_lead_takes_the_next_free_slot() {
    let desk = Desk::start().await;
    // The chat takes nothing for a while, and fifty days pass.
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 20_000}))
        .await;
    let start: jiff::Timestamp = "2027-01-01T12:00:00Z".parse().unwrap();
    for day in 0..50 {
        let at = start + jiff::SignedDuration::from_hours(24 * day);
        tick_at(&desk, &at.to_string()).await;
    }
    assert_eq!(reports(&desk).await, [] as [String; 0]);
    // The wait ends, and the reports begin to go at the group's pace.
    desk.advance(20_001).await;
    while reports(&desk).await.len() < 5 {
        desk.control("tick", json!({"schedule": "sweep"})).await;
        desk.advance(3).await;
        desk.settle_but_for_the_clock().await;
    }
    let before = reports(&desk).await.len();
    let asked = desk.local.clock().now();
    desk.lead(&token(1)).await;
    while desk.cards().await.is_empty() {
        desk.advance(1).await;
        desk.settle_but_for_the_clock().await;
    }
    let after = reports(&desk).await.len();
    let waited = desk.local.clock().now().duration_since(asked).as_secs();
    println!("{before} reports before it, {after} with it, after {waited} s");
    assert!(
        after <= before + 2,
        "{before} reports before it, {after} with it"
    );
    assert!(waited <= 7, "it waited {waited} s");
    desk.run_to_quiet(3600).await;
    assert_eq!(reports(&desk).await.len(), 50);
    let received = desk.queue("frontdesk-outbox").await["received"]
        .as_u64()
        .unwrap();
    println!("{received} receives for 50 reports and a card");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_measures_what_waits_and_a_report_that_is_overdue() {
    let desk = Desk::start().await;
    let now = desk.local.clock().now().to_string();
    tick_at(&desk, &now).await;
    desk.sweep().await;
    let measured: Vec<Value> = desk
        .local
        .logs()
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|line: &Value| line["_aws"].is_object())
        .collect();
    for (name, unit) in [
        ("OldestUndelivered", "Seconds"),
        ("UnknownOutcomes", "Count"),
        ("FailedEffects", "Count"),
        ("UnreachableChats", "Count"),
        ("ReportOverdue", "Seconds"),
    ] {
        let line = measured.iter().find(|line| line[name] == 0);
        let line = line.unwrap_or_else(|| panic!("{name} in {measured:?}"));
        let metric = &line["_aws"]["CloudWatchMetrics"][0]["Metrics"][0];
        assert_eq!(metric["Unit"], unit, "{name}");
    }
    assert_eq!(desk.messages(STAFF).await.len(), 1);
    desk.finish().await;
}
