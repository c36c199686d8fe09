//! What people and networks do to a conversation.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::customer::{Customer, data_of};
use crate::dialog::fill;
use crate::harness::{Desk, STAFF};

const VERA: i64 = 7001;
const DAY: u64 = 24 * 60 * 60;

async fn requests(desk: &Desk) -> usize {
    desk.cards().await.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_confirmations_at_once_are_one_request_with_one_number() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    let panel = vera.panel().await;
    let data = data_of(&panel, "Send");
    let press = |n: usize| {
        let update = json!({"update": {
            "update_id": 5_000_000 + n,
            "callback_query": {
                "id": format!("press-{n}"), "chat_instance": "1", "data": data,
                "from": vera.user(),
                "message": {"message_id": panel["message_id"], "date": 1_800_000_000,
                            "chat": {"id": VERA, "type": "private"}},
            },
        }, "copies": 1});
        let desk = &desk;
        async move { desk.control("update", update).await }
    };
    let answers = join_all((0..64).map(press)).await;
    let mut numbers: Vec<String> = answers
        .iter()
        .map(|answer| {
            let answer = answer["results"].get(0).unwrap_or(answer);
            assert_eq!(answer["status"], 200, "{answer}");
            let body = answer["body"].to_string();
            body.rsplit_once("number: ").expect("a number").1[..17].to_owned()
        })
        .collect();
    numbers.dedup();
    assert_eq!(numbers.len(), 1, "{numbers:?}");
    desk.run_to_quiet(60).await;
    assert_eq!(requests(&desk).await, 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_messages_at_once_are_each_taken_once() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    vera.writes("/start").await;
    vera.presses("Support").await;
    vera.presses("Go on").await;
    vera.presses("Company site").await;
    let say = |n: usize| {
        let update = json!({"update": {
            "update_id": 6_000_000 + n,
            "message": {
                "message_id": 900 + n, "date": 1_800_000_000, "from": vera.user(),
                "chat": {"id": VERA, "type": "private"},
                "photo": [{"file_id": format!("AgAC{n}"), "file_unique_id": "x", "width": 9, "height": 9}],
            },
        }, "copies": 1});
        let desk = &desk;
        async move { desk.control("update", update).await }
    };
    vera.writes("Keep it running").await;
    join_all((0..3).map(say)).await;
    let mut files: Vec<_> = desk
        .items(&format!("CHAT#desk#{VERA}"))
        .await
        .into_iter()
        .filter_map(|item| item["file_id"].as_str().map(str::to_owned))
        .collect();
    files.sort();
    assert_eq!(files, ["AgAC0", "AgAC1", "AgAC2"]);
    assert_eq!(vera.draft().await["draft"]["files"], 3);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_message_gets_the_first_reply_word_for_word() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    vera.writes("/start").await;
    let first = vera.does(json!({"text": "Support"})).await;
    let copies = vera
        .does(json!({"text": "Support", "update_id": first["update_id"], "copies": 8}))
        .await;
    for copy in copies["results"].as_array().unwrap() {
        assert_eq!(copy["reply"], first["reply"]);
    }
    let draft = vera.draft().await;
    assert_eq!(draft["draft"]["marked"], json!(["support"]));
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_a_person_can_send_has_an_answer() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    vera.writes("/start").await;
    vera.presses("Support").await;
    vera.presses("Go on").await;
    vera.presses("Company site").await;
    let other = |what: &str| json!({"other": what});
    let first = vera.messages().await[0]["message_id"].clone();
    for (what, said, told) in [
        ("a sticker", other("sticker"), "in words"),
        ("a voice message", other("voice"), "in words"),
        ("a place", other("location"), "in words"),
        (
            "a contact",
            json!({"contact": {"phone_number": "79990001122", "first_name": "A"}}),
            "in words",
        ),
        (
            "a picture",
            json!({"photo": {"file_size": 1}}),
            "No file is asked for",
        ),
        ("an unknown command", json!({"text": "/settings"}), "/help"),
        ("help", json!({"text": "/help"}), "/cancel"),
        (
            "a short text",
            json!({"text": "x"}),
            "at least 3 characters",
        ),
        (
            "an edited message",
            json!({"text": "y", "edit_of": first}),
            "changes no answer",
        ),
    ] {
        let said = vera.does(said).await;
        let text = said["reply"]["text"].as_str().unwrap_or_default();
        assert!(text.contains(told), "{what}: {said}");
        assert!(text.contains("Describe the task"), "{what}: {said}");
    }
    let raw = |content: Value| {
        let desk = &desk;
        async move { desk.control("update", json!({"update": content})).await }
    };
    let chat = json!({"id": VERA, "type": "private"});
    let long = raw(
        json!({"message": {"message_id": 70, "date": 1, "chat": chat, "from": vera.user(),
        "text": "я".repeat(10_000)}}),
    )
    .await;
    assert!(
        long.to_string().contains("at most 3000 characters"),
        "{long}"
    );
    let forwarded = raw(
        json!({"message": {"message_id": 71, "date": 1, "chat": chat,
        "forward_origin": {"type": "hidden_user", "sender_user_name": "B", "date": 1},
        "text": "A text of somebody else's"}}),
    )
    .await;
    assert!(forwarded.to_string().contains("Brief"), "{forwarded}");
    // A press without its message, on one that is no longer accessible, and one that is made up.
    for (message, data, told) in [
        (Value::Null, "d:000000000000:y", "earlier request"),
        (
            json!({"chat": chat, "message_id": 5, "date": 0}),
            "d:000000000000:y",
            "earlier request",
        ),
        (
            json!({"chat": {"id": STAFF, "type": "supergroup"}, "message_id": 5, "date": 0}),
            "d:000000000000:y",
            "no longer works",
        ),
        (
            json!({"chat": chat, "message_id": 5, "date": 0}),
            "d:x",
            "earlier question",
        ),
    ] {
        let mut query = json!({"id": "q", "chat_instance": "1", "from": vera.user(), "data": data});
        if !message.is_null() {
            query["message"] = message;
        }
        let pressed = raw(json!({"callback_query": query})).await;
        assert!(pressed.to_string().contains(told), "{data}: {pressed}");
    }
    // A live location moves, and says so by changing its message.
    desk.run_to_quiet(600).await;
    let before = vera.messages().await.len();
    let moved = raw(
        json!({"edited_message": {"message_id": 72, "date": 1, "edit_date": 2, "chat": chat,
        "from": vera.user(), "location": {"latitude": 1.0, "longitude": 2.0, "live_period": 900}}}),
    )
    .await;
    assert_eq!(moved["status"], 200, "{moved}");
    assert!(moved["body"].is_null(), "{moved}");
    desk.run_to_quiet(600).await;
    assert_eq!(vera.messages().await.len(), before);
    assert_eq!(desk.dead_letters().await, 0);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_without_an_answer_from_telegram_comes_again_and_can_be_confirmed() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    desk.fault(json!({"target": "telegram", "fault": "drop", "match": "sendMessage", "skip": 1}))
        .await;
    fill(&vera).await;
    desk.run_to_quiet(600).await;
    assert_eq!(vera.draft().await["unknowns"], 1);
    vera.presses("Send").await;
    desk.run_to_quiet(600).await;
    assert_eq!(requests(&desk).await, 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_written_at_the_preview_brings_it_again_below() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    let first = vera.panel().await;
    for (text, told) in [("/start", "unfinished"), ("Hm", "go on with the buttons")] {
        let reply = vera.writes(text).await;
        assert!(
            reply.contains(told) && !reply.contains("Please check"),
            "{reply}"
        );
        desk.settle().await;
        let panel = vera.panel().await;
        assert_ne!(panel["message_id"], first["message_id"]);
        assert_eq!(panel["text"], first["text"]);
    }
    vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    assert_eq!(requests(&desk).await, 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_confirm_never_confirms_the_next_request() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    let old = vera.panel().await;
    let confirm = data_of(&old, "Send");
    vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    fill(&vera).await;
    desk.settle().await;
    let answer = vera.presses_data(&old, &confirm).await;
    assert!(answer.contains("earlier request"), "{answer}");
    desk.run_to_quiet(60).await;
    assert_eq!(requests(&desk).await, 1);
    vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    let cards = desk.cards().await;
    assert_eq!(
        cards.len(),
        2,
        "the next request of the same person is a new one"
    );
    let second = cards[1]["text"].as_str().unwrap();
    assert!(
        second.contains("1 earlier lead of this contact"),
        "{second}"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_away_locks_nobody_out() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    vera.writes("/start").await;
    for (operation, fault) in [("Query", "throttle"), ("TransactWriteItems", "drop")] {
        desk.fault(json!({"target": "dynamodb", "fault": fault, "match": operation, "times": -1}))
            .await;
        let said = vera.does(json!({"text": "Support"})).await;
        assert!(said["status"].as_u64().unwrap() >= 500, "{said}");
        desk.end_faults().await;
        desk.advance(5).await;
        desk.settle().await;
        let cancelled = vera.writes("/cancel").await;
        assert!(cancelled.contains("Cancelled"), "{cancelled}");
        let begun = vera.writes("/start").await;
        assert!(begun.contains("1 of 7"), "{begun}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_goes_on_after_weeks_and_its_end_is_told_once() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    vera.writes("/start").await;
    vera.presses("Support").await;
    desk.advance(29 * DAY).await;
    desk.run_to_quiet(600).await;
    let resumed = vera.writes("/start").await;
    assert!(resumed.contains("unfinished"), "{resumed}");
    vera.presses("Promotion").await;
    let told = async || {
        let messages = vera.messages().await;
        let texts = messages
            .iter()
            .filter_map(|message| message["text"].as_str());
        texts
            .filter(|text| text.contains("not finished in time"))
            .count()
    };
    desk.advance(29 * DAY).await;
    desk.sweep().await;
    assert_eq!(told().await, 0);
    desk.advance(DAY + 60).await;
    desk.run_to_quiet(600).await;
    assert_eq!(told().await, 1, "{:#?}", vera.messages().await);
    desk.advance(40 * DAY).await;
    desk.run_to_quiet(600).await;
    assert_eq!(told().await, 1);
    assert_eq!(vera.draft().await["draft"]["phase"], "expired");
    let begun = vera.writes("hello").await;
    assert!(
        begun.contains("Hello!") && begun.contains("1 of 7"),
        "{begun}"
    );
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_429_when_an_old_messages_buttons_are_taken_off_is_waited_for() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    vera.writes("/start").await;
    let old = vera.panel().await;
    let data = data_of(&old, "Support");
    vera.writes("/cancel").await;
    vera.writes("/start").await;
    desk.fault(json!({"target": "telegram", "fault": "retry_after", "value": 600, "match": "editMessageReplyMarkup"}))
        .await;
    vera.presses_data(&old, &data).await;
    desk.settle_but_for_the_clock().await;
    desk.sends_nothing_for(9).await;
    desk.run_to_quiet(600).await;
    let messages = vera.messages().await;
    let pressed = messages
        .iter()
        .find(|message| message["message_id"] == old["message_id"]);
    assert_eq!(pressed.unwrap()["buttons"], json!([]));
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_away_only_delays_what_a_press_shows() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    vera.writes("/start").await;
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    vera.presses("Support").await;
    desk.end_faults().await;
    desk.advance(121).await;
    desk.run_to_quiet(600).await;
    let panel = vera.panel().await;
    assert!(
        panel["buttons"].to_string().contains("☑ Support"),
        "{panel}"
    );
    desk.finish().await;
}
