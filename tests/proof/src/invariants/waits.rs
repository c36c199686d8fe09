//! Waits that Telegram asks for.

use std::collections::BTreeSet;

use anyhow::ensure;
use frontdesk_local::{Call, Kind, Target};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{body, text};
use crate::world::World;

/// 4: nothing goes to a chat between its 429 and the end of its wait, but what was under way; of what goes to
/// no chat, no call of the same method. A 429 that its process could not note any more is known to nobody:
/// the next message is told the same again.
pub(super) fn kept(world: &World, calls: &[Call]) -> anyhow::Result<()> {
    let failed = world.desk.failed_invocations();
    let requests = world.desk.telegram().requests();
    let requests: Vec<Value> = requests.iter().map(|request| json!(request)).collect();
    let at = |request: &Value| text(request, "at").parse::<Timestamp>();
    for refused in requests.iter().filter(|request| request["status"] == 429) {
        let (from, chat) = (at(refused)?, &refused["params"]["chat_id"]);
        let call = call_at(calls, from, chat);
        if call.is_some_and(|call| !could_be_noted(call, calls, &failed)) {
            continue;
        }
        // Where the table did not answer for a while, it may have been noted late or not at all.
        let known = match call {
            Some(call) if world.is_table_silent => noted_at(calls, call, chat),
            _ => Some(from),
        };
        let Some(known) = known else { continue };
        let seconds = refused["response"]["parameters"]["retry_after"].as_i64();
        let until = from + SignedDuration::from_secs(seconds.unwrap_or_default());
        let noted = known + SignedDuration::from_secs(2);
        for request in requests.iter().filter(|request| request["via"] == "api") {
            let when = at(request)?;
            let is_same = request["params"]["chat_id"] == *chat
                && (!chat.is_null() || request["method"] == refused["method"]);
            let is_early = is_same && when > noted && when < until;
            ensure!(
                !is_early || was_under_way(calls, when, chat, noted),
                "at {when}, though told at {from} to wait until {until}"
            );
        }
    }
    Ok(())
}

/// The call that Telegram noted at that moment.
fn call_at<'a>(calls: &'a [Call], at: Timestamp, chat: &Value) -> Option<&'a Call> {
    calls.iter().find(|call| {
        let is_then = call.target == Target::Telegram && call.at <= at && at <= call.ended;
        is_then && body(call)["chat_id"] == *chat
    })
}

/// Whether the invocation that sent at `when` may have read its chat before the wait was `noted`: it is
/// under way for as long as the store keeps it waiting.
fn was_under_way(calls: &[Call], when: Timestamp, chat: &Value, noted: Timestamp) -> bool {
    let invocation = call_at(calls, when, chat).and_then(|call| call.invocation.as_ref());
    let mut theirs = calls
        .iter()
        .filter(|call| call.invocation.as_ref() == invocation);
    invocation.is_some() && theirs.any(|call| call.at < noted)
}

/// When the invocation that was told had noted it on the chat, if it had.
fn noted_at(calls: &[Call], told: &Call, chat: &Value) -> Option<Timestamp> {
    let mut theirs = calls
        .iter()
        .filter(|call| call.invocation == told.invocation && call.at >= told.ended);
    let note = theirs.find(|call| {
        let body = body(call);
        let of_chat = text(&body["Key"]["pk"], "S").ends_with(&format!("#{chat}"));
        let update = text(&body, "UpdateExpression");
        of_chat && update.contains("blocked_until") && call.done == Some(200)
    });
    note.map(|note| note.ended)
}

/// Whether the process that was told lived on, with a store that took what it had to write.
fn could_be_noted(told: &Call, calls: &[Call], failed: &BTreeSet<String>) -> bool {
    let Some(invocation) = &told.invocation else {
        return true;
    };
    let mut writes = calls.iter().filter(|call| {
        call.invocation.as_ref() == Some(invocation)
            && call.target == Target::Dynamodb
            && call.at >= told.ended
    });
    let is_disturbed = |call: &Call| call.fault.is_some_and(|fault| fault != Kind::Delay);
    !failed.contains(invocation) && writes.clone().next().is_some() && !writes.any(is_disturbed)
}
