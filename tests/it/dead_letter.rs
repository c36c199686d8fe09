//! What cannot be delivered, and its redrive.

use serde_json::json;

use crate::harness::{Desk, STAFF, buttons, eventually, token};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_for_good_goes_to_the_dead_letters_and_a_redrive_delivers_it() {
    let desk = Desk::start().await;
    desk.control("block", json!({"chat_id": STAFF, "reason": "kicked"}))
        .await;
    let id = desk.lead(&token(1)).await;
    eventually("the message is a dead letter", async || {
        desk.dead_letters().await == 1
    })
    .await;
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["state"], &effect["error"]),
        (&json!("failed"), &json!("kicked_from_chat"))
    );
    assert_eq!(effect["attempts"], 1, "refused at once, not eight times");
    // Redriven too early, it fails again and is a dead letter again.
    desk.advance(60).await;
    desk.control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    eventually("it is a dead letter again", async || {
        desk.settle().await;
        desk.dead_letters().await == 1
    })
    .await;
    desk.control("unblock", json!({"chat_id": STAFF})).await;
    desk.advance(60).await;
    let moved = desk
        .control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    assert_eq!(moved["moved"], 1);
    desk.settle().await;
    assert_eq!(buttons(&desk.the_card().await), [format!("take:{id}")]);
    assert_eq!(desk.dead_letters().await, 0);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_chat_in_the_settings_is_corrected_days_later_and_the_redrive_reaches_the_right_one()
 {
    let folder = std::env::temp_dir().join(format!("frontdesk-it-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let right = std::fs::read_to_string(crate::harness::project().join("desk.toml")).unwrap();
    let settings = folder.join("desk.toml");
    std::fs::write(
        &settings,
        right.replace(&STAFF.to_string(), "-1009999999999"),
    )
    .unwrap();
    let desk = Desk::start_with(|options| {
        options.settings = settings.clone();
        options.staff_chats = Some(vec![frontdesk_local::StaffChat {
            chat_id: STAFF,
            title: "Staff".to_owned(),
        }]);
    })
    .await;
    let id = desk.lead(&token(1)).await;
    eventually("the message is a dead letter", async || {
        desk.dead_letters().await == 1
    })
    .await;
    assert_eq!(desk.effect(&id).await["error"], "chat_not_found");
    std::fs::write(&settings, right).unwrap();
    // A deployment: the next processes read the corrected file.
    desk.advance(2 * 24 * 3600).await;
    desk.control("kill", json!({"function": "notifier"})).await;
    desk.control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    desk.settle().await;
    assert_eq!(buttons(&desk.the_card().await), [format!("take:{id}")]);
    std::fs::remove_dir_all(folder).unwrap();
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_failures_end_in_one_dead_letter_and_no_flood() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "status", "value": 400, "description": "Bad Request: chat not found", "times": -1})).await;
    for n in 0..5 {
        desk.lead(&token(n)).await;
    }
    desk.run_to_quiet(60).await;
    eventually("five dead letters", async || desk.dead_letters().await == 5).await;
    desk.settle().await;
    let sent = desk.requests().await.len();
    for _ in 0..3 {
        desk.advance(3600).await;
        desk.sweep().await;
    }
    assert_eq!(
        desk.requests().await.len(),
        sent,
        "nothing is tried, and no notice is sent about it"
    );
    desk.finish().await;
}
