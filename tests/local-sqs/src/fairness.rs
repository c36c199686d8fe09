//! Fair queues: while one tenant holds most of the consumers, the others' messages go first. A tenant is
//! a message group, or a single message without one.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::message::Stored;

/// A tenant is noisy from so many messages in flight on, if that is more than a tenth of all
/// (docs.aws.amazon.com, "How Amazon SQS fair queues work").
const NOISY_FROM: usize = 30;

/// Who is noisy, until the last of the backlog is received. The other measure of SQS, the share of the
/// consumers' time, is left out.
#[derive(Debug, Default)]
pub(crate) struct Fairness {
    noisy: BTreeSet<String>,
}

impl Fairness {
    /// The numbers of the visible messages in the order in which they are delivered: those of quiet
    /// tenants first, then those of the noisy ones, whoever has fewest in flight first.
    pub(crate) fn order(&mut self, messages: &BTreeMap<u64, Stored>, now: Timestamp) -> Vec<u64> {
        let mut in_flight: BTreeMap<&str, usize> = BTreeMap::new();
        let mut backlog = BTreeSet::new();
        let (mut all, mut visible) = (0, Vec::new());
        for (number, message) in messages {
            let group = message.group();
            if message.is_visible(now) {
                visible.push((*number, group));
                backlog.extend(group);
            } else if message.is_in_flight(now) {
                all += 1;
                if let Some(group) = group {
                    *in_flight.entry(group).or_default() += 1;
                }
            }
        }
        self.noisy.retain(|group| backlog.contains(group.as_str()));
        let noisy = in_flight
            .iter()
            .filter(|(group, count)| {
                **count >= NOISY_FROM && **count * 10 > all && backlog.contains(*group)
            })
            .map(|(group, _)| (*group).to_owned());
        self.noisy.extend(noisy);
        visible.sort_by_key(|(number, group)| {
            let noise = group
                .filter(|group| self.noisy.contains(*group))
                .map(|group| in_flight.get(group).copied().unwrap_or_default());
            (noise, *number)
        });
        visible.into_iter().map(|(number, _)| number).collect()
    }
}
