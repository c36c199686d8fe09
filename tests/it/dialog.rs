//! A customer's conversation with the bot, from the first question to the request.

use serde_json::{Value, json};

use crate::customer::{Customer, data_of};
use crate::harness::Desk;

const VERA: i64 = 7001;

/// Goes through all steps of the sample up to the preview.
pub(crate) async fn fill(vera: &Customer<'_>) {
    vera.writes("/start ads").await;
    vera.presses("A new site").await;
    vera.presses("Promotion").await;
    vera.presses("Go on").await;
    vera.presses("Online shop").await;
    vera.writes("A shop for tea & <coffee>").await;
    vera.presses("Skip").await;
    vera.presses("50,000 – 150,000 ₽").await;
    vera.presses("Within a month").await;
    vera.writes("8 (812) 123-45-67").await;
}

/// The one request that there is for a customer, by its number in the customer's chat.
pub(crate) async fn the_request(desk: &Desk, vera: &Customer<'_>) -> (String, Value) {
    let id = vera.draft().await["draft"]["request"].clone();
    let id = id.as_str().expect("a request").to_owned();
    let request = desk.item(&id, "REQ").await;
    (id, request)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contact_that_is_passed_on_keeps_its_country() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    fill(&vera).await;
    desk.settle().await;
    let contact = async |contact: Value| {
        vera.presses("Change: Phone").await;
        vera.does(json!({"contact": contact})).await;
        desk.settle().await;
        let draft = vera.draft().await["draft"].clone();
        let answers = draft["answers"].as_array().unwrap().clone();
        let kept = answers
            .into_iter()
            .find(|answer| answer["kind"] == "contact");
        let kept = kept.unwrap();
        (kept["e164"].clone(), kept["own"].clone())
    };
    // Telegram writes its users' numbers without a plus, whoever sends them.
    let users = json!({"phone_number": "84912345678", "first_name": "A", "user_id": 555});
    assert_eq!(contact(users).await, (json!("+84912345678"), json!(0)));
    let own = json!({"phone_number": "84912345678", "first_name": "V", "user_id": VERA});
    assert_eq!(contact(own).await, (json!("+84912345678"), json!(1)));
    let noted = json!({"phone_number": "89121234567", "first_name": "B"});
    assert_eq!(contact(noted).await, (json!("+79121234567"), json!(0)));
    desk.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_answers_checks_confirms_and_has_a_number() {
    let desk = Desk::start().await;
    let vera = Customer::new(&desk, VERA, "en");
    let greeting = vera.writes("/start ads").await;
    assert!(
        greeting.contains("Hello!") && greeting.contains("1 of 7"),
        "{greeting}"
    );
    fill(&vera).await;
    desk.run_to_quiet(60).await;
    let preview = vera.panel().await;
    let text = preview["text"].as_str().unwrap();
    for line in [
        "Services: A new site, Promotion",
        "Type of site: Online shop",
        "Description: A shop for tea & <coffee>",
        "Brief: —",
        "Budget: 50,000 – 150,000 ₽",
        "Urgency: Within a month",
        "Phone: 8 (812) 123-45-67",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let answer = vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    let (id, request) = the_request(&desk, &vera).await;
    let number = frontdesk_domain::RequestId::parse(&id).unwrap().grouped();
    assert_eq!(answer, format!("Sent. Its number: {number}"));
    assert_eq!(
        (
            &request["state"],
            &request["chat"],
            &request["language"],
            &request["link"]
        ),
        (&json!("new"), &json!(VERA), &json!("en"), &json!("ads"))
    );
    let card = desk.the_card().await;
    let card = card["text"].as_str().unwrap();
    for line in [
        format!("Request · {number}").as_str(),
        "Services: A new site, Promotion",
        "Budget: 50,000 – 150,000 ₽",
        "Phone: +78121234567 (typed: 8 (812) 123-45-67)",
        "Came by the link: ads",
        "Writes in: en",
    ] {
        assert!(card.contains(line), "{line} in {card}");
    }
    let messages = vera.messages().await;
    let confirmations = messages.iter().filter(|message| {
        let text = message["text"].as_str().unwrap_or_default();
        text.contains("Thank you!") && text.contains(&number)
    });
    assert_eq!(confirmations.count(), 1, "{messages:#?}");
    // Again, by the customer or by the network, it is the same number.
    let again = vera
        .presses_data(&preview, &data_of(&preview, "Send"))
        .await;
    assert_eq!(again, format!("It is sent already. Its number: {number}"));
    desk.finish().await;
}
