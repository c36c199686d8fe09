//! `ReceiveMessage`.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::{Value, json};

use super::queue_of_url;
use crate::checks::{VISIBILITY, WAIT, within};
use crate::digest;
use crate::error::Error;
use crate::message::Message;
use crate::queues::Take;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Request {
    #[serde(default)]
    queue_url: String,
    max_number_of_messages: Option<i64>,
    visibility_timeout: Option<i64>,
    wait_time_seconds: Option<i64>,
    /// The older name of the next.
    #[serde(default)]
    attribute_names: Vec<String>,
    #[serde(default)]
    message_system_attribute_names: Vec<String>,
    #[serde(default)]
    message_attribute_names: Vec<String>,
}

pub(crate) struct Receive {
    pub(crate) take: Take,
    system_attributes: Vec<String>,
    message_attributes: Vec<String>,
}

pub(crate) fn parse(body: &[u8]) -> Result<Receive, Error> {
    let request: Request = super::parse(body)?;
    let max = within(
        "MaxNumberOfMessages",
        request.max_number_of_messages.unwrap_or(1),
        &(1..=10),
    )?;
    let seconds = |name: &str, value: Option<i64>, range| {
        let checked = value.map(|value| within(name, value, range)).transpose()?;
        Ok(checked.map(SignedDuration::from_secs))
    };
    let mut system_attributes = request.attribute_names;
    system_attributes.extend(request.message_system_attribute_names);
    Ok(Receive {
        take: Take {
            queue: queue_of_url(&request.queue_url)?.to_owned(),
            max: usize::try_from(max).unwrap_or(1),
            visibility: seconds("VisibilityTimeout", request.visibility_timeout, &VISIBILITY)?,
            wait: seconds("WaitTimeSeconds", request.wait_time_seconds, &WAIT)?,
        },
        system_attributes,
        message_attributes: request.message_attribute_names,
    })
}

/// Shows of each message what the request asked for.
pub(crate) fn answer(request: &Receive, messages: &[Message]) -> Value {
    if messages.is_empty() {
        return json!({});
    }
    let shown = messages.iter().map(|message| {
        let mut shown = json!({
            "MessageId": message.message_id,
            "ReceiptHandle": message.receipt_handle,
            "MD5OfBody": message.md5_of_body,
            "Body": message.body,
        });
        let mut attributes = message.attributes.clone();
        attributes.retain(|name, _| is_wanted(&request.system_attributes, name));
        if !attributes.is_empty() {
            shown["Attributes"] = json!(attributes);
        }
        let wanted: BTreeMap<_, _> = message
            .message_attributes
            .clone()
            .into_iter()
            .filter(|(name, _)| is_wanted(&request.message_attributes, name))
            .collect();
        // The sum is of the attributes shown, which is what a consumer can check.
        if let Some(sum) = digest::of_attributes(&wanted) {
            shown["MD5OfMessageAttributes"] = sum.into();
            shown["MessageAttributes"] = json!(wanted);
        }
        shown
    });
    json!({ "Messages": shown.collect::<Vec<_>>() })
}

/// Names are given in full, or as `All`, or as a prefix that ends with `.*`.
fn is_wanted(wanted: &[String], name: &str) -> bool {
    wanted.iter().any(|wanted| {
        wanted == "All"
            || wanted == name
            || wanted
                .strip_suffix(".*")
                .is_some_and(|prefix| name.starts_with(prefix))
    })
}
