//! Sending, deleting and holding back messages, one by one and in batches.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Batch, Entry, One, queue_of_url};
use crate::error::Error;
use crate::message::{Draft, MessageAttribute};
use crate::queues::Queues;
use crate::{checks, digest};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Send {
    #[serde(default)]
    message_body: String,
    delay_seconds: Option<i64>,
    #[serde(default)]
    message_attributes: BTreeMap<String, MessageAttribute>,
    #[serde(default)]
    message_system_attributes: BTreeMap<String, MessageAttribute>,
    message_group_id: Option<String>,
    message_deduplication_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Delete {
    #[serde(default)]
    receipt_handle: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ChangeVisibility {
    #[serde(default)]
    receipt_handle: String,
    visibility_timeout: Option<i64>,
}

pub(super) fn send(
    queues: &mut Queues,
    request: One<Send>,
    now: Timestamp,
) -> Result<Value, Error> {
    send_one(
        queues,
        queue_of_url(&request.queue_url)?,
        request.request,
        now,
    )
}

pub(super) fn send_batch(
    queues: &mut Queues,
    request: Batch<Send>,
    now: Timestamp,
) -> Result<Value, Error> {
    let sizes = request.entries.iter().map(|Entry { request, .. }| {
        checks::size(&request.message_body, &request.message_attributes)
    });
    let size = sizes.sum::<usize>();
    if size > checks::MAX_BYTES {
        return Err(Error::BatchRequestTooLong(size));
    }
    batch(queues, request, |queues, name, request| {
        send_one(queues, name, request, now)
    })
}

pub(super) fn delete(queues: &mut Queues, request: &One<Delete>) -> Result<Value, Error> {
    queues.delete(
        queue_of_url(&request.queue_url)?,
        &request.request.receipt_handle,
    )?;
    Ok(json!({}))
}

pub(super) fn delete_batch(queues: &mut Queues, request: Batch<Delete>) -> Result<Value, Error> {
    batch(queues, request, |queues, name, request| {
        queues.delete(name, &request.receipt_handle)?;
        Ok(json!({}))
    })
}

pub(super) fn change_visibility(
    queues: &mut Queues,
    request: &One<ChangeVisibility>,
    now: Timestamp,
) -> Result<Value, Error> {
    change_one(
        queues,
        queue_of_url(&request.queue_url)?,
        &request.request,
        now,
    )
}

pub(super) fn change_visibility_batch(
    queues: &mut Queues,
    request: Batch<ChangeVisibility>,
    now: Timestamp,
) -> Result<Value, Error> {
    batch(queues, request, |queues, name, request| {
        change_one(queues, name, &request, now)
    })
}

fn change_one(
    queues: &mut Queues,
    name: &str,
    request: &ChangeVisibility,
    now: Timestamp,
) -> Result<Value, Error> {
    let timeout = request
        .visibility_timeout
        .ok_or(Error::MissingParameter("VisibilityTimeout"))?;
    queues.change_visibility(name, &request.receipt_handle, timeout, now)?;
    Ok(json!({}))
}

/// Does each entry by itself: some may fail while others succeed.
fn batch<T>(
    queues: &mut Queues,
    request: Batch<T>,
    mut each: impl FnMut(&mut Queues, &str, T) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let name = queue_of_url(&request.queue_url)?;
    queues.get(name)?;
    checks::entry_ids(request.entries.iter().map(|entry| entry.id.as_str()))?;
    let (mut successful, mut failed) = (Vec::new(), Vec::new());
    for entry in request.entries {
        match each(queues, name, entry.request) {
            Ok(mut done) => {
                done["Id"] = entry.id.into();
                successful.push(done);
            }
            Err(error) => failed.push(json!({
                "Id": entry.id,
                "SenderFault": true,
                "Code": error.code(),
                "Message": error.to_string(),
            })),
        }
    }
    Ok(json!({ "Successful": successful, "Failed": failed }))
}

fn send_one(
    queues: &mut Queues,
    name: &str,
    request: Send,
    now: Timestamp,
) -> Result<Value, Error> {
    let limit = queues.get(name)?.settings.max_bytes();
    checks::body(&request.message_body)?;
    checks::attributes(&request.message_attributes)?;
    if checks::size(&request.message_body, &request.message_attributes) > limit {
        return Err(Error::InvalidParameterValue(format!(
            "One or more parameters are invalid. Reason: Message must be shorter than {limit} bytes."
        )));
    }
    if let Some(delay) = request.delay_seconds {
        checks::within("DelaySeconds", delay, &checks::DELAY)?;
    }
    if request.message_deduplication_id.is_some() {
        return Err(Error::InvalidParameterValue(
            "The request includes a parameter that is not valid for this queue type: \
             MessageDeduplicationId."
                .to_owned(),
        ));
    }
    let attributes = system_attributes(&request)?;
    let mut answer = json!({ "MD5OfMessageBody": digest::of_body(&request.message_body) });
    let sums = [
        ("MD5OfMessageAttributes", &request.message_attributes),
        (
            "MD5OfMessageSystemAttributes",
            &request.message_system_attributes,
        ),
    ];
    for (member, attributes) in sums {
        if let Some(sum) = digest::of_attributes(attributes) {
            answer[member] = sum.into();
        }
    }
    let draft = Draft {
        body: request.message_body,
        message_attributes: request.message_attributes,
        attributes,
        delay: request.delay_seconds,
    };
    answer["MessageId"] = queues.send(name, draft, now)?.into();
    Ok(answer)
}

/// The trace header is the only one that SQS takes as a system attribute; a group id, on a standard
/// queue, is for fairness between tenants and comes back the same way.
fn system_attributes(request: &Send) -> Result<BTreeMap<String, String>, Error> {
    let mut attributes = BTreeMap::new();
    for (name, value) in &request.message_system_attributes {
        match &value.string_value {
            Some(text) if name == "AWSTraceHeader" => attributes.insert(name.clone(), text.clone()),
            _ => {
                return Err(Error::InvalidParameterValue(format!(
                    "Message system attribute name '{name}' is invalid."
                )));
            }
        };
    }
    if let Some(group) = &request.message_group_id {
        attributes.insert("MessageGroupId".to_owned(), group.clone());
    }
    Ok(attributes)
}
