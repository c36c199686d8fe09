//! What must hold when all is quiet, whatever happened before.

mod answers;
mod cards;
mod dialogs;
mod leases;
mod marks;
mod notices;
mod pace;
mod queues;
mod reminders;
mod requests;
mod waits;

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use frontdesk_local::Call;
use frontdesk_local_telegram::Message;
use serde_json::Value;

use crate::story::{self, Story};
use crate::world::World;

/// The effects of a request; there is one place in the sample.
const CARD: &str = "EFF#card#staff";
const BRIEF: &str = "EFF#brief#staff";

/// Checks all of it, then redrives what has failed, which must deliver it, and checks again. Says how it
/// went: what was openly unknown or had failed.
pub(crate) async fn check(world: &mut World) -> anyhow::Result<Outcome> {
    let outcome = look(world).await?;
    if outcome == Outcome::Failed {
        world.redrive_all().await?;
        let redriven = look(world).await.context("after the redrive")?;
        let mut items = world.desk.db().all()?;
        items.retain(|item| text(item, "state") == "failed");
        ensure!(
            redriven != Outcome::Failed,
            "a redrive does not deliver {}",
            Value::from(items)
        );
    }
    Ok(outcome)
}

async fn look(world: &World) -> anyhow::Result<Outcome> {
    let items = world.desk.db().all().context("the table")?;
    let now = world.desk.clock().now().as_millisecond();
    let requests: BTreeMap<&str, &Value> = of_kind(&items, "REQ");
    let calls = world.calls();
    let none = Story::default();
    let stories = story::read(&calls, &items);
    let effects: Vec<&Value> = items
        .iter()
        .filter(|item| text(item, "sk").starts_with("EFF"))
        .collect();

    requests::submissions(world, &requests).context("8")?;
    dialogs::requests(world, &requests).context("8")?;
    for (pk, request) in &requests {
        requests::history(&items, pk, request).context("9")?;
        requests::claims(world, &items, pk, request).context("10")?;
        let of_request: Vec<_> = effects
            .iter()
            .copied()
            .filter(|effect| text(effect, "pk") == *pk)
            .collect();
        called_for(&items, request, &of_request)?;
        let story = |sk: &str| {
            stories
                .get(&((*pk).to_owned(), sk.to_owned()))
                .unwrap_or(&none)
        };
        let mut told_again = Vec::new();
        for effect in of_request {
            match text(effect, "sk") {
                sk @ CARD => cards::check(world, request, effect, story(sk))?,
                BRIEF => dialogs::brief(world, &items, effect, story(CARD))?,
                sk if reminders::is_one(sk) => told_again.push((effect, story(sk))),
                sk => dialogs::confirmation(world, request, effect, story(sk))?,
            }
        }
        reminders::check(world, request, &told_again)?;
    }
    for item in &items {
        belongs(item, &requests)?;
    }
    for effect in &effects {
        one_effect(effect, now)?;
    }
    for (key, story) in &stories {
        let is_brief = key.1.starts_with("EFF#brief");
        let card = stories.get(&(key.0.clone(), CARD.to_owned()));
        life(key, story, card.filter(|_| is_brief), &world.moves)
            .and_then(|()| marks::check(world, &items, key, story))
            .with_context(|| format!("{} {}", key.0, key.1))?;
    }
    requests::replies(world, &items).context("6")?;
    waits::kept(world, &calls).context("4")?;
    pace::reads(&calls)?;
    pace::slots(&calls, &items).context("pace")?;
    queues::dead_letters(world, &effects).await.context("14")?;
    answers::all(world, &effects).context("12")?;
    notices::reports(world, &items).context("16")?;
    webhook(world, &effects).await?;
    dialogs::expired(world, &effects).context("12")?;
    notices::warnings(world, &items, &calls, &stories).context("warnings")?;
    logs(world).context("19")?;

    let failed = effects
        .iter()
        .any(|effect| text(effect, "state") == "failed" && !dialogs::is_unreachable(effect));
    let unreachable = effects.iter().any(|effect| dialogs::is_unreachable(effect));
    let unknown = effects.iter().any(|effect| number(effect, "unknowns") > 0);
    Ok(match (failed, unreachable, unknown) {
        (true, _, _) => Outcome::Failed,
        (_, true, _) => Outcome::Unreachable,
        (_, _, true) => Outcome::Unknown,
        (false, false, false) => Outcome::Once,
    })
}

/// How it went, all invariants being kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything was shown once.
    Once,
    /// Some send's outcome was never learnt, which is noted.
    Unknown,
    /// A customer does not take messages, which the card says.
    Unreachable,
    /// Something was given up, and lies in the dead letters.
    Failed,
}

