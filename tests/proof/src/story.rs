//! What the desk's calls tell of each effect's life: every write to it, every message about it, every
//! send for it.

use std::collections::BTreeMap;

use frontdesk_local::{Call, Target};
use jiff::Timestamp;
use serde_json::Value;

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

    /// How often a message was sent anew because the former was gone.
    pub(crate) fn resends(&self) -> i64 {
        let steps = self.writes.windows(2);
        steps
            .map(|step| (step[1].resends - step[0].resends).max(0))
            .sum()
    }
}

/// The story of every effect; `leads` are the ids of those that may stand in cards.
pub(crate) fn read(calls: &[Call], leads: &[&str]) -> BTreeMap<Key, Story> {
    let mut stories = BTreeMap::<Key, Story>::new();
    for call in calls {
        let body = call.request.as_deref().unwrap_or_default();
        let Ok(body) = serde_json::from_slice::<Value>(body) else {
            continue;
        };
        match (call.target, call.operation.as_str()) {
            (Target::Telegram, _) => sent(&mut stories, call, &body, leads),
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

fn sent(stories: &mut BTreeMap<Key, Story>, call: &Call, body: &Value, leads: &[&str]) {
    let text = body["text"].as_str().unwrap_or_default();
    let Some(lead) = leads.iter().find(|lead| text.contains(&grouped(lead))) else {
        return;
    };
    let pk = format!("REQ#{lead}");
    // Of the effects of a request, the one whose place it is; there is one place in the sample.
    let Some((_, story)) = stories.range_mut((pk.clone(), String::new())..).next() else {
        return;
    };
    story.sends.push(Sent {
        at: call.at,
        ended: call.ended,
        invocation: call.invocation.clone(),
        status: call.status,
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
