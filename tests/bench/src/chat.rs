//! The way from a form's POST to the card in the staff's chat, through the whole local cloud.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use frontdesk_local::{Desk, Functions, Options, read_settings};
use frontdesk_local_telegram::{Rates, Telegram};
use serde_json::json;

use crate::in_project;

/// Leads that go before those that count.
const WARM_UP: u32 = 10;

/// By so much the desk's clock moves on from lead to lead, so that no card waits for its place in the
/// chat's pace.
const BETWEEN_LEADS: Duration = Duration::from_mins(1);

/// How long a card, and the peace after it, may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends leads one after another and returns how long each took, in rising order.
pub(crate) fn measure(functions: Functions, leads: u32) -> anyhow::Result<Vec<Duration>> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let options = Options {
            settings: in_project("desk.toml"),
            manual: true,
            ..Options::default()
        };
        let business = read_settings(&options.settings).map_err(anyhow::Error::msg)?;
        let staff = business.staff_chats.first().context("no staff chat")?;
        let desk = Desk::start(options, functions).await?;
        desk.telegram().set_rates(Rates::NONE);
        let ways = send_all(&desk, staff.chat_id, leads).await;
        desk.stop().await;
        ways
    })
}

async fn send_all(desk: &Desk, staff: i64, leads: u32) -> anyhow::Result<Vec<Duration>> {
    let http = reqwest::Client::builder().no_proxy().build()?;
    let form = format!("{}/forms/contact", desk.url());
    let mut ways = Vec::new();
    for lead in 1..=WARM_UP + leads {
        // A phone of its own for each, or the later cards tell of ever more earlier leads.
        let fields = json!({
            "name": "Vera",
            "phone": format!("8 812 {:07}", 1_000_000 + lead),
            "message": "Please call me",
        });
        let post = http
            .post(&form)
            .header("idempotency-key", format!("draft-token-of-lead-{lead:06}"))
            .json(&fields);
        let start = Instant::now();
        let card = card(desk.telegram(), staff, lead as usize, start);
        let (answer, way) = tokio::join!(post.send(), tokio::time::timeout(PATIENCE, card));
        answer?.error_for_status()?;
        let way = way.with_context(|| format!("lead {lead} gets no card"))?;
        if lead > WARM_UP {
            ways.push(way);
        }
        let settled = desk.settle(PATIENCE).await?;
        ensure!(settled.settled, "the desk does not come to rest");
        desk.advance(BETWEEN_LEADS)?;
    }
    ways.sort_unstable();
    Ok(ways)
}

/// Waits until so many cards are in the chat.
async fn card(telegram: &Telegram, staff: i64, cards: usize, start: Instant) -> Duration {
    let mut changes = telegram.changes();
    loop {
        let chat = telegram.chat(staff);
        if chat.is_some_and(|chat| chat.messages.len() >= cards) {
            return start.elapsed();
        }
        // The sender lives as long as the stand-in.
        let _ = changes.changed().await;
    }
}
