//! How an invocation ends.

use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// How an invocation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The function answered with this payload.
    Answer(Bytes),
    /// It returned an error, ran over its time or its process ended.
    Failed(Failure),
}

/// A function's error, in Lambda's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// Its kind, as `Runtime.ExitError`.
    #[serde(default)]
    pub error_type: String,
    /// What happened.
    #[serde(default)]
    pub error_message: String,
}

impl Failure {
    pub(crate) fn of(kind: &str, message: String) -> Self {
        Self {
            error_type: kind.to_owned(),
            error_message: message,
        }
    }

    /// Reads the body of an error report.
    pub(crate) fn reported(body: &[u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_else(|_| {
            Self::of(
                "Runtime.Unknown",
                String::from_utf8_lossy(body).into_owned(),
            )
        })
    }

    pub(crate) fn exited(id: &str, ending: &str) -> Self {
        Self::of(
            "Runtime.ExitError",
            format!("RequestId: {id} Error: Runtime exited with error: {ending}"),
        )
    }

    pub(crate) fn timed_out(id: &str, after: Duration) -> Self {
        let message = format!(
            "RequestId: {id} Error: Task timed out after {:.2} seconds",
            after.as_secs_f64()
        );
        Self::of("Sandbox.Timedout", message)
    }

    pub(crate) fn too_large() -> Self {
        Self::of(
            "Function.ResponseSizeTooLarge",
            "Response payload size exceeded maximum allowed payload size (6291556 bytes).".into(),
        )
    }

    pub(crate) fn gone() -> Self {
        Self::of("Desk.Stopped", "the desk stopped".into())
    }
}
