//! Cards are pressed.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{ANNA, BORIS, Desk, STAFF, take_buttons, token};

#[tokio::test(flavor = "multi_thread")]
async fn a_press_claims_the_lead_and_the_card_says_who_has_it() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    let pressed = desk.press(ANNA, &card, &format!("take:{id}")).await;
    assert_eq!(pressed["status"], 200);
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    desk.settle().await;

    let card = desk.the_card().await;
    assert!(card["text"].as_str().unwrap().contains("Taken by Anna"));
    assert_eq!(take_buttons(&card), [] as [&str; 0]);
    let request = desk.item(&id, "REQ").await;
    assert_eq!(
        (&request["state"], &request["assignee"]),
        (&json!("in_work"), &json!(ANNA))
    );
    assert_eq!(request["version"], 2);
    let entry = desk.item(&id, "LOG#0000000002").await;
    assert_eq!(
        (&entry["from"], &entry["to"], &entry["actor"]),
        (&json!("new"), &json!("in_work"), &json!(ANNA))
    );

    let late = desk.press(BORIS, &card, &format!("take:{id}")).await;
    assert_eq!(late["answer"]["text"], "Already taken by Anna.");
    let again = desk.press(ANNA, &card, &format!("take:{id}")).await;
    assert_eq!(again["answer"]["text"], "You have it already.");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_presses_at_once_by_two_people_are_one_claim_and_sixty_four_answers() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    let data = format!("take:{id}");
    let press = |n: usize| {
        let user = if n.is_multiple_of(2) { ANNA } else { BORIS };
        let update = json!({"update": {
            "update_id": 5_000_000 + n,
            "callback_query": {
                "id": format!("press-{n}"), "chat_instance": "1", "data": data,
                "from": {"id": user, "is_bot": false, "first_name": "Somebody"},
                "message": {"message_id": card["message_id"], "date": 1_800_000_000,
                            "chat": {"id": STAFF, "type": "supergroup", "title": "Staff"}},
            },
        }, "copies": 1});
        let desk = &desk;
        async move { desk.control("update", update).await }
    };
    let answers = join_all((0..64).map(press)).await;
    let texts: Vec<String> = answers
        .iter()
        .map(|answer| {
            let answer = answer["results"].get(0).unwrap_or(answer);
            assert_eq!(answer["status"], 200, "{answer}");
            let body: Value = match &answer["body"] {
                Value::String(body) => serde_json::from_str(body).unwrap(),
                body => body.clone(),
            };
            assert_eq!(body["method"], "answerCallbackQuery", "{answer}");
            body["text"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        texts.iter().filter(|text| *text == "It is yours.").count(),
        1,
        "{texts:?}"
    );
    let known = |text: &String| {
        [
            "It is yours.",
            "You have it already.",
            "Already taken by Anna.",
            "Already taken by Boris.",
        ]
        .contains(&text.as_str())
    };
    assert!(texts.iter().all(known), "{texts:?}");
    desk.settle().await;
    assert_eq!(take_buttons(&desk.the_card().await), [] as [&str; 0]);
    let history = desk.items(&format!("REQ#{id}")).await;
    let entries = history
        .iter()
        .filter(|item| item["sk"].as_str().unwrap().starts_with("LOG#"))
        .count();
    assert_eq!(entries, 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn presses_that_must_not_claim_are_refused_politely() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    let take = format!("take:{id}");
    let press = |user: i64, chat: Value, data: Value| {
        let mut query = json!({
            "id": "q", "chat_instance": "1", "from": {"id": user, "is_bot": false, "first_name": "S"},
        });
        if !chat.is_null() {
            query["message"] = json!({"message_id": card["message_id"], "date": 0, "chat": {"id": chat, "type": "group"}});
        }
        if !data.is_null() {
            query["data"] = data;
        }
        let desk = &desk;
        async move {
            desk.control("update", json!({"update": {"callback_query": query}}))
                .await
        }
    };
    for (what, user, chat, data, says) in [
        (
            "an anonymous administrator",
            1_087_968_824,
            json!(STAFF),
            json!(take),
            "anonymous",
        ),
        (
            "Telegram itself",
            777_000,
            json!(STAFF),
            json!(take),
            "cannot tell",
        ),
        (
            "a stranger",
            9_999,
            json!(STAFF),
            json!(take),
            "Only the desk's staff",
        ),
        (
            "another chat",
            ANNA,
            json!(-5),
            json!(take),
            "staff's own chat",
        ),
        (
            "no message",
            ANNA,
            Value::Null,
            json!(take),
            "staff's own chat",
        ),
        (
            "no data",
            ANNA,
            json!(STAFF),
            Value::Null,
            "no longer works",
        ),
        (
            "odd data",
            ANNA,
            json!(STAFF),
            json!("take:' OR 1=1"),
            "no longer works",
        ),
        (
            "no such lead",
            ANNA,
            json!(STAFF),
            json!("take:00000000000000"),
            "no such request",
        ),
    ] {
        let result = press(user, chat, data).await;
        assert_eq!(result["status"], 200, "{what}: {result}");
        let body = result["body"].to_string();
        assert!(
            body.contains("answerCallbackQuery") && body.contains(says),
            "{what}: {body}"
        );
        assert_eq!(desk.item(&id, "REQ").await["state"], "new", "{what}");
    }
    // The same press from the right person in the right place, on a message no longer accessible.
    let right = press(ANNA, json!(STAFF), json!(take)).await;
    assert!(
        right["body"].to_string().contains("It is yours."),
        "{right}"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_copy_of_a_press_gets_the_first_reply_and_changes_nothing_more() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    let first = desk.press(ANNA, &card, &format!("take:{id}")).await;
    let update_id = first["update_id"].clone();
    let copies = desk
        .control("press", json!({
            "chat_id": STAFF, "user": {"id": ANNA, "first_name": "Anna"}, "message_id": card["message_id"],
            "callback_data": format!("take:{id}"), "update_id": update_id, "copies": 16,
        }))
        .await;
    let results = copies["results"].as_array().unwrap();
    assert_eq!(results.len(), 16);
    for copy in results {
        assert_eq!(
            (&copy["status"], &copy["answer"]["text"]),
            (&json!(200), &json!("It is yours.")),
            "{copy}"
        );
    }
    desk.settle().await;
    assert_eq!(desk.item(&id, "REQ").await["version"], 2);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_whose_twin_meets_a_conflict_still_gets_the_first_reply() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.fault(json!({"target": "dynamodb", "fault": "conflict", "match": "TransactWriteItems", "times": 2})).await;
    let first = desk.press(ANNA, &card, &format!("take:{id}")).await;
    assert_eq!(first["answer"]["text"], "It is yours.");
    desk.fault(json!({"target": "dynamodb", "fault": "throttle", "match": "TransactWriteItems", "times": 1})).await;
    let twin = desk
        .control("press", json!({
            "chat_id": STAFF, "user": {"id": ANNA, "first_name": "Anna"}, "message_id": card["message_id"],
            "callback_data": format!("take:{id}"), "update_id": first["update_id"],
        }))
        .await;
    assert_eq!(twin["answer"]["text"], "It is yours.");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_during_the_cards_first_send_ends_as_one_card_without_the_button() {
    let desk = Desk::start().await;
    desk.lead(&token(0)).await;
    desk.settle().await;
    let earlier = desk.the_card().await;
    desk.fault(
        json!({"target": "telegram", "fault": "delay", "value": 1500, "match": "sendMessage"}),
    )
    .await;
    let id = desk.lead(&token(1)).await;
    crate::harness::eventually("the send begins", async || {
        desk.effect(&id).await["state"] == "sending"
    })
    .await;
    // The stand-in shows the message only after the delay; the press names the id that it will have.
    let next = earlier["message_id"].as_i64().unwrap() + 1;
    let pressed = desk.press_unseen(ANNA, next, &format!("take:{id}")).await;
    assert!(
        pressed["body"].to_string().contains("It is yours."),
        "{pressed}"
    );
    desk.run_to_quiet(600).await;
    let cards = desk.cards().await;
    assert_eq!(cards.len(), 2, "{cards:#?}");
    let card = cards
        .iter()
        .find(|card| card["message_id"] == next)
        .unwrap();
    assert_eq!(take_buttons(card), [] as [&str; 0]);
    assert!(card["text"].as_str().unwrap().contains("Taken by Anna"));
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["state"], &effect["shown"], &effect["want"]),
        (&json!("done"), &json!(2), &json!(2))
    );
    assert!(
        effect["due"].is_null() && effect["strays"].is_null(),
        "{effect}"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_on_a_deleted_card_stands_and_a_fresh_card_comes_once() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.control(
        "delete_message",
        json!({"chat_id": STAFF, "message_id": card["message_id"]}),
    )
    .await;
    let pressed = desk.press(ANNA, &card, &format!("take:{id}")).await;
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    desk.run_to_quiet(600).await;
    let fresh = desk.the_card().await;
    assert_ne!(fresh["message_id"], card["message_id"]);
    assert!(fresh["text"].as_str().unwrap().contains("Taken by Anna"));
    assert_eq!(desk.effect(&id).await["resends"], 1);
    desk.finish().await;
}
