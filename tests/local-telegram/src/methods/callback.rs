//! answerCallbackQuery.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::answer::Refusal;
use crate::format::utf16_len;
use crate::state::{PRESS_LIFE, State};

const TOO_OLD: &str = "query is too old and response timeout expired or query ID is invalid";
const TEXT_UNITS: usize = 200;

/// A press is answered once, and within the time for which it lives.
pub(super) fn answer(
    state: &mut State,
    now: Timestamp,
    params: &Map<String, Value>,
) -> Result<Value, Refusal> {
    let text = params
        .get("text")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if utf16_len(text) > TEXT_UNITS {
        return Err(Refusal::bad_request("MESSAGE_TOO_LONG"));
    }
    let id = params["callback_query_id"].as_str().unwrap_or_default();
    match state.queries.get_mut(id) {
        Some(query) if !query.answered && now.duration_since(query.at) <= PRESS_LIFE => {
            query.answered = true;
            Ok(Value::Bool(true))
        }
        _ => Err(Refusal::bad_request(TOO_OLD)),
    }
}
