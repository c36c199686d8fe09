//! Dead letters: where they come from, and moving them back.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{OnQueue, queue_of_url};
use crate::error::Error;
use crate::moves::MoveTask;
use crate::queues::Queues;
use crate::{checks, queue_arn, queue_of_arn};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Start {
    #[serde(default)]
    source_arn: String,
    destination_arn: Option<String>,
    max_number_of_messages_per_second: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct List {
    #[serde(default)]
    source_arn: String,
    max_results: Option<i64>,
}

pub(super) fn list_sources(queues: &Queues, request: &OnQueue) -> Result<Value, Error> {
    let name = queue_of_url(&request.queue_url)?;
    queues.get(name)?;
    let urls: Vec<String> = queues
        .sources(name)
        .map(|source| queues.url(source))
        .collect();
    // In lower case, unlike all other members, in the service model too.
    Ok(json!({ "queueUrls": urls }))
}

/// The rate is checked and then not kept: a local queue is small enough to be moved at once.
pub(super) fn start(queues: &mut Queues, request: &Start, now: Timestamp) -> Result<Value, Error> {
    if let Some(rate) = request.max_number_of_messages_per_second {
        checks::within("MaxNumberOfMessagesPerSecond", rate, &(1..=500))?;
    }
    let source = queue("SourceArn", &request.source_arn)?;
    let destination = request.destination_arn.as_deref();
    let destination = destination
        .map(|arn| queue("DestinationArn", arn))
        .transpose()?;
    let task = queues.redrive(source, destination, now)?;
    Ok(json!({ "TaskHandle": task.handle }))
}

pub(super) fn list(queues: &Queues, request: &List) -> Result<Value, Error> {
    let source = queue("SourceArn", &request.source_arn)?;
    if !queues.by_name.contains_key(source) {
        return Err(Error::ResourceNotFound("SourceArn"));
    }
    let max = checks::within("MaxResults", request.max_results.unwrap_or(1), &(1..=10))?;
    let tasks = queues
        .tasks
        .iter()
        .rev()
        .filter(|task| task.source == source);
    let results: Vec<Value> = tasks
        .take(usize::try_from(max).unwrap_or(1))
        .map(show)
        .collect();
    Ok(json!({ "Results": results }))
}

fn show(task: &MoveTask) -> Value {
    let mut shown = json!({
        "Status": if task.left == 0 { "COMPLETED" } else { "FAILED" },
        "SourceArn": queue_arn(&task.source),
        "ApproximateNumberOfMessagesMoved": task.moved,
        "ApproximateNumberOfMessagesToMove": task.moved + task.left,
        "StartedTimestamp": task.started.as_millisecond(),
    });
    if let Some(destination) = &task.destination {
        shown["DestinationArn"] = queue_arn(destination).into();
    }
    if task.left > 0 {
        shown["FailureReason"] = "CouldNotDetermineMessageSource".into();
    }
    shown
}

fn queue<'a>(parameter: &'static str, arn: &'a str) -> Result<&'a str, Error> {
    queue_of_arn(checks::required(parameter, arn)?).ok_or(Error::ResourceNotFound(parameter))
}
