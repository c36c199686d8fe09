//! What each function is given to do, what its calls are answered, and what must come of it.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use frontdesk_local::Function;
use serde_json::{Value, json};

pub(crate) const TABLE: &str = "frontdesk";
pub(crate) const SECRET: &str = "bench";

/// Operations by which a function only opens its connections; a bare `GET /` has no name.
pub(crate) const OPENING: [&str; 3] = ["GetItem", "GetQueueAttributes", ""];

/// A lead of the sample settings, and its card's effect.
const LEAD: &str = "3f9a22c107bed4";
const STAFF_CHAT: i64 = -1_001_000_000_001;
const MESSAGE: i64 = 7;

/// One function's work.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) event: String,
    /// The calls that one event leads to.
    calls: &'static [&'static str],
    /// A place in the answer, and what must be there.
    answer: (&'static str, Value),
}

/// The empty function's.
pub(crate) fn empty() -> Workload {
    Workload {
        name: "empty",
        event: submit().to_string(),
        calls: &[],
        answer: ("", json!({})),
    }
}

/// One of the desk's functions'.
pub(crate) fn workload(function: Function) -> Workload {
    let (event, calls, answer): (_, &[_], _) = match function {
        Function::Intake => (
            submit(),
            &["TransactWriteItems", "SendMessageBatch"],
            ("/statusCode", json!(201)),
        ),
        Function::Webhook => (
            press(),
            &["BatchGetItem", "TransactWriteItems", "SendMessageBatch"],
            ("/statusCode", json!(200)),
        ),
        Function::Notifier => (
            message(),
            &[
                "BatchGetItem",
                "UpdateItem",
                "Query",
                "UpdateItem",
                "sendMessage",
                "UpdateItem",
            ],
            ("/batchItemFailures", json!([])),
        ),
        Function::Clock => (
            json!({"schedule": "sweep", "time": "2026-01-01T00:00:00Z"}),
            &[
                "Query",
                "Query",
                "Query",
                "Query",
                "BatchGetItem",
                "Query",
                "Query",
                "BatchGetItem",
            ],
            ("/failed", json!(0)),
        ),
    };
    Workload {
        name: function.name(),
        event: event.to_string(),
        calls,
        answer,
    }
}

impl Workload {
    /// Fails unless an answer is the right one.
    pub(crate) fn check(&self, answer: &[u8]) -> anyhow::Result<()> {
        let (place, wanted) = &self.answer;
        let read: Value = serde_json::from_slice(answer).context("it answers no JSON")?;
        ensure!(
            read.pointer(place) == Some(wanted),
            "it answers {read}, where {place} should be {wanted}"
        );
        Ok(())
    }

    /// The calls that so many events lead to.
    pub(crate) fn calls_of(&self, events: u64) -> BTreeMap<String, u64> {
        let mut calls = BTreeMap::new();
        for call in self.calls {
            *calls.entry((*call).to_owned()).or_default() += events;
        }
        calls
    }
}

/// An event of payload format 2.0.
fn request(path: &str, headers: &Value, body: &Value) -> Value {
    json!({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "bench",
            "domainName": "bench.example.org",
            "domainPrefix": "bench",
            "http": {
                "method": "POST",
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1",
                "userAgent": "bench",
            },
            "requestId": "JKJaXmPLvHcESHA=",
            "routeKey": "$default",
            "stage": "$default",
            "time": "01/Jan/2026:00:00:00 +0000",
            "timeEpoch": 1_767_225_600_000_u64,
        },
        "body": body.to_string(),
        "isBase64Encoded": false,
    })
}

fn submit() -> Value {
    let headers = json!({
        "content-type": "application/json",
        "host": "bench.example.org",
        "idempotency-key": "draft-token-of-the-benchmark",
    });
    let body = json!({"name": "Vera", "phone": "8 (812) 123-45-67", "message": "Please call me"});
    request("/forms/contact", &headers, &body)
}

fn press() -> Value {
    let headers = json!({
        "content-type": "application/json",
        "host": "bench.example.org",
        "x-telegram-bot-api-secret-token": SECRET,
    });
    let body = json!({
        "update_id": 1,
        "callback_query": {
            "id": "1",
            "from": {"id": 501, "is_bot": false, "first_name": "Anna"},
            "chat_instance": "1",
            "data": format!("take:{LEAD}"),
            "message": {
                "message_id": MESSAGE,
                "date": 1_767_225_600,
                "chat": {"id": STAFF_CHAT, "type": "supergroup", "title": "Staff"},
                "text": "A card",
            },
        },
    });
    request("/telegram/desk", &headers, &body)
}

