use frontdesk_local_telegram::{
    Contact, Error, Other, Press, PressAnswer, RawUpdate, Say, User, WebhookAnswer,
};
use serde_json::{Value, json};

use crate::desk::{CUSTOMER, Desk, STAFF, anna, customer};

fn say() -> Say {
    Say::by(customer(), CUSTOMER)
}

#[tokio::test]
async fn a_text_is_a_real_looking_update() {
    let desk = Desk::open().await;
    desk.say(" /start promo ").await;
    let update = &desk.seen()[0];
    assert!(
        update["update_id"]
            .as_i64()
            .is_some_and(|id| id > 2_000_000)
    );
    let message = &update["message"];
    assert_eq!(message["text"], "/start promo");
    assert_eq!(
        message["entities"],
        json!([{"type": "bot_command", "offset": 0, "length": 6}])
    );
    assert_eq!(
        message["chat"],
        json!({"id": CUSTOMER, "type": "private", "first_name": "Cleo"})
    );
    let from =
        json!({"id": CUSTOMER, "is_bot": false, "first_name": "Cleo", "language_code": "en"});
    assert_eq!(message["from"], from);
    assert_eq!(message["date"], desk.clock.now().as_second());
    desk.say("next").await;
    let (first, second) = (&desk.seen()[0]["update_id"], &desk.seen()[1]["update_id"]);
    assert_eq!(first.as_i64().map(|id| id + 1), second.as_i64());
}

#[tokio::test]
async fn an_album_is_one_update_for_each_part() {
    let desk = Desk::open().await;
    let said: Say = serde_json::from_value(json!({
        "chat_id": CUSTOMER, "user": {"id": CUSTOMER, "first_name": "Cleo"},
        "album": [
            {"file_size": 5, "caption": "all of it"},
            {"photo": {"file_size": 6}},
            {"file_name": "a.pdf", "mime_type": "application/pdf", "file_size": 7},
        ],
    }))
    .expect("as the contract has it");
    let results = desk.telegram.say(said).await.expect("an album").into_vec();
    assert_eq!(results.len(), 3);
    let seen = desk.seen();
    assert_eq!(seen[0]["message"]["caption"], "all of it");
    assert!(seen[1]["message"]["photo"].is_array());
    assert_eq!(seen[2]["message"]["document"]["file_name"], "a.pdf");
    let group = |at: usize| {
        seen[at]["message"]["media_group_id"]
            .as_str()
            .expect("a group")
    };
    assert!(group(0) == group(1) && group(1) == group(2));
}

#[tokio::test]
async fn contacts_stickers_edits_and_replies_arrive() {
    let desk = Desk::open().await;
    desk.card().await;
    let contact = Contact {
        phone_number: "+7 812 1234567".into(),
        first_name: "Cleo".into(),
        user_id: Some(CUSTOMER),
    };
    desk.telegram
        .say(Say {
            contact: Some(contact),
            ..say()
        })
        .await
        .expect("a contact");
    desk.telegram
        .say(Say {
            other: Some(Other::Sticker),
            ..say()
        })
        .await
        .expect("a sticker");
    let hello = desk.telegram.chat(CUSTOMER).expect("a chat").messages[0].message_id;
    let edit = Say {
        edit_of: Some(hello),
        ..Say::text(customer(), CUSTOMER, "hello!")
    };
    desk.telegram.say(edit).await.expect("an edit");
    let reply = Say {
        reply_to: Some(hello),
        ..Say::text(customer(), CUSTOMER, "and")
    };
    desk.telegram.say(reply).await.expect("a reply");
    let seen = desk.seen();
    assert_eq!(seen[0]["message"]["contact"]["user_id"], CUSTOMER);
    assert_eq!(seen[1]["message"]["sticker"]["type"], "regular");
    assert_eq!(seen[2]["edited_message"]["text"], "hello!");
    assert_eq!(seen[2]["edited_message"]["message_id"], hello);
    assert_eq!(seen[3]["message"]["reply_to_message"]["text"], "hello!");
}

#[tokio::test]
async fn people_cannot_do_what_the_apps_do_not_let_them() {
    let desk = Desk::open().await;
    let telegram = &desk.telegram;
    for (said, expected) in [
        (say(), Error::Malformed("nothing is said")),
        (
            Say {
                text: Some("a".into()),
                other: Some(Other::Voice),
                ..say()
            },
            Error::Malformed("more than one thing is said"),
        ),
        (
            Say {
                edit_of: Some(1),
                text: Some("a".into()),
                ..say()
            },
            Error::UnknownMessage {
                chat_id: CUSTOMER,
                message_id: 1,
            },
        ),
        (Say::again(5), Error::UnknownUpdate(5)),
    ] {
        assert_eq!(telegram.say(said).await, Err(expected));
    }
    let press = telegram.press(Press::new(anna(), 77, 1, "x")).await;
    assert_eq!(press, Err(Error::UnknownChat(77)));
}

#[tokio::test]
async fn a_press_shows_the_message_as_it_is_now() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    let press = |data: &str| Press::new(anna(), STAFF, card, data);
    desk.telegram.press(press("take:1")).await.expect("a press");
    desk.done(
        "editMessageText",
        json!({"chat_id": STAFF, "message_id": card, "text": "2"}),
    )
    .await;
    desk.telegram
        .press(press("not there"))
        .await
        .expect("a press");
    desk.telegram.delete_message(STAFF, card);
    desk.telegram.press(press("take:1")).await.expect("a press");
    let seen = desk.seen();
    let query = |at: usize| &seen[at]["callback_query"];
    assert_eq!(query(0)["message"]["text"], "card");
    assert_eq!(query(0)["data"], "take:1");
    assert_eq!(query(0)["from"]["id"], 501);
    assert_eq!(query(1)["message"]["text"], "2");
    assert_eq!(query(2)["message"]["date"], 0);
    assert_eq!(query(2)["message"]["text"], Value::Null);
    assert_eq!(query(0)["chat_instance"], query(2)["chat_instance"]);
}

