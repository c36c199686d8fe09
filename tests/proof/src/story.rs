//! What the desk's calls tell of each effect's life: every write to it, every message about it, every
//! send for it.

mod attribution;

use std::collections::BTreeMap;

use frontdesk_local::{Call, Target};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// How long Telegram is waited for.
const TIMEOUT: SignedDuration = SignedDuration::from_secs(10);

/// An effect's partition and sort key.
pub(crate) type Key = (String, String);

/// A write that an attempt made to an effect, and that was done.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) at: Timestamp,
    pub(crate) invocation: Option<String>,
    pub(crate) revision: i64,
    pub(crate) state: String,
    pub(crate) attempts: i64,
    pub(crate) shown: i64,
    pub(crate) resends: i64,
    pub(crate) has_due: bool,
    pub(crate) holder: Option<String>,
    pub(crate) lease_until: Option<Timestamp>,
}

impl Written {
    /// True where it takes or holds a lease.
    pub(crate) fn is_lease(&self) -> bool {
        self.state == "sending"
    }
}

/// A request to Telegram that shows an effect's request in a chat.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) at: Timestamp,
    pub(crate) ended: Timestamp,
    pub(crate) invocation: Option<String>,
    /// What it was answered; none if no answer arrived.
    pub(crate) status: Option<u16>,
    /// Whether Telegram did it, answered or not.
    pub(crate) is_done: bool,
    /// Whether it makes a message, and does not edit one.
    pub(crate) is_new: bool,
    /// What it says: a text, or the first caption.
    pub(crate) text: String,
}

/// One effect's life.
#[derive(Debug, Default)]
pub(crate) struct Story {
    /// Creations and wishes; a transaction that was done twice counts twice.
    pub(crate) causes: usize,
    /// How often the clock moved its `due` in order to hand it over.
    pub(crate) hand_overs: usize,
    /// Messages that were put on the queue for it.
    pub(crate) messages: usize,
    /// In the order of their revisions.
    pub(crate) writes: Vec<Written>,
    /// In the order in which they arrived.
    pub(crate) sends: Vec<Sent>,
}

impl Story {
    /// Writes after which a message was due: it waits for another time, or has gone round once more.
    pub(crate) fn deferrals(&self) -> usize {
        let waits = |write: &&Written| matches!(write.state.as_str(), "pending" | "unknown");
        self.writes.iter().filter(waits).count()
    }

    /// Attempts that send a new message, though one may be there already.
    pub(crate) fn new_messages(&self) -> usize {
        let first = |write: &&Written| write.is_lease() && write.shown == 0;
        let first = self.writes.iter().filter(first).count();
        first + usize::try_from(self.resends()).unwrap_or_default()
    }

    /// Failures, each of which may have found its message gone and put another in its place.
    pub(crate) fn failures(&self) -> usize {
        let failed = |write: &&Written| write.state == "failed";
        self.writes.iter().filter(failed).count()
    }

    /// How often a message was sent anew because the former was gone.
    pub(crate) fn resends(&self) -> i64 {
        let steps = self.writes.windows(2);
        steps
            .map(|step| (step[1].resends - step[0].resends).max(0))
            .sum()
    }
}