fn message() -> Value {
    let body = json!({"pk": format!("REQ#{LEAD}"), "sk": "EFF#card#staff"});
    json!({"Records": [{
        "messageId": "059f36b4-87a3-44ab-83d2-661975830a7d",
        "receiptHandle": "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a",
        "body": body.to_string(),
        "attributes": {
            "ApproximateReceiveCount": "1",
            "SentTimestamp": "1767225600000",
            "SenderId": "bench",
            "ApproximateFirstReceiveTimestamp": "1767225600001",
        },
        "messageAttributes": {},
        "md5OfBody": "",
        "eventSource": "aws:sqs",
        "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:outbox",
        "awsRegion": "us-east-1",
    }]})
}

/// The answer to an operation.
pub(crate) fn canned(function: &str, operation: &str) -> String {
    let answer = match operation {
        "BatchGetItem" => {
            let effect = effect(function == "webhook");
            json!({"Responses": {TABLE: [lead(), effect]}, "UnprocessedKeys": {}})
        }
        "Query" => json!({"Count": 0, "Items": [], "ScannedCount": 0}),
        // Read where a place in the chat's pace was asked for: it is one in the past.
        "UpdateItem" => json!({"Attributes": {"next_free": {"N": "1767225600000"}}}),
        "GetQueueAttributes" => json!({"Attributes": {
            "ApproximateNumberOfMessages": "0",
            "ApproximateNumberOfMessagesNotVisible": "0",
            "ApproximateNumberOfMessagesDelayed": "0",
        }}),
        "SendMessageBatch" => json!({
            "Failed": [],
            "Successful": [{
                "Id": "0",
                "MessageId": "059f36b4-87a3-44ab-83d2-661975830a7d",
                "MD5OfMessageBody": "",
            }],
        }),
        "sendMessage" => json!({
            "ok": true,
            "result": {
                "message_id": MESSAGE,
                "date": 1_767_225_600,
                "chat": {"id": STAFF_CHAT, "type": "supergroup", "title": "Staff"},
                "text": "A card",
            },
        }),
        _ => json!({}),
    };
    answer.to_string()
}

fn lead() -> Value {
    let field = |name: &str, text: &str| json!({"M": {"field": {"S": name}, "text": {"S": text}}});
    let mut phone = field("phone", "8 (812) 123-45-67");
    phone["M"]["e164"] = json!({"S": "+78121234567"});
    json!({
        "pk": {"S": format!("REQ#{LEAD}")},
        "sk": {"S": "REQ"},
        "v": {"N": "1"},
        "source": {"S": "contact"},
        "token": {"S": "draft-token-of-the-benchmark"},
        "digest": {"S": "digest"},
        "answers": {"L": [field("name", "Vera"), phone, field("message", "Please call me")]},
        "contact_pk": {"S": "CONTACT#0123456789abcdef"},
        "contact_sk": {"N": "1767225600000"},
        "state": {"S": "new"},
        "version": {"N": "1"},
        "created": {"N": "1767225600000"},
        "changed": {"N": "1767225600000"},
        "list_pk": {"S": "lead#new"},
        "list_sk": {"N": "1767225600000"},
    })
}

/// The card's effect, before or after it was sent.
fn effect(is_sent: bool) -> Value {
    let mut effect = json!({
        "pk": {"S": format!("REQ#{LEAD}")},
        "sk": {"S": "EFF#card#staff"},
        "v": {"N": "1"},
        "state": {"S": "pending"},
        "want": {"N": "1"},
        "shown": {"N": "0"},
        "not_before": {"N": "1767225600000"},
        "due_shard": {"S": "DUE#0"},
        "due": {"N": "1767225720000"},
        "attempts": {"N": "0"},
        "unknowns": {"N": "0"},
        "resends": {"N": "0"},
        "revision": {"N": "0"},
    });
    if is_sent {
        effect["state"] = json!({"S": "done"});
        effect["shown"] = json!({"N": "1"});
        effect["message_chat"] = json!({"N": STAFF_CHAT.to_string()});
        effect["message"] = json!({"N": MESSAGE.to_string()});
    }
    effect
}
