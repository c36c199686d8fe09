use frontdesk_local_telegram::{Say, Upload, Via};
use serde_json::{Value, json};

use crate::desk::{CUSTOMER, Desk, STAFF, customer};

fn message(more: Value) -> Value {
    let mut params = json!({"chat_id": CUSTOMER, "text": "x"});
    if let (Value::Object(params), Value::Object(more)) = (&mut params, more) {
        params.extend(more);
    }
    params
}

#[tokio::test]
async fn a_message_comes_back_as_telegram_shows_it() {
    let desk = Desk::open().await;
    let markup = json!({"inline_keyboard": [[{"text": "Open", "url": "https://example.org"}]]});
    let params = message(json!({
        "text": " <b>Hi</b> &lt;3 ", "parse_mode": "HTML", "reply_markup": markup,
    }));
    let sent = desk.done("sendMessage", params).await;
    assert_eq!(sent["text"], "Hi <3");
    assert_eq!(
        sent["entities"],
        json!([{"type": "bold", "offset": 0, "length": 2}])
    );
    assert_eq!(sent["from"]["is_bot"], true);
    assert_eq!(sent["chat"]["first_name"], "Cleo");
    assert_eq!(sent["date"], desk.clock.now().as_second());
    assert_eq!(sent["reply_markup"], markup);
    let shown = desk.message(CUSTOMER, sent["message_id"].as_i64().expect("an id"));
    assert_eq!(shown.html, "<b>Hi</b> &lt;3");
    assert_eq!(shown.text, "Hi <3");
    assert_eq!(shown.from_id, 700);
    assert_eq!(
        shown.buttons[0][0].url.as_deref(),
        Some("https://example.org")
    );
}

