//! The Bot API in front of the Telegram stand-in.

use frontdesk_local_telegram::{Telegram, Via};
use serde_json::{Value, json};

use crate::fault::{Fault, Kind};
use crate::service::{Operation, Reply, Request};

/// The Bot API of one stand-in.
pub(crate) struct BotApi {
    telegram: Telegram,
}

impl BotApi {
    pub(crate) fn new(telegram: Telegram) -> Self {
        Self { telegram }
    }

    /// The method of `bot{token}/{method}`, and the chat that its parameters name.
    pub(crate) fn operation(request: &Request) -> Option<Operation> {
        let (_, method) = token_and_method(request)?;
        let params = params(request).ok()?;
        let chat = match &params["chat_id"] {
            Value::String(id) => id.parse().ok(),
            id => id.as_i64(),
        };
        Some(Operation {
            name: method.to_owned(),
            chat,
        })
    }

    pub(crate) fn unknown() -> Reply {
        refusal(404, "Not Found", None)
    }

    pub(crate) async fn perform(&self, request: &Request, method: &str) -> Reply {
        let token = token_and_method(request).map_or("", |(token, _)| token);
        let Ok(params) = params(request) else {
            return refusal(400, "Bad Request: can't parse JSON object", None);
        };
        let answer = self.telegram.call(token, method, params, Via::Api).await;
        let mut reply = Reply::new(answer.status, "application/json", answer.body.to_string());
        if let Some(seconds) = answer.retry_after {
            reply
                .headers
                .push(("retry-after".to_owned(), seconds.to_string()));
        }
        reply
    }

    /// The answer that a fault asks for.
    pub(crate) fn fail(fault: &Fault) -> Reply {
        let value = fault.value.unwrap_or_default();
        if fault.fault == Kind::RetryAfter {
            return refusal(
                429,
                &format!("Too Many Requests: retry after {value}"),
                Some(value),
            );
        }
        let status = u16::try_from(value).unwrap_or(500);
        let usual = http::StatusCode::from_u16(status)
            .ok()
            .and_then(|status| status.canonical_reason())
            .unwrap_or("Error");
        if status >= 500 {
            // As the servers in front of the Bot API answer, not as itself does.
            let page = format!(
                "<html>\r\n<head><title>{status} {usual}</title></head>\r\n<body>\r\n<center><h1>{status} {usual}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
            );
            return Reply::new(status, "text/html", page);
        }
        refusal(status, fault.description.as_deref().unwrap_or(usual), None)
    }

    pub(crate) fn note_fault(&self, request: &Request, method: &str, reply: Option<&Reply>) {
        let params = params(request).unwrap_or_default();
        let response = reply.map(|reply| {
            serde_json::from_slice(&reply.body)
                .unwrap_or_else(|_| json!(String::from_utf8_lossy(&reply.body)))
        });
        self.telegram
            .record_faulted(method, params, reply.map(|reply| reply.status), response);
    }
}

fn token_and_method(request: &Request) -> Option<(&str, &str)> {
    let (token, method) = request.path.strip_prefix("bot")?.split_once('/')?;
    (!method.is_empty() && !method.contains('/')).then_some((token, method))
}

/// The parameters of a call; a body that is no JSON is an error, no body is none.
fn params(request: &Request) -> serde_json::Result<Value> {
    if request.body.is_empty() {
        return Ok(json!({}));
    }
    serde_json::from_slice(&request.body)
}

fn refusal(status: u16, description: &str, retry_after: Option<u64>) -> Reply {
    let mut body = json!({"ok": false, "error_code": status, "description": description});
    if let Some(seconds) = retry_after {
        body["parameters"] = json!({"retry_after": seconds});
    }
    let mut reply = Reply::new(status, "application/json", body.to_string());
    if let Some(seconds) = retry_after {
        reply
            .headers
            .push(("retry-after".to_owned(), seconds.to_string()));
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, body: &'static str) -> Request {
        Request {
            caller: "notifier-1".into(),
            path: path.into(),
            headers: http::HeaderMap::new(),
            body: body.into(),
        }
    }

    #[test]
    fn a_call_names_its_method_and_chat() {
        for body in [r#"{"chat_id": -5}"#, r#"{"chat_id": "-5"}"#] {
            let operation =
                BotApi::operation(&request("bot1:local/sendMessage", body)).expect("a call");
            assert_eq!(
                (operation.name.as_str(), operation.chat),
                ("sendMessage", Some(-5))
            );
        }
        let operation = BotApi::operation(&request("bot1:local/getMe", "")).expect("a call");
        assert_eq!(operation.chat, None);
        assert!(BotApi::operation(&request("", "")).is_none());
    }

    #[test]
    fn a_server_error_is_a_page_and_a_refusal_is_json() {
        let fault = |json| serde_json::from_value(json).expect("a fault");
        let page = BotApi::fail(&fault(
            json!({"target": "telegram", "fault": "status", "value": 502}),
        ));
        assert_eq!(page.status, 502);
        assert!(page.body.starts_with(b"<html>"));
        let refused = BotApi::fail(&fault(
            json!({"target": "telegram", "fault": "status", "value": 403, "description": "Forbidden: bot was blocked by the user"}),
        ));
        let body: Value = serde_json::from_slice(&refused.body).expect("JSON");
        assert_eq!(
            body,
            json!({"ok": false, "error_code": 403, "description": "Forbidden: bot was blocked by the user"})
        );
    }

    #[test]
    fn a_wait_is_told_twice() {
        let fault = json!({"target": "telegram", "fault": "retry_after", "value": 7});
        let reply = BotApi::fail(&serde_json::from_value(fault).expect("a fault"));
        let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
        assert_eq!(body["parameters"]["retry_after"], 7);
        assert!(reply.headers.contains(&("retry-after".into(), "7".into())));
    }
}
