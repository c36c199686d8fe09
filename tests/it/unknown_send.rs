//! A request went out and no answer came.

use serde_json::json;

use crate::harness::{ANNA, BORIS, Desk, take_buttons, token};

#[tokio::test(flavor = "multi_thread")]
async fn a_send_without_an_answer_is_openly_unknown_and_repeated_with_a_word() {
    for fault in [
        json!({"fault": "lose_answer"}),
        json!({"fault": "status", "value": 502}),
        json!({"fault": "drop"}),
        json!({"fault": "delay", "value": 11_000}),
    ] {
        let desk = Desk::start().await;
        let mut lost = json!({"target": "telegram", "match": "sendMessage"});
        lost.as_object_mut()
            .unwrap()
            .extend(fault.as_object().unwrap().clone());
        desk.fault(lost).await;
        let id = desk.lead(&token(1)).await;
        desk.settle().await;
        let effect = desk.effect(&id).await;
        assert_eq!(
            (&effect["state"], &effect["unknowns"]),
            (&json!("unknown"), &json!(1)),
            "{fault}"
        );
        assert_eq!(effect["list_pk"], "effect#unknown", "{fault}");
        desk.run_to_quiet(600).await;
        let effect = desk.effect(&id).await;
        assert_eq!(
            (&effect["state"], &effect["attempts"]),
            (&json!("done"), &json!(2)),
            "{fault}"
        );
        let cards = desk.cards().await;
        assert!(
            cards.len() <= 2,
            "at most one for the send and one for the unknown"
        );
        let last = cards.last().unwrap()["text"].as_str().unwrap();
        assert!(last.starts_with("This may be a repeat"), "{fault}: {last}");
        assert_eq!(desk.dead_letters().await, 0);
        desk.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_a_copy_from_an_unknown_send_counts_and_the_copys_button_goes() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage"}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.run_to_quiet(600).await;
    let cards = desk.cards().await;
    assert_eq!(cards.len(), 2);
    let pressed = desk.press(BORIS, &cards[0], &format!("take:{id}")).await;
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    desk.run_to_quiet(600).await;
    for card in desk.cards().await {
        assert_eq!(take_buttons(&card), [] as [&str; 0], "{card}");
        assert!(card["text"].as_str().unwrap().contains("Taken by Boris"));
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_429_when_a_copys_button_is_taken_off_is_waited_for() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage"}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.run_to_quiet(600).await;
    let copy = desk.cards().await.swap_remove(0);
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 600, "match": "editMessageText", "skip": 1}))
        .await;
    desk.press(BORIS, &copy, &format!("take:{id}")).await;
    desk.settle_but_for_the_clock().await;
    desk.sends_nothing_for(9).await;
    desk.run_to_quiet(600).await;
    for card in desk.cards().await {
        assert_eq!(take_buttons(&card), [] as [&str; 0], "{card}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_while_the_send_is_unknown_makes_that_message_the_card() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage"}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    desk.run_to_quiet(600).await;
    let only = desk.the_card().await;
    assert_eq!(
        only["message_id"], card["message_id"],
        "nothing was sent again"
    );
    assert_eq!(take_buttons(&only), [] as [&str; 0]);
    assert_eq!(desk.effect(&id).await["unknowns"], 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_without_an_answer_is_simply_repeated() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "editMessageText"}))
        .await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    desk.run_to_quiet(600).await;
    assert!(
        desk.the_card().await["text"]
            .as_str()
            .unwrap()
            .contains("Taken by Anna")
    );
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["state"], &effect["unknowns"]),
        (&json!("done"), &json!(0))
    );
    // The second edit found the message as it should be, which is success.
    let not_modified = |request: &serde_json::Value| {
        request["response"]["description"]
            .as_str()
            .is_some_and(|text| text.contains("not modified"))
    };
    assert!(desk.requests().await.iter().any(not_modified));
    desk.finish().await;
}
