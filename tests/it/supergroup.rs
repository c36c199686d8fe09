//! A group becomes a supergroup.

use serde_json::{Value, json};

use crate::harness::{ANNA, BORIS, Desk, STAFF, buttons, token};

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_became_a_supergroup_is_followed_by_new_cards_and_presses() {
    let desk = Desk::start_with(|options| {
        let chat = |chat_id| frontdesk_local::StaffChat {
            chat_id,
            title: "Staff".to_owned(),
        };
        options.staff_chats = Some(vec![chat(STAFF)]);
    })
    .await;
    let before = desk.lead(&token(1)).await;
    desk.settle().await;
    let moved = desk.control("migrate", json!({"chat_id": STAFF})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.settle().await;
    let after = desk.lead(&token(2)).await;
    desk.settle().await;
    let cards = desk.messages(moved).await;
    let take = format!("take:{after}");
    let card = cards
        .iter()
        .find(|card| buttons(card).contains(&take))
        .expect("the card is in the new chat");
    let pressed = desk.press_in(moved, ANNA, card, &take).await;
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    desk.settle().await;
    assert_eq!(desk.effect(&after).await["message_chat"], moved);
    assert_eq!(
        desk.effect(&after).await["attempts"],
        1,
        "following used up no attempt"
    );
    assert_eq!(desk.item(&before, "REQ").await["state"], "new");
    // Who writes there as the group itself is told how to.
    let hidden = json!({"chat_id": moved, "chat_type": "supergroup",
        "user": {"id": 1_087_968_824, "first_name": "Group"}, "text": "/list"});
    desk.control("say", hidden).await;
    desk.run_to_quiet(60).await;
    let messages = desk.messages(moved).await;
    let told = messages.last().unwrap()["text"].as_str().unwrap();
    assert!(told.starts_with("You press as an anonymous"), "{told}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_a_card_in_the_former_group_leaves_nothing_due_for_ever() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let old = desk.the_card().await;
    let moved = desk.control("migrate", json!({"chat_id": STAFF})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.settle().await;
    let take = format!("take:{id}");
    let first = desk.press_in(STAFF, ANNA, &old, &take).await;
    assert_eq!(first["answer"]["text"], "It is yours.");
    desk.run_to_quiet(600).await;
    // The card is in the supergroup now, so that this one is a stray out of reach.
    desk.press_in(STAFF, BORIS, &old, &take).await;
    desk.run_to_quiet(3600).await;
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["state"], &effect["due"], &effect["message_chat"]),
        (&json!("done"), &Value::Null, &json!(moved))
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_copies_button_stayed_in_the_former_group_keeps_what_it_showed() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage"}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.run_to_quiet(600).await;
    let [copy, card] = &desk.cards().await[..] else {
        panic!("a card and its copy");
    };
    let take = format!("take:{id}");
    desk.press(ANNA, card, &take).await;
    desk.settle().await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    desk.press(BORIS, copy, &take).await;
    desk.control("migrate", json!({"chat_id": STAFF})).await;
    desk.end_faults().await;
    desk.run_to_quiet(600).await;
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["state"], &effect["message"]),
        (&json!("done"), &card["message_id"])
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_400_that_names_the_supergroup_is_enough_to_follow_it() {
    let desk = Desk::start().await;
    // The service messages are lost: the webhook's table is away while they come.
    desk.fault(json!({"target": "dynamodb", "fault": "status", "value": 500, "times": -1}))
        .await;
    let moved = desk.control("migrate", json!({"chat_id": STAFF})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.end_faults().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let cards = desk.messages(moved).await;
    let take = format!("take:{id}");
    assert_eq!(
        cards
            .iter()
            .filter(|card| buttons(card).contains(&take))
            .count(),
        1
    );
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["attempts"], &effect["message_chat"]),
        (&json!(1), &json!(moved))
    );
    assert_eq!(
        desk.items(&format!("CHAT#desk#{STAFF}")).await[0]["migrated_to"],
        moved
    );
    desk.finish().await;
}
