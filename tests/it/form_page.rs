//! The form's pages, for browsers without a script.

use reqwest::StatusCode;

use crate::harness::Desk;

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
