//! The calls and units of each use case, uncontended. ARCHITECTURE.md has them as a table.

use frontdesk_local::Call;
use serde_json::json;

use crate::customer::Customer;
use crate::harness::{ANNA, Desk, token};
use crate::kills::{CLAIM, WAY};

fn calls_of<'a>(calls: &'a [Call], function: &str) -> Vec<&'a Call> {
    calls
        .iter()
        .filter(|call| call.function == function)
        .collect()
}

fn names(calls: &[&Call]) -> Vec<String> {
    calls.iter().map(|call| call.operation.clone()).collect()
}

fn on(way: &[(&str, &str, &str, usize)], function: &str) -> Vec<String> {
    way.iter()
        .filter(|call| call.0 == function)
        .map(|call| call.2.to_owned())
        .collect()
}

/// Prints what a use case costs.
fn print(what: &str, calls: &[&Call]) {
    units(what, calls);
}

fn units(what: &str, calls: &[&Call]) -> [f64; 2] {
    let writes: f64 = calls.iter().map(|call| call.write_units).sum();
    let reads: f64 = calls.iter().map(|call| call.read_units).sum();
    let sent: usize = calls.iter().map(|call| call.bytes_sent).sum();
    let received: usize = calls.iter().map(|call| call.bytes_received).sum();
    println!(
        "{what}: {} calls, {writes} write units, {reads} read units, {sent} bytes out, {received} in",
        calls.len()
    );
    [writes, reads]
}

