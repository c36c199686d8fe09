//! Every Bot API request so far.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::Via;

/// A Bot API request, or a method that a webhook response carried.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Request {
    /// The method, in its proper spelling when there is such a method.
    pub method: String,
    /// Its parameters.
    pub params: Value,
    /// The HTTP status of the answer; none when the request got no answer, or when Telegram
    /// ignores such a method in a webhook response.
    pub status: Option<u16>,
    /// The body of the answer.
    pub response: Option<Value>,
    /// When it arrived.
    pub at: Timestamp,
    /// How it arrived.
    pub via: Via,
}
