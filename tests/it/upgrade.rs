//! An older version leaves alone what a newer one has stored or queued.

use serde_json::json;

use crate::harness::{Desk, STAFF, token};

#[tokio::test(flavor = "multi_thread")]
async fn an_effect_of_a_newer_kind_is_left_for_the_newer_version() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let now = desk.local.clock().now();
    let key = |sk: &str| json!({"pk": {"S": format!("REQ#{id}")}, "sk": {"S": sk}});
    for (sk, format) in [("EFF#mail#customer", 1), ("EFF#card#other", 2)] {
        let mut item = key(sk);
        item["v"] = json!({"N": format.to_string()});
        item["state"] = json!({"S": "pending"});
        item["attempts"] = json!({"N": "0"});
        item["due_shard"] = json!({"S": "DUE#1"});
        item["due"] = json!({"N": (now.as_millisecond() - 1000).to_string()});
        item["new_attribute"] = json!({"S": "of the newer version"});
        desk.put_item(item).await;
    }
    desk.sweep().await;
    for sk in ["EFF#mail#customer", "EFF#card#other"] {
        let effect = desk.item(&id, sk).await;
        assert_eq!(
            (&effect["state"], &effect["attempts"]),
            (&json!("pending"), &json!(0)),
            "{sk}"
        );
        let wait = effect["due"].as_i64().unwrap() - desk.local.clock().now().as_millisecond();
        assert!(
            (240_000..=300_000).contains(&wait),
            "{sk}: due again in {wait} ms"
        );
        assert_eq!(effect["new_attribute"], "of the newer version");
    }
    assert_eq!(desk.dead_letters().await, 0);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_newer_version_added_to_a_card_survives_this_ones_writes() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.end_faults().await;
    desk.update_item(
        &format!("REQ#{id}"),
        "EFF#card#staff",
        "SET pace = :v",
        json!({":v": {"N": "7"}}),
    )
    .await;
    desk.update_item(
        &format!("REQ#{id}"),
        "REQ",
        "SET priority = :v",
        json!({":v": {"S": "high"}}),
    )
    .await;
    desk.advance(121).await;
    desk.sweep().await;
    let card = desk.the_card().await;
    desk.press(crate::harness::ANNA, &card, &format!("take:{id}"))
        .await;
    desk.settle().await;
    assert_eq!(desk.effect(&id).await["pace"], 7);
    assert_eq!(desk.item(&id, "REQ").await["priority"], "high");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_of_a_newer_version_stays_one() {
    let desk = Desk::start().await;
    let chat = format!("CHAT#desk#{STAFF}");
    let newer =
        json!({"pk": {"S": chat}, "sk": {"S": "CHAT"}, "v": {"N": "2"}, "mood": {"S": "good"}});
    desk.put_item(newer).await;
    desk.lead(&token(1)).await;
    desk.settle().await;
    desk.the_card().await;
    let stored = &desk.items(&chat).await[0];
    assert!(stored["next_free"].is_i64(), "{stored}");
    assert_eq!((&stored["v"], &stored["mood"]), (&json!(2), &json!("good")));
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_of_a_newer_version_is_left_for_it_and_the_press_comes_again() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    let set_format = async |format: &str| {
        let values = json!({":v": {"N": format}});
        desk.update_item(&format!("REQ#{id}"), "REQ", "SET v = :v", values)
            .await;
    };
    set_format("2").await;
    let pressed = desk
        .press(crate::harness::ANNA, &card, &format!("take:{id}"))
        .await;
    assert_eq!(pressed["status"], 503, "{pressed}");
    assert_eq!(desk.item(&id, "REQ").await["state"], "new");
    // What reads it now knows the format.
    set_format("1").await;
    desk.advance(10).await;
    desk.run_to_quiet(600).await;
    assert_eq!(
        desk.item(&id, "REQ").await["assignee"],
        crate::harness::ANNA
    );
    desk.finish().await;
}
