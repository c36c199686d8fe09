//! A warning when something turns bad, none while it stays so, and a word when it is good again.

use serde_json::{Value, json};

use crate::harness::{Desk, STAFF, token};

async fn refuse_sends(desk: &Desk, description: &str, code: u64) {
    desk.fault(
        json!({"target": "telegram", "match": "sendMessage", "fault": "status", "value": code,
        "description": description, "times": -1}),
    )
    .await;
}

/// A lead whose card is refused for good.
async fn give_one_up(desk: &Desk, n: usize) {
    refuse_sends(desk, "Bad Request: some reason", 400).await;
    desk.lead(&token(n)).await;
    desk.settle().await;
    desk.end_faults().await;
}

async fn wait_for_warnings(desk: &Desk) -> Vec<String> {
    desk.sweep().await;
    desk.advance(10).await;
    desk.settle().await;
    desk.notices().await
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_letters_are_told_once_and_again_when_there_are_none() {
    let desk = Desk::start().await;
    give_one_up(&desk, 1).await;
    let told = wait_for_warnings(&desk).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("⚠️ Given up after all attempts: 1."),
        "{told:?}"
    );
    for _ in 0..5 {
        desk.advance(60).await;
        assert_eq!(wait_for_warnings(&desk).await.len(), 1, "not again");
    }
    let moved = desk
        .control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    assert_eq!(moved["moved"], 1);
    desk.settle().await;
    let told = wait_for_warnings(&desk).await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[1], "✅ Nothing is given up any more.");
    assert_eq!(wait_for_warnings(&desk).await.len(), 2);
    assert_eq!(desk.cards().await.len(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warning_counts_as_told_only_when_it_is_delivered() {
    let desk = Desk::start().await;
    give_one_up(&desk, 1).await;
    desk.fault(json!({"target": "telegram", "fault": "refuse", "times": -1}))
        .await;
    desk.sweep().await;
    let effect = |items: Vec<Value>| {
        items
            .into_iter()
            .find(|item| item["sk"] == "EFF#warning#staff")
            .unwrap()
    };
    let warning = effect(desk.items("ALERT#dead_letters").await);
    assert_eq!(
        (&warning["want"], &warning["shown"]),
        (&json!(1), &json!(0)),
        "{warning}"
    );
    desk.end_faults().await;
    desk.run_to_quiet(600).await;
    let warning = effect(desk.items("ALERT#dead_letters").await);
    assert_eq!(
        (&warning["state"], &warning["shown"]),
        (&json!("done"), &json!(1))
    );
    assert_eq!(desk.notices().await.len(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_turned_bad_and_good_again_while_nobody_could_be_told_is_not_told() {
    let desk = Desk::start().await;
    give_one_up(&desk, 1).await;
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 1200}))
        .await;
    desk.sweep().await;
    desk.control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    desk.settle().await;
    desk.run_to_quiet(3600).await;
    desk.sweep().await;
    desk.run_to_quiet(3600).await;
    assert_eq!(desk.cards().await.len(), 1);
    let alert = desk.items("ALERT#dead_letters").await;
    assert_eq!(alert[0]["version"], 2, "{alert:?}");
    assert_eq!(desk.notices().await, [] as [String; 0]);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_have_been_warned_is_told_that_it_is_good_again() {
    let desk = Desk::start().await;
    give_one_up(&desk, 1).await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage"}))
        .await;
    let warned = wait_for_warnings(&desk).await;
    assert_eq!(warned.len(), 1, "{warned:?}");
    desk.control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    desk.settle().await;
    desk.sweep().await;
    desk.run_to_quiet(600).await;
    let told = desk.notices().await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("⚠️"), "{told:?}");
    assert!(
        told[1].ends_with("✅ Nothing is given up any more."),
        "{told:?}"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warning_that_is_redriven_says_that_it_may_be_a_repeat() {
    let desk = Desk::start().await;
    give_one_up(&desk, 1).await;
    let lost =
        json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage", "times": -1});
    desk.fault(lost).await;
    desk.sweep().await;
    desk.run_to_quiet(8 * 3600).await;
    let warning = async || {
        let items = desk.items("ALERT#dead_letters").await;
        let warning = items
            .into_iter()
            .find(|item| item["sk"] == "EFF#warning#staff");
        warning.unwrap()
    };
    assert_eq!(warning().await["state"], "failed");
    let told = async || {
        let mut notices = desk.notices().await;
        notices.retain(|told| told.contains("Given up after all attempts"));
        notices
    };
    let before = told().await.len();
    desk.end_faults().await;
    desk.announce("ALERT#dead_letters", "EFF#warning#staff")
        .await;
    desk.settle_but_for_the_clock().await;
    desk.advance(10).await;
    desk.settle_but_for_the_clock().await;
    assert_eq!(warning().await["state"], "done");
    let told = told().await;
    assert_eq!(told.len(), before + 1);
    let unmarked = told.iter().filter(|told| told.starts_with("⚠️")).count();
    assert_eq!(unmarked, 1, "{told:?}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_wait_for_half_an_hour_are_told_of_when_they_can_be() {
    let desk = Desk::start().await;
    desk.lead(&token(0)).await;
    desk.settle().await;
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 2700}))
        .await;
    desk.lead(&token(1)).await;
    desk.settle().await;
    desk.advance(1790).await;
    desk.sweep().await;
    assert_eq!(desk.items("ALERT#delay").await, [] as [Value; 0]);
    desk.advance(60).await;
    desk.sweep().await;
    let alert = desk.items("ALERT#delay").await;
    assert_eq!(alert[0]["version"], 1, "{alert:?}");
    desk.run_to_quiet(3600).await;
    let told = wait_for_warnings(&desk).await;
    assert!(
        told.len() <= 2 && told.len() != 1,
        "both or neither: {told:?}"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_staff_chat_that_cannot_be_reached_is_measured_and_floods_nobody() {
    let desk = Desk::start().await;
    refuse_sends(
        &desk,
        "Forbidden: bot was kicked from the supergroup chat",
        403,
    )
    .await;
    desk.lead(&token(1)).await;
    desk.settle().await;
    for _ in 0..10 {
        desk.sweep().await;
        desk.advance(60).await;
    }
    let asked = desk
        .requests()
        .await
        .iter()
        .filter(|request| request["method"] == "sendMessage")
        .count();
    assert_eq!(asked, 1, "no notice about it goes where it cannot arrive");
    assert_eq!(desk.dead_letters().await, 1);
    let lost = |line: &String| line.contains(r#""UnreachableChats":1"#);
    assert!(desk.local.logs().iter().any(lost), "the alarm's metric");

    // Somebody lets the bot in again; what was given up is redriven.
    desk.end_faults().await;
    desk.control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    desk.settle().await;
    desk.sweep().await;
    desk.advance(60).await;
    desk.sweep().await;
    assert_eq!(desk.cards().await.len(), 1);
    assert_eq!(desk.notices().await, [] as [String; 0], "it is good again");
    let chat = desk.items(&format!("CHAT#desk#{STAFF}")).await;
    assert_eq!(chat[0]["unreachable_since"], Value::Null, "{chat:?}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_somebody_turned_away_is_put_right_and_told() {
    let url = "https://example.lambda-url.us-east-1.on.aws/telegram/desk";
    let desk = Desk::start_with(|options| options.webhook_url = Some(url.to_owned())).await;
    desk.sweep().await;
    let looks = async || {
        let asked = desk.requests().await;
        let looks = asked
            .iter()
            .filter(|request| request["method"] == "getWebhookInfo");
        looks.count()
    };
    assert_eq!(looks().await, 0, "it is only being registered");
    desk.sweep().await;
    assert_eq!(looks().await, 1);
    assert_eq!(desk.items("ALERT#webhook").await, [] as [Value; 0]);
    let telegram = desk
        .local
        .endpoint(frontdesk_local::Target::Telegram, "test");
    let call = async |method: &str, body: Value| -> Value {
        let token = &desk.local.telegram().bot().token;
        let request = reqwest::Client::new().post(format!("{telegram}/bot{token}/{method}"));
        request
            .json(&body)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    };
    let known = async || call("getWebhookInfo", json!({})).await["result"]["url"].clone();
    assert_eq!(known().await, url);
    let theirs = "https://elsewhere.example/hook";
    assert_eq!(
        call(
            "setWebhook",
            json!({"url": theirs, "secret_token": "theirs"})
        )
        .await["ok"],
        json!(true)
    );
    desk.advance(901).await;
    desk.sweep().await;
    assert_eq!(known().await, url, "put right at the next look");
    let told = wait_for_warnings(&desk).await;
    assert!(told[0].contains("another address"), "{told:?}");
    // A look that fails tells nothing, neither good nor bad.
    let away = json!({"target": "telegram", "match": "getWebhookInfo", "fault": "status", "value": 500, "times": -1});
    desk.fault(away).await;
    desk.advance(901).await;
    desk.sweep().await;
    assert_eq!(wait_for_warnings(&desk).await.len(), 1);
    desk.end_faults().await;
    desk.run_to_quiet(600).await;
    desk.advance(901).await;
    desk.sweep().await;
    let told = wait_for_warnings(&desk).await;
    assert_eq!(told[1], "✅ Updates reach the desk again.");
    desk.finish().await;
}
