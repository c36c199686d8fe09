//! The local desk's own promises that the other tests do not lean on.

use serde_json::{Value, json};

use crate::harness::{Desk, STAFF, project, token};

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

#[tokio::test(flavor = "multi_thread")]
async fn every_event_file_gets_the_answer_that_it_is_meant_to() {
    let desk = Desk::start().await;
    let mut known = 0;
    for (file, expected) in crate::events::EXPECTED {
        let event = frontdesk_local::read_event(&project().join("events").join(file)).unwrap();
        let (function, _) = file.split_once('/').unwrap();
        let answer = desk
            .control("invoke", json!({"function": function, "event": event}))
            .await;
        let got = &answer["response"];
        let shown = got["statusCode"]
            .as_i64()
            .map_or_else(|| got.to_string(), |code| code.to_string());
        assert_eq!(shown, *expected, "{file}: {answer}");
        known += 1;
    }
    let mut files = Vec::new();
    for function in std::fs::read_dir(project().join("events")).unwrap() {
        files.extend(std::fs::read_dir(function.unwrap().path()).unwrap());
    }
    assert_eq!(files.len(), known, "an event file that no test knows");
    desk.finish().await;
}
