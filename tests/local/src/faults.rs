//! Faults that a test puts on the outgoing calls of the functions.
//!
//! Every request that a fault matches counts for that fault, also when an older one acted on it; so
//! `skip: 1` means "not the first such request" whatever else is set up. Of the faults that are past
//! their skips and have acts left, the oldest acts, and only that one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::watch;

use crate::fault::{Fault, Kind, Target};

/// A fault with what it has done so far.
#[derive(Clone, Debug, Serialize)]
pub struct Planned {
    /// Its number, ascending.
    pub id: u64,
    /// What was asked for.
    #[serde(flatten)]
    pub fault: Fault,
    /// How many requests matched it.
    pub matched: u64,
    /// How often it acted.
    pub hits: u64,
}

impl Planned {
    fn is_spent(&self) -> bool {
        u64::try_from(self.fault.times).is_ok_and(|times| self.hits >= times)
    }
}

/// The faults of a desk, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    planned: Mutex<Vec<Planned>>,
    changed: watch::Sender<()>,
}

impl Faults {
    fn lock(&self) -> MutexGuard<'_, Vec<Planned>> {
        self.planned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a fault and returns its id, or says what is wrong with it.
    pub(crate) fn add(&self, fault: Fault) -> Result<u64, String> {
        fault.check()?;
        let id = {
            let mut planned = self.lock();
            let id = planned.last().map_or(1, |last| last.id + 1);
            planned.push(Planned {
                id,
                fault,
                matched: 0,
                hits: 0,
            });
            id
        };
        self.changed.send_replace(());
        Ok(id)
    }

    /// All faults, spent ones too.
    pub(crate) fn list(&self) -> Vec<Planned> {
        self.lock().clone()
    }

    /// Ends and forgets one fault.
    pub(crate) fn end(&self, id: u64) -> Option<Planned> {
        let ended = {
            let mut planned = self.lock();
            let at = planned.iter().position(|planned| planned.id == id)?;
            planned.remove(at)
        };
        self.changed.send_replace(());
        Some(ended)
    }

    /// Ends and forgets all faults.
    pub(crate) fn clear(&self) {
        self.lock().clear();
        self.changed.send_replace(());
    }

    /// Counts a request and returns the fault that acts on it.
    pub(crate) fn act(&self, target: Target, operation: &str, chat: Option<i64>) -> Option<Fault> {
        let mut acting = None;
        for planned in self.lock().iter_mut() {
            if planned.is_spent() || !planned.fault.matches(target, operation, chat) {
                continue;
            }
            planned.matched += 1;
            if acting.is_none() && planned.matched > planned.fault.skip {
                planned.hits += 1;
                acting = Some(planned.fault.clone());
            }
        }
        acting
    }

    /// Whether connections to `target` are to be refused now.
    pub(crate) fn refuses(&self, target: Target) -> bool {
        self.lock()
            .iter()
            .any(|planned| Self::refusing(planned, target))
    }

    /// Whether every fault that refuses connections to `target` ends only when it is taken back.
    pub(crate) fn refuses_without_end(&self, target: Target) -> bool {
        self.lock()
            .iter()
            .any(|planned| Self::refusing(planned, target) && planned.fault.times == -1)
    }

    /// Counts connections that were refused, against the oldest faults first.
    pub(crate) fn refused(&self, target: Target, mut connections: u64) {
        for planned in self
            .lock()
            .iter_mut()
            .filter(|planned| Self::refusing(planned, target))
        {
            let left =
                u64::try_from(planned.fault.times).map_or(u64::MAX, |times| times - planned.hits);
            let counted = connections.min(left);
            planned.matched += counted;
            planned.hits += counted;
            connections -= counted;
        }
    }

    fn refusing(planned: &Planned, target: Target) -> bool {
        planned.fault.fault == Kind::Refuse && planned.fault.target == target && !planned.is_spent()
    }

