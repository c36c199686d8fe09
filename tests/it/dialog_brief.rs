//! Files of a brief, and how the staff get them.

use serde_json::{Value, json};

use crate::customer::Customer;
use crate::harness::{Desk, STAFF};

const VERA: i64 = 7001;

fn photo(caption: Option<&str>) -> Value {
    json!({"photo": {"file_size": 1000, "caption": caption}})
}

/// Up to the brief's step.
async fn begin(vera: &Customer<'_>) {
    vera.writes("/start").await;
    vera.presses("Support").await;
    vera.presses("Go on").await;
    vera.presses("Company site").await;
    vera.writes("Keep it running").await;
}

/// From the step after the brief to the confirmed request.
async fn end(desk: &Desk, vera: &Customer<'_>) -> String {
    vera.presses("up to 50,000").await;
    vera.presses("Not urgent").await;
    vera.writes("+7 812 123-45-67").await;
    desk.settle().await;
    vera.presses("Send").await;
    desk.run_to_quiet(600).await;
    let id = vera.draft().await["draft"]["request"].clone();
    id.as_str().expect("a request").to_owned()
}

fn files(messages: &[Value]) -> Vec<&Value> {
    messages
        .iter()
        .filter(|message| !message["attachment"].is_null())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_album_and_single_files_reach_the_staff_in_order_as_replies_to_the_card() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    let album = json!({"album": [
        photo(Some("The front & <back>")), photo(None), photo(None), photo(None),
    ]});
    let results = vera.does(album).await;
    let replies: Vec<_> = results["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|result| !result["reply"].is_null())
        .collect();
    assert_eq!(replies.len(), 1, "one reply to an album: {results}");
    let document = json!({"document": {
        "file_name": "a&b<c>.pdf", "mime_type": "application/pdf", "file_size": 12_345,
    }});
    vera.does(document).await;
    vera.does(json!({"photo": {"file_size": 10}})).await;
    vera.presses("Go on").await;
    let id = end(&desk, &vera).await;

    let staff = desk.messages(STAFF).await;
    let card = &staff[0];
    assert!(
        card["text"].as_str().unwrap().contains("6 files follow"),
        "{card}"
    );
    let files = files(&staff);
    assert_eq!(files.len(), 6, "{staff:#?}");
    for file in &files {
        assert_eq!(file["reply_to"], card["message_id"], "{file}");
    }
    let kinds: Vec<_> = files
        .iter()
        .map(|file| &file["attachment"]["kind"])
        .collect();
    assert_eq!(
        kinds,
        ["photo", "photo", "photo", "photo", "document", "photo"]
    );
    let group = &files[0]["attachment"]["media_group_id"];
    assert!(!group.is_null());
    for (at, file) in files.iter().enumerate() {
        let together = file["attachment"]["media_group_id"] == *group;
        assert_eq!(together, at < 4, "{file}");
    }
    assert_eq!(files[0]["attachment"]["caption"], "The front & <back>");
    assert_eq!(files[4]["attachment"]["file_name"], "a&b<c>.pdf");
    let effect = desk.item(&id, "EFF#brief#staff").await;
    assert_eq!(
        (&effect["state"], &effect["shown"], &effect["unknowns"]),
        (&json!("done"), &json!(6), &json!(0))
    );
    let brief = desk.item(&id, "BRIEF").await;
    assert_eq!(brief["files"].as_array().unwrap().len(), 6);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_telegram_refuses_is_named_on_the_card_and_the_others_come() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    vera.does(json!({"album": [
        {"document": {"file_name": "one.pdf", "mime_type": "application/pdf", "file_size": 1}},
        {"document": {"file_name": "two.pdf", "mime_type": "application/pdf", "file_size": 1}},
        {"document": {"file_name": "three.pdf", "mime_type": "application/pdf", "file_size": 1}},
    ]}))
    .await;
    vera.presses("Go on").await;
    // Telegram no longer has the second file.
    desk.update_item(
        &format!("CHAT#desk#{VERA}"),
        "DRAFT#file#01",
        "SET file_id = :id",
        json!({":id": {"S": "BQACAgIAAxkBGone"}}),
    )
    .await;
    end(&desk, &vera).await;
    let staff = desk.messages(STAFF).await;
    let names: Vec<_> = files(&staff)
        .iter()
        .map(|file| file["attachment"]["file_name"].clone())
        .collect();
    assert_eq!(names, ["one.pdf", "three.pdf"], "{staff:#?}");
    let card = staff[0]["text"].as_str().unwrap();
    assert!(
        card.contains("Telegram does not pass on: 2: two.pdf"),
        "{card}"
    );
    assert_eq!(desk.dead_letters().await, 0);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_takes_no_photos_still_gets_the_documents() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    vera.does(photo(None)).await;
    vera.does(json!({"document": {"file_name": "brief.pdf", "mime_type": "application/pdf", "file_size": 1}}))
        .await;
    vera.presses("Go on").await;
    desk.fault(
        json!({"target": "telegram", "fault": "status", "value": 400, "match": "sendPhoto", "times": -1,
        "description": "Bad Request: not enough rights to send photos to the chat"}),
    )
    .await;
    let id = end(&desk, &vera).await;
    let staff = desk.messages(STAFF).await;
    let names: Vec<_> = files(&staff)
        .iter()
        .map(|file| file["attachment"]["file_name"].clone())
        .collect();
    assert_eq!(names, ["brief.pdf"], "{staff:#?}");
    let card = staff[0]["text"].as_str().unwrap();
    assert!(card.contains("does not pass on: 1: photo"), "{card}");
    assert_eq!(desk.item(&id, "EFF#brief#staff").await["state"], "done");
    let chat = desk.items(&format!("CHAT#desk#{STAFF}")).await;
    assert_eq!(chat[0]["unreachable_since"], Value::Null, "{chat:?}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_joins_late_shows_on_the_preview() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    let part = |n: usize| {
        json!({"update": {"message": {
            "message_id": 800 + n, "date": 1, "from": vera.user(),
            "chat": {"id": VERA, "type": "private"}, "media_group_id": "album",
            "document": {"file_id": format!("BQAC{n}"), "file_unique_id": "x", "file_name": format!("{n}.pdf")},
        }}})
    };
    desk.control("update", part(1)).await;
    vera.presses("Go on").await;
    vera.presses("up to 50,000").await;
    vera.presses("Not urgent").await;
    vera.writes("+7 812 123-45-67").await;
    desk.settle().await;
    let preview = vera.panel().await;
    assert!(
        preview["text"].as_str().unwrap().contains("1 file"),
        "{preview}"
    );
    desk.control("update", part(2)).await;
    desk.run_to_quiet(60).await;
    let shown = vera.panel().await;
    assert_eq!(shown["message_id"], preview["message_id"]);
    assert!(
        shown["text"].as_str().unwrap().contains("2 files"),
        "{shown}"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_brief_waits_for_its_card_and_comes_without_it_when_the_card_is_refused() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    vera.does(photo(None)).await;
    vera.presses("Go on").await;
    desk.fault(
        json!({"target": "telegram", "fault": "status", "value": 500,
        "match": "sendMessage", "chat_id": STAFF, "times": 3}),
    )
    .await;
    let id = end(&desk, &vera).await;
    let staff = desk.messages(STAFF).await;
    let photos = files(&staff);
    assert_eq!((staff.len(), photos.len()), (2, 1), "{staff:#?}");
    assert_eq!(photos[0]["reply_to"], staff[0]["message_id"]);
    assert_eq!(desk.item(&id, "EFF#brief#staff").await["attempts"], 1);

    vera.presses("New request").await;
    begin_again(&vera).await;
    vera.does(photo(None)).await;
    vera.presses("Go on").await;
    desk.fault(json!({"target": "telegram", "fault": "status", "value": 400,
        "description": "Bad Request: can't parse entities", "match": "sendMessage", "chat_id": STAFF, "times": 1}))
        .await;
    end(&desk, &vera).await;
    let staff = desk.messages(STAFF).await;
    let photos = files(&staff);
    assert_eq!(photos.len(), 2, "{staff:#?}");
    assert!(photos[1]["reply_to"].is_null());
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redriven_brief_waits_for_its_redriven_card() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    vera.does(photo(None)).await;
    vera.presses("Go on").await;
    let refused = json!({"target": "telegram", "fault": "status", "value": 403, "chat_id": STAFF,
        "description": "Forbidden: bot was kicked from the supergroup chat", "times": -1});
    desk.fault(refused).await;
    let id = end(&desk, &vera).await;
    assert_eq!(desk.dead_letters().await, 2, "the card and the brief");
    desk.end_faults().await;
    desk.advance(60).await;

    // The card is sent again first, and has to wait.
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 300, "match": "sendMessage", "chat_id": STAFF}))
        .await;
    desk.announce(&format!("REQ#{id}"), "EFF#card#staff").await;
    desk.settle_but_for_the_clock().await;
    assert_eq!(desk.effect(&id).await["state"], "pending");
    desk.control("redrive", json!({"queue": "frontdesk-outbox-dead"}))
        .await;
    desk.settle_but_for_the_clock().await;
    assert_eq!(desk.item(&id, "EFF#brief#staff").await["state"], "failed");
    // Nobody announces the brief when the card has come: its own message must be there.
    desk.fault(json!({"target": "sqs", "fault": "drop", "match": "SendMessageBatch", "times": -1}))
        .await;
    for _ in 0..6 {
        desk.advance(61).await;
        desk.control("tick", json!({"schedule": "sweep"})).await;
        desk.settle_but_for_the_clock().await;
    }
    desk.end_faults().await;
    desk.run_to_quiet(1800).await;
    desk.advance(361).await;
    desk.run_to_quiet(1800).await;
    let staff = desk.messages(STAFF).await;
    let photos = files(&staff);
    assert_eq!(photos.len(), 1, "{staff:#?}");
    assert_eq!(
        photos[0]["reply_to"],
        desk.effect(&id).await["message"],
        "{staff:#?}"
    );
    desk.finish().await;
}

