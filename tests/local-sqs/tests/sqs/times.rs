use serde_json::json;

use crate::desk::{Desk, bodies, url};

#[tokio::test]
async fn a_delayed_message_is_received_when_its_delay_is_over() {
    let desk = Desk::new();
    let request = json!({ "QueueUrl": url("work"), "MessageBody": "later", "DelaySeconds": 900 });
    desk.call("SendMessage", request).await;
    assert_eq!(desk.stats("work").delayed, 1);
    desk.pass(890);
    assert!(desk.receive("work").await.is_empty());
    desk.pass(10);
    assert_eq!(bodies(&desk.receive("work").await), ["later"]);
}

#[tokio::test]
async fn a_received_message_comes_back_when_its_visibility_timeout_is_over() {
    let desk = Desk::new();
    desk.send("a").await;
    let first = desk.receive("work").await;
    assert_eq!(first[0]["Attributes"]["ApproximateReceiveCount"], "1");
    assert!(desk.receive("work").await.is_empty());
    assert_eq!(desk.stats("work").in_flight, 1);
    desk.pass(30);
    let second = desk.receive("work").await;
    assert_eq!(second[0]["Attributes"]["ApproximateReceiveCount"], "2");
    assert_eq!(second[0]["MessageId"], first[0]["MessageId"]);
    assert_ne!(second[0]["ReceiptHandle"], first[0]["ReceiptHandle"]);
}

#[tokio::test]
async fn a_deleted_message_does_not_come_back() {
    let desk = Desk::new();
    desk.send("a").await;
    let message = &desk.receive("work").await[0];
    let request = json!({ "QueueUrl": url("work"), "ReceiptHandle": message["ReceiptHandle"] });
    desk.call("DeleteMessage", request.clone()).await;
    desk.pass(31);
    assert!(desk.receive("work").await.is_empty());
    desk.call("DeleteMessage", request).await;
}

#[tokio::test]
async fn the_handle_of_an_earlier_receive_deletes_nothing() {
    let desk = Desk::new();
    desk.send("a").await;
    let first = desk.receive("work").await;
    desk.pass(31);
    desk.receive("work").await;
    let handle = &first[0]["ReceiptHandle"];
    desk.call(
        "DeleteMessage",
        json!({ "QueueUrl": url("work"), "ReceiptHandle": handle }),
    )
    .await;
    assert_eq!(desk.stats("work").in_flight, 1);
}

#[tokio::test]
async fn a_consumer_can_give_a_message_back_or_hold_it_for_longer() {
    let desk = Desk::new();
    desk.send("a").await;
    for timeout in [0, 3600] {
        let handle = desk.receive("work").await[0]["ReceiptHandle"].clone();
        let request = json!({
            "QueueUrl": url("work"),
            "ReceiptHandle": handle,
            "VisibilityTimeout": timeout,
        });
        desk.call("ChangeMessageVisibility", request).await;
    }
    desk.pass(3500);
    assert_eq!(desk.stats("work").in_flight, 1);
    desk.pass(100);
    assert_eq!(desk.stats("work").visible, 1);
}

#[tokio::test]
async fn nobody_holds_a_message_for_more_than_twelve_hours() {
    let desk = Desk::new();
    desk.send("a").await;
    let handle = desk.receive("work").await[0]["ReceiptHandle"].clone();
    let hold = |seconds: i64| json!({ "QueueUrl": url("work"), "ReceiptHandle": handle, "VisibilityTimeout": seconds });
    desk.call("ChangeMessageVisibility", hold(40_000)).await;
    desk.pass(10_000);
    let code = desk.refused("ChangeMessageVisibility", hold(40_000)).await;
    assert_eq!(code, "InvalidParameterValue");
    desk.pass(30_000);
    let code = desk.refused("ChangeMessageVisibility", hold(10)).await;
    assert_eq!(code, "AWS.SimpleQueueService.MessageNotInflight");
}

#[tokio::test]
async fn the_age_of_a_queue_is_that_of_its_oldest_message() {
    let desk = Desk::new();
    assert_eq!(desk.stats("work").oldest_age_s, 0);
    desk.send("a").await;
    desk.pass(100);
    desk.send("b").await;
    let age = desk.stats("work").oldest_age_s;
    assert!((100..110).contains(&age), "{age} seconds");
}

#[tokio::test]
async fn a_message_is_forgotten_after_its_retention() {
    let desk = Desk::new();
    desk.send("a").await;
    desk.pass(4 * 86_400 - 10);
    assert_eq!(desk.stats("work").visible, 1);
    desk.pass(10);
    assert_eq!(desk.stats("work").visible, 0);
}

#[tokio::test]
async fn the_next_change_is_when_a_message_becomes_visible() {
    let desk = Desk::new();
    assert_eq!(desk.sqs.next_change(), None);
    let request = json!({ "QueueUrl": url("work"), "MessageBody": "a", "DelaySeconds": 60 });
    desk.call("SendMessage", request).await;
    let next = desk.sqs.next_change().expect("a delay runs");
    let left = next.duration_since(desk.clock.now()).as_secs();
    assert!((50..=60).contains(&left), "{left} seconds");
    desk.pass(60);
    assert_eq!(desk.sqs.next_change(), None);
}

#[tokio::test]
async fn what_is_in_flight_can_be_delivered_a_second_time_and_its_first_handle_no_longer_counts() {
    let desk = Desk::new();
    desk.send("once").await;
    let first = desk.receive("work").await;
    assert_eq!(desk.sqs.deliver_twice("work"), Ok(1));
    let second = desk.receive("work").await;
    assert_eq!(second[0]["MessageId"], first[0]["MessageId"]);
    assert!(desk.receive("work").await.is_empty(), "twice, not for ever");
    let handle =
        |message: &serde_json::Value| message["ReceiptHandle"].as_str().unwrap().to_owned();
    desk.sqs.delete("work", &handle(&first[0]));
    assert_eq!(desk.stats("work").in_flight, 1);
    desk.sqs.delete("work", &handle(&second[0]));
    assert_eq!(desk.stats("work").in_flight, 0);
    assert!(desk.sqs.deliver_twice("elsewhere").is_err());
}