    /// Wakes its holder whenever faults were added or ended.
    pub(crate) fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn faults(list: &[Value]) -> Faults {
        let faults = Faults::default();
        for fault in list {
            let fault = serde_json::from_value(fault.clone()).expect("a fault");
            faults.add(fault).expect("a fault that can act");
        }
        faults
    }

    fn kind(act: Option<Fault>) -> Option<Kind> {
        act.map(|fault| fault.fault)
    }

    #[test]
    fn a_fault_acts_once_unless_it_says_otherwise() {
        let faults = faults(&[json!({"target": "sqs", "fault": "drop"})]);
        assert_eq!(kind(faults.act(Target::Dynamodb, "PutItem", None)), None);
        assert_eq!(
            kind(faults.act(Target::Sqs, "SendMessage", None)),
            Some(Kind::Drop)
        );
        assert_eq!(kind(faults.act(Target::Sqs, "SendMessage", None)), None);
        assert_eq!(faults.list()[0].hits, 1);
    }

    #[test]
    fn the_oldest_matching_fault_acts_alone() {
        let faults = faults(&[
            json!({"target": "dynamodb", "fault": "throttle", "times": 2}),
            json!({"target": "dynamodb", "fault": "conflict", "times": -1}),
        ]);
        let acts: Vec<_> = (0..4)
            .map(|_| kind(faults.act(Target::Dynamodb, "PutItem", None)))
            .collect();
        assert_eq!(
            acts,
            [
                Kind::Throttle,
                Kind::Throttle,
                Kind::Conflict,
                Kind::Conflict
            ]
            .map(Some)
        );
    }

    #[test]
    fn skips_count_requests_that_an_older_fault_took() {
        let faults = faults(&[
            json!({"target": "sqs", "fault": "drop"}),
            json!({"target": "sqs", "fault": "throttle", "skip": 1}),
        ]);
        let acts: Vec<_> = (0..3)
            .map(|_| kind(faults.act(Target::Sqs, "SendMessage", None)))
            .collect();
        assert_eq!(acts, [Some(Kind::Drop), Some(Kind::Throttle), None]);
    }

    #[test]
    fn a_fault_keeps_to_its_method_and_chat() {
        let faults = faults(&[
            json!({"target": "telegram", "fault": "retry_after", "value": 7, "match": "sendMessage", "chat_id": -5}),
        ]);
        assert_eq!(
            kind(faults.act(Target::Telegram, "sendMessage", Some(-6))),
            None
        );
        assert_eq!(
            kind(faults.act(Target::Telegram, "editMessageText", Some(-5))),
            None
        );
        assert_eq!(
            kind(faults.act(Target::Telegram, "sendmessage", Some(-5))),
            Some(Kind::RetryAfter)
        );
    }

    #[test]
    fn refusals_are_counted_until_they_are_used_up() {
        let faults = faults(&[json!({"target": "telegram", "fault": "refuse", "times": 3})]);
        assert_eq!(
            kind(faults.act(Target::Telegram, "sendMessage", None)),
            None
        );
        assert!(faults.refuses(Target::Telegram) && !faults.refuses(Target::Sqs));
        faults.refused(Target::Telegram, 2);
        assert!(faults.refuses(Target::Telegram));
        faults.refused(Target::Telegram, 5);
        assert!(!faults.refuses(Target::Telegram));
        assert_eq!(faults.list()[0].hits, 3);
    }

    #[test]
    fn a_fault_that_could_never_act_is_turned_down() {
        for fault in [
            json!({"target": "telegram", "fault": "delay"}),
            json!({"target": "telegram", "fault": "refuse", "skip": 1}),
            json!({"target": "telegram", "fault": "conflict"}),
            json!({"target": "sqs", "fault": "drop", "times": 0}),
            json!({"target": "sqs", "fault": "status", "value": 200}),
        ] {
            let fault = serde_json::from_value(fault).expect("a fault");
            assert!(Faults::default().add(fault).is_err());
        }
    }
}
