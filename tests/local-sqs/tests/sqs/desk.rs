use std::time::Duration;

use frontdesk_local_clock::Clock;
use frontdesk_local_sqs::{Answer, QueueStats, Sqs};
use serde_json::{Value, json};

/// An endpoint with a queue `work`, whose messages stay invisible for 30 seconds and die after two
/// receives into `dead`.
pub(crate) struct Desk {
    pub(crate) sqs: Sqs,
    pub(crate) clock: Clock,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let clock = Clock::new();
        let sqs = Sqs::new(clock.clone(), "http://sqs.test");
        let policy = json!({
            "deadLetterTargetArn": frontdesk_local_sqs::queue_arn("dead"),
            "maxReceiveCount": 2,
        });
        sqs.create_queue("dead", &[("MessageRetentionPeriod", "1209600")])
            .expect("the dead-letter queue is created");
        sqs.create_queue("work", &[("RedrivePolicy", &policy.to_string())])
            .expect("the work queue is created");
        Self { sqs, clock }
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.clock
            .advance(Duration::from_secs(seconds))
            .expect("the clock keeps no file");
    }

    /// A request that is granted.
    pub(crate) async fn call(&self, action: &str, request: Value) -> Value {
        let answer = self
            .sqs
            .handle(action, request.to_string().as_bytes())
            .await;
        let body = body(&answer);
        assert_eq!(answer.status, 200, "{action} {request} is refused: {body}");
        body
    }

    /// A request that is refused; returns the code that an SDK would show.
    pub(crate) async fn refused(&self, action: &str, request: Value) -> String {
        let answer = self
            .sqs
            .handle(action, request.to_string().as_bytes())
            .await;
        assert_eq!(answer.status, 400, "{action} is granted: {}", body(&answer));
        let header = answer
            .headers
            .iter()
            .find(|(name, _)| *name == "x-amzn-query-error");
        let (_, header) = header.expect("an error has its code in a header");
        header
            .strip_suffix(";Sender")
            .expect("the fault is the sender's")
            .to_owned()
    }

    pub(crate) async fn send(&self, body: &str) {
        self.call(
            "SendMessage",
            json!({ "QueueUrl": url("work"), "MessageBody": body }),
        )
        .await;
    }

    pub(crate) async fn receive(&self, queue: &str) -> Vec<Value> {
        let request = json!({
            "QueueUrl": url(queue),
            "MaxNumberOfMessages": 10,
            "MessageSystemAttributeNames": ["All"],
            "MessageAttributeNames": ["All"],
        });
        let mut answer = self.call("ReceiveMessage", request).await;
        match answer["Messages"].take() {
            Value::Array(messages) => messages,
            _ => Vec::new(),
        }
    }

    /// Lets the message in `work` be received as often as it may, so that the next receive moves it.
    pub(crate) async fn fail_twice(&self) {
        for _ in 0..2 {
            assert_eq!(self.receive("work").await.len(), 1);
            self.pass(31);
        }
    }

    pub(crate) fn stats(&self, queue: &str) -> QueueStats {
        let stats = self
            .sqs
            .stats()
            .into_iter()
            .find(|stats| stats.name == queue);
        stats.expect("the queue exists")
    }
}

pub(crate) fn url(queue: &str) -> String {
    format!("http://sqs.test/000000000000/{queue}")
}

pub(crate) fn bodies(messages: &[Value]) -> Vec<&str> {
    messages
        .iter()
        .filter_map(|message| message["Body"].as_str())
        .collect()
}

pub(crate) fn sent(message: &Value) -> i64 {
    let sent = message["Attributes"]["SentTimestamp"].as_str();
    sent.and_then(|sent| sent.parse().ok())
        .expect("milliseconds, in a string")
}

fn body(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).expect("an answer is JSON")
}
