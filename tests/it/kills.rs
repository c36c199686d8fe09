//! Each function is killed with -9 before and after each of its outgoing calls.

use serde_json::{Value, json};

use crate::harness::{ANNA, Desk, STAFF, buttons, lead, take_buttons, token};

/// The calls of each function on the lead's way, by target and operation, in their order. `budget`
/// holds that there are no others.
pub(crate) const WAY: &[(&str, &str, &str, usize)] = &[
    ("intake", "dynamodb", "TransactWriteItems", 0),
    ("intake", "sqs", "SendMessageBatch", 0),
    ("notifier", "dynamodb", "BatchGetItem", 0),
    ("notifier", "dynamodb", "UpdateItem", 0),
    ("notifier", "dynamodb", "Query", 0),
    ("notifier", "dynamodb", "UpdateItem", 1),
    ("notifier", "telegram", "sendMessage", 0),
    ("notifier", "dynamodb", "UpdateItem", 2),
];

/// The same for a claim, beginning with the press.
pub(crate) const CLAIM: &[(&str, &str, &str, usize)] = &[
    ("webhook", "dynamodb", "BatchGetItem", 0),
    ("webhook", "dynamodb", "TransactWriteItems", 0),
    ("webhook", "sqs", "SendMessageBatch", 0),
    ("notifier", "dynamodb", "BatchGetItem", 1),
    ("notifier", "dynamodb", "Query", 0),
    ("notifier", "dynamodb", "UpdateItem", 0),
    ("notifier", "telegram", "editMessageText", 0),
    ("notifier", "dynamodb", "UpdateItem", 1),
];

fn kill(target: &str, operation: &str, skip: usize, after: bool) -> Value {
    json!({"target": target, "fault": "kill", "match": operation, "skip": skip, "after": after})
}

async fn assert_killed(desk: &Desk, what: &str) {
    let faults: Value = desk.get("/_local/faults").await.json().await.unwrap();
    assert!(
        faults.to_string().contains(r#""hits":1"#),
        "{what}: nobody was killed: {faults}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_survives_a_kill_before_and_after_each_call() {
    for (function, target, operation, skip) in WAY {
        for after in [false, true] {
            let what = format!("{function} {operation} {skip} after: {after}");
            let desk = Desk::start().await;
            desk.fault(kill(target, operation, *skip, after)).await;
            let (status, _) = desk.submit(&token(1), &lead()).await;
            if *function == "intake" {
                assert_eq!(
                    status, 502,
                    "{what}: nothing is claimed that was not confirmed"
                );
                // The customer's browser sends it again.
                desk.lead(&token(1)).await;
            }
            desk.run_to_quiet(3600).await;
            assert_killed(&desk, &what).await;
            let id = desk.lead(&token(1)).await;
            let effect = desk.effect(&id).await;
            assert_eq!(effect["state"], "done", "{what}: {effect}");
            let unknowns = effect["unknowns"].as_u64().unwrap();
            let cards = desk.cards().await;
            assert!(
                (1..=1 + unknowns).contains(&(cards.len() as u64)),
                "{what}: {cards:#?}"
            );
            let openly =
                *function == "notifier" && *operation != "BatchGetItem" && *operation != "Query";
            assert!(unknowns == 0 || openly, "{what}: {effect}");
            assert_eq!(desk.dead_letters().await, 0, "{what}");
            desk.finish().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_survives_a_kill_before_and_after_each_call() {
    for (function, target, operation, skip) in CLAIM {
        for after in [false, true] {
            let what = format!("{function} {operation} {skip} after: {after}");
            let desk = Desk::start().await;
            let id = desk.lead(&token(1)).await;
            desk.settle().await;
            let card = desk.the_card().await;
            // The first read of the way is the webhook's own; the notifier's is the one after it.
            desk.fault(kill(target, operation, *skip, after)).await;
            let pressed = desk.press(ANNA, &card, &format!("take:{id}")).await;
            if *function == "webhook" {
                assert_eq!(pressed["status"], 502, "{what}: {pressed}");
            }
            desk.advance(5).await;
            desk.run_to_quiet(3600).await;
            assert_killed(&desk, &what).await;
            let repeat = desk
                .control(
                    "press",
                    json!({
                        "chat_id": STAFF, "user": {"id": ANNA, "first_name": "Anna"},
                        "message_id": card["message_id"], "callback_data": format!("take:{id}"),
                        "update_id": pressed["update_id"],
                    }),
                )
                .await;
            assert_eq!(repeat["answer"]["text"], "It is yours.", "{what}");
            let only = desk.the_card().await;
            assert_eq!(take_buttons(&only), [] as [&str; 0], "{what}");
            let effect = desk.effect(&id).await;
            assert_eq!(
                (&effect["state"], &effect["unknowns"]),
                (&json!("done"), &json!(0)),
                "{what}"
            );
            assert_eq!(desk.item(&id, "REQ").await["version"], 2, "{what}");
            desk.finish().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sweep_survives_a_kill_before_and_after_each_call() {
    for (target, operation) in [
        ("dynamodb", "Query"),
        ("dynamodb", "UpdateItem"),
        ("sqs", "SendMessageBatch"),
    ] {
        for after in [false, true] {
            let what = format!("clock {operation} after: {after}");
            let desk = Desk::start().await;
            desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
                .await;
            let id = desk.lead(&token(1)).await;
            desk.end_faults().await;
            desk.advance(121).await;
            desk.fault(kill(target, operation, 0, after)).await;
            let tick = desk
                .post("/_local/tick")
                .json(&json!({"schedule": "sweep"}))
                .send()
                .await
                .unwrap();
            let _ = tick.text().await;
            assert_killed(&desk, &what).await;
            desk.run_to_quiet(3600).await;
            assert_eq!(
                buttons(&desk.the_card().await),
                [format!("take:{id}")],
                "{what}"
            );
            assert_eq!(desk.effect(&id).await["state"], "done", "{what}");
            desk.finish().await;
        }
    }
}
