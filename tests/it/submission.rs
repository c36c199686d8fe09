//! What a submission becomes, and its repeats.

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
