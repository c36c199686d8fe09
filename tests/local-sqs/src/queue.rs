//! One queue, as a state machine: it knows no clock and is told the time.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::error::Error;
use crate::fairness::Fairness;
use crate::message::{Draft, Lease, Stored};
use crate::settings::Settings;

/// How long one receive may hold a message, extensions included.
const LONGEST_LEASE: SignedDuration = SignedDuration::from_hours(12);

/// What there is in a queue at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueueStats {
    /// The queue's name.
    pub name: String,
    /// Messages that a receive would get now.
    pub visible: u64,
    /// Messages received and not yet deleted, whose visibility timeout runs.
    pub in_flight: u64,
    /// Messages sent with a delay that still runs.
    pub delayed: u64,
    /// Whole seconds since the oldest message, of any of the three kinds, came into this queue; 0
    /// where there is none. In a dead-letter queue it counts from the move.
    pub oldest_age_s: u64,
    /// How often messages of this queue were received, since it was created.
    pub received: u64,
    /// The name of its dead-letter queue.
    pub dead_letters: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Queue {
    pub(crate) settings: Settings,
    pub(crate) created: Timestamp,
    pub(crate) modified: Timestamp,
    /// By number, which is the order of arrival.
    messages: BTreeMap<u64, Stored>,
    received: u64,
    fairness: Fairness,
}

/// The outcome of one look into a queue.
#[derive(Default)]
pub(crate) struct Taken {
    /// With the numbers under which they lie in the queue.
    pub(crate) delivered: Vec<(u64, Stored)>,
    /// Taken out of the queue: they were received too often.
    pub(crate) dead: Vec<Stored>,
}

impl Queue {
    pub(crate) fn new(settings: Settings, now: Timestamp) -> Self {
        Self {
            settings,
            created: now,
            modified: now,
            messages: BTreeMap::new(),
            received: 0,
            fairness: Fairness::default(),
        }
    }

    /// Forgets messages past their retention, and tells whether there were any.
    pub(crate) fn expire(&mut self, now: Timestamp) -> bool {
        let retention = self.settings.retention();
        let before = self.messages.len();
        self.messages
            .retain(|_, message| now.duration_since(message.sent) < retention);
        self.messages.len() < before
    }

    pub(crate) fn send(&mut self, number: u64, id: String, draft: Draft, now: Timestamp) {
        let delay = draft
            .delay
            .map_or(self.settings.delay(), SignedDuration::from_secs);
        let message = Stored {
            id,
            body: draft.body,
            message_attributes: draft.message_attributes,
            attributes: draft.attributes,
            sent: now,
            entered: now,
            visible_at: now + delay,
            first_received: None,
            receives: 0,
            receives_here: 0,
            lease: None,
            source: None,
        };
        self.messages.insert(number, message);
    }

    /// Takes in a message from another queue; it is visible at once.
    pub(crate) fn put(&mut self, number: u64, message: Stored, now: Timestamp) {
        let message = Stored {
            entered: now,
            visible_at: now,
            receives_here: 0,
            lease: None,
            ..message
        };
        self.messages.insert(number, message);
    }

    /// Takes up to `max` visible messages, oldest first but for those of noisy groups, and removes those
    /// that it meets on the way which were already received `limit` times. `lease` numbers the receives.
    pub(crate) fn take(
        &mut self,
        max: usize,
        visibility: Option<SignedDuration>,
        limit: Option<u32>,
        mut lease: impl FnMut() -> u64,
        now: Timestamp,
    ) -> Taken {
        let visibility = visibility.unwrap_or(self.settings.visibility());
        let mut taken = Taken::default();
        let mut dead = Vec::new();
        for number in self.fairness.order(&self.messages, now) {
            if taken.delivered.len() == max {
                break;
            }
            let Some(message) = self.messages.get_mut(&number) else {
                continue;
            };
            if limit.is_some_and(|limit| message.receives_here >= limit) {
                dead.push(number);
                continue;
            }
            message.receives += 1;
            message.receives_here += 1;
            message.first_received.get_or_insert(now);
            message.visible_at = now + visibility;
            message.lease = Some(Lease {
                number: lease(),
                taken: now,
            });
            self.received += 1;
            taken.delivered.push((number, message.clone()));
        }
        taken.dead = dead
            .iter()
            .filter_map(|number| self.messages.remove(number))
            .collect();
        taken
    }

    /// Deletes the message if that lease is still its latest, and tells whether it did.
    pub(crate) fn delete(&mut self, number: u64, lease: u64) -> bool {
        self.leased(number, lease).is_some() && self.messages.remove(&number).is_some()
    }

    pub(crate) fn change_visibility(
        &mut self,
        number: u64,
        lease: u64,
        timeout: SignedDuration,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (message, taken) = self.leased(number, lease).ok_or_else(|| {
            Error::InvalidParameterValue(
                "Value for parameter ReceiptHandle is invalid. Reason: Message does not exist or \
                 is not available for visibility timeout change."
                    .to_owned(),
            )
        })?;
        if message.is_visible(now) {
            return Err(Error::MessageNotInflight);
        }
        if now + timeout > taken + LONGEST_LEASE {
            return Err(Error::InvalidParameterValue(
                "Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"
                    .to_owned(),
            ));
        }
        message.visible_at = now + timeout;
        Ok(())
    }

    /// Makes what is in flight visible, its handles staying good until it is received again; tells how
    /// much that was.
    pub(crate) fn reveal(&mut self, now: Timestamp) -> usize {
        let messages = self.messages.values_mut();
        let in_flight = messages.filter(|message| message.is_in_flight(now));
        in_flight.map(|message| message.visible_at = now).count()
    }

    fn leased(&mut self, number: u64, lease: u64) -> Option<(&mut Stored, Timestamp)> {
        let message = self.messages.get_mut(&number)?;
        let held = message.lease.filter(|held| held.number == lease)?;
        Some((message, held.taken))
    }

    /// Takes out the visible messages that `choose` wants.
    pub(crate) fn extract(
        &mut self,
        now: Timestamp,
        choose: impl Fn(&Stored) -> bool,
    ) -> Vec<Stored> {
        let chosen: Vec<u64> = self
            .messages
            .iter()
            .filter(|(_, message)| message.is_visible(now) && choose(message))
            .map(|(number, _)| *number)
            .collect();
        chosen
            .iter()
            .filter_map(|number| self.messages.remove(number))
            .collect()
    }

    pub(crate) fn purge(&mut self) {
        self.messages.clear();
    }

    /// When the next message becomes visible, if one has yet to.
    pub(crate) fn next_visible(&self, now: Timestamp) -> Option<Timestamp> {
        self.messages
            .values()
            .map(|message| message.visible_at)
            .filter(|at| *at > now)
            .min()
    }

    pub(crate) fn stats(&self, name: &str, now: Timestamp) -> QueueStats {
        let count = |kind: &dyn Fn(&Stored) -> bool| {
            self.messages
                .values()
                .map(|message| u64::from(kind(message)))
                .sum::<u64>()
        };
        let visible = count(&|message| message.is_visible(now));
        let in_flight = count(&|message| message.is_in_flight(now));
        let oldest = self.messages.values().map(|message| message.entered).min();
        let age = oldest.map_or(0, |oldest| now.duration_since(oldest).as_secs());
        QueueStats {
            name: name.to_owned(),
            visible,
            in_flight,
            delayed: count(&|_| true) - visible - in_flight,
            oldest_age_s: u64::try_from(age).unwrap_or(0),
            received: self.received,
            dead_letters: self
                .settings
                .redrive
                .as_ref()
                .map(|redrive| redrive.target.clone()),
        }
    }
}
