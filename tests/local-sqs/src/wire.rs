//! The awsJson 1.0 protocol: requests in, answers out.

mod manage;
mod messages;
mod moves;
mod receive;

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::checks;
use crate::error::Error;
use crate::ids;
use crate::queues::Queues;

pub(crate) use receive::{Receive, answer as received, parse as parse_receive};

/// An HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// 200, or 400 where the request is refused.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// JSON.
    pub body: Vec<u8>,
}

impl From<Result<Value, Error>> for Answer {
    fn from(outcome: Result<Value, Error>) -> Self {
        let mut headers = vec![
            ("content-type", "application/x-amz-json-1.0".to_owned()),
            ("x-amzn-requestid", ids::uuid()),
        ];
        match outcome {
            Ok(body) => Self {
                status: 200,
                headers,
                body: body.to_string().into_bytes(),
            },
            Err(error) => {
                headers.push(("x-amzn-query-error", format!("{};Sender", error.code())));
                Self {
                    status: 400,
                    headers,
                    body: error.to_json().to_string().into_bytes(),
                }
            }
        }
    }
}

/// Answers every operation but `ReceiveMessage`, which may have to wait.
pub(crate) fn run(
    queues: &mut Queues,
    action: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<Value, Error> {
    match action {
        "CreateQueue" => manage::create_queue(queues, &parse(body)?, now),
        "DeleteQueue" => manage::delete_queue(queues, &parse(body)?),
        "GetQueueUrl" => manage::get_queue_url(queues, &parse(body)?),
        "ListQueues" => Ok(manage::list_queues(queues, &parse(body)?)),
        "GetQueueAttributes" => manage::get_queue_attributes(queues, &parse(body)?, now),
        "SetQueueAttributes" => manage::set_queue_attributes(queues, &parse(body)?, now),
        "PurgeQueue" => manage::purge_queue(queues, &parse(body)?),
        "SendMessage" => messages::send(queues, parse(body)?, now),
        "SendMessageBatch" => messages::send_batch(queues, parse(body)?, now),
        "DeleteMessage" => messages::delete(queues, &parse(body)?),
        "DeleteMessageBatch" => messages::delete_batch(queues, parse(body)?),
        "ChangeMessageVisibility" => messages::change_visibility(queues, &parse(body)?, now),
        "ChangeMessageVisibilityBatch" => {
            messages::change_visibility_batch(queues, parse(body)?, now)
        }
        "ListDeadLetterSourceQueues" => moves::list_sources(queues, &parse(body)?),
        "StartMessageMoveTask" => moves::start(queues, &parse(body)?, now),
        "ListMessageMoveTasks" => moves::list(queues, &parse(body)?),
        other => Err(Error::UnsupportedOperation(format!(
            "{other:?} is not offered here."
        ))),
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| Error::Unreadable(error.to_string()))
}

/// A request about one queue that says nothing else, or nothing else that matters here.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct OnQueue {
    #[serde(default)]
    queue_url: String,
}

/// A request about one queue.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct One<T> {
    #[serde(default)]
    queue_url: String,
    #[serde(flatten)]
    request: T,
}

/// Up to ten requests about one queue.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Batch<T> {
    #[serde(default)]
    queue_url: String,
    #[serde(default = "Vec::new")]
    entries: Vec<Entry<T>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry<T> {
    #[serde(default)]
    id: String,
    #[serde(flatten)]
    request: T,
}

/// The name of the queue that a URL leads to. Its host is not looked at: a queue may be asked for
/// under another address of the same endpoint.
fn queue_of_url(url: &str) -> Result<&str, Error> {
    let name = checks::required("QueueUrl", url)?.rsplit('/').next();
    name.filter(|name| !name.is_empty())
        .ok_or(Error::QueueDoesNotExist)
}