impl Outcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Unknown => "openly unknown",
            Self::Unreachable => "unreachable, told",
            Self::Failed => "failed, told",
        }
    }
}

/// 11: a request has a card, the files that it came with, where it is a dialog's a confirmation, and a
/// reminder for each time that the clock has called it out or taken it back.
fn called_for(items: &[Value], request: &Value, effects: &[&Value]) -> anyhow::Result<()> {
    let mut wanted = vec![CARD.to_owned()];
    if number(request, "files") > 0 {
        wanted.push(BRIEF.to_owned());
    }
    if let Some(chat) = request["chat"].as_i64() {
        wanted.push(format!("EFF#confirmation#{chat}"));
    }
    let mut there: Vec<_> = effects.iter().map(|effect| text(effect, "sk")).collect();
    let reminders = reminders::called_for(items, text(request, "pk"), &there);
    ensure!(
        !reminders.is_empty() || number(request, "called_out") == 0,
        "11: called out without a word: {request}"
    );
    wanted.extend(reminders);
    wanted.sort();
    there.sort_unstable();
    ensure!(there == wanted, "11: {there:?} of {request}");
    Ok(())
}

fn life(
    key: &story::Key,
    story: &Story,
    card: Option<&Story>,
    moves: &[jiff::Timestamp],
) -> anyhow::Result<()> {
    let is_settled_by_staff = key.1.starts_with("EFF#confirmation");
    leases::check(story, moves, is_settled_by_staff)?;
    leases::messages(story, card)
}

fn of_kind<'a>(items: &'a [Value], sk: &str) -> BTreeMap<&'a str, &'a Value> {
    items
        .iter()
        .filter(|item| text(item, "sk") == sk)
        .map(|item| (text(item, "pk"), item))
        .collect()
}

pub(crate) fn text<'a>(item: &'a Value, name: &str) -> &'a str {
    item[name].as_str().unwrap_or_default()
}

fn number(item: &Value, name: &str) -> i64 {
    item[name].as_i64().unwrap_or_default()
}

/// How many such messages stand in groups that have become supergroups, and how many in the others.
fn in_groups(world: &World, is_such: impl Fn(&Message) -> bool) -> anyhow::Result<[i64; 2]> {
    let messages = world.staff_messages().into_iter();
    let (former, now): (Vec<_>, Vec<_>) = messages
        .filter(|(_, message)| is_such(message))
        .partition(|(chat, _)| world.former_chats.contains(chat));
    Ok([former.len().try_into()?, now.len().try_into()?])
}

/// True where the message that an effect notes is in its chat.
fn stands(world: &World, effect: &Value) -> bool {
    let messages = world.staff_messages();
    messages.iter().any(|(chat, message)| {
        effect["message"] == message.message_id && effect["message_chat"] == *chat
    })
}

/// What a call asked for.
fn body(call: &Call) -> Value {
    let body = call.request.as_deref().unwrap_or_default();
    serde_json::from_slice(body).unwrap_or_default()
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
    let sk = text(effect, "sk");
    match state {
        // Only the staff can settle it.
        "unknown" if sk.starts_with("EFF#confirmation") => ensure!(due.is_none(), "1: {effect}"),
        "pending" | "sending" | "unknown" => {
            ensure!(due.is_some_and(|due| due > now), "1: {effect}");
        }
        // It waits for its draft's end.
        "done" if sk == "EFF#panel" => ensure!(due.is_none_or(|due| due > now), "1: {effect}"),
        _ => ensure!(due.is_none(), "1: {effect}"),
    }
    ensure!(
        due.is_some() == effect["due_shard"].is_string(),
        "18: {effect}"
    );
    let listed = matches!(state, "unknown" | "failed") && !dialogs::is_unreachable(effect);
    ensure!(
        listed == (text(effect, "list_pk") == format!("effect#{state}")),
        "18: {effect}"
    );
    ensure!((0..=8).contains(&number(effect, "attempts")), "5: {effect}");
    Ok(())
}

/// A desk that has registered its address is registered.
async fn webhook(world: &World, effects: &[&Value]) -> anyhow::Result<()> {
    let is_of_it = |effect: &&&Value| text(effect, "sk").starts_with("EFF#webhook");
    let mut of_it = effects.iter().filter(is_of_it).peekable();
    if of_it.peek().is_some() && of_it.all(|effect| text(effect, "state") == "done") {
        ensure!(world.is_registered().await, "Telegram has another address");
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
