//! The local desk's own promises that the other tests do not lean on.

use serde_json::{Value, json};

use crate::harness::{Desk, STAFF, token};

#[tokio::test(flavor = "multi_thread")]
async fn health_names_the_functions_and_unknown_schedules_are_not_found() {
    let desk = Desk::start().await;
    let health: Value = desk.get("/_local/health").await.json().await.unwrap();
    assert_eq!(
        health,
        json!({"ready": true, "functions": ["intake", "webhook", "notifier", "clock"]})
    );
    let tick = desk
        .post("/_local/tick")
        .json(&json!({"schedule": "harvest"}))
        .send()
        .await
        .unwrap();
    assert_eq!(tick.status(), 404);
    let chats = desk.chats().await;
    assert_eq!(
        (&chats[0]["chat_id"], &chats[0]["title"]),
        (&json!(STAFF), &json!("Staff"))
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_schedules_run_by_themselves_when_the_clock_is_moved() {
    let desk = Desk::start_with(|options| options.manual = false).await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    desk.lead(&token(1)).await;
    desk.end_faults().await;
    desk.advance(300).await;
    desk.settle().await;
    desk.the_card().await;
    desk.finish().await;
}
