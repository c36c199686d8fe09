use std::collections::{BTreeMap, BTreeSet, HashMap};

use frontdesk_desk::Desk;
use frontdesk_domain::RequestId;
use frontdesk_intake::handle;
use lambda_http::http::{self, HeaderName, HeaderValue, StatusCode};
use lambda_http::{Body, Request, RequestExt};
use serde_json::Value;

use crate::aws::Aws;
use crate::sample::{now, with_desk};
use crate::{page, texts};

const JSON: &str = "application/json";
const URLENCODED: &str = "application/x-www-form-urlencoded";
const LONGEST: usize = 64 * 1024;

/// A request to the form as text: `POST /forms/contact`, lines of headers, an empty line, the body; a
/// header `times: 9` has the body sent nine times over, so that long ones need not be written out.
/// Whatever it is, there is an answer that is no 5xx; a lead is stored just where one is promised, with
/// every character that was typed and none that does harm; a refusal names what was wrong; and a body
/// comes to the same in JSON as in a browser's own encoding.
pub fn form(data: &[u8]) {
    let (head, body) = split(data);
    let body = &body.repeat(times(head));
    let Some(request) = request(head, body) else {
        return;
    };
    with_desk(async |desk, aws| {
        let answer = Answer::of(desk, aws, &request).await;
        answer.check(&request, body);
        if let Some(pairs) = plain_pairs(&request, body) {
            let mut other = form_urlencoded::Serializer::new(String::new());
            other.extend_pairs(&pairs);
            let other = urlencoded(&request, other.finish());
            let same = Answer::of(desk, aws, &other).await;
            assert_eq!(
                answer.stored, same.stored,
                "JSON and a browser's encoding differ"
            );
        }
    });
}

fn split(data: &[u8]) -> (&[u8], &[u8]) {
    let at = data.windows(2).position(|two| two == b"\n\n");
    at.map_or((data, &[]), |at| (&data[..at], &data[at + 2..]))
}

/// At most so often that the body is a little above its limit.
fn times(head: &[u8]) -> usize {
    let mut lines = head.split(|byte| *byte == b'\n');
    let times = lines.find_map(|line| line.strip_prefix(b"times: "));
    let times = times.and_then(|times| std::str::from_utf8(times).ok()?.parse().ok());
    times.unwrap_or(1_usize).min(1000)
}

fn request(head: &[u8], body: &[u8]) -> Option<Request> {
    let mut lines = head.split(|byte| *byte == b'\n');
    let first = std::str::from_utf8(lines.next()?).ok()?;
    let (method, target) = first.split_once(' ')?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = http::Request::builder().method(method);
    for line in lines {
        let at = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..at]).ok()?;
        request = request.header(
            name,
            HeaderValue::from_bytes(line[at + 1..].trim_ascii()).ok()?,
        );
    }
    let query = form_urlencoded::parse(query.as_bytes()).into_owned();
    let query: HashMap<String, Vec<String>> =
        query.map(|(name, value)| (name, vec![value])).collect();
    let request = request.body(Body::Binary(body.to_vec())).ok()?;
    Some(
        request
            .with_raw_http_path(path)
            .with_query_string_parameters(query),
    )
}

/// What a lead's item says, as far as two ways of sending it must agree.
type Stored = BTreeMap<String, (String, Option<String>)>;

struct Answer {
    status: StatusCode,
    location: Option<String>,
    body: String,
    stored: Option<Stored>,
    id: Option<String>,
}

impl Answer {
    async fn of(desk: &Desk, aws: &Aws, request: &Request) -> Self {
        let response = handle(desk, request, now()).await;
        let location = response.headers().get(http::header::LOCATION);
        let location = location.map(|value| value.to_str().expect("ASCII").to_owned());
        let calls = aws.take_calls();
        let writes: Vec<_> = calls.iter().filter(|call| call.is_write()).collect();
        assert!(writes.len() <= 1, "one event, one transaction");
        let items = writes.first().map(|call| {
            assert_eq!(call.operation, "TransactWriteItems");
            call.body["TransactItems"].as_array().expect("items")
        });
        let announced = calls
            .iter()
            .filter(|call| call.operation == "SendMessageBatch");
        assert_eq!(announced.count(), writes.len());
        let body = match response.body() {
            Body::Text(text) => text.clone(),
            Body::Empty => String::new(),
            _ => panic!("no text"),
        };
        Self {
            status: response.status(),
            location,
            body,
            stored: items.map(|items| stored(items)),
            id: items.and_then(|items| id_of(&items[0]["Put"]["Item"])),
        }
    }

