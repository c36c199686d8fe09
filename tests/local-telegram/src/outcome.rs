//! What came of a delivery, and why there was none.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::delivery::Attempt;

/// One delivery, or several of a call that made several.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Results<T> {
    /// Of copies and albums, in order.
    Many {
        /// The deliveries.
        results: Vec<T>,
    },
    /// Of anything else.
    One(T),
}

impl<T> Results<T> {
    /// The deliveries, however many.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            Self::Many { results } => results,
            Self::One(result) => vec![result],
        }
    }

    pub(crate) fn new(mut results: Vec<T>, several: bool) -> Self {
        match results.pop() {
            Some(only) if !several && results.is_empty() => Self::One(only),
            last => {
                results.extend(last);
                Self::Many { results }
            }
        }
    }
}

/// What came of a person's message.
pub type SayResult = Results<Said>;
/// What came of a press.
pub type PressResult = Results<Pressed>;
/// What came of a raw update.
pub type UpdateResult = Results<Updated>;

/// The first attempt at delivering a message.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Said {
    /// The update.
    pub update_id: i64,
    /// The webhook's HTTP status; none when it gave no answer, or has not been asked yet because
    /// an earlier update of the chat is still being repeated.
    pub status: Option<u16>,
    /// The method in the response, with its fields.
    pub reply: Option<Value>,
}

/// The first attempt at delivering a press.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Pressed {
    /// The update.
    pub update_id: i64,
    /// The webhook's HTTP status, as for a message.
    pub status: Option<u16>,
    /// The answer to the press that the response carried.
    pub answer: Option<PressAnswer>,
}

/// What the person sees after a press.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct PressAnswer {
    /// The words; empty when the press only ends.
    pub text: String,
    /// Whether they come as an alert that must be closed.
    pub show_alert: bool,
}

/// The first attempt at delivering a raw update.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Updated {
    /// The update.
    pub update_id: i64,
    /// The webhook's HTTP status, as for a message.
    pub status: Option<u16>,
    /// The response's body: its JSON, else its text; none when empty.
    pub body: Option<Value>,
}

impl From<Attempt> for Said {
    fn from(attempt: Attempt) -> Self {
        let reply = attempt.reply();
        Self {
            update_id: attempt.update_id,
            status: attempt.status,
            reply,
        }
    }
}

impl From<Attempt> for Pressed {
    fn from(attempt: Attempt) -> Self {
        let answer = attempt
            .reply()
            .filter(|reply| reply["method"] == json!("answerCallbackQuery"))
            .map(|reply| PressAnswer {
                text: reply["text"].as_str().unwrap_or_default().to_owned(),
                show_alert: reply["show_alert"].as_bool().unwrap_or(false),
            });
        Self {
            update_id: attempt.update_id,
            status: attempt.status,
            answer,
        }
    }
}

impl From<Attempt> for Updated {
    fn from(attempt: Attempt) -> Self {
        Self {
            update_id: attempt.update_id,
            status: attempt.status,
            body: attempt.body,
        }
    }
}

/// What a person cannot do; all are mistakes of the caller.
#[derive(Debug, Eq, PartialEq, thiserror::Error)]
pub enum Error {
    /// No such chat yet.
    #[error("chat {0} does not exist")]
    UnknownChat(i64),
    /// The chat never had this message.
    #[error("chat {chat_id} has no message {message_id}")]
    UnknownMessage {
        /// The chat.
        chat_id: i64,
        /// The message.
        message_id: i64,
    },
    /// No such update was delivered before.
    #[error("there was no update {0}")]
    UnknownUpdate(i64),
    /// The bot gets no updates from this chat: it was removed, or the chat moved on.
    #[error("the bot is not in chat {0} any more")]
    BotNotInChat(i64),
    /// The request misses something or has too much.
    #[error("{0}")]
    Malformed(&'static str),
}
