use serde_json::{Value, json};

use crate::desk::{Desk, url};

#[tokio::test]
async fn requests_outside_of_the_limits_are_refused() {
    let desk = Desk::new();
    let invalid = "InvalidParameterValue";
    let text = |value: &str| json!({ "a": { "DataType": "String", "StringValue": value } });
    for (action, more, code) in [
        (
            "SendMessage",
            json!({ "MessageBody": "" }),
            "MissingParameter",
        ),
        (
            "SendMessage",
            json!({ "MessageBody": "a\u{1}b" }),
            "InvalidMessageContents",
        ),
        (
            "SendMessage",
            json!({ "MessageBody": "a".repeat(1_048_577) }),
            invalid,
        ),
        (
            "SendMessage",
            json!({ "MessageBody": "a", "DelaySeconds": 901 }),
            invalid,
        ),
        (
            "SendMessage",
            json!({ "MessageBody": "a", "MessageAttributes": text("") }),
            invalid,
        ),
        (
            "SendMessage",
            json!({ "MessageBody": "a", "MessageDeduplicationId": "a" }),
            invalid,
        ),
        (
            "ReceiveMessage",
            json!({ "MaxNumberOfMessages": 0 }),
            invalid,
        ),
        (
            "ReceiveMessage",
            json!({ "MaxNumberOfMessages": 11 }),
            invalid,
        ),
        ("ReceiveMessage", json!({ "WaitTimeSeconds": 21 }), invalid),
        (
            "ReceiveMessage",
            json!({ "VisibilityTimeout": 43_201 }),
            invalid,
        ),
        (
            "DeleteMessage",
            json!({ "ReceiptHandle": "zzz" }),
            "ReceiptHandleIsInvalid",
        ),
        (
            "SetQueueAttributes",
            json!({ "Attributes": { "VisibilityTimeout": "43201" } }),
            "InvalidAttributeValue",
        ),
        (
            "SetQueueAttributes",
            json!({ "Attributes": { "Colour": "red" } }),
            "InvalidAttributeName",
        ),
        (
            "GetQueueAttributes",
            json!({ "AttributeNames": ["Colour"] }),
            "InvalidAttributeName",
        ),
    ] {
        let mut request = json!({ "QueueUrl": url("work") });
        merge(&mut request, more);
        assert_eq!(desk.refused(action, request).await, code, "{action}");
    }
    let largest = json!({ "QueueUrl": url("work"), "MessageBody": "a".repeat(1_048_576) });
    desk.call("SendMessage", largest).await;
}

#[tokio::test]
async fn a_queue_that_does_not_exist_is_an_error_of_every_operation() {
    let desk = Desk::new();
    let code = "AWS.SimpleQueueService.NonExistentQueue";
    let request = json!({ "QueueUrl": url("none"), "MessageBody": "a", "ReceiptHandle": "a" });
    for action in [
        "SendMessage",
        "ReceiveMessage",
        "DeleteMessage",
        "PurgeQueue",
        "DeleteQueue",
        "GetQueueAttributes",
        "ListDeadLetterSourceQueues",
    ] {
        assert_eq!(
            desk.refused(action, request.clone()).await,
            code,
            "{action}"
        );
    }
    assert_eq!(
        desk.refused("GetQueueUrl", json!({ "QueueName": "none" }))
            .await,
        code
    );
}

#[tokio::test]
async fn a_queue_is_created_again_only_with_the_same_attributes() {
    let desk = Desk::new();
    let create = |retention: &str| json!({ "QueueName": "dead", "Attributes": { "MessageRetentionPeriod": retention } });
    assert_eq!(
        desk.call("CreateQueue", create("1209600")).await["QueueUrl"],
        url("dead")
    );
    assert_eq!(
        desk.refused("CreateQueue", create("60")).await,
        "QueueAlreadyExists"
    );
}

#[tokio::test]
async fn a_dead_letter_queue_exists_before_its_source() {
    let desk = Desk::new();
    let policy = json!({
        "deadLetterTargetArn": frontdesk_local_sqs::queue_arn("none"),
        "maxReceiveCount": "5",
    });
    let request = json!({
        "QueueName": "new",
        "Attributes": { "RedrivePolicy": policy.to_string() },
    });
    assert_eq!(
        desk.refused("CreateQueue", request).await,
        "InvalidParameterValue"
    );
}

#[tokio::test]
async fn other_protocols_and_fifo_queues_are_refused_in_words() {
    let desk = Desk::new();
    let answer = desk.sqs.handle_target(None, b"Action=ListQueues").await;
    assert_eq!(answer.status, 400);
    assert!(String::from_utf8_lossy(&answer.body).contains("awsJson 1.0"));
    let code = desk
        .refused("CreateQueue", json!({ "QueueName": "a.fifo" }))
        .await;
    assert_eq!(code, "AWS.SimpleQueueService.UnsupportedOperation");
}

#[tokio::test]
async fn a_message_arrives_with_the_attributes_asked_for_and_their_sum() {
    let desk = Desk::new();
    let request = json!({
        "QueueUrl": url("work"),
        "MessageBody": "a",
        "MessageAttributes": {
            "attribName1": { "DataType": "String", "StringValue": "attribValue 1" },
            "other": { "DataType": "Number", "StringValue": "5" },
        },
    });
    let sent = desk.call("SendMessage", request).await;
    assert_eq!(sent["MD5OfMessageBody"], "0cc175b9c0f1b6a831c399e269772661");
    let request = json!({ "QueueUrl": url("work"), "MessageAttributeNames": ["attrib.*"] });
    let received = desk.call("ReceiveMessage", request).await;
    let message = &received["Messages"][0];
    assert_eq!(
        message["MD5OfMessageAttributes"],
        "19e27d4e946b072f3f58da80d94fd778"
    );
    assert_eq!(
        message["MessageAttributes"]
            .as_object()
            .map(serde_json::Map::len),
        Some(1)
    );
    assert_eq!(message.get("Attributes"), None);
}

fn merge(request: &mut Value, more: Value) {
    if let (Value::Object(request), Value::Object(more)) = (request, more) {
        request.extend(more);
    }
}
