use frontdesk_local_telegram::{Barred, ChatKind, Error, Say};
use serde_json::json;

use crate::desk::{CUSTOMER, Desk, STAFF, anna};

#[tokio::test]
async fn a_group_that_became_a_supergroup_names_its_new_id() {
    let desk = Desk::open().await;
    desk.telegram.add_chat(-55, ChatKind::Group, "Crew");
    let new_id = desk.telegram.migrate(-55).expect("a new id");
    desk.until(|desk| desk.seen().len() == 2).await;
    let seen = desk.seen();
    let with = |id: i64| {
        let mut messages = seen.iter().map(|update| &update["message"]);
        messages
            .find(|message| message["chat"]["id"] == id)
            .expect("a service message")
    };
    assert_eq!(with(-55)["migrate_to_chat_id"], new_id);
    assert_eq!(with(new_id)["migrate_from_chat_id"], -55);

    let answer = desk
        .call("sendMessage", json!({"chat_id": -55, "text": "x"}))
        .await;
    assert_eq!(
        answer.description(),
        Some("Bad Request: group chat was upgraded to a supergroup chat")
    );
    assert_eq!(answer.body["parameters"]["migrate_to_chat_id"], new_id);
    desk.done("sendMessage", json!({"chat_id": new_id, "text": "x"}))
        .await;
    let said = desk.telegram.say(Say::text(anna(), -55, "x")).await;
    assert_eq!(said, Err(Error::BotNotInChat(-55)));
}

#[tokio::test]
async fn chats_that_shut_the_bot_out_answer_403() {
    let desk = Desk::open().await;
    for (chat_id, reason, expected) in [
        (
            CUSTOMER,
            Barred::BlockedByUser,
            "Forbidden: bot was blocked by the user",
        ),
        (
            CUSTOMER,
            Barred::Deactivated,
            "Forbidden: user is deactivated",
        ),
        (
            STAFF,
            Barred::Kicked,
            "Forbidden: bot was kicked from the supergroup chat",
        ),
    ] {
        assert!(desk.telegram.block(chat_id, reason));
        let answer = desk
            .call("sendMessage", json!({"chat_id": chat_id, "text": "x"}))
            .await;
        assert_eq!((answer.status, answer.description()), (403, Some(expected)));
        assert!(desk.telegram.unblock(chat_id));
        desk.done("sendMessage", json!({"chat_id": chat_id, "text": "x"}))
            .await;
    }
    assert!(!desk.telegram.block(999, Barred::Kicked));
}

#[tokio::test]
async fn writing_to_the_bot_unblocks_it() {
    let desk = Desk::open().await;
    desk.telegram.block(CUSTOMER, Barred::BlockedByUser);
    desk.say("/start").await;
    desk.done(
        "sendMessage",
        json!({"chat_id": CUSTOMER, "text": "welcome back"}),
    )
    .await;
}
