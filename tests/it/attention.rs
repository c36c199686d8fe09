//! A request that nobody takes is called out again, once; one on which nothing is done is anybody's
//! again, once.

use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::customer::Customer;
use crate::dialog::fill;
use crate::harness::{ANNA, BORIS, Desk, STAFF, buttons, token};

async fn watchful() -> (Desk, NamedTempFile) {
    let settings = std::fs::read_to_string(crate::harness::project().join("desk.toml")).unwrap();
    let settings = settings
        .replace("# call_out_after_minutes", "call_out_after_minutes")
        .replace("# return_after_hours", "return_after_hours");
    Desk::start_as(&settings).await
}

/// Lets time pass with a sweep each so many seconds.
async fn pass(desk: &Desk, seconds: u64, step: u64) {
    for _ in 0..seconds / step {
        desk.advance(step).await;
        desk.control("tick", json!({"schedule": "sweep"})).await;
        desk.settle_but_for_the_clock().await;
    }
}

async fn reminders(desk: &Desk) -> Vec<Value> {
    let messages = desk.messages(STAFF).await;
    // One that may be a repeat says so before it.
    let is_reminder = |message: &&Value| message["text"].as_str().unwrap().contains("🔔");
    messages.iter().filter(is_reminder).cloned().collect()
}