/// The same, and holds its row in ARCHITECTURE.md to it.
fn hold(what: &str, calls: &[&Call]) {
    let [writes, reads] = units(what, calls);
    let document =
        std::fs::read_to_string(crate::harness::project().join("ARCHITECTURE.md")).unwrap();
    let row = document
        .lines()
        .find(|line| line.starts_with(&format!("| {what} (")))
        .unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for: {what}"));
    assert!(
        row.contains(&format!(" | {writes} | {reads} | ")),
        "ARCHITECTURE.md says: {row}"
    );
    let cells: Vec<_> = row.split('|').map(str::trim).collect();
    let told = cells[2]
        .split(", ")
        .map(|call| match call.split_once(" × ") {
            Some((name, times)) => (name, times.parse().expect("a number of calls")),
            None => (call, 1),
        });
    let mut told: Vec<_> = told.flat_map(|(name, times)| vec![name; times]).collect();
    let mut made: Vec<_> = calls.iter().map(|call| call.operation.as_str()).collect();
    told.sort_unstable();
    made.sort_unstable();
    assert_eq!(told, made, "ARCHITECTURE.md says: {row}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_use_case_makes_the_calls_it_is_meant_to_and_no_more() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let lead = desk.local.calls();
    let (intake, card) = (calls_of(&lead, "intake"), calls_of(&lead, "notifier"));
    hold("lead", &intake);
    hold("card", &card);
    assert_eq!(names(&intake), on(WAY, "intake"));
    assert_eq!(names(&card), on(WAY, "notifier"));
    let writes: f64 = lead.iter().map(|call| call.write_units).sum();
    assert!(
        writes <= 12.0,
        "a lead and its card cost {writes} write units"
    );

    let pressed = desk.the_card().await;
    desk.press(ANNA, &pressed, &format!("take:{id}")).await;
    desk.settle().await;
    let all = desk.local.calls();
    let claim = &all[lead.len()..];
    let (webhook, edit) = (calls_of(claim, "webhook"), calls_of(claim, "notifier"));
    hold("claim", &webhook);
    hold("card's edit", &edit);
    assert_eq!(names(&webhook), on(CLAIM, "webhook"));
    assert_eq!(names(&edit), on(CLAIM, "notifier"));

    let before = desk.local.calls().len();
    desk.sweep().await;
    let all = desk.local.calls();
    hold(
        "sweep with nothing to do",
        &calls_of(&all[before..], "clock"),
    );

    let before = desk.local.calls().len();
    desk.tick("report").await;
    let all = desk.local.calls();
    let report = calls_of(&all[before..], "clock");
    hold("report", &report);
    let writes: f64 = report.iter().map(|call| call.write_units).sum();
    assert!(writes <= 7.0, "{writes}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_of_almost_a_kilobyte_costs_one_unit_more_for_each_write_of_its_text() {
    let desk = Desk::start().await;
    let fields =
        serde_json::json!({"name": "Vera", "phone": "8121234567", "message": "m".repeat(1000)});
    desk.submit(&token(1), &fields).await;
    desk.settle().await;
    let calls = desk.local.calls();
    print(
        "lead and card of 1,000 characters",
        &calls.iter().collect::<Vec<_>>(),
    );
    let writes: f64 = calls.iter().map(|call| call.write_units).sum();
    assert!(writes <= 14.0, "{writes}");
    desk.finish().await;
}

/// What a customer does at a step.
enum Step<'a> {
    Writes(&'a str),
    /// The button whose data ends so.
    Presses(&'a str),
    SendsFile,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_of_the_dialog_is_one_read_and_one_transaction_of_six_units_at_most() {
    use Step::{Presses, SendsFile, Writes};
    let short = "A shop for tea and coffee, with deliveries on the same day";
    let long = "Магазин чая и кофе. ".repeat(12);
    for (language, chat, description) in [
        ("en", 7001, short),
        ("ru", 7002, short),
        ("ja", 7003, short),
        ("ru", 7004, &long),
    ] {
        let cost = if description == short { hold } else { print };
        let desk = Desk::start().await;
        let vera = Customer::new(&desk, chat, language);
        for step in [
            Writes("/start ads"),
            Presses(":o:services:site"),
            Presses(":n:services"),
            Presses(":o:type:shop"),
            Writes(description),
            SendsFile,
            Presses(":n:brief"),
            Presses(":r:budget:50000-150000"),
            Presses(":o:urgency:month"),
            Writes("8 (812) 123-45-67"),
            Presses(":e:urgency"),
            Presses(":b:urgency"),
        ] {
            let before = desk.local.calls().len();
            let what = match step {
                Writes(text) => {
                    vera.writes(text).await;
                    match text {
                        "/start ads" => "first step",
                        "8 (812) 123-45-67" => "last answer",
                        _ => "typed step",
                    }
                }
                Presses(end) => {
                    vera.presses_ending(end).await;
                    "pressed step"
                }
                SendsFile => {
                    let brief = json!({"file_name": "brief.pdf", "mime_type": "application/pdf", "file_size": 9});
                    vera.does(json!({"document": brief})).await;
                    "file"
                }
            };
            desk.run_to_quiet(60).await;
            let calls = desk.local.calls();
            let webhook = calls_of(&calls[before..], "webhook");
            let notifier = calls_of(&calls[before..], "notifier");
            println!("{language}:");
            cost(&format!("dialog: {what}"), &webhook);
            let writes: f64 = webhook.iter().map(|call| call.write_units).sum();
            assert!(writes <= 6.0, "{what} in {language}: {writes} write units");
            let mut expected = vec!["Query", "TransactWriteItems"];
            if !notifier.is_empty() {
                expected.push("SendMessageBatch");
                let edited = names(&notifier)
                    .iter()
                    .any(|name| name == "editMessageText");
                if edited {
                    hold("dialog: message", &notifier);
                } else {
                    print("dialog: new message", &notifier);
                }
            }
            assert_eq!(names(&webhook), expected, "{what}");
        }
        let before = desk.local.calls().len();
        vera.presses_ending(":y").await;
        desk.settle().await;
        let calls = desk.local.calls();
        cost("dialog: confirm", &calls_of(&calls[before..], "webhook"));
        desk.run_to_quiet(60).await;
        desk.finish().await;
    }
}
