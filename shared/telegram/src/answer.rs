//! What the Bot API answers.

use serde::Deserialize;

use crate::{Error, Method};

#[derive(Deserialize)]
struct Answer<T> {
    ok: bool,
    result: Option<T>,
    error_code: Option<i64>,
    #[serde(default)]
    description: String,
    parameters: Option<Parameters>,
}

#[derive(Default, Deserialize)]
struct Parameters {
    retry_after: Option<f64>,
    migrate_to_chat_id: Option<i64>,
}

/// Reads the body of an answer to `M`. Only a complete one in JSON counts: whatever else came, it is
/// not known whether the method was carried out.
pub fn read_answer<M: Method>(body: &[u8]) -> Result<M::Answer, Error> {
    const UNREADABLE: Error = Error::NoAnswer("answer_unreadable");
    // An array of the fields' values would do for serde.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(UNREADABLE);
    }
    let answer: Answer<M::Answer> = serde_json::from_slice(body).map_err(|_| UNREADABLE)?;
    match answer {
        Answer {
            ok: true,
            result: Some(result),
            ..
        } => Ok(result),
        Answer {
            ok: false,
            error_code: Some(code),
            description,
            parameters,
            ..
        } => {
            let Parameters {
                retry_after,
                migrate_to_chat_id,
            } = parameters.unwrap_or_default();
            // Whole seconds so far; a fraction would be waited out.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let retry_after = retry_after.map(|seconds| seconds.ceil() as u64);
            Err(Error::of(
                code,
                &description,
                retry_after,
                migrate_to_chat_id,
            ))
        }
        _ => Err(UNREADABLE),
    }
}
