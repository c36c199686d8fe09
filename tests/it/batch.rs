//! Several messages in one batch, or several of one effect.

use futures_util::future::join_all;
use serde_json::json;

use crate::harness::{Desk, eventually, token};

#[tokio::test(flavor = "multi_thread")]
async fn the_same_effect_twice_in_a_batch_and_a_sweeps_copy_beside_it_are_one_send() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.end_faults().await;
    let record = |n: usize, body: &str| {
        json!({
            "messageId": format!("m{n}"), "receiptHandle": format!("r{n}"), "body": body,
            "attributes": {"SentTimestamp": "1700000000000", "ApproximateReceiveCount": "1"},
            "messageAttributes": {}, "md5OfBody": "", "eventSource": "aws:sqs",
            "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:frontdesk-outbox", "awsRegion": "us-east-1",
        })
    };
    let ours = json!({"pk": format!("REQ#{id}"), "sk": "EFF#card#staff"}).to_string();
    let event = json!({"Records": [record(1, &ours), record(2, &ours), record(3, "not ours"), record(4, &ours)]});
    let copies = join_all(
        (0..4).map(|_| desk.control("invoke", json!({"function": "notifier", "event": event}))),
    )
    .await;
    let mut delivered = 0;
    for copy in copies {
        let failures = copy["response"]["batchItemFailures"].as_array().unwrap();
        match failures.len() {
            1 => delivered += 1,
            4 => {}
            _ => panic!("{failures:?}"),
        }
        assert!(
            failures.contains(&json!({"itemIdentifier": "m3"})),
            "what is not ours comes again"
        );
    }
    assert!(
        delivered > 0,
        "who holds the lease is done with its messages"
    );
    desk.advance(121).await;
    desk.sweep().await;
    desk.the_card().await;
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_delivered_twice_at_once_is_left_for_the_dead_letters() {
    let desk = Desk::start().await;
    for fault in [
        json!({"target": "telegram", "fault": "status", "value": 400, "description": "Bad Request: chat not found"}),
        json!({"target": "dynamodb", "fault": "delay", "value": 1500, "match": "UpdateItem", "skip": 2}),
    ] {
        desk.fault(fault).await;
    }
    let id = desk.lead(&token(1)).await;
    eventually("the first delivery holds its lease", async || {
        desk.effect(&id).await["state"] == "sending"
    })
    .await;
    let holder = desk.effect(&id).await["holder"]
        .as_str()
        .unwrap()
        .to_owned();
    let (same, _) = holder.split_once(':').unwrap();
    for (message, kept) in [
        (same, vec![json!({"itemIdentifier": same})]),
        ("other", vec![]),
    ] {
        let delivered = desk
            .control(
                "invoke",
                json!({"function": "notifier", "event": delivery(&id, message)}),
            )
            .await;
        assert_eq!(delivered["response"]["batchItemFailures"], json!(kept));
    }
    eventually("it is a dead letter", async || {
        desk.dead_letters().await == 1
    })
    .await;
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_whose_message_is_gone_gets_another_for_the_dead_letters() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.end_faults().await;
    desk.fault(json!({"target": "telegram", "fault": "status", "value": 400, "description": "Bad Request: chat not found", "times": -1}))
        .await;
    desk.control(
        "invoke",
        json!({"function": "notifier", "event": delivery(&id, "gone")}),
    )
    .await;
    eventually("it is a dead letter", async || {
        desk.dead_letters().await == 1
    })
    .await;
    desk.finish().await;
}

/// A delivery of the card's message whose handle the queue does not know.
fn delivery(id: &str, message: &str) -> serde_json::Value {
    json!({"Records": [{
        "messageId": message, "receiptHandle": "another",
        "body": json!({"pk": format!("REQ#{id}"), "sk": "EFF#card#staff"}).to_string(),
        "attributes": {"SentTimestamp": "1700000000000", "ApproximateReceiveCount": "2"},
        "messageAttributes": {}, "md5OfBody": "", "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:frontdesk-outbox", "awsRegion": "us-east-1",
    }]})
}

#[tokio::test(flavor = "multi_thread")]
async fn one_slow_or_failing_effect_does_not_hold_up_the_others_of_its_batch() {
    let desk = Desk::start().await;
    desk.fault(
        json!({"target": "telegram", "fault": "delay", "value": 3000, "match": "sendMessage"}),
    )
    .await;
    let ids = join_all((0..5).map(async |n| desk.lead(&token(n)).await)).await;
    // The others wait for their slots in the chat's pace; then the slow one is all that is left.
    eventually("four wait", async || {
        desk.queue("frontdesk-outbox").await["delayed"] == 4
    })
    .await;
    desk.advance(20).await;
    eventually("four are there while one is slow", async || {
        desk.cards().await.len() == 4
    })
    .await;
    desk.settle().await;
    assert_eq!(desk.cards().await.len(), ids.len());
    desk.finish().await;
}
