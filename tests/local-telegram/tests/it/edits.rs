use serde_json::json;

use crate::desk::{CUSTOMER, Desk, STAFF};

#[tokio::test]
async fn an_edit_changes_the_message_and_takes_buttons_off() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    let params = json!({"chat_id": STAFF, "message_id": card, "text": "taken"});
    let edited = desk.done("editMessageText", params.clone()).await;
    assert_eq!(edited["text"], "taken");
    assert_eq!(edited["edit_date"], desk.clock.now().as_second());
    let shown = desk.message(STAFF, card);
    assert_eq!((shown.edits, shown.buttons.len()), (1, 0));
    assert_eq!(
        desk.refused("editMessageText", params).await,
        "message is not modified: specified new message content and reply markup are exactly the \
         same as a current content and reply markup of the message",
    );
    assert_eq!(desk.message(STAFF, card).edits, 1);
}

#[tokio::test]
async fn buttons_alone_can_be_taken_off_once() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    let params = json!({"chat_id": STAFF, "message_id": card});
    desk.done("editMessageReplyMarkup", params.clone()).await;
    let refusal = desk.refused("editMessageReplyMarkup", params).await;
    assert!(refusal.starts_with("message is not modified"));
    assert_eq!(desk.message(STAFF, card).text, "card");
}

#[tokio::test]
async fn what_is_gone_cannot_be_edited() {
    let desk = Desk::open().await;
    let card = desk.card().await;
    assert!(desk.telegram.delete_message(STAFF, card));
    assert!(!desk.telegram.delete_message(STAFF, card));
    for message_id in [card, card + 1] {
        let params = json!({"chat_id": STAFF, "message_id": message_id, "text": "x"});
        assert_eq!(
            desk.refused("editMessageText", params).await,
            "message to edit not found"
        );
    }
    let params = json!({"chat_id": STAFF, "text": "x"});
    let refusal = desk.refused("editMessageText", params).await;
    assert_eq!(refusal, "message identifier is not specified");
}

#[tokio::test]
async fn a_message_with_a_keyboard_cannot_be_edited() {
    let desk = Desk::open().await;
    for markup in [
        json!({"keyboard": [[{"text": "Back"}]]}),
        json!({"remove_keyboard": true}),
        json!({"force_reply": true}),
    ] {
        let params = json!({"chat_id": CUSTOMER, "text": "step", "reply_markup": markup});
        let step = desk.done("sendMessage", params).await["message_id"].clone();
        let params = json!({"chat_id": CUSTOMER, "message_id": step, "text": "other"});
        assert_eq!(
            desk.refused("editMessageText", params).await,
            "message can't be edited"
        );
    }
}

#[tokio::test]
async fn a_message_of_a_person_cannot_be_edited() {
    let desk = Desk::open().await;
    let hello = desk.telegram.chat(CUSTOMER).expect("a chat").messages[0].message_id;
    let params = json!({"chat_id": CUSTOMER, "message_id": hello, "text": "x"});
    assert_eq!(
        desk.refused("editMessageText", params).await,
        "message can't be edited"
    );
}

#[tokio::test]
async fn a_message_is_deleted_within_two_days() {
    let desk = Desk::open().await;
    let (young, old) = (desk.card().await, desk.card().await);
    let params = |id: i64| json!({"chat_id": STAFF, "message_id": id});
    desk.done("deleteMessage", params(young)).await;
    assert_eq!(
        desk.refused("deleteMessage", params(young)).await,
        "message to delete not found"
    );
    desk.pass(2 * 86_400 + 1);
    assert_eq!(
        desk.refused("deleteMessage", params(old)).await,
        "message can't be deleted"
    );
    assert!(desk.message(STAFF, young).deleted);
}
