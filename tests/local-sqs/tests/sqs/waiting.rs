use std::time::Duration;

use serde_json::json;

use crate::desk::{Desk, url};

const HOUR: Duration = Duration::from_hours(1);

#[tokio::test]
async fn a_long_poll_is_woken_by_a_send() {
    let desk = Desk::new();
    let poll = json!({ "QueueUrl": url("work"), "WaitTimeSeconds": 20 });
    let send = async {
        tokio::task::yield_now().await;
        desk.send("a").await;
    };
    let (received, ()) = tokio::join!(desk.call("ReceiveMessage", poll), send);
    assert_eq!(received["Messages"][0]["Body"], "a");
}

#[tokio::test]
async fn a_long_poll_ends_empty_when_the_clock_is_moved_past_it() {
    let desk = Desk::new();
    let poll = json!({ "QueueUrl": url("work"), "WaitTimeSeconds": 20 });
    let pass = async {
        tokio::task::yield_now().await;
        desk.pass(21);
    };
    let (received, ()) = tokio::join!(desk.call("ReceiveMessage", poll), pass);
    assert_eq!(received, json!({}));
}

#[tokio::test]
async fn a_waiting_consumer_gets_a_message_when_the_clock_is_moved_past_its_delay() {
    let desk = Desk::new();
    let request = json!({ "QueueUrl": url("work"), "MessageBody": "later", "DelaySeconds": 600 });
    desk.call("SendMessage", request).await;
    let pass = async {
        tokio::task::yield_now().await;
        desk.pass(601);
    };
    let (messages, ()) = tokio::join!(desk.sqs.receive("work", 10, HOUR), pass);
    assert_eq!(messages[0].body, "later");
}

#[tokio::test]
async fn a_consumer_of_dead_letters_is_woken_by_the_receive_that_moves_one() {
    let desk = Desk::new();
    desk.send("poison").await;
    desk.fail_twice().await;
    let look = async {
        tokio::task::yield_now().await;
        assert!(desk.receive("work").await.is_empty());
    };
    let (messages, ()) = tokio::join!(desk.sqs.receive("dead", 1, HOUR), look);
    assert_eq!(messages[0].body, "poison");
}

#[tokio::test]
async fn a_consumer_may_wait_for_a_queue_that_is_created_later() {
    let desk = Desk::new();
    let create = async {
        tokio::task::yield_now().await;
        desk.sqs.create_queue("new", &[]).expect("it is created");
        desk.call(
            "SendMessage",
            json!({ "QueueUrl": url("new"), "MessageBody": "a" }),
        )
        .await;
    };
    let (messages, ()) = tokio::join!(desk.sqs.receive("new", 1, HOUR), create);
    assert_eq!(messages.len(), 1);
}

#[tokio::test]
async fn a_change_between_the_look_and_the_wait_is_not_overlooked() {
    let desk = Desk::new();
    let changed = desk.sqs.changed();
    assert_eq!(desk.stats("work").visible, 0);
    desk.send("a").await;
    changed.await;
}
