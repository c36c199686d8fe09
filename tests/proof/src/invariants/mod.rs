//! What must hold when all is quiet, whatever happened before.

mod cards;
mod leases;
mod notices;
mod pace;
mod queues;
mod requests;

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::story::{self, Story};
use crate::world::World;

/// Checks all of it, then redrives what has failed, which must deliver it, and checks again. Says how it
/// went: what was openly unknown or had failed.
pub(crate) async fn check(world: &mut World) -> anyhow::Result<Outcome> {
    let outcome = look(world).await?;
    if outcome == Outcome::Failed {
        world.redrive_all().await?;
        let redriven = look(world).await.context("after the redrive")?;
        ensure!(redriven != Outcome::Failed, "a redrive delivers nothing");
    }
    Ok(outcome)
}

async fn look(world: &World) -> anyhow::Result<Outcome> {
    let items = world.desk.db().all().context("the table")?;
    let now = world.desk.clock().now().as_millisecond();
    let requests: BTreeMap<&str, &Value> = of_kind(&items, "REQ");
    let leads: Vec<_> = requests
        .keys()
        .map(|pk| pk.trim_start_matches("REQ#"))
        .collect();
    let calls = world.calls();
    let mut stories = story::read(&calls, &leads);
    let effects: Vec<&Value> = items
        .iter()
        .filter(|item| text(item, "sk").starts_with("EFF"))
        .collect();

    requests::submissions(world, &requests).context("8")?;
    for (pk, request) in &requests {
        requests::history(&items, pk, request).context("9")?;
        requests::claims(world, &items, pk, request).context("10")?;
        let cards: Vec<_> = effects
            .iter()
            .filter(|effect| text(effect, "pk") == *pk)
            .collect();
        ensure!(cards.len() == 1, "11: {} effects of {pk}", cards.len());
        let key = (
            text(cards[0], "pk").to_owned(),
            text(cards[0], "sk").to_owned(),
        );
        let story = stories.entry(key).or_default();
        cards::check(world, request, cards[0], story)?;
    }
    for item in &items {
        belongs(item, &requests)?;
    }
    for effect in &effects {
        one_effect(effect, now)?;
    }
    for (key, story) in &stories {
        life(story, &world.moves).with_context(|| format!("{} {}", key.0, key.1))?;
    }
    requests::replies(world, &items).context("6")?;
    waits(world).context("4")?;
    pace::reads(&calls)?;
    pace::slots(&calls, &items).context("pace")?;
    queues::dead_letters(world, &effects).await.context("14")?;
    notices::reports(world, &items).context("16")?;
    notices::warnings(world, &items).context("warnings")?;
    logs(world).context("19")?;

    let failed = effects
        .iter()
        .any(|effect| text(effect, "state") == "failed");
    let unknown = effects.iter().any(|effect| number(effect, "unknowns") > 0);
    Ok(match (failed, unknown) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Unknown,
        (false, false) => Outcome::Once,
    })
}

/// How it went, all invariants being kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything was shown once.
    Once,
    /// Some send's outcome was never learnt, which is noted.
    Unknown,
    /// Something was given up, and lies in the dead letters.
    Failed,
}

impl Outcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Unknown => "openly unknown",
            Self::Failed => "failed, told",
        }
    }
}

fn life(story: &Story, moves: &[jiff::Timestamp]) -> anyhow::Result<()> {
    leases::check(story, moves)?;
    leases::messages(story)
}

fn of_kind<'a>(items: &'a [Value], sk: &str) -> BTreeMap<&'a str, &'a Value> {
    items
        .iter()
        .filter(|item| text(item, "sk") == sk)
        .map(|item| (text(item, "pk"), item))
        .collect()
}

fn text<'a>(item: &'a Value, name: &str) -> &'a str {
    item[name].as_str().unwrap_or_default()
}

fn number(item: &Value, name: &str) -> i64 {
    item[name].as_i64().unwrap_or_default()
}

/// 18: what stands under a request has its request.
fn belongs(item: &Value, requests: &BTreeMap<&str, &Value>) -> anyhow::Result<()> {
    let pk = text(item, "pk");
    ensure!(
        !pk.starts_with("REQ#") || requests.contains_key(pk),
        "18: without its request: {item}"
    );
    Ok(())
}

/// 1, 5, 18: an effect on its own.
fn one_effect(effect: &Value, now: i64) -> anyhow::Result<()> {
    let state = text(effect, "state");
    let due = effect["due"].as_i64();
    match state {
        "pending" | "sending" | "unknown" => {
            ensure!(due.is_some_and(|due| due > now), "1: {effect}");
        }
        _ => ensure!(due.is_none(), "1: {effect}"),
    }
    ensure!(
        due.is_some() == effect["due_shard"].is_string(),
        "18: {effect}"
    );
    let listed = matches!(state, "unknown" | "failed");
    ensure!(
        listed == (text(effect, "list_pk") == format!("effect#{state}")),
        "18: {effect}"
    );
    ensure!((0..=8).contains(&number(effect, "attempts")), "5: {effect}");
    Ok(())
}

/// 4: nothing goes to a chat between its 429 and the end of its wait, but what was in flight.
fn waits(world: &World) -> anyhow::Result<()> {
    let requests: Vec<Value> = world
        .desk
        .telegram()
        .requests()
        .iter()
        .map(|request| json!(request))
        .collect();
    let at = |request: &Value| text(request, "at").parse::<jiff::Timestamp>();
    for refused in requests.iter().filter(|request| request["status"] == 429) {
        let (from, seconds) = (
            at(refused)?,
            refused["response"]["parameters"]["retry_after"].as_i64(),
        );
        let until = from + jiff::SignedDuration::from_secs(seconds.unwrap_or_default());
        let in_flight = from + jiff::SignedDuration::from_secs(2);
        for request in requests.iter().filter(|request| request["via"] == "api") {
            let (when, chat) = (at(request)?, &request["params"]["chat_id"]);
            let early = when > in_flight && when < until && *chat == refused["params"]["chat_id"];
            ensure!(
                !early,
                "at {when}, though told at {from} to wait until {until}"
            );
        }
    }
    Ok(())
}

/// 19: nothing that people wrote, and no secret, is in the logs.
fn logs(world: &World) -> anyhow::Result<()> {
    let secret = world.desk.webhook_secret();
    let token = world.desk.telegram().bot().token;
    for line in world.desk.logs() {
        for canary in ["CANARY", "777-66-55", "7776655", secret, &token] {
            ensure!(!line.contains(canary), "{line}");
        }
    }
    Ok(())
}
