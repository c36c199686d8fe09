//! Wrong, strange and hostile input to the form.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::harness::{Desk, lead, token};

/// A request that must be refused: its name, how to send it, the status and what the error names.
struct Wrong(&'static str, reqwest::RequestBuilder, u16, &'static str);

#[tokio::test(flavor = "multi_thread")]
#[allow(clippy::too_many_lines, reason = "a table")]
async fn wrong_input_gets_a_clear_error_and_stores_nothing() {
    let desk = Desk::start().await;
    let post = || desk.post("/forms/contact");
    let json_body = |body: &str| {
        post()
            .header("content-type", "application/json")
            .body(body.to_owned())
    };
    let form_body = |body: &'static [u8]| {
        post()
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
    };
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let with_token = |token: &str| post().header("idempotency-key", token).json(&lead());
    for Wrong(what, request, status, names) in [
        Wrong(
            "300 KB",
            json_body(&format!(r#"{{"name":"{}"}}"#, "a".repeat(300_000))),
            413,
            "too_large",
        ),
        Wrong(
            "deep",
            json_body(&format!(r#"{{"name":{deep}}}"#)),
            400,
            "unreadable",
        ),
        Wrong("no JSON", json_body("name=Vera"), 400, "unreadable"),
        Wrong("an array", json_body("[]"), 400, "unreadable"),
        Wrong("half", json_body(r#"{"name": "Vera"#), 400, "unreadable"),
        Wrong("empty", json_body(""), 400, "unreadable"),
        Wrong(
            "name as an array",
            json_body(r#"{"name": ["a"], "phone": "8121234567"}"#),
            422,
            "name",
        ),
        Wrong(
            "name as a number",
            json_body(r#"{"name": 5, "phone": "8121234567"}"#),
            422,
            "name",
        ),
        Wrong(
            "twice in JSON",
            json_body(r#"{"name": "a", "name": "b", "phone": "8121234567"}"#),
            422,
            "name",
        ),
        Wrong(
            "twice in a form",
            form_body(b"name=a&name=b&phone=8121234567"),
            422,
            "name",
        ),
        Wrong(
            "not UTF-8",
            form_body(b"name=%ff&phone=8121234567"),
            400,
            "unreadable",
        ),
        Wrong(
            "raw bytes",
            form_body(b"name=\xff&phone=8121234567"),
            400,
            "unreadable",
        ),
        Wrong(
            "no type",
            post().body("name=a"),
            415,
            "unsupported_media_type",
        ),
        Wrong(
            "text/plain",
            post().header("content-type", "text/plain").body("a"),
            415,
            "unsupported",
        ),
        Wrong(
            "no name",
            json_body(r#"{"phone": "8121234567"}"#),
            422,
            "name",
        ),
        Wrong(
            "blank name",
            json_body(r#"{"name": " \u200b", "phone": "8121234567"}"#),
            422,
            "name",
        ),
        Wrong(
            "long name",
            json_body(&json!({"name": "й".repeat(101), "phone": "8121234567"}).to_string()),
            422,
            "name",
        ),
        Wrong(
            "long message",
            json_body(
                &json!({"name": "a", "phone": "8121234567", "message": "m".repeat(4001)})
                    .to_string(),
            ),
            422,
            "message",
        ),
        Wrong(
            "no digits",
            json_body(r#"{"name": "a", "phone": "+abc"}"#),
            422,
            "phone",
        ),
        Wrong(
            "short phone",
            json_body(r#"{"name": "a", "phone": "12"}"#),
            422,
            "phone",
        ),
        Wrong(
            "stranger",
            json_body(r#"{"name": "a", "phone": "8121234567", "age": "5"}"#),
            422,
            "age",
        ),
        Wrong("short token", with_token("short"), 422, "draft_token"),
        Wrong(
            "odd token",
            with_token("0123456789abcdefghij+/"),
            422,
            "draft_token",
        ),
        Wrong(
            "long token",
            with_token(&"a".repeat(65)),
            422,
            "draft_token",
        ),
        Wrong(
            "two tokens",
            with_token(&token(1)).header("idempotency-key", token(2)),
            422,
            "draft_token",
        ),
        Wrong(
            "no such form",
            desk.post("/forms/other").json(&lead()),
            404,
            "no_such_form",
        ),
        Wrong(
            "another method",
            desk.request("DELETE", "/forms/contact"),
            405,
            "method_not_allowed",
        ),
    ] {
        let response = request.send().await.unwrap();
        let (got, text) = (response.status().as_u16(), response.text().await.unwrap());
        assert_eq!(got, status, "{what}: {text}");
        let error = &serde_json::from_str::<Value>(&text).expect(what)["error"];
        let named = error["code"].as_str().expect(what).contains(names)
            || !error["fields"][names].is_null();
        assert!(named, "{what}: {text}");
        assert!(error["message"].is_string(), "{what}: {text}");
    }
    desk.settle().await;
    let writes = desk
        .local
        .calls()
        .iter()
        .filter(|call| call.write_units > 0.0)
        .count();
    assert_eq!(writes, 0, "something was written");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_that_nobody_types_on_purpose_are_taken_out() {
    let desk = Desk::start().await;
    let fields =
        json!({"name": "An\u{0}na\u{202e}", "phone": "８１２ 1234567", "message": "a\r\nb"});
    let (status, body) = desk.submit(&token(1), &fields).await;
    assert_eq!(status, StatusCode::CREATED, "{body}");
    let request = desk.item(body["id"].as_str().unwrap(), "REQ").await;
    assert_eq!(request["answers"][0]["text"], "Anna");
    assert_eq!(request["answers"][1]["e164"], "+78121234567");
    assert_eq!(request["answers"][2]["text"], "a\nb");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_texts_arrive_as_typed_within_telegrams_limits() {
    let desk = Desk::start().await;
    let texts = [
        "<3",
        "< Gabriele ",
        "Grillo />",
        "a&b<c>.pdf",
        "x\"><b>",
        "</b>&lt;&#60;",
        "<script>",
    ];
    for (n, text) in texts.iter().enumerate() {
        let fields = json!({"name": text, "phone": "8121234567", "message": text});
        let (status, body) = desk.submit(&token(n), &fields).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
    }
    let long = [
        "👨‍👩‍👧".repeat(1333 / 2),
        "😀".repeat(4000),
        "&".repeat(4000),
        "й".repeat(4000),
        "e\u{301}".repeat(2000),
    ];
    for (n, text) in long.iter().enumerate() {
        let fields = json!({"name": "Vera", "phone": "8121234567", "message": text});
        let (status, body) = desk.submit(&token(100 + n), &fields).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        let id = body["id"].as_str().unwrap();
        let stored = desk.item(id, "BODY").await["answers"][0]["text"].clone();
        assert_eq!(
            stored.as_str(),
            Some(text.as_str()),
            "the whole text is stored"
        );
    }
    desk.run_to_quiet(600).await;
    let cards = desk.cards().await;
    assert_eq!(cards.len(), texts.len() + long.len());
    for text in texts {
        let line = format!("Message: {}\n", text.trim());
        let shown = cards
            .iter()
            .any(|card| card["text"].as_str().unwrap().contains(&line));
        assert!(shown, "{line}");
    }
    for card in &cards {
        let text = card["text"].as_str().unwrap();
        assert!(text.encode_utf16().count() <= 4096);
        assert!(
            text.contains("Nobody has it yet"),
            "the end of the card is there: {text}"
        );
    }
    desk.finish().await;
}