#[tokio::test]
async fn messages_that_telegram_refuses_are_refused_in_its_words() {
    let desk = Desk::open().await;
    let inline = |button: Value| json!({"reply_markup": {"inline_keyboard": [[button]]}});
    for (more, expected) in [
        (json!({"chat_id": 999}), "chat not found"),
        (json!({"chat_id": "@somebody"}), "chat not found"),
        (json!({"text": ""}), "message text is empty"),
        (json!({"text": " \n "}), "text must be non-empty"),
        (json!({"text": "x".repeat(4_097)}), "message is too long"),
        (json!({"text": "😀".repeat(2_049)}), "message is too long"),
        (
            json!({"text": "&amp;".repeat(7_000), "parse_mode": "HTML"}),
            "text is too long",
        ),
        (
            json!({"text": "<b>x", "parse_mode": "HTML"}),
            "can't parse entities: Can't find end tag corresponding to start tag \"b\"",
        ),
        (json!({"parse_mode": "Best"}), "unsupported parse_mode"),
        (json!({"colour": "red"}), "there is no field \"colour\""),
        (
            json!({"reply_markup": null}),
            "field \"reply_markup\" is null; leave it out",
        ),
        (
            inline(json!({"text": "b", "callback_data": "я".repeat(33)})),
            "BUTTON_DATA_INVALID",
        ),
        (
            inline(json!({"text": "b", "callback_data": ""})),
            "BUTTON_DATA_INVALID",
        ),
        (
            inline(json!({"text": "", "callback_data": "x"})),
            "inline keyboard button text must be non-empty",
        ),
        (
            inline(json!({"text": "b"})),
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (
            inline(json!({"text": "b", "callback_data": "x", "url": "https://example.org"})),
            "can't parse inline keyboard button: a button has exactly one action",
        ),
        (
            inline(json!({"text": "b", "url": "http://localhost/x"})),
            "inline keyboard button URL 'http://localhost/x' is invalid: Wrong HTTP URL",
        ),
        (
            json!({"reply_parameters": {"message_id": 1}}),
            "message to be replied not found",
        ),
        (
            json!({"chat_id": STAFF, "reply_markup": {"keyboard": [[{"text": "p", "request_contact": true}]]}}),
            "phone number can be requested in private chats only",
        ),
    ] {
        assert_eq!(
            desk.refused("sendMessage", message(more.clone())).await,
            expected,
            "{more}"
        );
    }
}

#[tokio::test]
async fn messages_at_their_limits_arrive() {
    let desk = Desk::open().await;
    let markup = json!({"inline_keyboard": [[{"text": "b", "callback_data": "я".repeat(32)}]]});
    for more in [
        json!({"text": "x".repeat(4_096)}),
        json!({"text": "<b>&lt;</b>".repeat(2_900), "parse_mode": "HTML"}),
        json!({"reply_markup": markup}),
        json!({"reply_markup": {"keyboard": [[{"text": "p", "request_contact": true}]]}}),
        json!({"reply_parameters": {"message_id": 1, "allow_sending_without_reply": true}}),
    ] {
        desk.done("sendMessage", message(more)).await;
    }
}

#[tokio::test]
async fn wrong_tokens_and_methods_are_told_apart() {
    let desk = Desk::open().await;
    let answer = desk
        .telegram
        .call("700:other", "getMe", json!({}), Via::Api)
        .await;
    assert_eq!(
        (answer.status, answer.description()),
        (401, Some("Unauthorized"))
    );
    let answer = desk
        .telegram
        .call("what", "getMe", json!({}), Via::Api)
        .await;
    assert_eq!(
        answer.description(),
        Some("Unauthorized: invalid token specified")
    );
    let answer = desk.call("sendMassage", json!({})).await;
    assert_eq!(
        (answer.status, answer.description()),
        (404, Some("Not Found: method not found"))
    );
    assert_eq!(
        desk.done("GETME", Value::Null).await["username"],
        "desk_bot"
    );
}

#[tokio::test]
async fn a_file_is_sent_by_the_id_that_the_bot_has_seen() {
    let desk = Desk::open().await;
    let upload = |name: Option<&str>| Upload {
        file_name: name.map(Into::into),
        file_size: 9,
        ..Upload::default()
    };
    let say = || Say::by(customer(), CUSTOMER);
    let brief = Say {
        document: Some(upload(Some("a&b<c>.pdf"))),
        ..say()
    };
    desk.telegram.say(brief).await.expect("a document");
    desk.telegram
        .say(Say {
            photo: Some(upload(None)),
            ..say()
        })
        .await
        .expect("a photo");
    let seen = desk.seen();
    let document = seen[0]["message"]["document"]["file_id"].clone();
    let photo = seen[1]["message"]["photo"][0]["file_id"].clone();

    let card = desk.card().await;
    let params = json!({
        "chat_id": STAFF, "document": document, "caption": "<i>brief</i>", "parse_mode": "HTML",
        "reply_parameters": {"message_id": card},
    });
    let sent = desk.done("sendDocument", params).await;
    assert_eq!(sent["reply_to_message"]["message_id"], card);
    let shown = desk.message(STAFF, sent["message_id"].as_i64().expect("an id"));
    let attachment = shown.attachment.expect("a file");
    assert_eq!(attachment.file_name.as_deref(), Some("a&b<c>.pdf"));
    assert_eq!(attachment.caption.as_deref(), Some("brief"));
    assert_eq!(shown.reply_to, Some(card));
    desk.done("sendPhoto", json!({"chat_id": STAFF, "photo": photo}))
        .await;
    let media = json!([
        {"type": "document", "media": document}, {"type": "document", "media": document},
    ]);
    let album = desk
        .done("sendMediaGroup", json!({"chat_id": STAFF, "media": media}))
        .await;
    assert_eq!(album[0]["media_group_id"], album[1]["media_group_id"]);

    let long = "x".repeat(1_025);
    for (params, expected) in [
        (
            json!({"document": "nonsense"}),
            "wrong file identifier/HTTP URL specified",
        ),
        (
            json!({"document": photo}),
            "can't use file of type Photo as Document",
        ),
        (
            json!({"document": document, "caption": long}),
            "message caption is too long",
        ),
    ] {
        let mut params = params;
        params["chat_id"] = json!(STAFF);
        assert_eq!(desk.refused("sendDocument", params).await, expected);
    }
}

#[tokio::test]
async fn commands_and_webhooks_are_checked() {
    let desk = Desk::open().await;
    let command = |name: &str| json!({"commands": [{"command": name, "description": "d"}]});
    desk.done("setMyCommands", command("start")).await;
    assert_eq!(
        desk.refused("setMyCommands", command("Start")).await,
        "BOT_COMMAND_INVALID"
    );
    let refusal = desk
        .refused("setWebhook", json!({"url": "http://example.org"}))
        .await;
    assert_eq!(
        refusal,
        "bad webhook: An HTTPS URL must be provided for webhook"
    );
    let params = json!({"url": "https://example.org/hook", "secret_token": "a b"});
    let refusal = desk.refused("setWebhook", params).await;
    assert_eq!(refusal, "secret token contains unallowed characters");
    let params = json!({"url": "https://example.org/hook", "secret_token": "s-1"});
    desk.done("setWebhook", params).await;
    assert_eq!(desk.telegram.bot().secret.as_deref(), Some("s-1"));
    let info = desk.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["url"], "https://example.org/hook");
    assert_eq!(desk.call("getUpdates", json!({})).await.status, 409);
    desk.done("deleteWebhook", json!({})).await;
    desk.say("still there?").await;
    assert_eq!(desk.seen().len(), 0);
    let updates = desk.done("getUpdates", json!({})).await;
    assert_eq!(updates[0]["message"]["text"], "still there?");
    let next = updates[0]["update_id"].as_i64().expect("an id") + 1;
    assert_eq!(
        desk.done("getUpdates", json!({"offset": next})).await,
        json!([])
    );
}

#[tokio::test]
async fn the_journal_has_every_request() {
    let desk = Desk::open().await;
    desk.card().await;
    desk.refused("sendMessage", json!({"text": "x"})).await;
    desk.telegram.record_faulted(
        "sendMessage",
        json!({"chat_id": STAFF, "text": "x"}),
        None,
        None,
    );
    let lines: Vec<Value> = desk
        .telegram
        .requests()
        .iter()
        .map(|request| json!(request))
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["method"], "sendMessage");
    assert_eq!(lines[0]["params"]["text"], "card");
    assert_eq!(lines[0]["status"], 200);
    assert_eq!(lines[0]["via"], "api");
    assert_eq!(lines[1]["response"]["error_code"], 400);
    assert_eq!(lines[2]["status"], Value::Null);
    assert_eq!(lines[2]["response"], Value::Null);
    assert!(lines[0]["at"].as_str().is_some_and(|at| at.ends_with('Z')));
}
