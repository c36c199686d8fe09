//! What becomes of a confirmed request and of what its customer is told.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::customer::{Customer, data_of};
use crate::dialog::{fill, the_request};
use crate::harness::{Desk, STAFF};

const VERA: i64 = 7001;

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_who_blocked_the_bot_shows_on_the_card_and_is_reachable_after_start() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    desk.fault(
        json!({"target": "telegram", "fault": "status", "value": 403,
        "description": "Forbidden: bot was blocked by the user", "chat_id": VERA, "times": -1}),
    )
    .await;
    vera.presses("Send").await;
    desk.run_to_quiet(600).await;
    let (id, request) = the_request(&desk, &vera).await;
    assert_eq!(request["unreachable"], 1);
    let effect = desk.item(&id, &format!("EFF#confirmation#{VERA}")).await;
    assert_eq!(
        (&effect["state"], &effect["error"], &effect["attempts"]),
        (&json!("failed"), &json!("blocked_by_user"), &json!(1))
    );
    assert!(
        effect["list_pk"].is_null() && effect["due"].is_null(),
        "{effect}"
    );
    assert_eq!(desk.dead_letters().await, 0, "nobody's mistake");
    let card = desk.the_card().await["text"].as_str().unwrap().to_owned();
    assert!(card.contains("Cannot be reached in Telegram"), "{card}");

    desk.end_faults().await;
    vera.writes("/start").await;
    desk.run_to_quiet(600).await;
    let card = desk.the_card().await["text"].as_str().unwrap().to_owned();
    assert!(!card.contains("Cannot be reached"), "{card}");
    assert_eq!(desk.item(&id, "REQ").await["unreachable"], 0);

    // The same by Telegram's own word.
    fill(&vera).await;
    desk.settle().await;
    vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    let unreachable = async || {
        let cards = desk.cards().await;
        let text = cards[1]["text"].as_str().unwrap();
        text.contains("Cannot be reached")
    };
    for (status, expected) in [("kicked", true), ("kicked", true), ("member", false)] {
        vera.membership(status).await;
        desk.run_to_quiet(60).await;
        assert_eq!(unreachable().await, expected, "{status}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_a_customer_can_be_reached_stands_on_the_last_request_while_the_next_is_written() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    let (id, _) = the_request(&desk, &vera).await;
    vera.presses("New request").await;
    let unreachable = async || desk.item(&id, "REQ").await["unreachable"].clone();
    assert_ne!(unreachable().await, 1);

    // What is shown is refused, and the customer comes back.
    desk.fault(
        json!({"target": "telegram", "fault": "status", "value": 403,
        "description": "Forbidden: bot was blocked by the user", "chat_id": VERA, "times": -1}),
    )
    .await;
    vera.presses("Support").await;
    desk.run_to_quiet(60).await;
    assert_eq!(unreachable().await, 1);
    desk.end_faults().await;
    vera.writes("/start").await;
    assert_eq!(unreachable().await, 0);

    // Telegram says that the customer has blocked the bot.
    vera.membership("kicked").await;
    assert_eq!(unreachable().await, 1);
    desk.run_to_quiet(60).await;
    let card = desk.the_card().await["text"].as_str().unwrap().to_owned();
    assert!(card.contains("Cannot be reached"), "{card}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_without_an_answer_stays_unknown_and_is_not_repeated() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage", "chat_id": VERA}))
        .await;
    vera.presses("Send").await;
    desk.run_to_quiet(2 * 60 * 60).await;
    let (id, _) = the_request(&desk, &vera).await;
    let effect = desk.item(&id, &format!("EFF#confirmation#{VERA}")).await;
    assert_eq!(
        (&effect["state"], &effect["unknowns"], &effect["attempts"]),
        (&json!("unknown"), &json!(1), &json!(1))
    );
    assert!(effect["due"].is_null(), "{effect}");
    assert_eq!(effect["list_pk"], "effect#unknown", "the staff see it");
    let messages = vera.messages().await;
    let thanks = messages.iter().filter(|message| {
        message["text"]
            .as_str()
            .is_some_and(|text| text.contains("Thank you!"))
    });
    assert_eq!(thanks.count(), 1);
    desk.finish().await;
}

/// A conversation that is ready to be confirmed, with a file.
async fn ready(desk: &Desk) -> (Customer<'_>, Value) {
    let vera = Customer::new(desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    vera.presses("Change: Brief").await;
    vera.does(json!({"photo": {"file_size": 1}})).await;
    vera.presses("Go on").await;
    desk.settle().await;
    let panel = vera.panel().await;
    (vera, panel)
}

async fn confirm(desk: &Desk, vera: &Customer<'_>, panel: &Value) {
    let press = json!({"chat_id": VERA, "user": vera.user(), "message_id": panel["message_id"],
        "callback_data": data_of(panel, "Send")});
    desk.control("press", press).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirmation_survives_a_kill_before_and_after_each_call() {
    // The webhook's own calls, and each message to Telegram: the panel, the card, the confirmation and
    // the file. What lies between them is the same for every effect.
    let calls = [
        ("dynamodb", "Query", 0),
        ("dynamodb", "TransactWriteItems", 0),
        ("sqs", "SendMessageBatch", 0),
        ("telegram", "editMessageText", 0),
        ("telegram", "sendMessage", 0),
        ("telegram", "sendMessage", 1),
        ("telegram", "sendPhoto", 0),
    ];
    let points: Vec<_> = calls
        .into_iter()
        .flat_map(|(target, operation, skip)| {
            [false, true].map(|after| (target, operation, skip, after))
        })
        .collect();
    for points in points.chunks(7) {
        join_all(points.iter().map(|point| async move {
            let (target, operation, skip, after) = point;
            let what = format!("{target} {operation} {skip} after: {after}");
            let desk = Desk::start().await;
            let (vera, panel) = ready(&desk).await;
            desk.fault(
                json!({"target": target, "fault": "kill", "match": operation,
                "skip": skip, "after": after}),
            )
            .await;
            confirm(&desk, &vera, &panel).await;
            desk.run_to_quiet(3600).await;
            assert_eq!(vera.draft().await["draft"]["phase"], "sent", "{what}");
            let (id, _) = the_request(&desk, &vera).await;
            let items = desk.items(&format!("REQ#{id}")).await;
            let mut unknowns = 0;
            for effect in items
                .iter()
                .filter(|item| item["sk"].as_str().unwrap().starts_with("EFF#"))
            {
                let key = effect["sk"].as_str().unwrap();
                let customers = key.starts_with("EFF#confirmation");
                let is_unknown = customers && effect["state"] == "unknown";
                assert!(is_unknown || effect["state"] == "done", "{what}: {effect}");
                unknowns += effect["unknowns"].as_u64().unwrap();
            }
            let staff = desk.messages(STAFF).await.len() as u64;
            assert!(
                (2..=2 + unknowns).contains(&staff),
                "{what}: {staff} messages"
            );
            let thanks = vera.messages().await;
            let thanks = thanks.iter().filter(|message| {
                message["text"]
                    .as_str()
                    .is_some_and(|text| text.contains("Thank you!"))
            });
            assert!(thanks.count() as u64 + unknowns >= 1, "{what}");
            assert_eq!(desk.dead_letters().await, 0, "{what}");
            desk.finish().await;
        }))
        .await;
    }
}
