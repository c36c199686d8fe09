use serde_json::{Value, json};

use crate::desk::{Desk, bodies, url};

fn batch(entries: &[Value]) -> Value {
    json!({ "QueueUrl": url("work"), "Entries": entries })
}

#[tokio::test]
async fn a_bad_entry_of_a_batch_fails_by_itself() {
    let desk = Desk::new();
    let answer = desk
        .call(
            "SendMessageBatch",
            batch(&[
                json!({ "Id": "good", "MessageBody": "a" }),
                json!({ "Id": "empty", "MessageBody": "" }),
                json!({ "Id": "control", "MessageBody": "\u{1}" }),
                json!({ "Id": "late", "MessageBody": "b", "DelaySeconds": 901 }),
            ]),
        )
        .await;
    assert_eq!(answer["Successful"][0]["Id"], "good");
    let failed = answer["Failed"].as_array().expect("a list");
    let codes: Vec<_> = failed
        .iter()
        .map(|failed| (&failed["Id"], &failed["Code"]))
        .collect();
    assert_eq!(
        codes,
        [
            (&json!("empty"), &json!("MissingParameter")),
            (&json!("control"), &json!("InvalidMessageContents")),
            (&json!("late"), &json!("InvalidParameterValue")),
        ]
    );
    assert_eq!(bodies(&desk.receive("work").await), ["a"]);
}

#[tokio::test]
async fn messages_are_deleted_and_held_in_batches() {
    let desk = Desk::new();
    desk.send("a").await;
    desk.send("b").await;
    let messages = desk.receive("work").await;
    let held = json!({
        "Id": "b",
        "ReceiptHandle": messages[1]["ReceiptHandle"],
        "VisibilityTimeout": 0,
    });
    desk.call("ChangeMessageVisibilityBatch", batch(&[held]))
        .await;
    let answer = desk
        .call(
            "DeleteMessageBatch",
            batch(&[
                json!({ "Id": "a", "ReceiptHandle": messages[0]["ReceiptHandle"] }),
                json!({ "Id": "x", "ReceiptHandle": "not one" }),
            ]),
        )
        .await;
    assert_eq!(answer["Successful"], json!([{ "Id": "a" }]));
    assert_eq!(answer["Failed"][0]["Code"], "ReceiptHandleIsInvalid");
    assert_eq!(bodies(&desk.receive("work").await), ["b"]);
}

#[tokio::test]
async fn a_batch_has_one_to_ten_entries_with_distinct_ids() {
    let desk = Desk::new();
    let entry = |id: &str| json!({ "Id": id, "MessageBody": "a" });
    let eleven: Vec<Value> = (0..11).map(|number| entry(&number.to_string())).collect();
    let large = json!({ "Id": "a", "MessageBody": "a".repeat(600 * 1024) });
    let mut larger = large.clone();
    larger["Id"] = "b".into();
    for (entries, code) in [
        (vec![], "EmptyBatchRequest"),
        (eleven, "TooManyEntriesInBatchRequest"),
        (vec![entry("a"), entry("a")], "BatchEntryIdsNotDistinct"),
        (vec![entry("a b")], "InvalidBatchEntryId"),
        (vec![large, larger], "BatchRequestTooLong"),
    ] {
        let refused = desk.refused("SendMessageBatch", batch(&entries)).await;
        assert_eq!(refused, format!("AWS.SimpleQueueService.{code}"));
    }
    assert_eq!(desk.stats("work").visible, 0);
}
