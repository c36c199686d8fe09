use std::collections::BTreeSet;
use std::time::Duration;

use frontdesk_local_sqs::QueueStats;
use serde_json::json;

use crate::desk::{Desk, bodies, url};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_message_goes_to_two_of_sixteen_consumers() {
    let desk = Desk::new();
    let consumers: Vec<_> = (0..16)
        .map(|_| {
            let sqs = desk.sqs.clone();
            tokio::spawn(async move {
                let mut got = Vec::new();
                loop {
                    let messages = sqs.receive("work", 10, Duration::from_hours(1)).await;
                    if messages.iter().any(|message| message.body == "stop") {
                        return got;
                    }
                    for message in messages {
                        sqs.delete("work", &message.receipt_handle);
                        got.push(message.body);
                    }
                }
            })
        })
        .collect();
    for number in 0..50 {
        let entries: Vec<_> = (0..10)
            .map(|entry| json!({ "Id": entry.to_string(), "MessageBody": format!("{number}-{entry}") }))
            .collect();
        desk.call(
            "SendMessageBatch",
            json!({ "QueueUrl": url("work"), "Entries": entries }),
        )
        .await;
        tokio::task::yield_now().await;
    }
    while desk.stats("work").visible + desk.stats("work").in_flight > 0 {
        tokio::task::yield_now().await;
    }
    // One stop at a time, for a receive may get more than one message.
    for stopped in 1..=16 {
        desk.send("stop").await;
        while desk.stats("work").in_flight < stopped {
            tokio::task::yield_now().await;
        }
    }
    let mut all = Vec::new();
    for consumer in consumers {
        all.extend(consumer.await.expect("a consumer ends well"));
    }
    assert_eq!(all.len(), 500);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 500);
}

#[tokio::test]
async fn messages_are_received_oldest_first() {
    let desk = Desk::new();
    for body in ["a", "b", "c"] {
        desk.send(body).await;
    }
    assert_eq!(bodies(&desk.receive("work").await), ["a", "b", "c"]);
}

#[tokio::test]
async fn a_consumer_in_process_sees_what_a_lambda_event_needs() {
    let desk = Desk::new();
    desk.send("a").await;
    let messages = desk.sqs.receive("work", 1, Duration::ZERO).await;
    let names: Vec<&str> = messages[0].attributes.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "ApproximateFirstReceiveTimestamp",
            "ApproximateReceiveCount",
            "SenderId",
            "SentTimestamp",
        ]
    );
    assert_eq!(messages[0].md5_of_body, "0cc175b9c0f1b6a831c399e269772661");
}

#[tokio::test]
async fn statistics_are_shown_under_their_names() {
    let desk = Desk::new();
    desk.send("a").await;
    desk.receive("work").await;
    desk.pass(100);
    // The seconds of the test itself do not matter here.
    let stats = QueueStats {
        oldest_age_s: 100,
        ..desk.stats("work")
    };
    let stats = serde_json::to_value(stats).expect("it is JSON");
    assert_eq!(
        stats,
        json!({
            "name": "work",
            "visible": 1,
            "in_flight": 0,
            "delayed": 0,
            "oldest_age_s": 100,
            "received": 1,
            "dead_letters": "dead",
        })
    );
}

#[tokio::test]
async fn a_purge_and_a_deletion_leave_nothing_behind() {
    let desk = Desk::new();
    desk.send("a").await;
    desk.call("PurgeQueue", json!({ "QueueUrl": url("work") }))
        .await;
    assert_eq!(desk.stats("work").visible, 0);
    desk.call("DeleteQueue", json!({ "QueueUrl": url("work") }))
        .await;
    let queues = desk.call("ListQueues", json!({})).await;
    assert_eq!(queues["QueueUrls"], json!([url("dead")]));
}
