use frontdesk_local_sqs::{Error, queue_arn};
use serde_json::json;

use crate::desk::{Desk, bodies, sent, url};

#[tokio::test]
async fn a_message_dies_when_its_receives_would_exceed_the_maximum() {
    let desk = Desk::new();
    desk.send("poison").await;
    desk.fail_twice().await;
    assert_eq!(
        desk.stats("dead").visible,
        0,
        "it was received as often as it may, and no more"
    );
    assert!(desk.receive("work").await.is_empty());
    assert_eq!(desk.stats("work").received, 2);
    let dead = desk.receive("dead").await;
    assert_eq!(bodies(&dead), ["poison"]);
    assert_eq!(
        dead[0]["Attributes"]["DeadLetterQueueSourceArn"],
        queue_arn("work")
    );
}

#[tokio::test]
async fn a_receive_skips_a_dying_message_and_delivers_the_next() {
    let desk = Desk::new();
    desk.send("poison").await;
    desk.fail_twice().await;
    desk.send("sound").await;
    assert_eq!(bodies(&desk.receive("work").await), ["sound"]);
    assert_eq!(desk.stats("dead").visible, 1);
}

#[tokio::test]
async fn a_dead_letter_keeps_its_id_and_timestamp_and_its_age_counts_from_the_move() {
    let desk = Desk::new();
    desk.send("poison").await;
    let alive = desk.receive("work").await;
    desk.pass(31);
    desk.receive("work").await;
    desk.pass(31);
    desk.receive("work").await;
    assert!(desk.stats("dead").oldest_age_s < 30);
    let dead = desk.receive("dead").await;
    assert_eq!(dead[0]["MessageId"], alive[0]["MessageId"]);
    assert_eq!(sent(&dead[0]), sent(&alive[0]));
}

#[tokio::test]
async fn a_redrive_makes_a_new_message_in_the_source_queue() {
    let desk = Desk::new();
    desk.send("poison").await;
    let first = desk.receive("work").await;
    desk.pass(31);
    desk.receive("work").await;
    desk.pass(31);
    desk.receive("work").await;
    assert_eq!(desk.sqs.redrive("dead").await, Ok(1));
    let again = desk.receive("work").await;
    assert_eq!(bodies(&again), ["poison"]);
    assert!(
        sent(&again[0]) >= sent(&first[0]) + 62_000,
        "its time starts anew"
    );
    assert_eq!(again[0]["Attributes"]["ApproximateReceiveCount"], "1");
    assert_eq!(again[0]["Attributes"].get("DeadLetterQueueSourceArn"), None);
    assert_ne!(again[0]["MessageId"], first[0]["MessageId"]);
    assert_eq!(desk.stats("dead").visible, 0);
}

#[tokio::test]
async fn a_move_task_is_listed_with_what_it_moved() {
    let desk = Desk::new();
    desk.send("poison").await;
    desk.fail_twice().await;
    desk.receive("work").await;
    let arn = json!({ "SourceArn": queue_arn("dead") });
    assert!(desk.call("StartMessageMoveTask", arn.clone()).await["TaskHandle"].is_string());
    let tasks = desk.call("ListMessageMoveTasks", arn).await;
    assert_eq!(tasks["Results"][0]["Status"], "COMPLETED");
    assert_eq!(tasks["Results"][0]["ApproximateNumberOfMessagesMoved"], 1);
    assert_eq!(desk.stats("work").visible, 1);
}

#[tokio::test]
async fn a_letter_without_a_source_stays_among_the_dead() {
    let desk = Desk::new();
    let request = json!({ "QueueUrl": url("dead"), "MessageBody": "stray" });
    desk.call("SendMessage", request).await;
    assert_eq!(
        desk.sqs.redrive("dead").await,
        Err(Error::SourceUnknown { moved: 0, left: 1 })
    );
    assert_eq!(desk.stats("dead").visible, 1);
}

#[tokio::test]
async fn only_dead_letter_queues_are_redriven() {
    let desk = Desk::new();
    assert!(matches!(
        desk.sqs.redrive("work").await,
        Err(Error::InvalidParameterValue(_))
    ));
    assert_eq!(
        desk.sqs.redrive("none").await,
        Err(Error::ResourceNotFound("SourceArn"))
    );
    let request = json!({ "QueueUrl": url("dead") });
    let sources = desk.call("ListDeadLetterSourceQueues", request).await;
    assert_eq!(sources["queueUrls"], json!([url("work")]));
}
