//! What the calls themselves must show: decisions are made on consistent reads, and no place in a
//! chat's pace is taken twice.

use std::collections::BTreeMap;

use anyhow::ensure;
use frontdesk_local::{Call, Target};
use serde_json::Value;

use super::{body, number, text};

/// New messages are at least so far apart in a group and in a private chat, in milliseconds.
const GROUP_INTERVAL: i64 = 3_000;
const PRIVATE_INTERVAL: i64 = 1_000;

/// Neither engine ever shows an old item, so what counts is that it was asked for as it now is.
pub(super) fn reads(calls: &[Call]) -> anyhow::Result<()> {
    for call in calls.iter().filter(|call| call.operation == "BatchGetItem") {
        let tables = body(call)["RequestItems"].as_object().cloned();
        for request in tables.unwrap_or_default().values() {
            ensure!(
                request["ConsistentRead"] == true,
                "{} decides on what may be old",
                call.function
            );
        }
    }
    Ok(())
}

/// Each slot that was taken has moved its chat's next free one on by an interval.
pub(super) fn slots(calls: &[Call], items: &[Value]) -> anyhow::Result<()> {
    let mut taken: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for call in calls {
        let is_done = call.target == Target::Dynamodb && call.done == Some(200);
        if !is_done || call.operation != "UpdateItem" {
            continue;
        }
        let body = body(call);
        let chat = body["Key"]["pk"]["S"].as_str().unwrap_or_default();
        let earliest = body["ExpressionAttributeValues"][":earliest"]["N"].as_str();
        if let Some(earliest) = earliest.filter(|_| chat.starts_with("CHAT#")) {
            let first = (earliest.parse()?, 0);
            taken.entry(chat.to_owned()).or_insert(first).1 += 1;
        }
    }
    for (chat, (first, slots)) in taken {
        let mut items = items.iter();
        let item = items.find(|item| text(item, "pk") == chat && text(item, "sk") == "CHAT");
        let interval = if chat.contains("#-") {
            GROUP_INTERVAL
        } else {
            PRIVATE_INTERVAL
        };
        let next_free = item.map_or(0, |item| number(item, "next_free"));
        ensure!(
            next_free >= first + slots * interval,
            "{slots} slots were taken from {first}, and {next_free} is free in {chat}"
        );
    }
    Ok(())
}
