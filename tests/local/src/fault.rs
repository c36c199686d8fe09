//! What a fault is asked to be.

use serde::{Deserialize, Serialize};

/// The service that a call goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The Bot API.
    Telegram,
    /// The queues.
    Sqs,
    /// The table.
    Dynamodb,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Connections are refused; open ones are closed.
    Refuse,
    /// The request is read, not done, and its connection closed.
    Drop,
    /// The request is done and its connection closed without an answer.
    LoseAnswer,
    /// The request is done after `value` milliseconds of real time.
    Delay,
    /// Not done, answered with status `value`.
    Status,
    /// Not done, answered 429 with `value` seconds to wait.
    RetryAfter,
    /// Not done, answered with the service's throttling error.
    Throttle,
    /// Not done, answered with DynamoDB's conflict of transactions.
    Conflict,
    /// The calling process is killed before the request is done, or after it.
    Kill,
}

/// A fault as it is asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The service whose calls it concerns.
    pub target: Target,
    /// What goes wrong.
    pub fault: Kind,
    /// Milliseconds, a status or seconds, by kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<u64>,
    /// Telegram's words for a status of 400 to 499.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The operation or method; any if absent.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The chat that a Telegram request names; any if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_id: Option<i64>,
    /// How many matching requests pass first.
    #[serde(default)]
    pub skip: u64,
    /// How often it acts; −1 is without end.
    #[serde(default = "once")]
    pub times: i64,
    /// For `kill`: only once the request was done.
    #[serde(default)]
    pub after: bool,
}

fn once() -> i64 {
    1
}

impl Fault {
    /// Says what is wrong with a fault that could never act as asked.
    pub(crate) fn check(&self) -> Result<(), String> {
        let needs_value = matches!(self.fault, Kind::Delay | Kind::Status | Kind::RetryAfter);
        if needs_value && self.value.is_none() {
            return Err("this fault needs a \"value\"".into());
        }
        if self.fault == Kind::Status
            && !self
                .value
                .is_some_and(|status| (400..600).contains(&status))
        {
            return Err("a status is between 400 and 599".into());
        }
        if self.times < -1 || self.times == 0 {
            return Err("\"times\" is 1 or more, or -1 for without end".into());
        }
        if self.chat_id.is_some() && self.target != Target::Telegram {
            return Err("only telegram requests name a chat".into());
        }
        match (self.fault, self.target) {
            (Kind::Refuse, _)
                if self.operation.is_some() || self.chat_id.is_some() || self.skip > 0 =>
            {
                Err("refuse concerns every connection: no match, chat_id or skip".into())
            }
            (Kind::RetryAfter, Target::Sqs | Target::Dynamodb) => {
                Err("retry_after is telegram's; the others throttle".into())
            }
            (Kind::Throttle, Target::Telegram) => {
                Err("telegram has retry_after instead of throttle".into())
            }
            (Kind::Conflict, Target::Telegram | Target::Sqs) => {
                Err("conflict is dynamodb's".into())
            }
            _ => Ok(()),
        }
    }

    /// Whether the service does what the request asks for all the same.
    pub(crate) fn is_done(&self) -> bool {
        match self.fault {
            Kind::Delay | Kind::LoseAnswer => true,
            Kind::Kill => self.after,
            Kind::Refuse
            | Kind::Drop
            | Kind::Status
            | Kind::RetryAfter
            | Kind::Throttle
            | Kind::Conflict => false,
        }
    }

    pub(crate) fn matches(&self, target: Target, operation: &str, chat: Option<i64>) -> bool {
        self.target == target
            && self.fault != Kind::Refuse
            && self
                .operation
                .as_deref()
                .is_none_or(|name| name.eq_ignore_ascii_case(operation))
            && (self.chat_id.is_none() || self.chat_id == chat)
    }
}
