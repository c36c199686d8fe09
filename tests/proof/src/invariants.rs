//! What must hold when all is quiet, whatever happened before.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::world::World;

/// Checks all of it, and says in a word how it went: what was openly unknown or failed.
pub(crate) fn check(world: &World) -> anyhow::Result<String> {
    let items = world.desk.db().all().context("the table")?;
    let now = world.desk.clock().now().as_millisecond();
    let requests: BTreeMap<&str, &Value> = of_kind(&items, "REQ");
    let effects: Vec<&Value> = items
        .iter()
        .filter(|item| text(item, "sk").starts_with("EFF"))
        .collect();

    submissions(world, &requests).context("8")?;
    for (pk, request) in &requests {
        history(&items, pk, request).context("9")?;
        claims(world, &items, pk, request).context("10")?;
        let cards: Vec<_> = effects
            .iter()
            .filter(|effect| text(effect, "pk") == *pk)
            .collect();
        ensure!(cards.len() == 1, "11: {} effects of {pk}", cards.len());
        card(world, request, cards[0])?;
    }
    for effect in &effects {
        one_effect(effect, now, &requests)?;
    }
    replies(world).context("6")?;
    waits(world).context("4")?;
    dead_letters(world, &effects).context("14")?;
    logs(world).context("19")?;

    let count = |state: &str| {
        effects
            .iter()
            .filter(|effect| text(effect, "state") == state)
            .count()
    };
    let unknowns: i64 = effects
        .iter()
        .map(|effect| number(effect, "unknowns"))
        .sum();
    Ok(match (count("failed"), unknowns) {
        (0, 0) => "once".to_owned(),
        (0, _) => "openly unknown".to_owned(),
        _ => "failed, told".to_owned(),
    })
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

/// 8: each accepted token has exactly one request, with what was sent; its answers are all equal.
fn submissions(world: &World, requests: &BTreeMap<&str, &Value>) -> anyhow::Result<()> {
    let tokens: BTreeSet<_> = world.submissions.iter().map(|sent| &sent.token).collect();
    for token in tokens {
        let sent: Vec<_> = world
            .submissions
            .iter()
            .filter(|sent| sent.token == *token)
            .collect();
        let accepted: Vec<_> = sent.iter().filter(|sent| sent.status == 201).collect();
        let stored: Vec<_> = requests
            .values()
            .filter(|request| text(request, "token") == token)
            .collect();
        ensure!(stored.len() <= 1, "{} requests of one token", stored.len());
        let Some(first) = accepted.first() else {
            continue;
        };
        ensure!(stored.len() == 1, "accepted and lost: {first:?}");
        ensure!(
            accepted.iter().all(|sent| sent.body == first.body),
            "other answers: {accepted:?}"
        );
        ensure!(
            accepted.iter().all(|sent| sent.content == first.content),
            "two contents accepted"
        );
        let typed: Vec<_> = ["name", "phone", "message"]
            .map(|field| first.content[field].clone())
            .into();
        let kept = stored[0]["answers"].as_array().context("answers")?;
        let kept: Vec<_> = kept.iter().map(|answer| answer["text"].clone()).collect();
        ensure!(kept == typed, "other content stored: {kept:?}");
        let id = text(stored[0], "pk").trim_start_matches("REQ#");
        ensure!(first.body.contains(id), "another number was told");
    }
    ensure!(requests.values().all(|request| {
        world
            .submissions
            .iter()
            .any(|sent| sent.token == text(request, "token"))
    }));
    Ok(())
}

/// 9: history is contiguous, each "from" is the previous "to", and the last is the state.
fn history(items: &[Value], pk: &str, request: &Value) -> anyhow::Result<()> {
    let mut entries: Vec<_> = items
        .iter()
        .filter(|item| text(item, "pk") == pk && text(item, "sk").starts_with("LOG#"))
        .collect();
    entries.sort_by_key(|entry| text(entry, "sk"));
    let mut state = "new";
    for (at, entry) in entries.iter().enumerate() {
        ensure!(
            text(entry, "sk") == format!("LOG#{:010}", at + 2),
            "a gap at {entry}"
        );
        ensure!(text(entry, "from") == state, "it was {state}: {entry}");
        state = text(entry, "to");
    }
    ensure!(
        state == text(request, "state"),
        "history ends with {state}: {request}"
    );
    ensure!(
        number(request, "version") == i64::try_from(entries.len())? + 1,
        "{request}"
    );
    Ok(())
}

/// 10: a claim in the history has exactly one receipt that says "taken", by its actor, and the reverse.
fn claims(world: &World, items: &[Value], pk: &str, request: &Value) -> anyhow::Result<()> {
    let lead = pk.trim_start_matches("REQ#");
    let said_yours = |press: &&crate::world::Pressed| {
        let receipt = format!("UPD#desk#{}", press.update_id);
        items
            .iter()
            .any(|item| text(item, "pk") == receipt && text(item, "reply").contains("It is yours."))
    };
    let mut winners: BTreeMap<i64, i64> = BTreeMap::new();
    for press in world
        .presses
        .iter()
        .filter(|press| press.lead == lead)
        .filter(said_yours)
    {
        winners.insert(press.update_id, press.user);
    }
    let claims = usize::from(text(request, "state") == "in_work");
    ensure!(
        winners.len() == claims,
        "{} winners, {claims} claims of {lead}",
        winners.len()
    );
    if let Some(user) = winners.values().next() {
        ensure!(
            number(request, "assignee") == *user,
            "told {user}, stored {request}"
        );
    }
    Ok(())
}

/// 3, 12, 13: the card in the chat against its effect and its request.
fn card(world: &World, request: &Value, effect: &Value) -> anyhow::Result<()> {
    let (version, shown, want) = (
        number(request, "version"),
        number(effect, "shown"),
        number(effect, "want"),
    );
    ensure!(
        shown <= version && want <= version,
        "3: {effect} of version {version}"
    );
    let id = text(request, "pk").trim_start_matches("REQ#");
    let grouped = [&id[..4], &id[4..8], &id[8..12], &id[12..]].join(" ");
    let chats = world.desk.telegram().chats();
    let messages: Vec<Value> = chats
        .iter()
        .filter(|chat| chat.chat_id < 0)
        .flat_map(|chat| chat.messages.iter().map(|message| (chat.chat_id, message)))
        .filter(|(_, message)| message.text.contains(&grouped))
        .map(|(chat, message)| {
            let mut message = json!(message);
            message["chat"] = json!(chat);
            message
        })
        .collect();
    let there = i64::try_from(messages.len())?;
    let (unknowns, resends) = (number(effect, "unknowns"), number(effect, "resends"));
    ensure!(
        there <= 1 + unknowns + resends,
        "12: {there} messages, {effect}"
    );
    if text(effect, "state") == "done" {
        ensure!(
            unknowns > 0 || there == 1 + resends,
            "12: {there} messages, {effect}"
        );
        ensure!(shown == version, "13: done at {shown} of {version}");
        let noted = messages.iter().find(|message| {
            message["message_id"] == effect["message"] && message["chat"] == effect["message_chat"]
        });
        let noted = noted.with_context(|| format!("13: no such message: {effect}"))?;
        let has_button = noted["buttons"][0].is_array();
        ensure!(
            has_button == (text(request, "state") == "new"),
            "13: {noted}"
        );
        if let Some(name) = request["assignee_name"].as_str() {
            ensure!(
                text(noted, "text").contains(&format!("Taken by {name}")),
                "13: {noted}"
            );
        }
        let others = messages
            .iter()
            .filter(|message| message["deleted"] != true && message["buttons"][0].is_array())
            .count();
        let live = i64::try_from(others)? - i64::from(has_button && noted["deleted"] != true);
        ensure!(live <= unknowns, "13: {live} other live buttons, {effect}");
    }
    Ok(())
}

/// 1, 5, 18: an effect on its own.
fn one_effect(effect: &Value, now: i64, requests: &BTreeMap<&str, &Value>) -> anyhow::Result<()> {
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
    ensure!(
        requests.contains_key(text(effect, "pk")),
        "18: an effect without its request: {effect}"
    );
    Ok(())
}

/// 6: every 2xx to one update has the same body.
fn replies(world: &World) -> anyhow::Result<()> {
    let mut first: BTreeMap<i64, &Option<Value>> = BTreeMap::new();
    for press in world
        .presses
        .iter()
        .filter(|press| press.status == Some(200))
    {
        let body = first.entry(press.update_id).or_insert(&press.body);
        ensure!(**body == press.body, "{body:?} and {:?}", press.body);
    }
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

/// 14: a failed effect has a dead letter.
fn dead_letters(world: &World, effects: &[&Value]) -> anyhow::Result<()> {
    let failed = effects
        .iter()
        .filter(|effect| text(effect, "state") == "failed")
        .count();
    let queues = world.desk.sqs().stats();
    let dead = queues
        .iter()
        .find(|queue| queue.name == "frontdesk-outbox-dead")
        .context("a queue")?;
    ensure!(
        dead.visible + dead.in_flight >= failed as u64,
        "{failed} failed, {} dead letters",
        dead.visible
    );
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
