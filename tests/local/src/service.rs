//! The three services behind the endpoints: how a call is recognised, done and failed.

use bytes::Bytes;
use frontdesk_local_sqs::Sqs;
use http::HeaderMap;
use serde_json::{Value, json};

use crate::bot_api::BotApi;
use crate::dynamodb::{self, Dynamodb};
use crate::fault::{Fault, Kind, Target};
use crate::instances::request_id;

/// A call as it came in.
pub(crate) struct Request {
    /// The instance, or the name that a test gave itself.
    pub(crate) caller: String,
    /// What follows the caller's name, without a leading slash.
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Request {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// What a call asks for.
pub(crate) struct Operation {
    pub(crate) name: String,
    pub(crate) chat: Option<i64>,
}

/// What a caller gets.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Bytes,
    pub(crate) read_units: f64,
    pub(crate) write_units: f64,
}

impl Reply {
    pub(crate) fn new(status: u16, kind: &str, body: impl Into<Bytes>) -> Self {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        Self {
            status,
            headers,
            body: body.into(),
            read_units: 0.0,
            write_units: 0.0,
        }
    }

    /// An error in AWS's JSON protocol.
    pub(crate) fn aws_error(status: u16, body: &Value) -> Self {
        let mut reply = Self::new(status, "application/x-amz-json-1.0", body.to_string());
        reply
            .headers
            .push(("x-amzn-requestid".to_owned(), request_id()));
        reply
    }
}

pub(crate) enum Service {
    Dynamodb(Dynamodb),
    Sqs(Sqs),
    Telegram(BotApi),
}

impl Service {
    pub(crate) fn target(&self) -> Target {
        match self {
            Self::Dynamodb(_) => Target::Dynamodb,
            Self::Sqs(_) => Target::Sqs,
            Self::Telegram(_) => Target::Telegram,
        }
    }

    /// What a request asks for; nothing if it is no call at all.
    pub(crate) fn operation(&self, request: &Request) -> Option<Operation> {
        match self {
            Self::Dynamodb(_) | Self::Sqs(_) => {
                let (_, name) = request.header("x-amz-target")?.rsplit_once('.')?;
                Some(Operation {
                    name: name.to_owned(),
                    chat: None,
                })
            }
            Self::Telegram(_) => BotApi::operation(request),
        }
    }

    /// The answer to what is no call.
    pub(crate) fn unknown(&self) -> Reply {
        match self {
            Self::Dynamodb(_) | Self::Sqs(_) => {
                Reply::aws_error(404, &json!({"__type": "UnknownOperationException"}))
            }
            Self::Telegram(_) => BotApi::unknown(),
        }
    }

    /// Does what the request asks for.
    pub(crate) async fn perform(&self, request: &Request, operation: &Operation) -> Reply {
        match self {
            Self::Dynamodb(dynamodb) => dynamodb.perform(request, &operation.name).await,
            Self::Sqs(sqs) => {
                let answer = sqs.handle(&operation.name, &request.body).await;
                let headers = answer
                    .headers
                    .into_iter()
                    .map(|(name, value)| (name.to_string(), value.clone()));
                Reply {
                    headers: headers.collect(),
                    ..Reply::new(answer.status, "", answer.body)
                }
            }
            Self::Telegram(api) => api.perform(request, &operation.name).await,
        }
    }

    /// The error that a fault asks for.
    pub(crate) fn fail(&self, request: &Request, operation: &Operation, fault: &Fault) -> Reply {
        match (self, fault.fault) {
            (Self::Telegram(_), _) => BotApi::fail(fault),
            (Self::Dynamodb(_), Kind::Throttle) => {
                dynamodb::throttled(&operation.name, &request.body)
            }
            (Self::Dynamodb(_), Kind::Conflict) => {
                dynamodb::conflict(&operation.name, &request.body)
            }
            (Self::Dynamodb(_), _) => status(fault, "com.amazonaws.dynamodb.v20120810#"),
            (Self::Sqs(_), Kind::Throttle) => {
                let body = json!({
                    "__type": "com.amazonaws.sqs#RequestThrottled",
                    "message": "Request is throttled.",
                });
                let mut reply = Reply::aws_error(400, &body);
                reply.headers.push((
                    "x-amzn-query-error".to_owned(),
                    "RequestThrottled;Sender".to_owned(),
                ));
                reply
            }
            (Self::Sqs(_), _) => status(fault, "com.amazonaws.sqs#"),
        }
    }

    /// Telegram's journal shows requests that were never done as well.
    pub(crate) fn note_fault(
        &self,
        request: &Request,
        operation: &Operation,
        reply: Option<&Reply>,
    ) {
        if let Self::Telegram(api) = self {
            api.note_fault(request, &operation.name, reply);
        }
    }
}

/// An answer of AWS with the fault's status.
fn status(fault: &Fault, namespace: &str) -> Reply {
    let status = fault
        .value
        .and_then(|value| u16::try_from(value).ok())
        .unwrap_or(500);
    let (name, message) = match status {
        403 => ("AccessDeniedException", "Access denied."),
        400..500 => ("ValidationException", "The request is not valid."),
        503 => (
            "ServiceUnavailable",
            "The service is temporarily unavailable.",
        ),
        _ => ("InternalServerError", "Internal server error"),
    };
    Reply::aws_error(
        status,
        &json!({"__type": format!("{namespace}{name}"), "message": message}),
    )
}
