use std::collections::BTreeSet;

use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::effect::{Effect, EffectId, Lease, MessageRef, State as EffectState};

use super::{Item, Writer, count_of, number_of, optional, require_known_format, text_of, time_of};
use crate::{Error, keys};

pub(crate) fn effect_state_name(state: EffectState) -> &'static str {
    match state {
        EffectState::Pending => "pending",
        EffectState::Sending => "sending",
        EffectState::Done => "done",
        EffectState::Unknown => "unknown",
        EffectState::Failed => "failed",
    }
}

/// Every attribute of an effect that attempts write; one that is absent from an item is removed.
pub(crate) const EFFECT_ATTRIBUTES: [&str; 23] = [
    "v",
    "state",
    "want",
    "shown",
    "not_before",
    "due_shard",
    "due",
    "since",
    "attempts",
    "unknowns",
    "doubtful",
    "resends",
    "holder",
    "lease_until",
    "message_chat",
    "message",
    "strays",
    "revision",
    "failed_at",
    "error",
    "list_pk",
    "list_sk",
    "slot",
];

pub(crate) fn effect_item(effect: &Effect) -> Item {
    let key = keys::effect(&effect.id);
    let shard = keys::due_partition_of(&key.0);
    let in_trouble = matches!(effect.state, EffectState::Unknown | EffectState::Failed)
        && !effect.is_unreachable();
    let strays: Vec<_> = effect.strays.iter().map(stray_text).collect();
    Writer::new(key)
        .text("state", effect_state_name(effect.state))
        .number("want", effect.want)
        .number("shown", effect.shown)
        .time("not_before", effect.not_before)
        .maybe(effect.due, |item, due| {
            item.text("due_shard", shard).time("due", due)
        })
        .maybe(effect.since, |item, since| item.time("since", since))
        .maybe(effect.slot, |item, slot| item.time("slot", slot))
        .number("attempts", effect.attempts)
        .number("unknowns", effect.unknowns)
        .maybe(effect.doubtful, |item, version| {
            item.number("doubtful", version)
        })
        .number("resends", effect.resends)
        .maybe(effect.lease.as_ref(), |item, lease| {
            item.text("holder", &lease.holder)
                .time("lease_until", lease.until)
        })
        .maybe(effect.message, |item, message| {
            item.number("message_chat", message.chat)
                .number("message", message.message)
        })
        .maybe((!strays.is_empty()).then_some(strays), |item, strays| {
            item.with("strays", AttributeValue::Ss(strays))
        })
        .number("revision", effect.revision)
        .maybe(effect.failed_at, |item, at| item.time("failed_at", at))
        .maybe(effect.error.as_ref(), |item, error| {
            item.text("error", error)
        })
        .maybe(in_trouble.then_some(effect.not_before), |item, at| {
            let partition = keys::list_partition("effect", effect_state_name(effect.state));
            item.text("list_pk", partition).time("list_sk", at)
        })
        .finish()
}

pub(crate) fn stray_text(stray: &MessageRef) -> String {
    format!("{}:{}", stray.chat, stray.message)
}

pub(crate) fn read_effect(id: EffectId, item: &Item) -> Result<Effect, Error> {
    require_known_format(item)?;
    let state = match text_of(item, "state")? {
        "pending" => EffectState::Pending,
        "sending" => EffectState::Sending,
        "done" => EffectState::Done,
        "unknown" => EffectState::Unknown,
        "failed" => EffectState::Failed,
        _ => return Err(Error::Malformed { attribute: "state" }),
    };
    let lease = optional(item, "holder", |item, name| {
        Ok(Lease {
            holder: text_of(item, name)?.to_owned(),
            until: time_of(item, "lease_until")?,
        })
    })?;
    let message = optional(item, "message", |item, name| {
        Ok(MessageRef {
            chat: number_of(item, "message_chat")?,
            message: number_of(item, name)?,
        })
    })?;
    Ok(Effect {
        id,
        state,
        want: count_of(item, "want")?,
        shown: count_of(item, "shown")?,
        not_before: time_of(item, "not_before")?,
        slot: optional(item, "slot", time_of)?,
        due: optional(item, "due", time_of)?,
        since: optional(item, "since", time_of)?,
        attempts: count_of(item, "attempts")?,
        unknowns: count_of(item, "unknowns")?,
        doubtful: optional(item, "doubtful", number_of)?,
        resends: count_of(item, "resends")?,
        lease,
        message,
        strays: read_strays(item)?,
        revision: count_of(item, "revision")?,
        failed_at: optional(item, "failed_at", time_of)?,
        error: optional(item, "error", |item, name| {
            Ok(text_of(item, name)?.to_owned())
        })?,
    })
}

fn read_strays(item: &Item) -> Result<BTreeSet<MessageRef>, Error> {
    let malformed = Error::Malformed {
        attribute: "strays",
    };
    let Some(value) = item.get("strays") else {
        return Ok(BTreeSet::new());
    };
    let stray = |text: &String| {
        let (chat, message) = text.split_once(':')?;
        Some(MessageRef {
            chat: chat.parse().ok()?,
            message: message.parse().ok()?,
        })
    };
    let strays = value.as_ss().map_err(|_| malformed.clone())?;
    strays
        .iter()
        .map(|text| stray(text).ok_or(malformed.clone()))
        .collect()
}
