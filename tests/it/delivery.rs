//! O1 to O6: cards reach the staff through whatever Telegram does.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{ANNA, BORIS, Desk, STAFF, buttons, eventually, take_buttons, token};

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
async fn a_send_without_an_answer_is_openly_unknown_and_repeated_with_a_word() {
    for fault in [
        json!({"fault": "lose_answer"}),
        json!({"fault": "status", "value": 502}),
        json!({"fault": "drop"}),
        json!({"fault": "delay", "value": 11_000}),
    ] {
        let desk = Desk::start().await;
        let mut lost = json!({"target": "telegram", "match": "sendMessage"});
        lost.as_object_mut()
            .unwrap()
            .extend(fault.as_object().unwrap().clone());
        desk.fault(lost).await;
        let id = desk.lead(&token(1)).await;
        desk.settle().await;
        let effect = desk.effect(&id).await;
        assert_eq!(
            (&effect["state"], &effect["unknowns"]),
            (&json!("unknown"), &json!(1)),
            "{fault}"
        );
        assert_eq!(effect["list_pk"], "effect#unknown", "{fault}");
        desk.run_to_quiet(600).await;
        let effect = desk.effect(&id).await;
        assert_eq!(
            (&effect["state"], &effect["attempts"]),
            (&json!("done"), &json!(2)),
            "{fault}"
        );
        let cards = desk.cards().await;
        assert!(
            cards.len() <= 2,
            "at most one for the send and one for the unknown"
        );
        let last = cards.last().unwrap()["text"].as_str().unwrap();
        assert!(last.starts_with("This may be a repeat"), "{fault}: {last}");
        assert_eq!(desk.dead_letters().await, 0);
        desk.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_a_copy_from_an_unknown_send_counts_and_the_copys_button_goes() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage"}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.run_to_quiet(600).await;
    let cards = desk.cards().await;
    assert_eq!(cards.len(), 2);
    let pressed = desk.press(BORIS, &cards[0], &format!("take:{id}")).await;
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    desk.run_to_quiet(600).await;
    for card in desk.cards().await {
        assert_eq!(take_buttons(&card), [] as [&str; 0], "{card}");
        assert!(card["text"].as_str().unwrap().contains("Taken by Boris"));
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_while_the_send_is_unknown_makes_that_message_the_card() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "sendMessage"}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    desk.run_to_quiet(600).await;
    let only = desk.the_card().await;
    assert_eq!(
        only["message_id"], card["message_id"],
        "nothing was sent again"
    );
    assert_eq!(take_buttons(&only), [] as [&str; 0]);
    assert_eq!(desk.effect(&id).await["unknowns"], 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_without_an_answer_is_simply_repeated() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    desk.fault(json!({"target": "telegram", "fault": "lose_answer", "match": "editMessageText"}))
        .await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    desk.run_to_quiet(600).await;
    assert!(
        desk.the_card().await["text"]
            .as_str()
            .unwrap()
            .contains("Taken by Anna")
    );
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["state"], &effect["unknowns"]),
        (&json!("done"), &json!(0))
    );
    // The second edit found the message as it should be, which is success.
    let not_modified = |request: &serde_json::Value| {
        request["response"]["description"]
            .as_str()
            .is_some_and(|text| text.contains("not modified"))
    };
    assert!(desk.requests().await.iter().any(not_modified));
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_became_a_supergroup_is_followed_by_new_cards_and_presses() {
    let desk = Desk::start_with(|options| {
        let chat = |chat_id| frontdesk_local::StaffChat {
            chat_id,
            title: "Staff".to_owned(),
        };
        options.staff_chats = Some(vec![chat(STAFF)]);
    })
    .await;
    let before = desk.lead(&token(1)).await;
    desk.settle().await;
    let moved = desk.control("migrate", json!({"chat_id": STAFF})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.settle().await;
    let after = desk.lead(&token(2)).await;
    desk.settle().await;
    let cards = desk.messages(moved).await;
    let take = format!("take:{after}");
    let card = cards
        .iter()
        .find(|card| buttons(card).contains(&take))
        .expect("the card is in the new chat");
    let pressed = desk.press_in(moved, ANNA, card, &take).await;
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    desk.settle().await;
    assert_eq!(desk.effect(&after).await["message_chat"], moved);
    assert_eq!(
        desk.effect(&after).await["attempts"],
        1,
        "following used up no attempt"
    );
    assert_eq!(desk.item(&before, "REQ").await["state"], "new");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_a_card_in_the_former_group_leaves_nothing_due_for_ever() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let old = desk.the_card().await;
    let moved = desk.control("migrate", json!({"chat_id": STAFF})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.settle().await;
    let take = format!("take:{id}");
    let first = desk.press_in(STAFF, ANNA, &old, &take).await;
    assert_eq!(first["answer"]["text"], "It is yours.");
    desk.run_to_quiet(600).await;
    // The card is in the supergroup now, so that this one is a stray out of reach.
    desk.press_in(STAFF, BORIS, &old, &take).await;
    desk.run_to_quiet(3600).await;
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["state"], &effect["due"], &effect["message_chat"]),
        (&json!("done"), &Value::Null, &json!(moved))
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_400_that_names_the_supergroup_is_enough_to_follow_it() {
    let desk = Desk::start().await;
    // The service messages are lost: the webhook's table is away while they come.
    desk.fault(json!({"target": "dynamodb", "fault": "status", "value": 500, "times": -1}))
        .await;
    let moved = desk.control("migrate", json!({"chat_id": STAFF})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.end_faults().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let cards = desk.messages(moved).await;
    let take = format!("take:{id}");
    assert_eq!(
        cards
            .iter()
            .filter(|card| buttons(card).contains(&take))
            .count(),
        1
    );
    let effect = desk.effect(&id).await;
    assert_eq!(
        (&effect["attempts"], &effect["message_chat"]),
        (&json!(1), &json!(moved))
    );
    assert_eq!(
        desk.items(&format!("CHAT#desk#{STAFF}")).await[0]["migrated_to"],
        moved
    );
    desk.finish().await;
}

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

#[tokio::test(flavor = "multi_thread")]
async fn the_same_effect_twice_in_a_batch_and_a_sweeps_copy_beside_it_are_one_send() {
    let desk = Desk::start().await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    let id = desk.lead(&token(1)).await;
    desk.end_faults().await;
    let record = |n: usize, body: &str| {
        json!({
            "messageId": format!("m{n}"), "receiptHandle": format!("r{n}"), "body": body,
            "attributes": {"SentTimestamp": "1700000000000", "ApproximateReceiveCount": "1"},
            "messageAttributes": {}, "md5OfBody": "", "eventSource": "aws:sqs",
            "eventSourceARN": "arn:aws:sqs:us-east-1:000000000000:frontdesk-outbox", "awsRegion": "us-east-1",
        })
    };
    let ours = json!({"pk": format!("REQ#{id}"), "sk": "EFF#card#staff"}).to_string();
    let event = json!({"Records": [record(1, &ours), record(2, &ours), record(3, "not ours"), record(4, &ours)]});
    let copies = join_all(
        (0..4).map(|_| desk.control("invoke", json!({"function": "notifier", "event": event}))),
    )
    .await;
    for copy in copies {
        let failures = copy["response"]["batchItemFailures"]
            .as_array()
            .unwrap()
            .clone();
        assert_eq!(
            failures,
            [json!({"itemIdentifier": "m3"})],
            "only what is not ours comes again"
        );
    }
    desk.advance(121).await;
    desk.sweep().await;
    desk.the_card().await;
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_slow_or_failing_effect_does_not_hold_up_the_others_of_its_batch() {
    let desk = Desk::start().await;
    desk.fault(
        json!({"target": "telegram", "fault": "delay", "value": 3000, "match": "sendMessage"}),
    )
    .await;
    let ids = join_all((0..5).map(async |n| desk.lead(&token(n)).await)).await;
    // The others wait for their slots in the chat's pace; then the slow one is all that is left.
    eventually("four wait", async || {
        desk.queue("frontdesk-outbox").await["delayed"] == 4
    })
    .await;
    desk.advance(20).await;
    eventually("four are there while one is slow", async || {
        desk.cards().await.len() == 4
    })
    .await;
    desk.settle().await;
    assert_eq!(desk.cards().await.len(), ids.len());
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
