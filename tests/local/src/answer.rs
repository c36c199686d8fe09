//! The answers of functions behind HTTP, as their clients receive them.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::outcome::Outcome;

/// What a client receives.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(header, _)| header == name)
            .map(|(_, value)| value.as_str())
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::builder().status(self.status);
        for (name, value) in &self.headers {
            response = response.header(name, value);
        }
        response
            .body(Body::from(self.body))
            .unwrap_or_else(|_| StatusCode::BAD_GATEWAY.into_response())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Structured {
    status_code: u16,
    #[serde(default)]
    headers: Option<Map<String, Value>>,
    #[serde(default)]
    cookies: Option<Vec<String>>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    is_base64_encoded: Option<bool>,
}

/// What a client receives for an invocation, from the HTTP API and from a function URL alike.
pub(crate) fn answer(outcome: &Outcome) -> Answer {
    match outcome {
        Outcome::Answer(payload) => structured(payload).unwrap_or_else(failed),
        Outcome::Failed(_) => failed(),
    }
}

fn structured(payload: &[u8]) -> Option<Answer> {
    let value: Value = serde_json::from_slice(payload).ok()?;
    if value.get("statusCode").is_none() {
        // Without a status the whole payload is the body.
        let headers = vec![("content-type".into(), "application/json".into())];
        let body = value
            .as_str()
            .map_or_else(|| payload.to_vec(), |text| text.as_bytes().to_vec());
        return Some(Answer {
            status: StatusCode::OK,
            headers,
            body,
        });
    }
    let answer: Structured = serde_json::from_value(value).ok()?;
    let mut headers = Vec::new();
    for (name, value) in answer.headers.unwrap_or_default() {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        headers.push((name.to_ascii_lowercase(), value));
    }
    if !headers.iter().any(|(name, _)| name == "content-type") {
        headers.push(("content-type".into(), "text/plain;charset=UTF-8".into()));
    }
    headers.extend(
        answer
            .cookies
            .unwrap_or_default()
            .into_iter()
            .map(|cookie| ("set-cookie".into(), cookie)),
    );
    let body = answer.body.unwrap_or_default();
    let body = if answer.is_base64_encoded == Some(true) {
        STANDARD.decode(body).ok()?
    } else {
        body.into_bytes()
    };
    Some(Answer {
        status: StatusCode::from_u16(answer.status_code).ok()?,
        headers,
        body,
    })
}

/// The answer when a function errs, crashes, runs over its time or answers nonsense.
fn failed() -> Answer {
    message(StatusCode::BAD_GATEWAY, "Internal Server Error")
}

/// An answer of the gateway itself.
pub(crate) fn message(status: StatusCode, text: &str) -> Answer {
    let headers = vec![("content-type".into(), "application/json".into())];
    Answer {
        status,
        headers,
        body: json!({ "message": text }).to_string().into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    #[test]
    fn an_answer_becomes_http_again() {
        let payload = json!({"statusCode": 303, "headers": {"Location": "/thanks", "X": 1}, "cookies": ["a=1", "b=2"], "body": "b2s=", "isBase64Encoded": true});
        let answer = answer(&Outcome::Answer(payload.to_string().into()));
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_eq!(answer.body, b"ok");
        for header in [
            ("location", "/thanks"),
            ("x", "1"),
            ("set-cookie", "a=1"),
            ("set-cookie", "b=2"),
        ] {
            assert!(
                answer.headers.contains(&(header.0.into(), header.1.into())),
                "{header:?}"
            );
        }
    }

    #[test]
    fn a_payload_without_a_status_is_the_body() {
        let plain = answer(&Outcome::Answer(Bytes::from_static(b"{\"a\": 1}")));
        assert_eq!(
            (plain.status, plain.body.as_slice()),
            (StatusCode::OK, b"{\"a\": 1}".as_slice())
        );
    }

    #[test]
    fn nonsense_and_errors_are_a_bad_gateway() {
        for payload in ["{", "{\"statusCode\": 99999}", "{\"statusCode\": \"x\"}"] {
            assert_eq!(
                answer(&Outcome::Answer(payload.into())).status,
                StatusCode::BAD_GATEWAY,
                "{payload}"
            );
        }
    }
}
