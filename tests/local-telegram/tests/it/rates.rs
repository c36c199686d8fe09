use frontdesk_local_telegram::Rates;
use serde_json::json;

use crate::desk::{CUSTOMER, Desk, STAFF};

#[tokio::test]
async fn a_group_takes_twenty_messages_a_minute() {
    let desk = Desk::open().await;
    for _ in 0..20 {
        desk.card().await;
    }
    let card = json!({"chat_id": STAFF, "text": "one more"});
    let answer = desk.call("sendMessage", card.clone()).await;
    assert_eq!(answer.status, 429);
    let seconds = answer.retry_after.expect("a header");
    assert!((59..=60).contains(&seconds));
    assert_eq!(answer.body["error_code"], 429);
    assert_eq!(answer.body["parameters"]["retry_after"], seconds);
    let text = format!("Too Many Requests: retry after {seconds}");
    assert_eq!(answer.description(), Some(text.as_str()));

    desk.done(
        "sendMessage",
        json!({"chat_id": CUSTOMER, "text": "others go on"}),
    )
    .await;
    desk.pass(seconds - 2);
    assert_eq!(
        desk.call("sendMessage", card.clone()).await.retry_after,
        Some(2)
    );
    desk.pass(2);
    desk.done("sendMessage", card).await;
}

#[tokio::test]
async fn edits_do_not_count() {
    let desk = Desk::open().await;
    desk.telegram.set_rates(Rates {
        per_group_per_minute: 1,
        ..Rates::NONE
    });
    let card = desk.card().await;
    for round in 0..5 {
        let params = json!({"chat_id": STAFF, "message_id": card, "text": format!("{round}")});
        desk.done("editMessageText", params).await;
    }
    assert_eq!(
        desk.call("sendMessage", json!({"chat_id": STAFF, "text": "x"}))
            .await
            .status,
        429
    );
}

#[tokio::test]
async fn a_bot_sends_so_many_messages_a_second() {
    let desk = Desk::open().await;
    desk.telegram.set_rates(Rates {
        bot_per_second: 2,
        ..Rates::NONE
    });
    desk.card().await;
    desk.done("sendMessage", json!({"chat_id": CUSTOMER, "text": "x"}))
        .await;
    let answer = desk
        .call("sendMessage", json!({"chat_id": STAFF, "text": "x"}))
        .await;
    assert_eq!(answer.retry_after, Some(1));
    desk.pass(1);
    desk.card().await;
}

#[tokio::test]
async fn nothing_is_limited_when_the_limits_are_nought() {
    let desk = Desk::open().await;
    desk.telegram.set_rates(Rates::NONE);
    for _ in 0..200 {
        desk.card().await;
    }
}
