//! Every file under `events/` through its function's real binary, and what it must be answered.

use frontdesk_local::read_event;
use serde_json::{Value, json};

use crate::harness::{Desk, project};

/// What a function makes of an event.
enum Answer {
    /// An HTTP status, and pieces of the headers and the body.
    Http(u16, &'static [&'static str]),
    /// An HTTP status and nothing else.
    Bare(u16),
    /// The ends of the ids of the messages that must come again.
    Again(&'static [&'static str]),
    /// An answer that is JSON, as it is.
    Json(&'static str),
    /// The function fails, saying this.
    Failure(&'static str),
}

use Answer::{Again, Bare, Failure, Http, Json};

const ANSWER: &str = r#""method":"answerCallbackQuery""#;

/// Every file, in the order in which they are sent: the presses are about the first one's lead.
const EXPECTED: &[(&str, Answer)] = &[
    (
        "intake/lead",
        Http(201, &[r#"{"id":"10c3f28ca5c8e1","status":"new"}"#]),
    ),
    ("intake/html-in-the-name", Http(201, &[r#""status":"new""#])),
    (
        "intake/lead-from-a-browser",
        Http(303, &["/forms/contact/thanks?number="]),
    ),
    (
        "intake/missing-phone-from-a-browser",
        Http(
            422,
            &["<form", "sample-draft-of-a-page-02", "Please fill this in."],
        ),
    ),
    (
        "intake/form-page",
        Http(200, &["text/html", "<form", "draft_token"]),
    ),
    (
        "intake/thanks-page",
        Http(200, &["text/html", "10c3 f28c a5c8 e1"]),
    ),
    ("intake/options", Http(204, &["GET, POST, OPTIONS"])),
    (
        "intake/missing-phone",
        Http(
            422,
            &["invalid_fields", r#""phone":"Please fill this in.""#],
        ),
    ),
    (
        "intake/phone-without-digits",
        Http(422, &[r#""phone":"A phone number has digits.""#]),
    ),
    (
        "intake/unknown-field",
        Http(422, &[r#""nickname":"The form has no such field.""#]),
    ),
    ("intake/malformed-token", Http(422, &[r#""draft_token":"#])),
    ("intake/broken-json", Http(400, &["unreadable"])),
    ("intake/unknown-form", Http(404, &["no_such_form"])),
    (
        "intake/no-content-type",
        Http(415, &["unsupported_media_type"]),
    ),
    ("intake/other-method", Http(405, &["method_not_allowed"])),
    (
        "webhook/start",
        Http(200, &[r#""method":"sendMessage""#, "1 of 7"]),
    ),
    (
        "webhook/typed-answer",
        Http(200, &[r#""method":"sendMessage""#, "☑ Support"]),
    ),
    ("webhook/sticker", Http(200, &["choose with the buttons"])),
    (
        "webhook/photo-of-an-album",
        Http(200, &["No file is asked for"]),
    ),
    ("webhook/document", Http(200, &["No file is asked for"])),
    (
        "webhook/shared-contact",
        Http(200, &["choose with the buttons"]),
    ),
    ("webhook/edited-message", Http(200, &["changes no answer"])),
    (
        "webhook/press-of-an-earlier-request",
        Http(200, &[ANSWER, "belongs to an earlier request"]),
    ),
    ("webhook/customer-blocked-the-bot", Bare(200)),
    ("webhook/bot-taken-out-of-a-group", Bare(200)),
    (
        "webhook/message-without-a-sender",
        Http(200, &[r#""method":"sendMessage""#]),
    ),
    ("webhook/message-in-a-group", Bare(200)),
    ("webhook/group-became-a-supergroup", Bare(200)),
    ("webhook/unknown-kind", Bare(200)),
    ("webhook/malformed-message", Bare(200)),
    ("webhook/not-json", Bare(200)),
    (
        "webhook/press-by-a-stranger",
        Http(200, &[ANSWER, "Only the desk's staff can do this."]),
    ),
    (
        "webhook/press-by-an-anonymous-administrator",
        Http(200, &[ANSWER, "anonymous administrator"]),
    ),
    (
        "webhook/press-without-a-message",
        Http(200, &[ANSWER, "staff's own chat"]),
    ),
    (
        "webhook/press-on-an-old-button",
        Http(200, &[ANSWER, "no longer works"]),
    ),
    (
        "webhook/press-by-staff",
        Http(200, &[ANSWER, "It is yours."]),
    ),
    (
        "webhook/press-on-an-inaccessible-message",
        Http(200, &[ANSWER, "You have it already."]),
    ),
    ("webhook/wrong-secret", Bare(401)),
    ("webhook/no-secret", Bare(401)),
    ("webhook/other-method", Http(405, &["POST"])),
    ("webhook/other-bot", Bare(404)),
    ("notifier/card", Again(&[])),
    ("notifier/same-effect-twice", Again(&[])),
    ("notifier/effect-that-does-not-exist", Again(&[])),
    ("notifier/effect-of-an-unknown-kind", Again(&[])),
    ("notifier/not-ours", Again(&["26", "28"])),
    ("notifier/empty", Again(&[])),
    (
        "clock/sweep",
        Json(r#"{"handed_over":0,"attended":0,"moved_on":0,"put_off":0,"failed":0}"#),
    ),
    ("clock/report", Json(r#"{"reports":1}"#)),
    ("clock/unknown-schedule", Failure("harvest")),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_event_file_gets_the_answer_that_it_is_meant_to() {
    let desk = Desk::start().await;
    for (name, expected) in EXPECTED {
        let file = project().join("events").join(format!("{name}.json"));
        let event = read_event(&file).unwrap();
        let (function, _) = name.split_once('/').unwrap();
        let sent = desk
            .post("/_local/invoke")
            .json(&json!({"function": function, "event": event}));
        let answer: Value = sent.send().await.unwrap().json().await.unwrap();
        check(name, expected, &answer);
        desk.settle().await;
    }
    desk.finish().await;
}

fn check(name: &str, expected: &Answer, answer: &Value) {
    let response = &answer["response"];
    let status = |status: u16| assert_eq!(response["statusCode"], status, "{name}: {answer}");
    match expected {
        Http(code, parts) => {
            status(*code);
            let body = response["body"].as_str().unwrap_or_default();
            let shown = format!("{}{body}", response["headers"]);
            for part in *parts {
                assert!(shown.contains(part), "{name}: no {part} in {answer}");
            }
        }
        Bare(code) => {
            status(*code);
            let body = response["body"].as_str().unwrap_or_default();
            assert_eq!(body, "", "{name}: {answer}");
        }
        Again(ends) => {
            let failures = response["batchItemFailures"].as_array();
            let failures = failures.unwrap_or_else(|| panic!("{name}: {answer}"));
            assert_eq!(failures.len(), ends.len(), "{name}: {answer}");
            for end in *ends {
                let is_named = |failure: &Value| {
                    failure["itemIdentifier"]
                        .as_str()
                        .is_some_and(|id| id.ends_with(end))
                };
                assert!(
                    failures.iter().any(is_named),
                    "{name}: no {end} in {answer}"
                );
            }
        }
        Json(wanted) => {
            let wanted: Value = serde_json::from_str(wanted).unwrap();
            assert_eq!(*response, wanted, "{name}: {answer}");
        }
        Failure(wanted) => {
            let said = answer["error"]["errorMessage"].as_str().unwrap_or_default();
            assert!(said.contains(wanted), "{name}: {answer}");
        }
    }
}

#[test]
fn an_event_file_that_no_test_knows_is_a_mistake() {
    let events = project().join("events");
    let mut unknown = Vec::new();
    let mut found = 0;
    for folder in std::fs::read_dir(&events).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let file = file.unwrap().path();
            let name = file.strip_prefix(&events).unwrap().with_extension("");
            let known = EXPECTED
                .iter()
                .any(|(known, _)| name.to_str() == Some(known));
            if known {
                found += 1;
            } else {
                unknown.push(file);
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:?}");
    assert_eq!(
        found,
        EXPECTED.len(),
        "a file is named twice or is not there"
    );
}
