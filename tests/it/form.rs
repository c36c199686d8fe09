//! L1 to L4: what comes in through the site's form.

use futures_util::future::join_all;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::harness::{Desk, buttons, lead, token};

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_is_stored_answered_with_its_number_and_shown_to_the_staff() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    assert_eq!(id.len(), 14);
    desk.settle().await;

    let request = desk.item(&id, "REQ").await;
    assert_eq!(request["state"], "new");
    assert_eq!(request["answers"][1]["e164"], "+78121234567");
    assert_eq!(request["answers"][1]["text"], "8 (812) 123-45-67");

    let card = desk.the_card().await;
    let text = card["text"].as_str().unwrap();
    for part in [
        &format!("{} {} {} {}", &id[..4], &id[4..8], &id[8..12], &id[12..]),
        "Name: Vera",
        "+78121234567 (typed: 8 (812) 123-45-67)",
        "Please call me",
        "Nobody has it yet",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(buttons(&card), [format!("take:{id}")]);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_identical_submissions_at_once_are_one_lead_and_get_equal_answers() {
    let desk = Desk::start().await;
    let (token, fields) = (token(1), lead());
    let answers = join_all((0..64).map(|_| desk.submit(&token, &fields))).await;
    for answer in &answers {
        assert_eq!(answer, &answers[0]);
    }
    assert_eq!(answers[0].0, StatusCode::CREATED);
    desk.settle().await;
    desk.the_card().await;
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_token_with_other_content_is_a_conflict_and_changes_nothing() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    let (status, body) = desk
        .submit(&token(1), &json!({"name": "Vera", "phone": "8121234568"}))
        .await;
    assert_eq!(
        (status, body["error"]["code"].as_str()),
        (StatusCode::CONFLICT, Some("draft_token_used"))
    );
    assert_eq!(
        desk.item(&id, "REQ").await["answers"][1]["text"],
        "8 (812) 123-45-67"
    );
    // What was typed counts, not what it means: another way to write the number is another content.
    let (status, _) = desk
        .submit(&token(1), &json!({"name": "Vera", "phone": "+78121234567"}))
        .await;
    assert_eq!(status, StatusCode::CONFLICT);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_token_from_the_same_phone_is_a_new_lead_of_the_same_contact() {
    let desk = Desk::start().await;
    let first = desk.lead(&token(1)).await;
    desk.settle().await;
    desk.advance(3600).await;
    let second = desk.lead(&token(2)).await;
    desk.settle().await;
    assert_ne!(first, second);
    let (one, two) = (
        desk.item(&first, "REQ").await,
        desk.item(&second, "REQ").await,
    );
    assert_eq!(one["contact_pk"], two["contact_pk"]);
    let cards = desk.cards().await;
    assert_eq!(cards.len(), 2);
    assert!(!cards[0]["text"].as_str().unwrap().contains("earlier"));
    assert!(
        cards[1]["text"]
            .as_str()
            .unwrap()
            .contains("1 earlier lead of this contact")
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_token_each_send_is_a_lead_of_its_own() {
    let desk = Desk::start().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let response = desk
            .post("/forms/contact")
            .json(&lead())
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::CREATED);
        ids.push(response.json::<Value>().await.unwrap()["id"].clone());
    }
    assert_ne!(ids[0], ids[1]);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_gets_the_first_answer_even_when_the_lead_has_been_taken() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.press(crate::harness::ANNA, &card, &format!("take:{id}"))
        .await;
    let (status, body) = desk.submit(&token(1), &lead()).await;
    assert_eq!(
        (status, body),
        (StatusCode::CREATED, json!({"id": id, "status": "new"}))
    );
    desk.finish().await;
}

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
async fn a_plain_form_works_without_a_script() {
    let desk = Desk::start().await;
    let browser =
        |request: reqwest::RequestBuilder| request.header("accept", "text/html,*/*;q=0.8");
    let page = browser(desk.request("GET", "/forms/contact"))
        .send()
        .await
        .unwrap();
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert_eq!(page.headers()["cache-control"], "no-store");
    let page = page.text().await.unwrap();
    let token = between(&page, "name=\"draft_token\" value=\"", "\"");
    let other = desk.get("/forms/contact").await.text().await.unwrap();
    assert_ne!(
        token,
        between(&other, "name=\"draft_token\" value=\"", "\"")
    );

    let send = |phone: &str| {
        let body = format!("draft_token={token}&name=A%26B+%3C3&phone={phone}&message=");
        let urlencoded = "application/x-www-form-urlencoded";
        browser(desk.post("/forms/contact"))
            .header("content-type", urlencoded)
            .body(body)
    };
    let wrong = send("12").send().await.unwrap();
    assert_eq!(wrong.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let wrong = wrong.text().await.unwrap();
    assert!(
        wrong.contains("value=\"A&amp;B &lt;3\""),
        "what was typed is still there: {wrong}"
    );
    assert!(
        wrong.contains("value=\"12\"") && wrong.contains("phone-fault"),
        "{wrong}"
    );
    assert_eq!(
        between(&wrong, "name=\"draft_token\" value=\"", "\""),
        token,
        "the same token"
    );

    let http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let sent = http
        .execute(send("8121234567").build().unwrap())
        .await
        .unwrap();
    assert_eq!(sent.status(), StatusCode::SEE_OTHER);
    let location = sent.headers()["location"].to_str().unwrap().to_owned();
    let thanks = browser(desk.request("GET", &location))
        .send()
        .await
        .unwrap();
    assert_eq!(thanks.status(), StatusCode::OK);
    let thanks = thanks.text().await.unwrap();
    let id = location.rsplit('=').next().unwrap();
    assert!(thanks.contains(&format!(
        "{} {} {} {}",
        &id[..4],
        &id[4..8],
        &id[8..12],
        &id[12..]
    )));
    let again = http
        .execute(send("8121234567").build().unwrap())
        .await
        .unwrap();
    assert_eq!(again.headers()["location"].to_str().unwrap(), location);
    desk.settle().await;
    assert!(
        desk.the_card().await["text"]
            .as_str()
            .unwrap()
            .contains("A&B <3")
    );
    desk.finish().await;
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).expect(before).1;
    rest.split_once(after).expect(after).0
}

#[tokio::test(flavor = "multi_thread")]
async fn options_is_answered_and_pages_speak_the_customers_language() {
    let desk = Desk::start().await;
    let options = desk
        .request("OPTIONS", "/forms/contact")
        .send()
        .await
        .unwrap();
    assert_eq!(options.status(), StatusCode::NO_CONTENT);
    assert_eq!(options.headers()["allow"], "GET, POST, OPTIONS");
    for (tags, label) in [
        ("ru-RU,ru;q=0.9", "Имя"),
        ("ja", "お名前"),
        ("de", "Name"),
        ("en", "Name"),
    ] {
        let request = desk
            .request("GET", "/forms/contact")
            .header("accept-language", tags);
        let page = request.send().await.unwrap().text().await.unwrap();
        assert!(page.contains(&format!(">{label} *</label>")), "{tags}");
    }
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
