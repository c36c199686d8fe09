//! The event source mapping between the outbox queue and notifier, as Lambda runs it with
//! `ReportBatchItemFailures`: batches of up to ten, without a window, four at a time.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use frontdesk_local_sqs::{Message, REGION, Sqs, queue_arn};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use crate::outcome::Outcome;
use crate::tasks::Tasks;

/// The queue that notifier works off.
pub(crate) const OUTBOX: &str = "frontdesk-outbox";

/// Where its messages go that fail too often.
pub(crate) const OUTBOX_DEAD: &str = "frontdesk-outbox-dead";

const BATCH: usize = 10;
const CONCURRENT_BATCHES: usize = 4;

/// One long poll, on the desk's clock.
const POLL: Duration = Duration::from_secs(20);

const FOURTEEN_DAYS: &str = "1209600";

/// Invokes the function with an event.
pub(crate) type Invoke = Arc<dyn Fn(Vec<u8>) -> BoxFuture<'static, Outcome> + Send + Sync>;

/// How many messages were received whose batches are over: what the function left of them stays in
/// flight until its visibility ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Concluded(Arc<AtomicU64>);

impl Concluded {
    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    pub(crate) fn add(&self, messages: usize) {
        self.0.fetch_add(messages as u64, Ordering::Release);
    }
}

/// Creates both queues and returns the URL of the outbox.
pub(crate) fn create_queues(sqs: &Sqs) -> anyhow::Result<(String, String)> {
    let dead = sqs.create_queue(OUTBOX_DEAD, &[("MessageRetentionPeriod", FOURTEEN_DAYS)])?;
    let redrive =
        json!({"deadLetterTargetArn": queue_arn(OUTBOX_DEAD), "maxReceiveCount": 8}).to_string();
    let attributes = [
        ("MessageRetentionPeriod", FOURTEEN_DAYS),
        ("VisibilityTimeout", "360"),
        ("RedrivePolicy", &redrive),
    ];
    Ok((sqs.create_queue(OUTBOX, &attributes)?, dead))
}

/// Polls a queue until it is dropped.
pub(crate) async fn run(sqs: Sqs, queue: &'static str, invoke: Invoke, concluded: Concluded) {
    let slots = Arc::new(Semaphore::new(CONCURRENT_BATCHES));
    let mut batches = Tasks::default();
    // The slot comes first: what is received must not wait while its visibility runs out.
    while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
        let messages = sqs.receive(queue, BATCH, POLL).await;
        if messages.is_empty() {
            continue;
        }
        let (sqs, invoke) = (sqs.clone(), Arc::clone(&invoke));
        let concluded = concluded.clone();
        batches.spawn(async move {
            let outcome = invoke(event(queue, &messages)).await;
            // What failed is left alone: it comes back when its visibility ends, as the function left it.
            for done in done(&messages, &outcome) {
                sqs.delete(queue, &done.receipt_handle);
            }
            concluded.add(messages.len());
            drop(slot);
        });
        batches.reap();
    }
}

fn event(queue: &str, messages: &[Message]) -> Vec<u8> {
    let records: Vec<_> = messages
        .iter()
        .map(|message| record(queue, message))
        .collect();
    json!({ "Records": records }).to_string().into_bytes()
}

fn record(queue: &str, message: &Message) -> Value {
    let attributes: Map<_, _> = message
        .message_attributes
        .iter()
        .map(|(name, attribute)| {
            let value = json!({
                "stringValue": attribute.string_value,
                "binaryValue": attribute.binary_value,
                "stringListValues": [],
                "binaryListValues": [],
                "dataType": attribute.data_type,
            });
            (name.clone(), value)
        })
        .collect();
    json!({
        "messageId": message.message_id,
        "receiptHandle": message.receipt_handle,
        "body": message.body,
        "attributes": message.attributes,
        "messageAttributes": attributes,
        "md5OfBody": message.md5_of_body,
        "eventSource": "aws:sqs",
        "eventSourceARN": queue_arn(queue),
        "awsRegion": REGION,
    })
}

/// The messages that a function's answer declares done. An answer that names a message that is not in
/// the batch, or that cannot be read, declares none; one that names no failures declares all.
fn done<'a>(messages: &'a [Message], outcome: &Outcome) -> Vec<&'a Message> {
    let Outcome::Answer(payload) = outcome else {
        return Vec::new();
    };
    let Some(failed) = failures(payload) else {
        return Vec::new();
    };
    let known: HashSet<_> = messages
        .iter()
        .map(|message| message.message_id.as_str())
        .collect();
    if failed.iter().any(|id| !known.contains(id.as_str())) {
        return Vec::new();
    }
    messages
        .iter()
        .filter(|message| !failed.contains(&message.message_id))
        .collect()
}

