//! Each chat's rate is kept by pacing, and nobody waits for somebody else's chat.

use futures_util::future::join_all;
use serde_json::json;

use crate::harness::{ANNA, Desk, buttons, token};

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_of_leads_reaches_one_group_at_its_own_pace_without_loss_or_repeat() {
    let leads = std::env::var("FRONTDESK_LEADS").map_or(120, |leads| leads.parse().unwrap());
    let desk = Desk::start().await;
    let begun = desk.local.clock().now();
    let ids = join_all((0..leads).map(async |n| desk.lead(&token(n)).await)).await;
    desk.run_to_quiet(2 * 3600).await;
    let cards = desk.cards().await;
    let shown: Vec<_> = cards.iter().flat_map(buttons).collect();
    assert_eq!(cards.len(), leads);
    for id in &ids {
        assert!(shown.contains(&format!("take:{id}")), "{id}");
    }
    let requests = desk.requests().await;
    let refused = requests
        .iter()
        .filter(|request| request["status"] == 429)
        .count();
    // A message may be late by its delay's rounding, so that two meet; that is waited for.
    assert!(refused <= leads / 50, "{refused} were refused with 429");
    let last = cards
        .iter()
        .map(|card| card["date"].as_i64().unwrap())
        .max()
        .unwrap();
    let took = last - begun.as_second();
    let received = desk.queue("frontdesk-outbox").await["received"]
        .as_u64()
        .unwrap();
    println!("{leads} cards in {took} s, {received} receives, {refused} refused with 429");
    // At 20 a minute each takes three seconds; a tenth more is allowed.
    assert!(took * 10 <= i64::try_from(leads).unwrap() * 33, "{took} s");
    assert!(
        received * 10 <= u64::try_from(leads).unwrap() * 22,
        "{received} receives"
    );
    assert_eq!(desk.dead_letters().await, 0);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claims_edit_does_not_wait_behind_new_cards() {
    let desk = Desk::start().await;
    let first = desk.lead(&token(0)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    join_all((1..40).map(async |n| desk.lead(&token(n)).await)).await;
    desk.settle().await;
    let waiting = desk.queue("frontdesk-outbox").await["delayed"]
        .as_u64()
        .unwrap();
    assert!(
        waiting > 20,
        "most still wait for their slots, but {waiting}"
    );
    desk.press(ANNA, &card, &format!("take:{first}")).await;
    desk.settle().await;
    let still = desk.queue("frontdesk-outbox").await["delayed"]
        .as_u64()
        .unwrap();
    assert!(still > 10, "the edit went past those who wait, but {still}");
    assert_eq!(desk.effect(&first).await["shown"], 2);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slot_inside_a_429s_wait_is_taken_anew_behind_it() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 300}))
        .await;
    join_all((0..5).map(async |n| desk.lead(&token(n)).await)).await;
    desk.settle().await;
    desk.advance(200).await;
    desk.sweep().await;
    assert_eq!(
        desk.requests().await.len(),
        1,
        "nothing goes to the chat during its wait"
    );
    desk.run_to_quiet(900).await;
    assert_eq!(desk.cards().await.len(), 5);
    let refused = desk
        .requests()
        .await
        .iter()
        .filter(|request| request["status"] == 429)
        .count();
    assert_eq!(refused, 1);
    desk.finish().await;
}
