use frontdesk_telegram::{Content, Secrets, Update};
use frontdesk_webhook::handle;
use lambda_http::http::{HeaderValue, StatusCode};
use lambda_http::{Body, RequestExt};
use serde_json::{Value, json};

use crate::aws::{Aws, Call};
use crate::sample::{REQUEST, STAFF_CHAT, now, with_desk};

const SECRET: &str = "the-secret";
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// An update: what is read of it is what it says, it is recorded once, and only a member of staff who
/// presses "take" in the staff's chat changes a request. The same bytes as a secret open nothing.
pub fn update(data: &[u8]) {
    let value: Option<Value> = serde_json::from_slice(data).ok();
    let parsed = Update::parse(data).ok();
    read_as_it_says(parsed.as_ref(), value.as_ref());
    with_desk(async |desk, aws| {
        aws.hold(&[lead(), card()]);
        let secrets = Secrets::new([SECRET]);
        let refused = request(&data[..data.len().min(300)], Body::Empty);
        if let Some(refused) = refused
            && refused.headers()[SECRET_HEADER] != SECRET
        {
            let response = handle(desk, &secrets, &refused, now()).await;
            assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
            assert!(aws.take_calls().is_empty(), "read before its secret was");
        }
        let request = request(SECRET.as_bytes(), Body::Binary(data.to_vec()));
        let response = handle(desk, &secrets, &request.expect("a request"), now()).await;
        assert_eq!(response.status(), StatusCode::OK);
        let reply = match response.body() {
            Body::Text(reply) => serde_json::from_str(reply).expect("JSON"),
            _ => Value::Null,
        };
        recorded(aws, parsed.as_ref());
        replied(&reply, parsed.as_ref());
    });
}

fn request(secret: &[u8], body: Body) -> Option<lambda_http::Request> {
    let secret = HeaderValue::from_bytes(secret).ok()?;
    let request = lambda_http::http::Request::post("/telegram/desk").header(SECRET_HEADER, secret);
    let request = request.body(body).expect("a request");
    Some(request.with_raw_http_path("/telegram/desk"))
}

fn read_as_it_says(parsed: Option<&Update>, value: Option<&Value>) {
    let id = value
        .filter(|value| value.is_object())
        .and_then(|value| value["update_id"].as_i64());
    assert_eq!(parsed.map(|update| update.update_id), id);
    let (Some(update), Some(value)) = (parsed, value) else {
        return;
    };
    let said = &value[&update.kind];
    let number = |path: &str| said.pointer(path).and_then(Value::as_i64);
    match &update.content {
        Content::Message(message) => {
            assert!(update.kind == "message" && said.is_object());
            assert_eq!(number("/message_id"), Some(message.message_id));
            if said["chat"].is_object() {
                assert_eq!(number("/chat/id"), Some(message.chat.id));
            }
            assert_eq!(said["text"].as_str(), message.text.as_deref());
        }
        Content::Callback(press) => {
            assert!(update.kind == "callback_query" && said.is_object());
            assert_eq!(said["id"].as_str(), Some(press.id.as_str()));
            if said["from"].is_object() {
                assert_eq!(number("/from/id"), Some(press.from.id));
            }
            assert_eq!(said["data"].as_str(), press.data.as_deref());
        }
        Content::Other { well_formed, .. } => {
            let known = ["message", "callback_query"].contains(&update.kind.as_str());
            assert_eq!(*well_formed, !known, "{}", update.kind);
        }
    }
}

/// An update is recorded in one write, and what else is written there is called for.
fn recorded(aws: &Aws, parsed: Option<&Update>) {
    let calls = aws.take_calls();
    let records: Vec<_> = calls
        .iter()
        .filter(|call| call.is_write() && call.body.to_string().contains("UPD#desk#"))
        .collect();
    assert_eq!(records.len(), usize::from(parsed.is_some()));
    let claimed = records.iter().any(|record| {
        let items = record.body["TransactItems"].as_array();
        items
            .into_iter()
            .flatten()
            .any(|item| item["Update"]["Key"]["sk"]["S"] == "REQ")
    });
    assert_eq!(claimed, parsed.is_some_and(may_claim));
    for aside in records.iter().filter_map(|record| kept_aside(record)) {
        assert!(
            aside.len() <= 40 && !aside.contains(|c: char| c != '_' && !c.is_ascii_lowercase())
        );
    }
}

fn kept_aside(record: &Call) -> Option<&str> {
    record.body["Item"]["aside_kind"]["S"].as_str()
}

fn may_claim(update: &Update) -> bool {
    let Content::Callback(press) = &update.content else {
        return false;
    };
    let here = press
        .message
        .as_ref()
        .is_some_and(|message| message.chat.id == STAFF_CHAT);
    here && [501, 502].contains(&press.from.id)
        && press.data.as_deref() == Some(&format!("take:{REQUEST}"))
}

fn replied(reply: &Value, parsed: Option<&Update>) {
    match (
        parsed.map(|update| &update.content),
        reply["method"].as_str(),
    ) {
        (Some(Content::Callback(press)), method) => {
            assert_eq!(
                method,
                Some("answerCallbackQuery"),
                "a press is always answered"
            );
            assert_eq!(reply["callback_query_id"], press.id.as_str());
            let text = reply["text"].as_str().expect("a text");
            assert!((1..=200).contains(&text.encode_utf16().count()));
        }
        (Some(Content::Message(message)), Some("sendMessage")) => {
            assert_eq!(message.chat.kind, "private");
            assert_eq!(reply["chat_id"], message.chat.id);
        }
        (_, method) => assert_eq!(method, None),
    }
}

fn lead() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "REQ"}, "v": {"N": "1"},
        "source": {"S": "contact"}, "token": {"S": "0123456789abcdefghijkl"}, "digest": {"S": "00"},
        "answers": {"L": []}, "version": {"N": "1"}, "state": {"S": "new"},
        "created": {"N": "1795960000000"}, "changed": {"N": "1795960000000"},
    })
}

fn card() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "EFF#card#staff"}, "v": {"N": "1"},
        "state": {"S": "done"}, "want": {"N": "1"}, "shown": {"N": "1"},
        "not_before": {"N": "1795960000000"}, "attempts": {"N": "1"}, "unknowns": {"N": "0"},
        "resends": {"N": "0"}, "message_chat": {"N": STAFF_CHAT.to_string()}, "message": {"N": "7"},
        "revision": {"N": "2"},
    })
}
