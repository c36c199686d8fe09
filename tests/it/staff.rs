//! What staff do and see, in their group and in their own chat with the bot.

use serde_json::{Value, json};

use crate::harness::{ANNA, BORIS, Desk, STAFF, buttons, token};

/// Somebody writes in the staff's group.
async fn say(desk: &Desk, user: i64, text: &str) -> Value {
    let said = json!({"chat_id": STAFF, "chat_type": "supergroup",
        "user": {"id": user, "first_name": "Somebody"}, "text": text});
    let answered = desk.control("say", said).await;
    desk.settle().await;
    desk.advance(4).await;
    desk.settle().await;
    answered
}

/// A member of staff writes to the bot alone; the reply is in the response.
async fn say_alone(desk: &Desk, user: i64, text: &str) -> String {
    let said =
        json!({"chat_id": user, "user": {"id": user, "first_name": "Somebody"}, "text": text});
    let answered = desk.control("say", said).await;
    answered["reply"]["text"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// The bot's last message in the staff's group.
async fn last(desk: &Desk) -> Value {
    let messages = desk.messages(STAFF).await;
    let bots = messages.iter().rfind(|message| message["from_id"] == 1);
    bots.unwrap().clone()
}

fn text(message: &Value) -> &str {
    message["text"].as_str().unwrap()
}

async fn card_of(desk: &Desk, id: &str) -> Value {
    let cards = desk.cards().await;
    let number = grouped(id);
    let card = cards.iter().find(|card| text(card).contains(&number));
    card.unwrap().clone()
}

fn grouped(id: &str) -> String {
    [&id[..4], &id[4..8], &id[8..12], &id[12..]].join(" ")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_taken_given_back_taken_by_another_and_closed_from_its_card() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    let press = async |user, what: &str| {
        let pressed = desk.press(user, &card, &format!("{what}:{id}")).await;
        desk.settle().await;
        pressed["answer"]["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(press(BORIS, "back").await, "Nobody has it.");
    assert_eq!(press(BORIS, "take").await, "It is yours.");
    let taken = desk.the_card().await;
    assert_eq!(
        buttons(&taken),
        [format!("back:{id}"), format!("close:{id}")]
    );
    assert_eq!(press(BORIS, "back").await, "Nobody has it now.");
    assert_eq!(buttons(&desk.the_card().await), [format!("take:{id}")]);
    assert_eq!(press(ANNA, "take").await, "It is yours.");
    assert_eq!(press(BORIS, "close").await, "Already taken by Anna.");
    assert_eq!(press(ANNA, "close").await, "It is closed.");
    let closed = desk.the_card().await;
    assert_eq!(buttons(&closed), [] as [&str; 0]);
    assert!(text(&closed).contains("Closed by Anna, "), "{closed}");
    for what in ["take", "back", "close"] {
        assert_eq!(press(BORIS, what).await, "Already closed by Anna.");
    }
    let request = desk.item(&id, "REQ").await;
    assert_eq!(
        (&request["state"], &request["version"], &request["assignee"]),
        (&json!("closed"), &json!(5), &Value::Null)
    );
    let steps: Vec<_> = [2, 3, 4, 5].into_iter().collect();
    for version in steps {
        let entry = desk.item(&id, &format!("LOG#{version:010}")).await;
        assert!(entry["actor"].is_i64(), "{version}: {entry}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_do_the_same_by_number_and_a_reason_shows_on_the_card() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    say(&desk, BORIS, &format!("/take {}", grouped(&id))).await;
    assert_eq!(text(&last(&desk).await), "It is yours.");
    say(&desk, BORIS, &format!("/return@desk_bot {}", &id[..5])).await;
    assert_eq!(text(&last(&desk).await), "Nobody has it now.");
    let alone = say_alone(&desk, ANNA, &format!("/close {id} a <double>")).await;
    assert_eq!(alone, "It is closed.");
    desk.settle().await;
    let card = card_of(&desk, &id).await;
    assert!(text(&card).contains(": a <double>"), "{card}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_paged_and_its_buttons_work_where_it_stands() {
    let desk = Desk::start().await;
    desk.without_limits().await;
    let mut ids = Vec::new();
    for n in 0..7 {
        ids.push(desk.lead(&token(n)).await);
        desk.advance(1).await;
    }
    desk.run_to_quiet(60).await;
    say(&desk, ANNA, "/list").await;
    let list = last(&desk).await;
    assert!(text(&list).starts_with("The last requests\n1. "), "{list}");
    for id in &ids[2..] {
        assert!(text(&list).contains(&grouped(id)), "{list}");
    }
    let on_list = buttons(&list);
    assert_eq!(on_list[0], format!("take:{}:", ids[6]));
    let older = on_list.last().unwrap().clone();
    assert!(older.starts_with("list:1"), "{older}");

    desk.press(BORIS, &list, &on_list[0]).await;
    desk.settle().await;
    let after = last(&desk).await;
    assert_eq!(after["message_id"], list["message_id"], "it is edited");
    assert!(text(&after).contains("in work: Boris"), "{after}");
    assert!(text(&card_of(&desk, &ids[6]).await).contains("Taken by Boris"));

    desk.press(BORIS, &list, &older).await;
    desk.settle().await;
    let page = last(&desk).await;
    for id in &ids[..2] {
        assert!(text(&page).contains(&grouped(id)), "{page}");
    }
    assert!(!text(&page).contains(&grouped(&ids[6])), "{page}");
    let latest = buttons(&page).last().unwrap().clone();
    assert_eq!(latest, "list:");
    desk.press(BORIS, &page, &latest).await;
    desk.settle().await;
    assert!(text(&last(&desk).await).contains(&grouped(&ids[6])));
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_leaves_out_nothing_that_changed_in_the_same_moment() {
    let desk = Desk::start().await;
    desk.without_limits().await;
    let mut ids = Vec::new();
    for n in 0..8 {
        ids.push(desk.lead(&token(n)).await);
    }
    desk.run_to_quiet(60).await;
    for id in &ids {
        let same = json!({":at": {"N": "1800000000000"}});
        desk.update_item(&format!("REQ#{id}"), "REQ", "SET list_sk = :at", same)
            .await;
    }
    say(&desk, ANNA, "/list").await;
    let first = last(&desk).await;
    let older = buttons(&first).last().unwrap().clone();
    desk.press(BORIS, &first, &older).await;
    desk.settle().await;
    let pages = text(&first).to_owned() + text(&last(&desk).await);
    for id in &ids {
        assert_eq!(pages.matches(&grouped(id)).count(), 1, "{id}: {pages}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_story_has_all_that_is_known_of_a_request() {
    let desk = Desk::start().await;
    desk.lead(&token(0)).await;
    desk.advance(60).await;
    let long = "w".repeat(6000);
    let fields = json!({"name": "Vera", "phone": "8 (812) 123-45-67", "message": &long[..4000]});
    let (_, body) = desk.submit(&token(1), &fields).await;
    let id = body["id"].as_str().unwrap().to_owned();
    desk.run_to_quiet(60).await;
    say(&desk, BORIS, &format!("/take {id}")).await;
    let story = say_alone(&desk, ANNA, &format!("/show {}", grouped(&id))).await;
    for part in [
        "<b>Contact us</b> · <code>",
        "in work: Boris",
        "<b>Name</b>: Vera",
        "+78121234567 (typed: 8 (812) 123-45-67)",
        "wwww",
        "Boris: new → in work",
        "card · staff: delivered (attempts: 1, unknown: 0)",
        "Earlier requests of this contact",
    ] {
        assert!(story.contains(part), "{part} in {story}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_leads_to_no_single_request_is_explained() {
    let desk = Desk::start().await;
    for (command, said) in [
        ("/show", "A number has 14 digits"),
        ("/show xyz", "A number has 14 digits"),
        ("/retry abcd", "There is no request"),
        ("/close 3f9a22c107bed4", "There is no request"),
    ] {
        let answer = say_alone(&desk, ANNA, command).await;
        assert!(answer.starts_with(said), "{command}: {answer}");
    }
    let id = desk.lead(&token(1)).await;
    let copy = |sk: &str| {
        json!({"pk": {"S": format!("REQ#{}ffffffffff", &id[..4])}, "sk": {"S": sk},
        "number_pk": {"S": format!("NUMBER#{}", &id[..4])}, "number_sk": {"S": format!("{}ffffffffff", &id[..4])}})
    };
    desk.put_item(copy("REQ")).await;
    let several = say_alone(&desk, ANNA, &format!("/show {}", &id[..4])).await;
    assert!(
        several.starts_with("Several requests begin so:"),
        "{several}"
    );
    assert!(several.contains(&grouped(&id)), "{several}");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_delivers_what_was_given_up() {
    let desk = Desk::start().await;
    desk.fault(
        json!({"target": "telegram", "match": "sendMessage", "fault": "status", "value": 400,
        "description": "Bad Request: chat not found"}),
    )
    .await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    assert_eq!(desk.effect(&id).await["state"], "failed");
    let said = say_alone(&desk, ANNA, &format!("/retry {id}")).await;
    assert_eq!(said, "1 message is attempted again.");
    desk.run_to_quiet(60).await;
    assert_eq!(desk.effect(&id).await["state"], "done");
    assert_eq!(desk.cards().await.len(), 1);
    let again = say_alone(&desk, ANNA, &format!("/retry {id}")).await;
    assert_eq!(again, "Nothing of it was given up or is unknown.");
    assert_eq!(desk.cards().await.len(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_figures_tell_how_it_stands() {
    let desk = Desk::start().await;
    desk.without_limits().await;
    let mut ids = Vec::new();
    for n in 0..4 {
        ids.push(desk.lead(&token(n)).await);
    }
    desk.settle().await;
    say_alone(&desk, ANNA, &format!("/take {}", ids[0])).await;
    say_alone(&desk, ANNA, &format!("/close {}", ids[1])).await;
    desk.settle().await;
    let stats = say_alone(&desk, BORIS, "/stats").await;
    for line in [
        "Nobody has taken: 2, the oldest since ",
        "In work: 1",
        "Closed today: 1",
        "Closed in 30 days: 1",
        "Sends with unknown outcome: 0",
        "Given up: 0",
    ] {
        assert!(stats.contains(line), "{line} in {stats}");
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_hidden_administrators_are_told_and_change_nothing() {
    let desk = Desk::start().await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    say(&desk, 999, &format!("/close {id}")).await;
    assert_eq!(
        text(&last(&desk).await),
        "Only the desk's staff can do this."
    );
    say(&desk, 1_087_968_824, &format!("/close {id}")).await;
    assert!(text(&last(&desk).await).starts_with("You press as an anonymous"));
    let alone = say_alone(&desk, 999, &format!("/show {id}")).await;
    assert!(
        !alone.contains("Vera") && !alone.contains(&grouped(&id)),
        "{alone}"
    );
    assert_eq!(desk.item(&id, "REQ").await["state"], "new");
    // In a group that is none of the desk's, the bot says nothing.
    let elsewhere = json!({"chat_id": -77, "chat_type": "group",
        "user": {"id": ANNA, "first_name": "Anna"}, "text": "/list"});
    let answered = desk.control("say", elsewhere).await;
    desk.settle().await;
    assert_eq!(answered["reply"], Value::Null);
    assert_eq!(desk.messages(-77).await.len(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_settings_keep_for_administrators_only_they_do() {
    let settings = std::fs::read_to_string(crate::harness::project().join("desk.toml")).unwrap();
    let settings = settings.replace(
        "administrators_only = []",
        "administrators_only = [\"close\", \"stats\", \"list\"]",
    );
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::fs::write(file.path(), settings).unwrap();
    let path = file.path().to_owned();
    let desk = Desk::start_with(|options| options.settings = path).await;
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    let card = desk.the_card().await;
    let refused = desk.press(BORIS, &card, &format!("close:{id}")).await;
    let only = "Only administrators of the desk can do this.";
    assert_eq!(refused["answer"]["text"], only);
    assert_eq!(say_alone(&desk, BORIS, "/stats").await, only);
    // A button of a list would show the list.
    let made_up = desk.press(BORIS, &card, &format!("take:{id}:")).await;
    assert_eq!(made_up["answer"]["text"], only);
    assert_eq!(desk.item(&id, "REQ").await["state"], "new");
    assert!(
        say_alone(&desk, ANNA, "/stats")
            .await
            .contains("How it stands")
    );
    let closed = desk.press(ANNA, &card, &format!("close:{id}")).await;
    assert_eq!(closed["answer"]["text"], "It is closed.");
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_make_as_many_calls_however_many_requests_there_are() {
    let desk = Desk::start().await;
    desk.without_limits().await;
    let mut counted: Vec<Vec<usize>> = Vec::new();
    let mut first = String::new();
    for round in 0..2 {
        for n in 0..20 {
            let id = desk.lead(&token(round * 20 + n)).await;
            if first.is_empty() {
                first = id;
            }
        }
        desk.settle().await;
        let mut counts = Vec::new();
        for command in ["/list", "/stats", &format!("/show {first}")] {
            let before = desk.local.calls().len();
            say_alone(&desk, ANNA, command).await;
            counts.push(desk.local.calls().len() - before);
        }
        counted.push(counts);
    }
    println!("calls of /list, /stats, /show: {counted:?}");
    assert_eq!(counted[0], counted[1]);
    assert_eq!(counted[0], [5, 8, 3]);
    desk.finish().await;
}
