//! What comes in through the webhook.

use frontdesk_local::WebhookSecret;
use serde_json::{Value, json};

use crate::harness::{ANNA, Desk, STAFF, token};

const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

#[tokio::test(flavor = "multi_thread")]
async fn only_the_right_secret_opens_and_nothing_is_read_before_it() {
    let desk = Desk::start().await;
    let secret = desk.local.webhook_secret().to_owned();
    let post = || desk.post("/telegram/desk").body(r#"{"update_id": 1}"#);
    let other_case: String = secret
        .chars()
        .map(|c| {
            if c.is_lowercase() {
                c.to_ascii_uppercase()
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect();
    for (what, request) in [
        ("none", post()),
        ("empty", post().header(SECRET_HEADER, "")),
        ("another", post().header(SECRET_HEADER, "wrong")),
        ("300 bytes", post().header(SECRET_HEADER, "a".repeat(300))),
        (
            "other letter case",
            post().header(SECRET_HEADER, other_case),
        ),
        (
            "two",
            post()
                .header(SECRET_HEADER, &secret)
                .header(SECRET_HEADER, "wrong"),
        ),
    ] {
        assert_eq!(request.send().await.unwrap().status(), 401, "{what}");
    }
    assert!(desk.local.calls().is_empty(), "nothing was looked up");
    let right = post().header(SECRET_HEADER, &secret).send().await.unwrap();
    assert_eq!(right.status(), 200);
    let get = desk
        .request("GET", "/telegram/desk")
        .header(SECRET_HEADER, &secret)
        .send()
        .await
        .unwrap();
    assert_eq!(
        (
            get.status().as_u16(),
            get.headers()["allow"].to_str().unwrap()
        ),
        (405, "POST")
    );
    let other_bot = desk
        .post("/telegram/other")
        .header(SECRET_HEADER, &secret)
        .body("{}");
    assert_eq!(other_bot.send().await.unwrap().status(), 404);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn updates_that_can_never_work_are_answered_200_and_kept_aside_without_their_content() {
    let desk = Desk::start().await;
    let secret = desk.local.webhook_secret().to_owned();
    for (n, update, kept) in [
        (
            1,
            json!({"update_id": 1, "hologram": {"from": {"id": 9}, "text": "CANARY"}}),
            Some("hologram"),
        ),
        (
            2,
            json!({"update_id": 2, "message": {"message_id": "x", "text": "CANARY", "chat": {"id": 4}}}),
            Some("message"),
        ),
        (
            3,
            json!({"update_id": 3, "message": {"message_id": 1, "date": 1, "chat": {"id": -4, "type": "channel"}}}),
            None,
        ),
        (4, json!({"update_id": 4}), Some("")),
        (
            5,
            json!({"update_id": 5, "callback_query": {"id": 7}}),
            Some("callback_query"),
        ),
    ] {
        let sent = desk
            .post("/telegram/desk")
            .header(SECRET_HEADER, &secret)
            .json(&update)
            .send()
            .await
            .unwrap();
        assert_eq!(sent.status(), 200, "{update}");
        let receipt = &desk.items(&format!("UPD#desk#{n}")).await[0];
        assert_eq!(
            receipt.get("aside_kind").and_then(Value::as_str),
            kept,
            "{receipt}"
        );
        assert!(!receipt.to_string().contains("CANARY"), "{receipt}");
    }
    for unreadable in ["", "no JSON", "[]", r#"{"update_id": "x"}"#] {
        let sent = desk
            .post("/telegram/desk")
            .header(SECRET_HEADER, &secret)
            .body(unreadable);
        assert_eq!(sent.send().await.unwrap().status(), 200, "{unreadable}");
    }
    // Counted on the desk's day, which is the sample's zone's.
    let zone = jiff::tz::TimeZone::get("Europe/Moscow").unwrap();
    let day = desk.local.clock().now().to_zoned(zone).date();
    let counted: i64 = desk
        .items(&format!("COUNT#update_kept_aside#{day}"))
        .await
        .iter()
        .map(|shard| shard["times"].as_i64().unwrap())
        .sum();
    assert_eq!(
        counted,
        4 + 4,
        "those kept aside and those that could not be read"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_to_the_bot_is_answered_in_the_response_and_every_copy_alike() {
    let desk = Desk::start().await;
    let say = |language: &str| json!({"chat_id": 77, "user": {"id": 77, "first_name": "Vera", "language_code": language}, "text": "/start"});
    let said = desk.control("say", say("ru")).await;
    assert_eq!(said["reply"]["method"], "sendMessage");
    let text = said["reply"]["text"].as_str().unwrap();
    assert!(
        text.contains("Здравствуйте") && text.contains("1 из 7"),
        "{said}"
    );
    let mut again = say("en");
    again["update_id"] = said["update_id"].clone();
    let again = desk.control("say", again).await;
    assert_eq!(again["reply"], said["reply"]);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_without_a_dialog_points_to_the_form() {
    let sample = std::fs::read_to_string(crate::harness::project().join("desk.toml")).unwrap();
    let (settings, _) = sample.split_once("# What the bot asks").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("desk.toml");
    std::fs::write(&file, settings).unwrap();
    let desk = Desk::start_with(|options| options.settings = file).await;
    let user = json!({"id": 77, "first_name": "Vera", "language_code": "ru"});
    let say = |what: &str| json!({"chat_id": 77, "user": user, "text": what});
    let said = desk.control("say", say("/start")).await;
    let text = said["reply"]["text"].as_str().unwrap();
    assert!(text.contains("форму на сайте"), "{said}");
    let mut edit = say("/start now");
    edit["edit_of"] = desk.messages(77).await[0]["message_id"].clone();
    let edited = desk.control("say", edit).await;
    assert_eq!(
        (&edited["status"], &edited["reply"]),
        (&json!(200), &json!(null))
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_secret_of_its_own_the_webhook_refuses_everything() {
    for configured in [WebhookSecret::Missing, WebhookSecret::Other(String::new())] {
        let desk = Desk::start_with(|options| options.webhook_secret = configured.clone()).await;
        let fresh = desk.local.webhook_secret().to_owned();
        for sent in [None, Some(""), Some("undefined"), Some(fresh.as_str())] {
            let request = desk.post("/telegram/desk").body(r#"{"update_id": 1}"#);
            let request = sent
                .into_iter()
                .fold(request, |request, sent| request.header(SECRET_HEADER, sent));
            let status = request.send().await.unwrap().status();
            assert_eq!(status, 401, "{configured:?}, {sent:?} sent");
        }
        assert!(desk.local.calls().is_empty(), "nothing was looked up");
        desk.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_down_makes_telegram_repeat_and_the_press_is_not_lost() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.fault(json!({"target": "dynamodb", "fault": "status", "value": 500, "times": -1}))
        .await;
    let failed = desk.press(ANNA, &card, &format!("take:{id}")).await;
    assert_eq!(failed["status"], 503, "{failed}");
    assert!(failed["answer"].is_null());
    desk.end_faults().await;
    desk.advance(10).await;
    desk.run_to_quiet(600).await;
    assert_eq!(desk.item(&id, "REQ").await["assignee"], ANNA);
    assert!(
        desk.the_card().await["text"]
            .as_str()
            .unwrap()
            .contains("Taken by Anna")
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_lost_on_the_way_back_is_made_good_by_the_receipt() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    // Lasting, so that the SDK's own retries meet it too: all of it is done, no answer arrives.
    desk.fault(json!({"target": "dynamodb", "fault": "lose_answer", "match": "TransactWriteItems", "times": -1})).await;
    let first = desk.press(ANNA, &card, &format!("take:{id}")).await;
    assert_eq!(first["status"], 503, "{first}");
    desk.end_faults().await;
    let again = desk
        .control("press", json!({
            "chat_id": STAFF, "user": {"id": ANNA, "first_name": "Anna"}, "message_id": card["message_id"],
            "callback_data": format!("take:{id}"), "update_id": first["update_id"],
        }))
        .await;
    assert_eq!(again["answer"]["text"], "It is yours.");
    desk.run_to_quiet(600).await;
    assert_eq!(desk.item(&id, "REQ").await["version"], 2);
    assert!(
        desk.the_card().await["text"]
            .as_str()
            .unwrap()
            .contains("Taken by Anna")
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_webhook_registers_itself_once_per_address_and_secret() {
    let address = "https://desk.example.org/telegram/desk";
    let desk = Desk::start_with(|options| options.webhook_url = Some(address.to_owned())).await;
    for _ in 0..3 {
        desk.sweep().await;
    }
    let requests = desk.requests().await;
    let set: Vec<_> = requests
        .iter()
        .filter(|request| request["method"] == "setWebhook")
        .collect();
    assert_eq!(set.len(), 1, "{set:?}");
    assert_eq!(set[0]["params"]["url"], address);
    assert_eq!(
        set[0]["params"]["secret_token"],
        desk.local.webhook_secret()
    );
    assert_eq!(set[0]["status"], 200);
    desk.finish().await;
}