    fn check(&self, request: &Request, body: &[u8]) {
        let status = self.status.as_u16();
        assert!(status < 500, "{status}");
        let accepted = [StatusCode::CREATED, StatusCode::SEE_OTHER].contains(&self.status);
        assert_eq!(self.stored.is_some(), accepted, "{status}");
        if let Some(stored) = &self.stored {
            let id = self.id.as_deref().expect("an id");
            let told = match &self.location {
                Some(location) => location.clone(),
                None => self.json()["id"].to_string(),
            };
            assert!(told.contains(id) && RequestId::parse(id).is_ok());
            check_stored(stored, request, body);
            return;
        }
        let to_a_form = request.method() == "POST" && request.raw_http_path() == "/forms/contact";
        assert_eq!(
            self.status == StatusCode::PAYLOAD_TOO_LARGE,
            to_a_form && body.len() > LONGEST
        );
        if self.body.starts_with('<') {
            page::check(&self.body);
        } else if !self.body.is_empty() {
            let error = &self.json()["error"];
            assert!(error["code"].as_str().is_some_and(|code| !code.is_empty()));
            let fields = error["fields"].as_object();
            assert_eq!(
                status == 422,
                fields.is_some_and(|fields| !fields.is_empty())
            );
            let names = names(request, body);
            for name in fields.into_iter().flatten().map(|(name, _)| name) {
                assert!(names.contains(name), "{name:?} is nowhere in it");
            }
        }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

fn id_of(item: &Value) -> Option<String> {
    let id = item["pk"]["S"].as_str()?.strip_prefix("REQ#")?;
    Some(id.to_owned())
}

/// The answers of a transaction's items, by field.
fn stored(items: &[Value]) -> Stored {
    let answers = items
        .iter()
        .filter_map(|item| item["Put"]["Item"]["answers"]["L"].as_array());
    let text = |value: &Value| value["S"].as_str().map(str::to_owned);
    let answers = answers.flatten().map(|answer| {
        let answer = &answer["M"];
        let field = text(&answer["field"]).expect("a field's name");
        (
            field,
            (
                text(&answer["text"]).expect("a text"),
                text(&answer["e164"]),
            ),
        )
    });
    answers.collect()
}

fn check_stored(stored: &Stored, request: &Request, body: &[u8]) {
    assert!(
        stored.contains_key("name") && stored.contains_key("phone"),
        "they are required"
    );
    for (field, (text, e164)) in stored {
        let most = match field.as_str() {
            "name" => 100,
            "phone" => 60,
            "message" => 4000,
            _ => panic!("{field} is not the form's"),
        };
        assert!((1..=most).contains(&text.chars().count()));
        assert!(!text.contains(texts::is_harmful), "{text:?}");
        assert_eq!(e164.is_some(), field == "phone");
    }
    let sent = sent_pairs(request, body);
    for (name, value) in sent.iter().filter(|(name, _)| name != "draft_token") {
        let kept = stored
            .get(name)
            .map(|(text, _)| text.as_str())
            .unwrap_or_default();
        if kept.is_empty() {
            assert!(
                frontdesk_domain::text::is_blank(&texts::seen(value)),
                "{name} is lost"
            );
        } else {
            assert_eq!(
                texts::seen(kept),
                texts::seen(value),
                "{name} is not what was typed"
            );
        }
    }
}

fn content_type(request: &Request) -> &str {
    let value = request.headers().get(http::header::CONTENT_TYPE);
    let value = value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim()
}

/// The texts of a body, as libraries read it.
fn sent_pairs(request: &Request, body: &[u8]) -> Vec<(String, String)> {
    if content_type(request).eq_ignore_ascii_case(URLENCODED) {
        return form_urlencoded::parse(body).into_owned().collect();
    }
    let object: Option<BTreeMap<String, Value>> = serde_json::from_slice(body).ok();
    let text = |(name, value): (String, Value)| Some((name, value.as_str()?.to_owned()));
    object.into_iter().flatten().filter_map(text).collect()
}

/// Every name that a refusal may name: the form's own, and those that were sent.
fn names(request: &Request, body: &[u8]) -> BTreeSet<String> {
    let object: Option<BTreeMap<String, Value>> = serde_json::from_slice(body).ok();
    let ours = ["name", "phone", "message", "draft_token"].map(str::to_owned);
    let sent = sent_pairs(request, body).into_iter().map(|(name, _)| name);
    let keys = object.into_iter().flatten().map(|(name, _)| name);
    ours.into_iter().chain(sent).chain(keys).collect()
}

/// The pairs of a JSON body that a browser's encoding can carry: texts only, each name once.
fn plain_pairs(request: &Request, body: &[u8]) -> Option<Vec<(String, String)>> {
    let json = content_type(request).eq_ignore_ascii_case(JSON);
    let object: BTreeMap<String, Value> = serde_json::from_slice(body).ok().filter(|_| json)?;
    let pairs = sent_pairs(request, body);
    // A name that stands twice is in the body's text more often than among the pairs.
    let quotes = body.split(|byte| *byte == b':').count() - 1;
    (pairs.len() == object.len() && quotes == object.len()).then_some(pairs)
}

fn urlencoded(request: &Request, body: String) -> Request {
    let (mut parts, _) = request.clone().into_parts();
    let content_type = HeaderValue::from_static(URLENCODED);
    parts
        .headers
        .insert(http::header::CONTENT_TYPE, content_type);
    Request::from_parts(parts, Body::Text(body))
}
