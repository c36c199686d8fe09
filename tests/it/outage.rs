//! Telegram or the queue is away, slow, or asks for a wait.

use serde_json::{Value, json};

use crate::harness::{ANNA, Desk, buttons, take_buttons, token};

#[tokio::test(flavor = "multi_thread")]
async fn a_429_is_waited_for_however_long_and_uses_up_no_attempt() {
    let desk = Desk::start().await;
    for seconds in [18_053_u64, 70_000] {
        // Past the slot of the message before.
        desk.advance(10).await;
        desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": seconds}))
            .await;
        let id = desk.lead(&token(usize::try_from(seconds).unwrap())).await;
        desk.settle().await;
        let effect = desk.effect(&id).await;
        assert_eq!(
            (&effect["state"], &effect["attempts"]),
            (&json!("pending"), &json!(0))
        );
        let number = [&id[..4], &id[4..8], &id[8..12], &id[12..]].join(" ");
        let sent = async || {
            let requests = desk.requests().await;
            let text = |request: &Value| request["params"]["text"].to_string();
            let of_the_card = requests
                .iter()
                .filter(|request| text(request).contains(&number));
            of_the_card.count()
        };
        let sent_before = sent().await;
        desk.advance(seconds - 60).await;
        desk.sweep().await;
        assert_eq!(
            sent().await,
            sent_before,
            "the card does not go before its time"
        );
        desk.advance(61).await;
        desk.sweep().await;
        assert_eq!(desk.effect(&id).await["state"], "done");
    }
    assert_eq!(
        (desk.cards().await.len(), desk.dead_letters().await),
        (2, 0)
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_no_calendar_holds_shuts_the_chat_for_a_month_at_the_most() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 999_999_999_999_u64}))
        .await;
    let first = desk.lead(&token(1)).await;
    desk.settle().await;
    desk.advance(10).await;
    let second = desk.lead(&token(2)).await;
    desk.settle().await;
    // A press still works meanwhile.
    let pressed = desk.press_unseen(ANNA, 1, &format!("take:{first}")).await;
    assert_eq!(pressed["status"], 200, "{pressed}");
    desk.advance(31 * 24 * 3600 + 60).await;
    desk.run_to_quiet(3600).await;
    for id in [first, second] {
        assert_eq!(desk.effect(&id).await["state"], "done");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn telegram_is_away_for_three_hours_and_each_card_arrives_once_afterwards() {
    for away in [
        json!({"fault": "refuse"}),
        json!({"fault": "status", "value": 502}),
        json!({"fault": "drop"}),
    ] {
        let desk = Desk::start().await;
        let mut fault = json!({"target": "telegram", "times": -1});
        fault
            .as_object_mut()
            .unwrap()
            .extend(away.as_object().unwrap().clone());
        desk.fault(fault).await;
        let ids = [desk.lead(&token(1)).await, desk.lead(&token(2)).await];
        desk.run_to_quiet(3 * 3600 - 5).await;
        assert!(desk.cards().await.is_empty());
        desk.end_faults().await;
        desk.run_to_quiet(2 * 3600).await;
        assert_eq!(desk.cards().await.len(), 2, "{away}");
        for id in ids {
            assert_eq!(desk.effect(&id).await["state"], "done", "{away}");
        }
        assert_eq!(desk.dead_letters().await, 0, "{away}");
        desk.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_is_away_when_the_lead_comes_and_the_sweep_delivers() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.end_faults().await;
    assert!(desk.cards().await.is_empty());
    desk.advance(121).await;
    desk.sweep().await;
    assert_eq!(buttons(&desk.the_card().await), [format!("take:{id}")]);
    // It was handed over once, not at every tick.
    desk.sweep().await;
    let received = desk.queue("frontdesk-outbox").await["received"]
        .as_u64()
        .unwrap();
    assert_eq!(received, 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_telegram_does_not_slow_the_webhook_or_the_form() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "delay", "value": 8000, "times": -1}))
        .await;
    let id = desk.lead(&token(1)).await;
    let pressed = desk.press_unseen(ANNA, 1, &format!("take:{id}")).await;
    assert!(
        pressed["body"].to_string().contains("It is yours."),
        "{pressed}"
    );
    assert!(
        desk.cards().await.is_empty(),
        "the card is still on its way"
    );
    desk.end_faults().await;
    desk.run_to_quiet(600).await;
    assert_eq!(take_buttons(&desk.the_card().await), [] as [&str; 0]);
    desk.finish().await;
}
