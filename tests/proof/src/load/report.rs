//! What became of a load, counted from the table, the chats and the calls.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context;
use frontdesk_local::{Desk, Fault};
use frontdesk_local_telegram::Request;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::Sent;

/// What became of a load.
pub(super) struct Report {
    sent: usize,
    accepted: usize,
    /// Stored, though their customers were never told so.
    unconfirmed: usize,
    delivered: usize,
    /// Sends whose outcome was not learnt.
    unknown: i64,
    /// Cards that came again, and say so.
    marked: usize,
    /// Cards that came again without a word, or in another place, and tokens with two leads.
    pub(super) doubled: usize,
    /// Not delivered, and told by a dead letter.
    dead: usize,
    /// Accepted, not delivered, and not told.
    pub(super) lost: usize,
    /// From when customers sent to the first card, in order.
    waits: Vec<SignedDuration>,
    /// When the last card came.
    last: Timestamp,
}

impl Report {
    pub(super) fn of(desk: &Desk, sent: &[Sent]) -> anyhow::Result<Self> {
        let items = desk.db().all().context("the table")?;
        let mut stored: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for item in items.iter().filter(|item| item["sk"] == "REQ") {
            let (token, pk) = (text(item, "token"), text(item, "pk"));
            stored
                .entry(token)
                .or_default()
                .push(pk.trim_start_matches("REQ#"));
        }
        let effects = items
            .iter()
            .filter(|item| text(item, "sk").starts_with("EFF#card#"));
        let effects: BTreeMap<_, _> = effects
            .map(|effect| (text(effect, "pk").trim_start_matches("REQ#"), effect))
            .collect();
        let requests = desk.telegram().requests();
        let mut cards: BTreeMap<&str, Vec<&Request>> = BTreeMap::new();
        for request in &requests {
            if let Some(lead) = lead_of(request) {
                cards.entry(lead).or_default().push(request);
            }
        }
        let mut report = Self {
            sent: sent.len(),
            accepted: 0,
            unconfirmed: 0,
            delivered: 0,
            unknown: 0,
            marked: 0,
            doubled: 0,
            dead: 0,
            lost: 0,
            waits: Vec::new(),
            last: Timestamp::MIN,
        };
        for customer in sent {
            let ids = stored.get(customer.token.as_str());
            let ids = ids.map(Vec::as_slice).unwrap_or_default();
            report.doubled += ids.len().saturating_sub(1);
            match &customer.accepted {
                Some(id) if ids.contains(&id.as_str()) => report.accepted += 1,
                Some(_) => {
                    report.accepted += 1;
                    report.lost += 1;
                }
                None => report.unconfirmed += ids.len(),
            }
            for id in ids {
                let cards = cards.get(id).map(Vec::as_slice).unwrap_or_default();
                report.lead(customer, effects.get(id).copied(), cards);
            }
        }
        report.waits.sort();
        Ok(report)
    }

    /// Counts a lead that is stored.
    fn lead(&mut self, customer: &Sent, effect: Option<&Value>, cards: &[&Request]) {
        let unknowns = effect.map_or(0, |effect| effect["unknowns"].as_i64().unwrap_or_default());
        self.unknown += unknowns;
        let Some((first, again)) = cards.split_first() else {
            if effect.is_some_and(|effect| effect["state"] == "failed") {
                self.dead += 1;
            } else {
                self.lost += 1;
            }
            return;
        };
        self.delivered += 1;
        self.waits.push(first.at.duration_since(customer.at));
        self.last = self.last.max(first.at);
        let home = frontdesk_local::group_chat(customer.group);
        let misplaced = cards.iter().filter(|card| card.params["chat_id"] != home);
        self.doubled += misplaced.count();
        let allowed = usize::try_from(unknowns).unwrap_or_default();
        let marked = again
            .iter()
            .filter(|card| is_marked(card, first))
            .count()
            .min(allowed);
        self.marked += marked;
        self.doubled += again.len() - marked;
    }

    pub(super) fn print(&self, desk: &Desk, real: Duration, begun: Timestamp) {
        let calls = desk.calls();
        let (reads, writes) = calls.iter().fold((0.0, 0.0), |(reads, writes), call| {
            (reads + call.read_units, writes + call.write_units)
        });
        let queues = desk.sqs().stats();
        let outbox = queues.iter().find(|queue| queue.dead_letters.is_some());
        let received = outbox.map_or(0, |queue| queue.received);
        let mut struck: BTreeMap<String, u64> = BTreeMap::new();
        for planned in desk.faults().iter().filter(|planned| planned.hits > 0) {
            let Fault { target, fault, .. } = planned.fault;
            let name = format!("{target:?} {fault:?}").to_lowercase();
            *struck.entry(name).or_default() += planned.hits;
        }
        let struck: Vec<_> = struck
            .iter()
            .map(|(name, hits)| format!("{name} {hits}"))
            .collect();
        let refused = desk.telegram().requests();
        let refused = refused.iter().filter(|request| request.status == Some(429));
        #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
        let per_lead = |total: f64| total / self.delivered.max(1) as f64;
        #[expect(clippy::cast_precision_loss, reason = "counts of a test")]
        let received = per_lead(received as f64);
        let last = self.last.duration_since(begun).as_secs_f64();
        println!(
            "sent {}, accepted {}, stored without a confirmation {}\n\
             delivered {}, dead letters {}, lost {}, doubled {}\n\
             sends of unknown outcome {}, repeats that say so {}\n\
             faults that struck: {}\n\
             refused with 429: {}",
            self.sent,
            self.accepted,
            self.unconfirmed,
            self.delivered,
            self.dead,
            self.lost,
            self.doubled,
            self.unknown,
            self.marked,
            if struck.is_empty() {
                "none".to_owned()
            } else {
                struck.join(", ")
            },
            refused.count(),
        );
        println!(
            "time to the card p50 {:.1} s, p99 {:.1} s; the last after {last:.1} s of the desk's clock, in {:.1} s of real time\n\
             per lead: {received:.2} SQS receives, {:.1} write units, {:.1} read units",
            self.wait(50),
            self.wait(99),
            real.as_secs_f64(),
            per_lead(writes),
            per_lead(reads),
        );
    }

    /// Seconds within which so many percent had their first card.
    fn wait(&self, percent: usize) -> f64 {
        let at = (self.waits.len() * percent).div_ceil(100).saturating_sub(1);
        self.waits.get(at).map_or(0.0, SignedDuration::as_secs_f64)
    }
}

/// The lead whose card a request put into a chat.
fn lead_of(request: &Request) -> Option<&str> {
    if request.method != "sendMessage" || request.status != Some(200) {
        return None;
    }
    let button = &request.params["reply_markup"]["inline_keyboard"][0][0];
    button["callback_data"].as_str()?.strip_prefix("take:")
}

/// True where a card that came again begins with a line that the first one has not: the word that it may
/// be a repeat.
fn is_marked(card: &Request, first: &Request) -> bool {
    let [again, first] = [card, first].map(|card| text(&card.params, "text"));
    again.lines().nth(1) == first.lines().next()
}

fn text<'a>(item: &'a Value, name: &str) -> &'a str {
    item[name].as_str().unwrap_or_default()
}
