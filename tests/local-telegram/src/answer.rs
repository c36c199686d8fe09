//! What a Bot API call is answered with, and the refusals.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How a method reached Telegram.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// By a request to the Bot API.
    Api,
    /// In the webhook's response to an update; its result stays unknown to the bot.
    Webhook,
}

/// The answer to a Bot API request.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiAnswer {
    /// The HTTP status; equals the body's `error_code` when that is there.
    pub status: u16,
    /// The `Retry-After` header, in seconds.
    pub retry_after: Option<u64>,
    /// The JSON body.
    pub body: Value,
}

impl ApiAnswer {
    /// Whether the method was done.
    pub fn is_ok(&self) -> bool {
        self.status == 200
    }

    /// The `result` of a method that was done, null otherwise.
    pub fn result(&self) -> &Value {
        &self.body["result"]
    }

    /// The `description` of a refusal.
    pub fn description(&self) -> Option<&str> {
        self.body["description"].as_str()
    }
}

impl From<Result<Value, Refusal>> for ApiAnswer {
    fn from(outcome: Result<Value, Refusal>) -> Self {
        match outcome {
            Ok(result) => {
                let body = json!({"ok": true, "result": result});
                Self {
                    status: 200,
                    retry_after: None,
                    body,
                }
            }
            Err(refusal) => refusal.into_answer(),
        }
    }
}

/// A refusal by the Bot API.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: u16,
    description: String,
    retry_after: Option<u64>,
    migrate_to: Option<i64>,
}

impl Refusal {
    fn new(code: u16, description: String) -> Self {
        Self {
            code,
            description,
            retry_after: None,
            migrate_to: None,
        }
    }

    pub(crate) fn bad_request(text: impl std::fmt::Display) -> Self {
        Self::new(400, format!("Bad Request: {text}"))
    }

    pub(crate) fn unauthorized(malformed: bool) -> Self {
        let text = if malformed {
            "Unauthorized: invalid token specified"
        } else {
            "Unauthorized"
        };
        Self::new(401, text.to_owned())
    }

    pub(crate) fn forbidden(text: &str) -> Self {
        Self::new(403, format!("Forbidden: {text}"))
    }

    pub(crate) fn unknown_method() -> Self {
        Self::new(404, "Not Found: method not found".to_owned())
    }

    pub(crate) fn conflict(text: &str) -> Self {
        Self::new(409, format!("Conflict: {text}"))
    }

    pub(crate) fn too_many_requests(seconds: u64) -> Self {
        let text = format!("Too Many Requests: retry after {seconds}");
        Self {
            retry_after: Some(seconds),
            ..Self::new(429, text)
        }
    }

    pub(crate) fn migrated(to: i64) -> Self {
        let text = "group chat was upgraded to a supergroup chat";
        Self {
            migrate_to: Some(to),
            ..Self::bad_request(text)
        }
    }

    fn into_answer(self) -> ApiAnswer {
        let mut body =
            json!({"ok": false, "error_code": self.code, "description": self.description});
        if let Some(seconds) = self.retry_after {
            body["parameters"] = json!({"retry_after": seconds});
        }
        if let Some(chat_id) = self.migrate_to {
            body["parameters"] = json!({"migrate_to_chat_id": chat_id});
        }
        ApiAnswer {
            status: self.code,
            retry_after: self.retry_after,
            body,
        }
    }
}
