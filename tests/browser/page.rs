//! The page of a local desk, as a person uses it.

mod browser;
mod desk;

use std::io::Write;

use thirtyfour::components::SelectElement;
use thirtyfour::{By, Key};

use crate::browser::Browser;
use crate::desk::Desk;

/// Two members of staff in the sample settings.
const ANNA: &str = "501";
const BORIS: &str = "Boris";

/// Set to `required`, it makes a machine without a browser a failure.
const VARIABLE: &str = "FRONTDESK_BROWSER";

/// A desk and a browser on its page; none where there is no browser to test with.
async fn start() -> Option<(Desk, Browser)> {
    let Some(browser) = Browser::start().await else {
        let is_required = std::env::var(VARIABLE).is_ok_and(|value| value == "required");
        assert!(!is_required, "chromedriver is not on PATH");
        // Past the harness, which hides what a test that passes prints.
        let _ = writeln!(std::io::stderr(), "skipped: chromedriver is not on PATH");
        return None;
    };
    let desk = Desk::start().await;
    browser.client.goto(&desk.url).await.unwrap();
    Some((desk, browser))
}

/// The desk first: it must be able to leave while a page looks on.
async fn end(desk: Desk, browser: Browser) {
    desk.stop().await;
    browser.reads("#away", "The desk does not answer").await;
    browser.stop().await;
}

/// Fills and sends the form that the page holds.
async fn send_form(browser: &Browser, name: &str, message: &str) {
    let frame = browser.find("#form-frame").await;
    frame.enter_frame().await.unwrap();
    for (field, text) in [
        ("name", name),
        ("phone", "8 (812) 123-45-67"),
        ("message", message),
    ] {
        let input = browser.find(&format!("[name={field}]")).await;
        input.send_keys(text).await.unwrap();
    }
    browser.find("form button").await.click().await.unwrap();
    browser.find(".number").await;
    browser.client.enter_parent_frame().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_goes_from_the_form_to_whoever_takes_it_and_the_page_shows_each_step() {
    let Some((desk, browser)) = start().await else {
        return;
    };
    browser.resize(1280, 900).await;
    let name = "<b>Vera</b> <img src=x onerror=alert(1)>";
    send_form(&browser, name, "Please call me\nbefore noon").await;

    // The card appears without a reload, and what the customer typed is text.
    let card = "#staff .message .bubble";
    let text = browser.reads(card, "Please call me\nbefore noon").await;
    assert!(text.contains(name), "{text}");
    assert_eq!(browser.count("#staff .message img").await, 0);

    // Anna takes it: the answer shows, the card says so, and other buttons stand where that one was.
    let person = browser.find("#staff-person").await;
    let people = SelectElement::new(&person).await.unwrap();
    people.select_by_value(ANNA).await.unwrap();
    let take = browser.find("#staff .message .key").await;
    take.click().await.unwrap();
    browser.reads(".toast", "It is yours.").await;
    browser.reads(card, "Anna").await;
    browser.counts("#staff .message .key", 2).await;
    browser.reads("#staff .message .keys", "Return").await;
    browser
        .reads("#story .story", "new → in work, by Anna")
        .await;

    // Boris presses what his screen still shows, with nothing but the keyboard.
    browser
        .client
        .find(By::Css(".toast .close"))
        .await
        .unwrap()
        .click()
        .await
        .unwrap();
    person.send_keys(BORIS).await.unwrap();
    browser.strike(&[Key::Tab]).await;
    assert_eq!(browser.focused().await, "The staff's chat");
    browser
        .strike(&[Key::Up, Key::Tab, Key::Tab, Key::Tab, Key::Enter, Key::Tab])
        .await;
    assert_eq!(
        browser.focused().await,
        "Press “Take” on an outdated screen"
    );
    browser.strike(&[Key::Enter]).await;
    let told = browser.reads(".toast", "Already taken by Anna.").await;
    assert!(told.contains("To Boris"), "{told}");
    end(desk, browser).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_narrow_window_has_every_part_behind_a_button() {
    let Some((desk, browser)) = start().await else {
        return;
    };
    browser.resize(390, 844).await;
    let part = async |name: &str| {
        let button = browser.find(&format!("#parts [data-part={name}]")).await;
        button.click().await.unwrap();
    };
    let press = async |css: &str| browser.find(css).await.click().await.unwrap();

    // A customer writes to the bot.
    part("customers").await;
    let field = browser.find("#customers textarea").await;
    field.send_keys("Good evening").await.unwrap();
    browser.strike(&[Key::Enter]).await;
    browser
        .reads("#customers .mine .text", "Good evening")
        .await;

    // The clock moves and a fault goes on and off again.
    part("works").await;
    press("#clock .row button:nth-child(3)").await;
    browser.reads("#ahead", "+1 h").await;
    let telegram_refuses = "#faults .switch:first-child";
    press(telegram_refuses).await;
    browser.reads("#faults-on", "1 fault on").await;
    browser.counts("#faults .rows li", 1).await;

    // A card waits while Telegram is away, and the story says so.
    part("form").await;
    send_form(&browser, "Vera", "Hello").await;
    part("works").await;
    browser.reads("#story .effect", "attempts").await;
    browser.reads("#story .leads", "Vera").await;
    press(telegram_refuses).await;
    browser.counts("#faults .rows li", 0).await;
    end(desk, browser).await;
}