#[tokio::test]
async fn a_press_is_answered_once_and_in_time() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    let too_old = "query is too old and response timeout expired or query ID is invalid";
    let answer = |id: &Value| json!({"callback_query_id": id, "text": "ok"});
    for at in 0..2 {
        desk.telegram
            .press(Press::new(anna(), STAFF, card, "take:1"))
            .await
            .expect("a press");
        let id = desk.seen()[at]["callback_query"]["id"].clone();
        if at == 0 {
            desk.done("answerCallbackQuery", answer(&id)).await;
        } else {
            desk.pass(151);
        }
        assert_eq!(
            desk.refused("answerCallbackQuery", answer(&id)).await,
            too_old
        );
    }
    assert_eq!(
        desk.refused("answerCallbackQuery", answer(&json!("1")))
            .await,
        too_old
    );
}

/// A webhook that answers each press in its response.
fn answer_presses(desk: &Desk) {
    desk.answer_with(|update| {
        let id = &update["callback_query"]["id"];
        let reply =
            json!({"method": "answerCallbackQuery", "callback_query_id": id, "text": "Taken"});
        Some(WebhookAnswer::json(&reply))
    });
}

#[tokio::test]
async fn of_copies_each_carries_an_answer_and_one_is_taken() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    answer_presses(&desk);
    let press = Press {
        copies: Some(3),
        ..Press::new(anna(), STAFF, card, "take:1")
    };
    let results = desk
        .telegram
        .press(press)
        .await
        .expect("a press")
        .into_vec();
    let taken = PressAnswer {
        text: "Taken".into(),
        show_alert: false,
    };
    assert!(
        results
            .iter()
            .all(|result| result.answer.as_ref() == Some(&taken))
    );
    assert!(
        results
            .iter()
            .all(|result| result.update_id == results[0].update_id)
    );
    assert_eq!(results.len(), 3);
    let again = Press::again(results[0].update_id);
    desk.telegram.press(again).await.expect("a repeat");
    assert!(desk.seen().windows(2).all(|pair| pair[0] == pair[1]));
    let carried: Vec<_> = desk
        .telegram
        .requests()
        .into_iter()
        .filter(|line| line.method.starts_with("answer"))
        .collect();
    let statuses: Vec<_> = carried.iter().map(|line| line.status).collect();
    assert_eq!(statuses, [Some(200), Some(400), Some(400), Some(400)]);
    assert!(carried.iter().all(|line| json!(line.via) == "webhook"));
}

#[tokio::test]
async fn a_reply_in_the_response_is_done_once_for_each_response() {
    let desk = Desk::open().await;
    desk.answer_with(|_| {
        let reply = json!({"method": "sendMessage", "chat_id": CUSTOMER, "text": "Your name?"});
        Some(WebhookAnswer::json(&reply))
    });
    let said = desk
        .telegram
        .say(Say::text(customer(), CUSTOMER, "hi"))
        .await
        .expect("a text");
    let said = json!(said);
    assert_eq!(said["status"], 200);
    assert_eq!(said["reply"]["text"], "Your name?");
    let chat = desk.telegram.chat(CUSTOMER).expect("a chat");
    let asked = chat
        .messages
        .iter()
        .filter(|message| message.text == "Your name?")
        .count();
    assert_eq!(asked, 1);
    assert_eq!(desk.telegram.requests().len(), 1);
}

#[tokio::test]
async fn methods_that_telegram_ignores_in_a_response_are_not_done() {
    let desk = Desk::open().await;
    desk.answer_with(|_| Some(WebhookAnswer::json(&json!({"method": "deleteWebhook"}))));
    desk.say("hi").await;
    desk.say("hi").await;
    assert_eq!(desk.seen().len(), 2);
    assert_eq!(desk.telegram.requests()[0].status, None);
}

#[tokio::test]
async fn a_raw_update_goes_as_it_is() {
    let desk = Desk::open().await;
    desk.answer_with(|_| Some(WebhookAnswer::json(&json!({"seen": true}))));
    let raw = |update: Value| RawUpdate {
        update,
        ..RawUpdate::default()
    };
    let update = json!({"update_id": 7, "from_the_future": {"x": 1}});
    let result = desk
        .telegram
        .update(raw(update.clone()))
        .await
        .expect("an update");
    assert_eq!(
        json!(result),
        json!({"update_id": 7, "status": 200, "body": {"seen": true}})
    );
    assert_eq!(desk.seen()[0], update);
    desk.telegram
        .update(raw(json!({"poll": {}})))
        .await
        .expect("an update");
    assert!(desk.seen()[1]["update_id"].is_i64());
    assert!(desk.telegram.update(raw(json!([]))).await.is_err());
    let query = json!({"callback_query": {"id": "q1", "from": User::new(5, "E"), "data": "x"}});
    desk.telegram.update(raw(query)).await.expect("an update");
    desk.done("answerCallbackQuery", json!({"callback_query_id": "q1"}))
        .await;
}
