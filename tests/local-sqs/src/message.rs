use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::digest;

/// A message as a consumer gets it, with all that a Lambda event record says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Stays the same from one receive to the next, and in the dead-letter queue; a redrive renews it.
    pub message_id: String,
    /// What to delete it with; a new one for each receive.
    pub receipt_handle: String,
    /// The text that was sent.
    pub body: String,
    /// Lower-case hexadecimal MD5 of the body.
    pub md5_of_body: String,
    /// What SQS says of the message: `SentTimestamp` and `ApproximateFirstReceiveTimestamp` (Unix
    /// milliseconds), `ApproximateReceiveCount`, `SenderId`, and where they apply
    /// `DeadLetterQueueSourceArn`, `MessageGroupId` and `AWSTraceHeader`.
    pub attributes: BTreeMap<String, String>,
    /// What the sender said of the message.
    pub message_attributes: BTreeMap<String, MessageAttribute>,
}

/// One typed value that travels with a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct MessageAttribute {
    /// `String`, `Number` or `Binary`, each with an optional label after a dot.
    pub data_type: String,
    /// The value of strings and numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub string_value: Option<String>,
    /// The value of binaries, in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary_value: Option<String>,
}

/// A message to be sent, already checked.
pub(crate) struct Draft {
    pub(crate) body: String,
    pub(crate) message_attributes: BTreeMap<String, MessageAttribute>,
    /// The system attributes that the sender decides.
    pub(crate) attributes: BTreeMap<String, String>,
    /// In seconds; the queue's own where none is given.
    pub(crate) delay: Option<i64>,
}

/// A message at rest in a queue.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) id: String,
    pub(crate) body: String,
    pub(crate) message_attributes: BTreeMap<String, MessageAttribute>,
    pub(crate) attributes: BTreeMap<String, String>,
    /// Retention counts from here, in the dead-letter queue too.
    pub(crate) sent: Timestamp,
    /// When it came into this queue; its age there counts from here.
    pub(crate) entered: Timestamp,
    pub(crate) visible_at: Timestamp,
    pub(crate) first_received: Option<Timestamp>,
    /// All receives, of which consumers are told.
    pub(crate) receives: u32,
    /// Those of this queue, of which the dead-letter rule speaks.
    pub(crate) receives_here: u32,
    pub(crate) lease: Option<Lease>,
    /// The name of the queue that it died in.
    pub(crate) source: Option<String>,
}

/// The latest receive of a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    pub(crate) number: u64,
    pub(crate) taken: Timestamp,
}

impl Stored {
    pub(crate) fn is_visible(&self, now: Timestamp) -> bool {
        self.visible_at <= now
    }

    pub(crate) fn is_in_flight(&self, now: Timestamp) -> bool {
        !self.is_visible(now) && self.lease.is_some()
    }

    /// The group that it was sent for.
    pub(crate) fn group(&self) -> Option<&str> {
        self.attributes.get("MessageGroupId").map(String::as_str)
    }

    /// What the consumer of the present receive gets.
    pub(crate) fn to_message(&self, receipt_handle: String) -> Message {
        let mut attributes = self.attributes.clone();
        let mut say = |name: &str, value: String| attributes.insert(name.to_owned(), value);
        say("SenderId", "AIDALOCALDESK".to_owned());
        say("SentTimestamp", self.sent.as_millisecond().to_string());
        say("ApproximateReceiveCount", self.receives.to_string());
        if let Some(first) = self.first_received {
            say(
                "ApproximateFirstReceiveTimestamp",
                first.as_millisecond().to_string(),
            );
        }
        if let Some(source) = &self.source {
            say("DeadLetterQueueSourceArn", crate::queue_arn(source));
        }
        Message {
            message_id: self.id.clone(),
            receipt_handle,
            md5_of_body: digest::of_body(&self.body),
            body: self.body.clone(),
            attributes,
            message_attributes: self.message_attributes.clone(),
        }
    }
}
