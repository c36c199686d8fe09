//! A form's requests are shown in the form's places, and a press finds the cards beside it.

use serde_json::json;
use tempfile::NamedTempFile;

use crate::harness::{ANNA, BORIS, Desk, buttons, take_buttons, token};

const NORTH: i64 = -1_001_000_000_011;
const SOUTH: i64 = -1_001_000_000_012;
const OFFICE: i64 = -1_001_000_000_013;

fn settings(forms: &[(&str, &[&str])]) -> String {
    let places =
        [("north", NORTH), ("south", SOUTH), ("office", OFFICE)].map(|(n, c)| (n.to_owned(), c));
    let forms: Vec<_> = forms
        .iter()
        .map(|(form, places)| {
            let places = places.iter().map(ToString::to_string);
            ((*form).to_owned(), places.collect())
        })
        .collect();
    frontdesk_local::sample_settings(&places, &forms)
}

/// A form for two of three places, one for the third, and one for all.
async fn desk_with_three_places() -> (Desk, NamedTempFile) {
    let text = settings(&[
        ("repair", &["north", "south"]),
        ("jobs", &["office"]),
        ("contact", &[]),
    ]);
    Desk::start_as(&text).await
}

async fn cards_in_each(desk: &Desk) -> [usize; 3] {
    [
        desk.messages(NORTH).await.len(),
        desk.messages(SOUTH).await.len(),
        desk.messages(OFFICE).await.len(),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forms_leads_appear_in_its_places_only_and_in_all_where_it_names_none() {
    let (desk, _file) = desk_with_three_places().await;
    desk.lead_to("repair", &token(1)).await;
    desk.run_to_quiet(60).await;
    assert_eq!(cards_in_each(&desk).await, [1, 1, 0]);
    desk.lead_to("jobs", &token(2)).await;
    desk.run_to_quiet(60).await;
    assert_eq!(cards_in_each(&desk).await, [1, 1, 1]);
    desk.lead_to("contact", &token(3)).await;
    desk.run_to_quiet(60).await;
    assert_eq!(cards_in_each(&desk).await, [2, 2, 2]);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_is_claimed_from_either_of_its_places_and_both_cards_change() {
    let (desk, _file) = desk_with_three_places().await;
    for (n, pressed_in) in [(1, NORTH), (2, SOUTH)] {
        let id = desk.lead_to("repair", &token(n)).await;
        desk.run_to_quiet(60).await;
        let take = format!("take:{id}");
        let cards = desk.messages(pressed_in).await;
        let card = cards
            .iter()
            .find(|card| buttons(card).contains(&take))
            .unwrap();
        let pressed = desk.press_in(pressed_in, ANNA, card, &take).await;
        assert_eq!(pressed["answer"]["text"], "It is yours.");
        desk.run_to_quiet(60).await;
        for chat in [NORTH, SOUTH] {
            let cards = desk.messages(chat).await;
            let card = cards.last().unwrap();
            assert!(card["text"].as_str().unwrap().contains("Taken by Anna"));
            assert_eq!(take_buttons(card), [] as [&str; 0]);
        }
    }
    assert_eq!(cards_in_each(&desk).await, [2, 2, 0]);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_reads_its_request_and_the_cards_beside_it_and_wishes_for_no_others() {
    let (desk, _file) = desk_with_three_places().await;
    let id = desk.lead_to("jobs", &token(1)).await;
    desk.settle().await;
    let card = desk.messages(OFFICE).await.remove(0);
    let before = desk.local.calls().len();
    desk.press_in(OFFICE, ANNA, &card, &format!("take:{id}"))
        .await;
    desk.settle().await;
    let calls = desk.local.calls();
    let pressed: Vec<_> = calls[before..]
        .iter()
        .filter(|call| call.function == "webhook")
        .map(|call| (call.operation.as_str(), call.read_units))
        .collect();
    // The request, and three places beside the office's: the form for all of them may have made it.
    assert_eq!(pressed[0], ("BatchGetItem", 4.0));
    assert_eq!(pressed.len(), 3, "{pressed:?}");
    let effects = desk.items(&format!("REQ#{id}")).await;
    let effects = effects
        .iter()
        .filter(|item| item["sk"].as_str().unwrap().starts_with("EFF#"));
    assert_eq!(effects.count(), 1);
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_from_a_group_that_became_a_supergroup_changes_the_other_places_card_too() {
    let (desk, _file) = desk_with_three_places().await;
    let moved = desk.control("migrate", json!({"chat_id": SOUTH})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.settle().await;
    let id = desk.lead_to("repair", &token(1)).await;
    desk.settle().await;
    let card = desk.messages(moved).await.pop().unwrap();
    let pressed = desk
        .press_in(moved, BORIS, &card, &format!("take:{id}"))
        .await;
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    desk.settle().await;
    for chat in [NORTH, moved] {
        let card = desk.messages(chat).await.pop().unwrap();
        assert!(card["text"].as_str().unwrap().contains("Taken by Boris"));
    }
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_of_500_places_is_pressed_in_one_that_became_a_supergroup() {
    let (desk, _file) = Desk::start_as(&frontdesk_local::settings_of_groups(500)).await;
    let last = frontdesk_local::group_chat(499);
    let moved = desk.control("migrate", json!({"chat_id": last})).await["chat_id"]
        .as_i64()
        .unwrap();
    desk.settle().await;
    let id = desk.lead_to("g499", &token(1)).await;
    desk.settle().await;
    let card = desk.messages(moved).await.pop().unwrap();
    let before = desk.local.calls().len();
    let pressed = desk
        .press_in(moved, ANNA, &card, &format!("take:{id}"))
        .await;
    assert_eq!(pressed["answer"]["text"], "It is yours.");
    let calls = desk.local.calls();
    let reads = calls[before..]
        .iter()
        .filter(|call| call.function == "webhook" && call.operation == "BatchGetItem");
    assert_eq!(reads.count(), 6, "a hundred chats a call, then the card");
    desk.settle().await;
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_form_has_left_its_place_is_brought_up_to_date_by_the_press_on_it() {
    let (desk, file) = desk_with_three_places().await;
    let id = desk.lead_to("repair", &token(1)).await;
    desk.settle().await;
    let [north, south] = [
        desk.messages(NORTH).await.remove(0),
        desk.messages(SOUTH).await.remove(0),
    ];
    let take = format!("take:{id}");
    std::fs::write(file.path(), settings(&[("repair", &["north"])])).unwrap();
    desk.control("kill", json!({"function": "webhook"})).await;
    desk.press_in(NORTH, ANNA, &north, &take).await;
    desk.settle().await;
    let late = desk.press_in(SOUTH, BORIS, &south, &take).await;
    assert_eq!(late["answer"]["text"], "Already taken by Anna.");
    desk.settle().await;
    for chat in [NORTH, SOUTH] {
        let card = desk.messages(chat).await.remove(0);
        assert!(card["text"].as_str().unwrap().contains("Taken by Anna"));
        assert_eq!(take_buttons(&card), [] as [&str; 0]);
    }
    desk.finish().await;
}