/// The ids of the failures, or nothing if the answer makes no sense.
fn failures(payload: &[u8]) -> Option<HashSet<String>> {
    if payload.iter().all(u8::is_ascii_whitespace) {
        return Some(HashSet::new());
    }
    let answer: Value = serde_json::from_slice(payload).ok()?;
    let fields = match &answer {
        Value::Null => return Some(HashSet::new()),
        Value::Object(fields) => fields,
        _ => return None,
    };
    match fields.get("batchItemFailures") {
        None | Some(Value::Null) => Some(HashSet::new()),
        Some(Value::Array(items)) => {
            // A wrong key, null and "" fail here, since no message has such an id.
            items
                .iter()
                .map(|item| Some(item.get("itemIdentifier")?.as_str()?.to_owned()))
                .collect()
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontdesk_local_clock::Clock;
    use std::sync::Mutex;
    use tokio::sync::mpsc;

    async fn batch(count: usize) -> (Sqs, Vec<Message>) {
        let sqs = Sqs::new(Clock::new(), "http://localhost");
        create_queues(&sqs).expect("queues");
        send(&sqs, count).await;
        let messages = sqs.receive(OUTBOX, 10, Duration::ZERO).await;
        assert_eq!(messages.len(), count);
        (sqs, messages)
    }

    async fn send(sqs: &Sqs, count: usize) {
        for body in 0..count {
            let request = json!({"QueueUrl": format!("http://localhost/000000000000/{OUTBOX}"), "MessageBody": body.to_string()});
            assert_eq!(
                sqs.handle("SendMessage", request.to_string().as_bytes())
                    .await
                    .status,
                200
            );
        }
    }

    fn count_done(messages: &[Message], answer: &str) -> usize {
        done(messages, &Outcome::Answer(answer.to_owned().into())).len()
    }

    #[tokio::test]
    async fn no_named_failures_mean_that_all_is_done() {
        let (_, messages) = batch(3).await;
        for answer in [
            "",
            "null",
            "{}",
            r#"{"batchItemFailures": null}"#,
            r#"{"batchItemFailures": []}"#,
        ] {
            assert_eq!(count_done(&messages, answer), 3, "{answer}");
        }
    }

    #[tokio::test]
    async fn an_answer_that_makes_no_sense_means_that_all_failed() {
        let (_, messages) = batch(3).await;
        let answers = [
            "{",
            "7",
            r#"{"batchItemFailures": {}}"#,
            r#"{"batchItemFailures": [{}]}"#,
            r#"{"batchItemFailures": [{"itemIdentifier": ""}]}"#,
            r#"{"batchItemFailures": [{"itemIdentifier": null}]}"#,
            r#"{"batchItemFailures": [{"itemIdentifier": "unknown"}]}"#,
        ];
        for answer in answers {
            assert_eq!(count_done(&messages, answer), 0, "{answer}");
        }
        let failed = crate::outcome::Failure::reported(b"{}");
        assert!(done(&messages, &Outcome::Failed(failed)).is_empty());
    }

    #[tokio::test]
    async fn only_the_named_failures_stay() {
        let (_, messages) = batch(3).await;
        let answer =
            json!({"batchItemFailures": [{"itemIdentifier": messages[1].message_id}]}).to_string();
        let done = done(&messages, &Outcome::Answer(answer.into()));
        let done: Vec<_> = done.iter().map(|message| message.body.as_str()).collect();
        assert_eq!(done, [messages[0].body.as_str(), messages[2].body.as_str()]);
    }

    #[tokio::test]
    async fn a_failed_message_comes_back_when_its_visibility_ends() {
        let clock = Clock::new();
        let sqs = Sqs::new(clock.clone(), "http://localhost");
        create_queues(&sqs).expect("queues");
        let (events, mut seen) = mpsc::unbounded_channel::<Value>();
        let answers = Mutex::new(vec![
            "{}",
            r#"{"batchItemFailures": [{"itemIdentifier": ""}]}"#,
        ]);
        let invoke: Invoke = Arc::new(move |event| {
            let answer = answers
                .lock()
                .expect("a lock")
                .pop()
                .expect("two batches at most");
            events
                .send(serde_json::from_slice(&event).expect("JSON"))
                .expect("a listener");
            Box::pin(async move { Outcome::Answer(answer.into()) })
        });
        let mut tasks = Tasks::default();
        send(&sqs, 1).await;
        tasks.spawn(run(sqs.clone(), OUTBOX, invoke, Concluded::default()));
        let first = seen.recv().await.expect("an event");
        assert_eq!(
            first["Records"][0]["attributes"]["ApproximateReceiveCount"],
            "1"
        );
        assert_eq!(
            first["Records"][0]["eventSourceARN"],
            "arn:aws:sqs:us-east-1:000000000000:frontdesk-outbox"
        );
        assert_eq!(first["Records"][0]["messageAttributes"], json!({}));
        clock
            .advance(Duration::from_mins(6))
            .expect("no file to write");
        let second = seen.recv().await.expect("an event");
        assert_eq!(
            second["Records"][0]["attributes"]["ApproximateReceiveCount"],
            "2"
        );
    }
}
