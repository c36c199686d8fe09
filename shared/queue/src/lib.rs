#![doc = include_str!("../README.md")]

use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::Config;
use aws_sdk_sqs::config::retry::RetryConfig;
use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sqs::types::{QueueAttributeName, SendMessageBatchRequestEntry};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Whoever sends has stored the effect already and must answer somebody: half a second, no retry.
const SEND_TIMEOUT: Duration = Duration::from_millis(500);
/// SQS takes this many messages in one call.
const BATCH: usize = 10;

/// A message: the key of an effect that may be due.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// The effect's partition key.
    pub pk: String,
    /// The effect's sort key.
    pub sk: String,
}

/// A queue message's body is not one of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a message of the outbox")]
pub struct MalformedMessage;

impl Message {
    /// Reads a message's body. Fields of a newer version are ignored.
    pub fn parse(body: &str) -> Result<Self, MalformedMessage> {
        // An array of the fields' values would do for serde.
        if !body.trim_start().starts_with('{') {
            return Err(MalformedMessage);
        }
        serde_json::from_str(body).map_err(|_| MalformedMessage)
    }

    /// What shares the queue fairly with others: a burst for one place does not hold up the rest. The
    /// sort key says to which place an effect goes, whatever its request is.
    fn group(&self) -> &str {
        &self.sk
    }
}

/// SQS did not take a call, or not all of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the queue failed ({kind}), with {messages} messages")]
pub struct Error {
    /// How many messages are not surely on the queue.
    pub messages: usize,
    /// The error's code, or how the connection failed.
    pub kind: String,
}

/// The outbox's queue.
#[derive(Clone, Debug)]
pub struct Queue {
    client: Client,
    url: String,
}

impl Error {
    /// True where the message is not there any more, or is somebody else's by now: SQS does not know the
    /// handle (`ReceiptHandleIsInvalid` in its API reference; a deleted message's is an invalid parameter).
    pub fn is_of_no_message(&self) -> bool {
        let codes = ["InvalidParameterValue", "ReceiptHandleIsInvalid"];
        codes.iter().any(|code| self.kind.starts_with(code))
    }
}

impl Queue {
    /// The queue at `url`.
    pub fn new(client: Client, url: impl Into<String>) -> Self {
        Self {
            client,
            url: url.into(),
        }
    }

    /// Puts messages on the queue, each with its delay (15 minutes at most, in whole seconds,
    /// rounded up), in one call for every ten.
    pub async fn send(&self, messages: &[(Message, Duration)]) -> Result<(), Error> {
        let mut failed: Option<Error> = None;
        for batch in messages.chunks(BATCH) {
            if let Err(error) = self.send_batch(batch).await {
                let before = failed.map_or(0, |failed| failed.messages);
                failed = Some(Error {
                    messages: before + error.messages,
                    ..error
                });
            }
        }
        failed.map_or(Ok(()), Err)
    }

    async fn send_batch(&self, batch: &[(Message, Duration)]) -> Result<(), Error> {
        let all = |kind: String| Error {
            messages: batch.len(),
            kind,
        };
        let mut entries = Vec::with_capacity(batch.len());
        for (at, (message, delay)) in batch.iter().enumerate() {
            let body = serde_json::to_string(message).map_err(|error| all(error.to_string()))?;
            let seconds = i32::try_from(delay.as_millis().div_ceil(1000)).unwrap_or(i32::MAX);
            let entry = SendMessageBatchRequestEntry::builder()
                .id(at.to_string())
                .message_body(body)
                .message_group_id(message.group())
                .delay_seconds(seconds)
                .build();
            entries.push(entry.map_err(|_| all("incomplete_request".to_owned()))?);
        }
        let call = self
            .client
            .send_message_batch()
            .queue_url(&self.url)
            .set_entries(Some(entries));
        // A second try may put the same messages there twice; what is missing is the clock's to send.
        let once = Config::builder().retry_config(RetryConfig::disabled());
        let call = call.customize().config_override(once);
        let answer = match tokio::time::timeout(SEND_TIMEOUT, call.send()).await {
            Err(_) => return Err(all("timeout".to_owned())),
            Ok(Err(error)) => return Err(all(kind_of(&error))),
            Ok(Ok(answer)) => answer,
        };
        match answer.failed() {
            [] => Ok(()),
            [first, ..] => Err(Error {
                messages: answer.failed().len(),
                kind: first.code().to_owned(),
            }),
        }
    }

    /// Makes a received message visible again at once.
    pub async fn give_back(&self, receipt_handle: &str) -> Result<(), Error> {
        let call = self
            .client
            .change_message_visibility()
            .queue_url(&self.url)
            .receipt_handle(receipt_handle)
            .visibility_timeout(0);
        let given_back = call.send().await;
        given_back.map(|_| ()).map_err(|error| Error {
            messages: 1,
            kind: kind_of(&error),
        })
    }

    /// Opens the connection, so that the first event does not have to wait for it. Whether it
    /// succeeds does not matter.
    pub async fn warm_up(&self) {
        let _ = self
            .client
            .get_queue_attributes()
            .queue_url(&self.url)
            .send()
            .await;
    }
}

/// The queue of the outbox's dead letters.
#[derive(Clone, Debug)]
pub struct DeadLetters {
    client: Client,
    url: String,
}

impl DeadLetters {
    /// The queue at `url`.
    pub fn new(client: Client, url: impl Into<String>) -> Self {
        Self {
            client,
            url: url.into(),
        }
    }

    /// About how many messages it holds.
    pub async fn count(&self) -> Result<u64, Error> {
        let call = self
            .client
            .get_queue_attributes()
            .queue_url(&self.url)
            .attribute_names(QueueAttributeName::ApproximateNumberOfMessages);
        let error = |kind| Error { messages: 0, kind };
        let answer = call.send().await.map_err(|e| error(kind_of(&e)))?;
        let count = answer
            .attributes()
            .and_then(|all| all.get(&QueueAttributeName::ApproximateNumberOfMessages))
            .and_then(|count| count.parse().ok());
        count.ok_or_else(|| error("broken_response".to_owned()))
    }
}

fn kind_of<E: ProvideErrorMetadata, R>(error: &SdkError<E, R>) -> String {
    match error {
        SdkError::ServiceError(service) => service.err().code().unwrap_or("none").to_owned(),
        SdkError::TimeoutError(_) => "timeout".to_owned(),
        SdkError::DispatchFailure(_) => "no_connection".to_owned(),
        _ => "broken_response".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_back_a_newer_ones_fields_are_ignored_and_others_are_refused() {
        let message = Message {
            pk: "REQ#1".into(),
            sk: "EFF#card#staff".into(),
        };
        let body = serde_json::to_string(&message).expect("JSON");
        assert_eq!(body, r#"{"pk":"REQ#1","sk":"EFF#card#staff"}"#);
        assert_eq!(Message::parse(&body), Ok(message.clone()));
        assert_eq!(
            Message::parse(&body.replace('}', r#","hint":1}"#)),
            Ok(message)
        );
        for wrong in [
            "",
            "null",
            "{}",
            r#"["REQ#1","EFF"]"#,
            r#"{"pk":1,"sk":"EFF"}"#,
        ] {
            assert_eq!(Message::parse(wrong), Err(MalformedMessage), "{wrong}");
        }
    }
}
