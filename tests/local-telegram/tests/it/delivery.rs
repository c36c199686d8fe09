use frontdesk_local_telegram::{Press, Say, User, WebhookAnswer};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::desk::{CUSTOMER, Desk, STAFF, anna, customer};

fn texts(desk: &Desk) -> Vec<String> {
    let text = |update: &Value| update["message"]["text"].as_str().unwrap_or("-").to_owned();
    desk.seen().iter().map(text).collect()
}

/// Waits until so many attempts were made and the next repeat is set; gives the wait until then.
async fn wait_after(desk: &Desk, attempts: usize) -> SignedDuration {
    desk.until(|desk| desk.seen().len() == attempts && desk.telegram.next_retry().is_some())
        .await;
    let at = desk.telegram.next_retry().expect("it is set");
    at.duration_since(desk.clock.now())
}

fn is_about(wait: SignedDuration, seconds: i64) -> bool {
    (SignedDuration::from_millis(seconds * 1_000 - 900)..=SignedDuration::from_secs(seconds))
        .contains(&wait)
}

#[tokio::test]
async fn a_failed_update_is_repeated_at_once_and_then_ever_more_slowly() {
    let desk = Desk::open().await;
    desk.answer_with(|_| Some(WebhookAnswer::status(500)));
    let said = desk
        .telegram
        .say(Say::text(customer(), CUSTOMER, "hi"))
        .await
        .expect("a text");
    assert_eq!(said.into_vec()[0].status, Some(500));
    for (attempts, seconds) in [(2, 2), (3, 4), (4, 8), (5, 16), (6, 32)] {
        let wait = wait_after(&desk, attempts).await;
        assert!(is_about(wait, seconds), "{wait:?} after {attempts}");
        desk.pass(u64::try_from(seconds).expect("positive"));
    }
    for attempts in 7..10 {
        let wait = wait_after(&desk, attempts).await.as_secs();
        assert!((59..=120).contains(&wait), "{wait} after {attempts}");
        desk.pass(121);
    }
    wait_after(&desk, 10).await;
    assert_eq!(desk.telegram.in_flight(), 0);
    let info = desk.done("getWebhookInfo", json!({})).await;
    assert_eq!(info["pending_update_count"], 1);
    let text = "Wrong response from the webhook: 500 Internal Server Error";
    assert_eq!(info["last_error_message"], text);
    desk.answer_with(|_| Some(WebhookAnswer::status(204)));
    desk.pass(121);
    desk.until(|desk| desk.telegram.next_retry().is_none() && desk.telegram.in_flight() == 0)
        .await;
    assert_eq!(desk.seen().len(), 11);
}

#[tokio::test]
async fn retry_after_replaces_the_delay() {
    let desk = Desk::open().await;
    desk.answer_with(|_| {
        Some(WebhookAnswer {
            retry_after: Some(30),
            ..WebhookAnswer::status(503)
        })
    });
    desk.say("hi").await;
    assert!(is_about(wait_after(&desk, 1).await, 30));
}

#[tokio::test]
async fn an_update_that_fails_for_a_day_is_dropped() {
    let desk = Desk::open().await;
    desk.answer_with(|_| Some(WebhookAnswer::status(500)));
    desk.say("hi").await;
    wait_after(&desk, 2).await;
    desk.pass(86_400);
    desk.until(|desk| desk.telegram.next_retry().is_none() && desk.telegram.in_flight() == 0)
        .await;
    assert_eq!(desk.seen().len(), 3);
}

#[tokio::test]
async fn a_press_that_fails_for_150_seconds_is_dropped() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    desk.answer_with(|_| Some(WebhookAnswer::status(500)));
    desk.telegram
        .press(Press::new(anna(), STAFF, card, "take:1"))
        .await
        .expect("a press");
    wait_after(&desk, 2).await;
    desk.pass(150);
    desk.until(|desk| desk.telegram.next_retry().is_none() && desk.telegram.in_flight() == 0)
        .await;
    assert_eq!(desk.seen().len(), 3);
}

#[tokio::test]
async fn a_failing_update_holds_up_its_chat_and_no_other() {
    let desk = Desk::open().await;
    desk.answer_with(|update| {
        let poison = update["message"]["text"] == "poison";
        Some(WebhookAnswer::status(if poison { 500 } else { 200 }))
    });
    desk.say("poison").await;
    wait_after(&desk, 2).await;
    let later = desk
        .telegram
        .say(Say::text(customer(), CUSTOMER, "later"))
        .await
        .expect("a text");
    assert_eq!(later.into_vec()[0].status, None);
    let other = Say::text(User::new(43, "Dan"), 43, "other");
    let other = desk.telegram.say(other).await.expect("a text");
    assert_eq!(other.into_vec()[0].status, Some(200));
    assert_eq!(texts(&desk), ["poison", "poison", "other"]);
    desk.answer_with(|_| Some(WebhookAnswer::status(200)));
    desk.pass(2);
    desk.until(|desk| desk.seen().len() == 5).await;
    assert_eq!(texts(&desk)[3..], ["poison", "later"]);
}

#[tokio::test]
async fn presses_travel_apart_from_messages() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    desk.answer_with(|update| {
        update["message"]
            .is_null()
            .then(|| WebhookAnswer::status(200))
    });
    let saying = tokio::spawn({
        let telegram = desk.telegram.clone();
        async move { telegram.say(Say::text(anna(), STAFF, "slow")).await }
    });
    desk.until(|desk| desk.seen().len() == 1).await;
    let press = Press::new(anna(), STAFF, card, "take:1");
    let pressed = desk
        .telegram
        .press(press)
        .await
        .expect("a press")
        .into_vec();
    assert_eq!(pressed[0].status, Some(200));
    assert!(!saying.is_finished());
    desk.answer_with(|_| Some(WebhookAnswer::status(200)));
    desk.pass(61);
    let said = saying.await.expect("no panic").expect("a text").into_vec();
    assert_eq!(said[0].status, None);
    desk.until(|desk| desk.seen().len() == 3).await;
}

#[tokio::test]
async fn copies_go_at_once_past_the_rule() {
    let desk = Desk::open().await;
    desk.answer_with(|_| None);
    let saying = tokio::spawn({
        let telegram = desk.telegram.clone();
        let say = Say {
            copies: Some(3),
            ..Say::text(customer(), CUSTOMER, "thrice")
        };
        async move { telegram.say(say).await }
    });
    desk.until(|desk| desk.seen().len() == 3).await;
    assert_eq!(desk.telegram.in_flight(), 3);
    desk.answer_with(|_| Some(WebhookAnswer::status(200)));
    desk.pass(61);
    let results = saying.await.expect("no panic").expect("a text").into_vec();
    assert!(results.iter().all(|said| said.status.is_none()));
    let chat = desk.telegram.chat(CUSTOMER).expect("a chat");
    assert_eq!(
        chat.messages
            .iter()
            .filter(|message| message.text == "thrice")
            .count(),
        1
    );
}

#[tokio::test]
async fn an_earlier_update_can_come_again() {
    let desk = Desk::open().await;
    let said = desk
        .telegram
        .say(Say::text(customer(), CUSTOMER, "hi"))
        .await
        .expect("a text");
    let id = said.into_vec()[0].update_id;
    desk.telegram.say(Say::again(id)).await.expect("a repeat");
    let seen = desk.seen();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0], seen[1]);
}
