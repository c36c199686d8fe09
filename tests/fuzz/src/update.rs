use frontdesk_domain::text::{is_blank, telegram_len};
use frontdesk_telegram::{Content, Secrets, Update, User};
use frontdesk_webhook::handle;
use lambda_http::http::{HeaderValue, StatusCode};
use lambda_http::{Body, RequestExt};
use serde_json::{Value, json};

use crate::aws::{Aws, Call};
use crate::sample::{REQUEST, STAFF_CHAT, now, with_desk};

/// The sample's members of staff.
const STAFF: [i64; 2] = [501, 502];
/// The button that sends a customer's draft.
const SEND: &str = "d:0123456789ab:y";
const SECRET: &str = "the-secret";
const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// An update: what is read of it is what it says, it is recorded once, and only a member of staff who
/// presses "take" in the staff's chat changes a request. The same bytes as a secret open nothing.
pub fn update(data: &[u8]) {
    let value: Option<Value> = serde_json::from_slice(data).ok();
    let parsed = Update::parse(data).ok();
    read_as_it_says(parsed.as_ref(), value.as_ref());
    with_desk(async |desk, aws| {
        hold(aws);
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
        Content::Message(message) | Content::Edited(message) => {
            let kind = match &update.content {
                Content::Edited(_) => "edited_message",
                _ => "message",
            };
            assert!(update.kind == kind && said.is_object());
            assert_eq!(number("/message_id"), Some(message.message_id));
            if said["chat"].is_object() {
                assert_eq!(number("/chat/id"), Some(message.chat.id));
            }
            assert_eq!(said["text"].as_str(), message.text.as_deref());
            let text = |path: &str| said.pointer(path).and_then(Value::as_str);
            if said["document"].is_object() {
                let id = message.document.as_ref().map(|file| file.file_id.as_str());
                assert_eq!(text("/document/file_id"), id);
            }
            if said["contact"].is_object() {
                let contact = message.contact.as_ref();
                let phone = contact.map(|contact| contact.phone_number.as_str());
                assert_eq!(text("/contact/phone_number"), phone);
                let user = contact.and_then(|contact| contact.user_id);
                assert_eq!(number("/contact/user_id"), user);
            }
            let sizes = said["photo"].as_array().map(Vec::len);
            assert_eq!(sizes, message.photo.as_ref().map(Vec::len));
        }
        Content::Membership(membership) => {
            assert!(update.kind == "my_chat_member" && said.is_object());
            if said["chat"].is_object() {
                assert_eq!(number("/chat/id"), Some(membership.chat.id));
            }
            if said["new_chat_member"].is_object() {
                let status = said["new_chat_member"]["status"].as_str();
                assert_eq!(status, Some(membership.new_chat_member.status.as_str()));
            }
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
            let kinds = [
                "message",
                "edited_message",
                "my_chat_member",
                "callback_query",
            ];
            let known = kinds.contains(&update.kind.as_str());
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
    let changed = records.iter().any(|record| {
        let is_request = |item: &Value| item["Update"]["Key"]["sk"]["S"] == "REQ";
        items_of(record).any(is_request)
    });
    assert!(!changed || parsed.is_some_and(is_staffs), "a stranger's");
    assert!(changed || !parsed.is_some_and(is_claim), "it was not taken");
    for record in &records {
        let mut keys: Vec<_> = items_of(record).map(key_of).collect();
        assert!(keys.len() <= 100);
        keys.sort_unstable();
        let all = keys.len();
        keys.dedup();
        assert_eq!(keys.len(), all, "one item twice in a transaction");
    }
    let requests = records
        .iter()
        .flat_map(|record| items_of(record))
        .filter(|item| item["Put"]["Item"]["sk"]["S"] == "REQ");
    let sends = |update: &Update| matches!(&update.content, Content::Callback(press) if press.data.as_deref() == Some(SEND));
    assert!(
        requests.count() == 0 || parsed.is_some_and(sends),
        "a request that nobody has confirmed"
    );
    for aside in records.iter().filter_map(|record| kept_aside(record)) {
        assert!(
            aside.len() <= 40 && !aside.contains(|c: char| c != '_' && !c.is_ascii_lowercase())
        );
    }
}

fn kept_aside(record: &Call) -> Option<&str> {
    record.body["Item"]["aside_kind"]["S"].as_str()
}

fn items_of(record: &Call) -> impl Iterator<Item = &Value> {
    record.body["TransactItems"]
        .as_array()
        .into_iter()
        .flatten()
}

fn key_of(item: &Value) -> (&str, &str) {
    let put = &item["Put"]["Item"];
    let key = if put.is_null() {
        &item["Update"]["Key"]
    } else {
        put
    };
    let text = |name: &str| key[name]["S"].as_str().expect("a key");
    (text("pk"), text("sk"))
}

/// By a member of staff, where only staff read along.
fn is_staffs(update: &Update) -> bool {
    let (user, chat, is_private) = match &update.content {
        Content::Callback(press) => {
            let chat = press.message.as_ref().map(|message| message.chat.id);
            (press.from.id, chat, false)
        }
        Content::Message(message) => {
            let user = message.from.as_ref().map_or(0, |from| from.id);
            let is_private = message.chat.kind == "private";
            (user, Some(message.chat.id), is_private)
        }
        Content::Edited(_) | Content::Membership(_) | Content::Other { .. } => return false,
    };
    STAFF.contains(&user) && (is_private || chat == Some(STAFF_CHAT) || chat == Some(user))
}

/// A press that must take the request.
fn is_claim(update: &Update) -> bool {
    let Content::Callback(press) = &update.content else {
        return false;
    };
    let here = press
        .message
        .as_ref()
        .is_some_and(|message| message.chat.id == STAFF_CHAT);
    here && STAFF.contains(&press.from.id)
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
            let text = reply["text"].as_str().unwrap_or_default();
            assert!(text.encode_utf16().count() <= 200);
        }
        (Some(Content::Message(message) | Content::Edited(message)), Some("sendMessage")) => {
            // A private chat has the id of its user, whatever it calls itself.
            let is_theirs = |user: &User| user.id == message.chat.id;
            assert!(message.chat.kind == "private" || message.from.as_ref().is_some_and(is_theirs));
            assert_eq!(reply["chat_id"], message.chat.id);
            let text = reply["text"].as_str().expect("a text");
            assert!(!is_blank(text));
            // Marks are not counted.
            assert!(reply["parse_mode"] == "HTML" || telegram_len(text) <= 4096);
        }
        (_, method) => assert_eq!(method, None),
    }
}

/// A new request with its card, and customers in the midst of the dialog.
fn hold(aws: &Aws) {
    aws.hold(&[lead(), card()]);
    aws.find(&format!("REQ#{REQUEST}"), &[lead(), card()]);
    for key in ["lead#new", "3f9a"] {
        aws.find(key, &[lead()]);
    }
    let asked = ["services", "description", "brief", "budget", "contact"];
    aws.find("CHAT#desk#77", &[draft(77, "preview", "contact")]);
    for (chat, step) in (78..).zip(asked) {
        aws.find(&format!("CHAT#desk#{chat}"), &[draft(chat, "asking", step)]);
    }
}

fn lead() -> Value {
    json!({
        "pk": {"S": format!("REQ#{REQUEST}")}, "sk": {"S": "REQ"}, "v": {"N": "1"},
        "source": {"S": "contact"}, "token": {"S": "0123456789abcdefghijkl"}, "digest": {"S": "00"},
        "answers": {"L": []}, "version": {"N": "1"}, "state": {"S": "new"},
        "created": {"N": "1795960000000"}, "changed": {"N": "1795960000000"},
        "list_sk": {"N": "1795960000000"},
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

/// A draft with all answers but those of the steps that are asked.
fn draft(chat: i64, phase: &str, step: &str) -> Value {
    let chosen = |step: &str, name: &str| json!({"M": {"step": {"S": step}, "kind": {"S": "chosen"}, "names": {"L": [{"S": name}]}}});
    let mut answers = vec![
        chosen("services", "site"),
        chosen("type", "shop"),
        json!({"M": {"step": {"S": "description"}, "kind": {"S": "text"}, "text": {"S": "A shop"}}}),
        json!({"M": {"step": {"S": "brief"}, "kind": {"S": "skipped"}}}),
        json!({"M": {"step": {"S": "budget"}, "kind": {"S": "range"}, "range": {"S": "500000-"}}}),
        chosen("urgency", "now"),
        json!({"M": {"step": {"S": "contact"}, "kind": {"S": "contact"}, "text": {"S": "+79161234567"},
            "e164": {"S": "+79161234567"}, "own": {"N": "1"}}}),
    ];
    answers.retain(|answer| phase == "preview" || answer["M"]["step"]["S"] != step);
    json!({
        "pk": {"S": format!("CHAT#desk#{chat}")}, "sk": {"S": "EFF#panel"}, "v": {"N": "1"},
        "state": {"S": "done"}, "want": {"N": "0"}, "shown": {"N": "0"},
        "not_before": {"N": "1795960000000"}, "attempts": {"N": "0"}, "unknowns": {"N": "0"},
        "resends": {"N": "0"}, "revision": {"N": "0"}, "draft_version": {"N": "9"},
        "draft": {"M": {
            "token": {"S": "0123456789abcdefghijkl"}, "language": {"S": "en"},
            "began": {"N": "1795960000000"}, "changed": {"N": "1795960000000"},
            "answers": {"L": answers}, "files": {"N": "0"}, "phase": {"S": phase},
            "step": {"S": step}, "returning": {"N": "0"}, "marked": {"L": []},
        }},
    })
}