async fn begin_again(vera: &Customer<'_>) {
    vera.presses("Support").await;
    vera.presses("Go on").await;
    vera.presses("Company site").await;
    vera.writes("Keep it running").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_whose_answer_was_lost_comes_again_and_says_so() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    vera.does(photo(Some("One"))).await;
    vera.does(photo(Some("Two"))).await;
    vera.presses("Go on").await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendPhoto"}))
        .await;
    let id = end(&desk, &vera).await;
    let staff = desk.messages(STAFF).await;
    let captions: Vec<_> = files(&staff)
        .iter()
        .map(|file| file["attachment"]["caption"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(captions, ["One", "This file may be a repeat.\nOne", "Two"]);
    assert_eq!(desk.item(&id, "EFF#brief#staff").await["unknowns"], 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_beyond_the_limit_are_refused_and_can_be_taken_out() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    begin(&vera).await;
    for n in 0..20 {
        let said = vera.does(photo(None)).await;
        let text = said["reply"]["text"].as_str().unwrap();
        assert!(text.contains("Received"), "{n}: {text}");
    }
    let said = vera.does(photo(None)).await;
    let text = said["reply"]["text"].as_str().unwrap();
    assert!(text.contains("At most 20 files are kept"), "{text}");
    assert!(text.contains("20 files"), "{text}");
    let note = vera.presses("Take the files out").await;
    assert_eq!(note, "The files are taken out.");
    assert_eq!(vera.draft().await["draft"]["files"], 0);
    desk.finish().await;
}
