//! The table and its answers fail: what was accepted is there once, and nothing else is claimed.

use reqwest::StatusCode;
use serde_json::json;

use crate::harness::{Desk, buttons, eventually, lead, token};

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_down_is_answered_503_and_never_accepted() {
    for fault in [
        json!({"fault": "refuse"}),
        json!({"fault": "status", "value": 500}),
        json!({"fault": "throttle"}),
        json!({"fault": "drop"}),
    ] {
        let desk = Desk::start().await;
        let mut down = json!({"target": "dynamodb", "times": -1});
        down.as_object_mut()
            .unwrap()
            .extend(fault.as_object().unwrap().clone());
        desk.fault(down).await;
        let request = desk
            .post("/forms/contact")
            .header("idempotency-key", token(1))
            .json(&lead());
        let response = request.send().await.unwrap();
        assert_eq!(
            response.status(),
            StatusCode::SERVICE_UNAVAILABLE,
            "{fault}"
        );
        assert!(response.headers().contains_key("retry-after"), "{fault}");
        desk.end_faults().await;
        let id = desk.lead(&token(1)).await;
        desk.settle().await;
        assert_eq!(
            buttons(&desk.the_card().await),
            [format!("take:{id}")],
            "{fault}"
        );
        desk.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_keeps_what_was_typed_when_the_store_is_down() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "dynamodb", "fault": "status", "value": 500, "times": -1}))
        .await;
    let token = token(1);
    let request = desk
        .post("/forms/contact")
        .header("accept", "text/html")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("draft_token={token}&name=Vera&phone=8121234567"));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let page = response.text().await.unwrap();
    assert!(
        page.contains(&token) && page.contains("value=\"Vera\""),
        "{page}"
    );
    assert!(page.contains("Not stored"), "{page}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_whose_answer_was_lost_is_there_once_when_it_is_sent_again() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "dynamodb", "fault": "lose_answer", "match": "TransactWriteItems", "times": 1})).await;
    // The SDK's own second try finds it done.
    let first = desk.lead(&token(1)).await;
    desk.fault(json!({"target": "dynamodb", "fault": "lose_answer", "match": "TransactWriteItems", "times": -1})).await;
    let (status, _) = desk.submit(&token(2), &lead()).await;
    assert_eq!(
        status,
        StatusCode::SERVICE_UNAVAILABLE,
        "not known to be stored, so not claimed"
    );
    desk.end_faults().await;
    let second = desk.lead(&token(2)).await;
    desk.run_to_quiet(600).await;
    let cards = desk.cards().await;
    assert_eq!(cards.len(), 2);
    for id in [first, second] {
        let take = format!("take:{id}");
        assert_eq!(
            cards
                .iter()
                .filter(|card| buttons(card).contains(&take))
                .count(),
            1
        );
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn conflicts_and_throttles_on_any_write_are_waited_out() {
    for fault in ["conflict", "throttle"] {
        for operation in ["TransactWriteItems", "UpdateItem"] {
            let desk = Desk::start().await;
            desk.fault(
                json!({"target": "dynamodb", "fault": fault, "match": operation, "times": 2}),
            )
            .await;
            let id = desk.lead(&token(1)).await;
            desk.run_to_quiet(600).await;
            assert_eq!(
                desk.effect(&id).await["state"],
                "done",
                "{fault} {operation}"
            );
            desk.the_card().await;
            desk.finish().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lease_and_the_end_of_an_attempt_count_once_though_their_answers_are_lost() {
    for skip in [0, 1] {
        let desk = Desk::start().await;
        desk.fault(json!({"target": "dynamodb", "fault": "lose_answer", "match": "UpdateItem", "skip": skip})).await;
        let id = desk.lead(&token(1)).await;
        desk.run_to_quiet(600).await;
        let effect = desk.effect(&id).await;
        assert_eq!(
            (&effect["state"], &effect["unknowns"], &effect["attempts"]),
            (&json!("done"), &json!(0), &json!(1))
        );
        desk.the_card().await;
        desk.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_that_was_noted_without_an_answer_still_ends_in_the_dead_letters() {
    let desk = Desk::start().await;
    let refusal = "Bad Request: chat not found";
    desk.fault(
        json!({"target": "telegram", "fault": "status", "value": 400, "description": refusal}),
    )
    .await;
    // The third is the end of the attempt, after its slot and its lease.
    desk.fault(json!({"target": "dynamodb", "fault": "lose_answer", "match": "UpdateItem", "skip": 2, "times": -1}))
        .await;
    let id = desk.lead(&token(1)).await;
    eventually("the failure is stored", async || {
        desk.effect(&id).await["state"] == "failed"
    })
    .await;
    // The attempt goes on asking until its lease has ended.
    desk.advance(120).await;
    desk.end_faults().await;
    desk.run_to_quiet(3600).await;
    assert_eq!(desk.dead_letters().await, 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_answer_was_lost_is_not_sent_twice() {
    let desk = Desk::start().await;
    desk.fault(
        json!({"target": "sqs", "fault": "lose_answer", "match": "SendMessageBatch", "times": -1}),
    )
    .await;
    for n in 1..=5 {
        desk.lead(&token(n)).await;
    }
    let calls = desk.local.calls().into_iter();
    let sends = calls.filter(|call| call.operation == "SendMessageBatch");
    assert_eq!(sends.filter(|call| call.function == "intake").count(), 5);
    desk.finish().await;
}