/// The story of every effect; `items` are what is stored at the end.
pub(crate) fn read(calls: &[Call], items: &[Value]) -> BTreeMap<Key, Story> {
    let mut stories = BTreeMap::<Key, Story>::new();
    let mut to_telegram = Vec::new();
    for call in calls {
        let body = call.request.as_deref().unwrap_or_default();
        let Ok(body) = serde_json::from_slice::<Value>(body) else {
            continue;
        };
        match (call.target, call.operation.as_str()) {
            (Target::Telegram, _) => to_telegram.push((call, body)),
            _ if call.done != Some(200) => {}
            (Target::Sqs, "SendMessageBatch") => {
                for entry in body["Entries"].as_array().into_iter().flatten() {
                    let message = entry["MessageBody"].as_str().unwrap_or_default();
                    let message: Value = serde_json::from_str(message).unwrap_or_default();
                    if let Some(key) = key(&message["pk"], &message["sk"]) {
                        stories.entry(key).or_default().messages += 1;
                    }
                }
            }
            (Target::Dynamodb, "TransactWriteItems") => {
                for item in body["TransactItems"].as_array().into_iter().flatten() {
                    let put = &item["Put"]["Item"];
                    let updated = &item["Update"]["Key"];
                    let keys = [put, updated].map(|item| key(&item["pk"]["S"], &item["sk"]["S"]));
                    for key in keys.into_iter().flatten() {
                        stories.entry(key).or_default().causes += 1;
                    }
                }
            }
            (Target::Dynamodb, "UpdateItem") => {
                let Some(key) = key(&body["Key"]["pk"]["S"], &body["Key"]["sk"]["S"]) else {
                    continue;
                };
                let story = stories.entry(key).or_default();
                if body["ConditionExpression"] == "revision = :before" {
                    story.writes.push(written(call, &body));
                } else if call.function == "clock" && moves_due(&body) {
                    story.hand_overs += 1;
                }
            }
            _ => {}
        }
    }
    for story in stories.values_mut() {
        story.writes.sort_by_key(|write| write.revision);
    }
    for (call, body) in to_telegram {
        sent(&mut stories, call, &body, items);
    }
    for story in stories.values_mut() {
        story.sends.sort_by_key(|sent| sent.at);
    }
    stories
}

/// True where an update sets when the clock steps in next: without that it would hand over for ever.
fn moves_due(body: &Value) -> bool {
    let update = body["UpdateExpression"].as_str().unwrap_or_default();
    update.contains("due = :")
}

/// The key of an effect, if it is one.
fn key(pk: &Value, sk: &Value) -> Option<Key> {
    let (pk, sk) = (pk.as_str()?, sk.as_str()?);
    sk.starts_with("EFF")
        .then(|| (pk.to_owned(), sk.to_owned()))
}

/// Notes a request to Telegram with the effect that it shows: of those that it may show, the one that its
/// invocation has leased last.
fn sent(stories: &mut BTreeMap<Key, Story>, call: &Call, body: &Value, items: &[Value]) {
    let leased = |key: &Key| {
        let mut writes = stories.get(key)?.writes.iter().rev();
        let of_call = |write: &&Written| {
            write.invocation == call.invocation && write.at <= call.at && write.is_lease()
        };
        writes.find(of_call).map(|write| write.at)
    };
    let candidates = attribution::candidates(call, body, items);
    // Two lists with the same words, in one batch: which is whose cannot be told.
    if candidates.iter().filter_map(leased).count() > 1 {
        return;
    }
    let Some(key) = candidates.into_iter().max_by_key(leased) else {
        return;
    };
    stories.entry(key).or_default().sends.push(Sent {
        at: call.at,
        // Whoever sent it has not waited for longer.
        ended: call.ended.min(call.at + TIMEOUT),
        invocation: call.invocation.clone(),
        status: call.status,
        is_done: call.done == Some(200),
        is_new: call.operation.starts_with("send"),
        text: [
            &body["text"],
            &body["caption"],
            &body["media"][0]["caption"],
        ]
        .into_iter()
        .find_map(Value::as_str)
        .unwrap_or_default()
        .to_owned(),
    });
}

/// A lead's number as people see it.
pub(crate) fn grouped(lead: &str) -> String {
    [&lead[..4], &lead[4..8], &lead[8..12], &lead[12..]].join(" ")
}

fn written(call: &Call, body: &Value) -> Written {
    let values = &body["ExpressionAttributeValues"];
    let names = body["ExpressionAttributeNames"].as_object();
    let value = |name: &str| {
        let (at, _) = names?.iter().find(|(_, of)| of.as_str() == Some(name))?;
        let value = values.get(format!(":{}", at.trim_start_matches('#')))?;
        value["S"].as_str().or(value["N"].as_str())
    };
    let number = |name: &str| value(name).and_then(|digits| digits.parse::<i64>().ok());
    Written {
        at: call.at,
        invocation: call.invocation.clone(),
        revision: number("revision").unwrap_or_default(),
        state: value("state").unwrap_or_default().to_owned(),
        attempts: number("attempts").unwrap_or_default(),
        shown: number("shown").unwrap_or_default(),
        resends: number("resends").unwrap_or_default(),
        has_due: number("due").is_some(),
        holder: value("holder").map(str::to_owned),
        lease_until: number("lease_until").and_then(|at| Timestamp::from_millisecond(at).ok()),
    }
}
