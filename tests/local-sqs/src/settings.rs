//! The attributes of a queue that its owner decides.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::checks::{DELAY, VISIBILITY, WAIT};
use crate::error::Error;
use crate::{queue_arn, queue_of_arn};

/// Attributes that are given back as they came and change nothing here.
const KEPT: [&str; 5] = [
    "KmsDataKeyReusePeriodSeconds",
    "KmsMasterKeyId",
    "Policy",
    "RedriveAllowPolicy",
    "SqsManagedSseEnabled",
];

/// Their defaults are those of SQS.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    delay: i64,
    visibility: i64,
    retention: i64,
    wait: i64,
    max_bytes: i64,
    pub(crate) redrive: Option<Redrive>,
    kept: BTreeMap<String, String>,
}

/// Where messages go that were received too often.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Redrive {
    /// The name of the dead-letter queue.
    pub(crate) target: String,
    pub(crate) max_receives: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RedrivePolicy {
    dead_letter_target_arn: String,
    max_receive_count: Value,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            delay: 0,
            visibility: 30,
            retention: 345_600,
            wait: 0,
            max_bytes: 1_048_576,
            redrive: None,
            kept: BTreeMap::new(),
        }
    }
}

impl Settings {
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        match name {
            "DelaySeconds" => self.delay = number(name, value, DELAY)?,
            "VisibilityTimeout" => self.visibility = number(name, value, VISIBILITY)?,
            "MessageRetentionPeriod" => self.retention = number(name, value, 60..=1_209_600)?,
            "ReceiveMessageWaitTimeSeconds" => self.wait = number(name, value, WAIT)?,
            "MaximumMessageSize" => self.max_bytes = number(name, value, 1024..=1_048_576)?,
            "RedrivePolicy" if value.is_empty() => self.redrive = None,
            "RedrivePolicy" => self.redrive = Some(Redrive::parse(value)?),
            "FifoQueue" if value == "false" => {}
            "FifoQueue" => {
                let no = "FIFO queues are not offered here.";
                return Err(Error::UnsupportedOperation(no.to_owned()));
            }
            kept if KEPT.contains(&kept) => {
                self.kept.insert(kept.to_owned(), value.to_owned());
            }
            other => return Err(Error::InvalidAttributeName(other.to_owned())),
        }
        Ok(())
    }

    /// As `GetQueueAttributes` shows them.
    pub(crate) fn to_attributes(&self) -> BTreeMap<String, String> {
        let mut attributes = self.kept.clone();
        let numbers = [
            ("DelaySeconds", self.delay),
            ("VisibilityTimeout", self.visibility),
            ("MessageRetentionPeriod", self.retention),
            ("ReceiveMessageWaitTimeSeconds", self.wait),
            ("MaximumMessageSize", self.max_bytes),
        ];
        attributes.extend(numbers.map(|(name, value)| (name.to_owned(), value.to_string())));
        if let Some(redrive) = &self.redrive {
            let policy = json!({
                "deadLetterTargetArn": queue_arn(&redrive.target),
                "maxReceiveCount": redrive.max_receives,
            });
            attributes.insert("RedrivePolicy".to_owned(), policy.to_string());
        }
        attributes
    }

    pub(crate) fn is_known(name: &str) -> bool {
        KEPT.contains(&name)
            || name == "RedrivePolicy"
            || Self::default().to_attributes().contains_key(name)
    }

    pub(crate) fn delay(&self) -> SignedDuration {
        SignedDuration::from_secs(self.delay)
    }

    pub(crate) fn visibility(&self) -> SignedDuration {
        SignedDuration::from_secs(self.visibility)
    }

    pub(crate) fn retention(&self) -> SignedDuration {
        SignedDuration::from_secs(self.retention)
    }

    pub(crate) fn wait(&self) -> SignedDuration {
        SignedDuration::from_secs(self.wait)
    }

    pub(crate) fn max_bytes(&self) -> usize {
        usize::try_from(self.max_bytes).unwrap_or(usize::MAX)
    }
}

impl Redrive {
    fn parse(policy: &str) -> Result<Self, Error> {
        let refuse = |reason: &str| Error::InvalidAttributeValue {
            name: "RedrivePolicy".to_owned(),
            reason: reason.to_owned(),
        };
        let policy: RedrivePolicy = serde_json::from_str(policy)
            .map_err(|_| refuse("it takes deadLetterTargetArn and maxReceiveCount, in JSON."))?;
        // Templates write the count both ways.
        let count = match &policy.max_receive_count {
            Value::String(text) => text.parse().ok(),
            number => number.as_u64(),
        };
        let max_receives = count
            .and_then(|count| u32::try_from(count).ok())
            .filter(|count| (1..=1000).contains(count))
            .ok_or_else(|| refuse("maxReceiveCount must be between 1 and 1000."))?;
        let target = queue_of_arn(&policy.dead_letter_target_arn)
            .ok_or_else(|| refuse("deadLetterTargetArn is not the ARN of a queue."))?;
        Ok(Self {
            target: target.to_owned(),
            max_receives,
        })
    }
}

fn number(name: &str, value: &str, range: RangeInclusive<i64>) -> Result<i64, Error> {
    value
        .parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| Error::InvalidAttributeValue {
            name: name.to_owned(),
            reason: format!("Must be between {} and {}.", range.start(), range.end()),
        })
}
