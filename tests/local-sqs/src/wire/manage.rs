//! Operations on queues as a whole.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{OnQueue, One, queue_of_url};
use crate::error::Error;
use crate::queues::Queues;
use crate::settings::Settings;
use crate::{checks, queue_arn};

/// Attributes of a queue that only the endpoint decides.
const MEASURED: [&str; 6] = [
    "QueueArn",
    "CreatedTimestamp",
    "LastModifiedTimestamp",
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
];

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Named {
    #[serde(default)]
    queue_name: String,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Prefix {
    #[serde(default)]
    queue_name_prefix: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct AttributeNames {
    #[serde(default)]
    attribute_names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Attributes {
    #[serde(default)]
    attributes: BTreeMap<String, String>,
}

pub(super) fn create_queue(
    queues: &mut Queues,
    request: &Named,
    now: Timestamp,
) -> Result<Value, Error> {
    let url = queues.create(&request.queue_name, pairs(&request.attributes), now)?;
    Ok(json!({ "QueueUrl": url }))
}

pub(super) fn delete_queue(queues: &mut Queues, request: &OnQueue) -> Result<Value, Error> {
    queues.remove(queue_of_url(&request.queue_url)?)?;
    Ok(json!({}))
}

pub(super) fn get_queue_url(queues: &Queues, request: &Named) -> Result<Value, Error> {
    let name = checks::required("QueueName", &request.queue_name)?;
    queues.get(name)?;
    Ok(json!({ "QueueUrl": queues.url(name) }))
}

/// All at once: pages are for accounts with thousands of queues.
pub(super) fn list_queues(queues: &Queues, request: &Prefix) -> Value {
    let names = queues
        .by_name
        .keys()
        .filter(|name| name.starts_with(&request.queue_name_prefix));
    json!({ "QueueUrls": names.map(|name| queues.url(name)).collect::<Vec<_>>() })
}

pub(super) fn get_queue_attributes(
    queues: &Queues,
    request: &One<AttributeNames>,
    now: Timestamp,
) -> Result<Value, Error> {
    let name = queue_of_url(&request.queue_url)?;
    let queue = queues.get(name)?;
    let stats = queue.stats(name, now);
    let mut attributes = queue.settings.to_attributes();
    let measured = [
        queue_arn(name),
        queue.created.as_second().to_string(),
        queue.modified.as_second().to_string(),
        stats.visible.to_string(),
        stats.in_flight.to_string(),
        stats.delayed.to_string(),
    ];
    attributes.extend(MEASURED.map(str::to_owned).into_iter().zip(measured));

    let wanted = &request.request.attribute_names;
    for name in wanted {
        let known = name == "All" || MEASURED.contains(&name.as_str()) || Settings::is_known(name);
        if !known {
            return Err(Error::InvalidAttributeName(name.clone()));
        }
    }
    if !wanted.iter().any(|name| name == "All") {
        attributes.retain(|name, _| wanted.contains(name));
    }
    Ok(json!({ "Attributes": attributes }))
}

pub(super) fn set_queue_attributes(
    queues: &mut Queues,
    request: &One<Attributes>,
    now: Timestamp,
) -> Result<Value, Error> {
    let name = queue_of_url(&request.queue_url)?;
    queues.set_attributes(name, pairs(&request.request.attributes), now)?;
    Ok(json!({}))
}

pub(super) fn purge_queue(queues: &mut Queues, request: &OnQueue) -> Result<Value, Error> {
    queues.purge(queue_of_url(&request.queue_url)?)?;
    Ok(json!({}))
}

fn pairs(attributes: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, &str)> + Clone {
    attributes
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
}