async fn the_lead_card(desk: &Desk) -> Value {
    let cards = desk.cards().await;
    let first = cards
        .iter()
        .find(|card| card["text"].as_str().unwrap().contains("Vera"));
    first.unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_nobody_takes_is_called_out_once_as_a_reply_to_its_card() {
    let (desk, _settings) = watchful().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    pass(&desk, 29 * 60, 60).await;
    assert_eq!(reminders(&desk).await, [] as [Value; 0]);
    pass(&desk, 3600, 60).await;
    let [reminder] = &reminders(&desk).await[..] else {
        panic!("one reminder: {:?}", reminders(&desk).await);
    };
    let card = the_lead_card(&desk).await;
    assert_eq!(reminder["reply_to"], card["message_id"]);
    assert_eq!(
        buttons(&card),
        [format!("take:{id}")],
        "it can still be taken"
    );
    let entry = desk.item(&id, "LOG#0000000002").await;
    assert_eq!((&entry["actor"], &entry["to"]), (&json!(0), &json!("new")));
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_taken_in_time_is_not_called_out() {
    let (desk, _settings) = watchful().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    pass(&desk, 20 * 60, 60).await;
    let card = the_lead_card(&desk).await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    pass(&desk, 3600, 300).await;
    assert_eq!(reminders(&desk).await, [] as [Value; 0]);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_on_which_nothing_is_done_goes_back_once_and_both_are_told() {
    let (desk, _settings) = watchful().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = the_lead_card(&desk).await;
    desk.press(BORIS, &card, &format!("take:{id}")).await;
    pass(&desk, 20 * 3600, 3600).await;
    // A press that changes nothing is a sign of life all the same.
    let pressed = desk.press(BORIS, &card, &format!("take:{id}")).await;
    assert_eq!(pressed["answer"]["text"], "You have it already.");
    pass(&desk, 23 * 3600, 3600).await;
    assert_eq!(desk.item(&id, "REQ").await["state"], "in_work");
    // So is a question by number; a colleague's is none.
    let ask = async |user: i64| {
        let said = json!({"chat_id": user, "user": {"id": user, "first_name": "S"}, "text": format!("/show {id}")});
        desk.control("say", said).await;
    };
    ask(BORIS).await;
    pass(&desk, 23 * 3600, 3600).await;
    assert_eq!(desk.item(&id, "REQ").await["state"], "in_work");
    ask(ANNA).await;
    pass(&desk, 2 * 3600, 600).await;
    let request = desk.item(&id, "REQ").await;
    assert_eq!(
        (&request["state"], &request["assignee"]),
        (&json!("new"), &Value::Null)
    );
    assert_eq!(buttons(&the_lead_card(&desk).await), [format!("take:{id}")]);
    let told = reminders(&desk).await;
    let returned: Vec<_> = told
        .iter()
        .filter(|told| told["html"].as_str().unwrap().contains("tg://user?id=502"))
        .collect();
    assert_eq!(returned.len(), 1, "{told:?}");
    // Now it is new, and called out as any other.
    pass(&desk, 2 * 3600, 600).await;
    assert_eq!(reminders(&desk).await.len(), 2);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_is_made_once_however_often_the_clock_runs_at_once() {
    let (desk, _settings) = watchful().await;
    desk.lead(&token(1)).await;
    desk.settle().await;
    desk.advance(31 * 60).await;
    let ticks = (0..8).map(|_| desk.control("tick", json!({"schedule": "sweep"})));
    futures_util::future::join_all(ticks).await;
    desk.run_to_quiet(600).await;
    assert_eq!(reminders(&desk).await.len(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_comes_too_late_to_be_true_is_not_sent() {
    let (desk, _settings) = watchful().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = the_lead_card(&desk).await;
    desk.advance(31 * 60).await;
    let away =
        json!({"target": "telegram", "match": "sendMessage", "fault": "status", "value": 500});
    desk.fault(away).await;
    desk.control("tick", json!({"schedule": "sweep"})).await;
    desk.settle_but_for_the_clock().await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    desk.run_to_quiet(3600).await;
    assert_eq!(reminders(&desk).await, [] as [Value; 0]);
    let reminder = desk.item(&id, "EFF#reminder#2#staff").await;
    assert_eq!(reminder["state"], "done", "{reminder}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_away_fails_the_tick_and_the_next_calls_out() {
    let (desk, _settings) = watchful().await;
    desk.lead(&token(1)).await;
    desk.settle().await;
    desk.advance(31 * 60).await;
    desk.fault(json!({"target": "dynamodb", "fault": "refuse", "times": -1}))
        .await;
    let tick = desk
        .post("/_local/tick")
        .json(&json!({"schedule": "sweep"}));
    let done: Value = tick.send().await.unwrap().json().await.unwrap();
    assert!(done.to_string().contains("not available"), "{done}");
    desk.end_faults().await;

    // A request that cannot be written to just now stays due.
    let throttled = json!({"target": "dynamodb", "match": "TransactWriteItems", "fault": "throttle", "times": -1});
    desk.fault(throttled).await;
    desk.control("tick", json!({"schedule": "sweep"})).await;
    assert_eq!(reminders(&desk).await, [] as [Value; 0]);
    desk.end_faults().await;
    desk.advance(60).await;
    desk.sweep().await;
    assert_eq!(reminders(&desk).await.len(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_goes_out_though_something_was_noted_on_its_request() {
    let (desk, _settings) = watchful().await;
    let vera = Customer::new(&desk, 7001, "en");
    fill(&vera).await;
    desk.settle().await;
    vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    desk.advance(31 * 60).await;
    let wait = json!({"target": "telegram", "match": "sendMessage", "chat_id": STAFF,
        "fault": "retry_after", "value": 60});
    desk.fault(wait).await;
    desk.control("tick", json!({"schedule": "sweep"})).await;
    desk.settle_but_for_the_clock().await;
    vera.membership("kicked").await;
    desk.run_to_quiet(600).await;
    assert_eq!(reminders(&desk).await.len(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_out_leaves_the_request_where_it_stood_in_the_list() {
    let (desk, _settings) = watchful().await;
    let id = desk.lead(&token(1)).await;
    let stored = desk.item(&id, "REQ").await["list_sk"].clone();
    desk.settle().await;
    pass(&desk, 40 * 60, 120).await;
    assert_eq!(reminders(&desk).await.len(), 1);
    assert_eq!(desk.item(&id, "REQ").await["list_sk"], stored);
    desk.finish().await;
}
