//! All queues together, and what happens between them.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::error::Error;
use crate::message::{Draft, Message};
use crate::moves::MoveTask;
use crate::queue::{Queue, QueueStats};
use crate::settings::Settings;
use crate::{ACCOUNT, checks, ids};

#[derive(Debug)]
pub(crate) struct Queues {
    base_url: String,
    pub(crate) by_name: BTreeMap<String, Queue>,
    /// Latest last.
    pub(crate) tasks: Vec<MoveTask>,
    /// Numbers messages and receives.
    serial: u64,
    /// Grows with every change, so that waiters know of it.
    pub(crate) changes: u64,
}

/// One look of a consumer into a queue.
pub(crate) struct Take {
    pub(crate) queue: String,
    pub(crate) max: usize,
    pub(crate) visibility: Option<SignedDuration>,
    /// How long to wait for the first message; the queue's own time where none is given.
    pub(crate) wait: Option<SignedDuration>,
}

impl Queues {
    pub(crate) fn new(base_url: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            by_name: BTreeMap::new(),
            tasks: Vec::new(),
            serial: 0,
            changes: 0,
        }
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("{}/{ACCOUNT}/{name}", self.base_url.trim_end_matches('/'))
    }

    pub(crate) fn get(&self, name: &str) -> Result<&Queue, Error> {
        self.by_name.get(name).ok_or(Error::QueueDoesNotExist)
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Result<&mut Queue, Error> {
        self.by_name.get_mut(name).ok_or(Error::QueueDoesNotExist)
    }

    pub(crate) fn next_number(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    pub(crate) fn expire(&mut self, now: Timestamp) {
        for queue in self.by_name.values_mut() {
            self.changes += u64::from(queue.expire(now));
        }
    }

    /// Creating a queue again is no error while the given attributes are those that it has.
    pub(crate) fn create<'a>(
        &mut self,
        name: &str,
        attributes: impl Iterator<Item = (&'a str, &'a str)> + Clone,
        now: Timestamp,
    ) -> Result<String, Error> {
        checks::queue_name(name)?;
        if let Some(queue) = self.by_name.get(name) {
            for (attribute, value) in attributes {
                let mut same = queue.settings.clone();
                same.set(attribute, value)?;
                if same != queue.settings {
                    return Err(Error::QueueNameExists(attribute.to_owned()));
                }
            }
        } else {
            let settings = self.changed_settings(&Settings::default(), attributes)?;
            self.by_name
                .insert(name.to_owned(), Queue::new(settings, now));
            self.changes += 1;
        }
        Ok(self.url(name))
    }

    pub(crate) fn set_attributes<'a>(
        &mut self,
        name: &str,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let settings = self.changed_settings(&self.get(name)?.settings, attributes)?;
        let queue = self.get_mut(name)?;
        queue.settings = settings;
        queue.modified = now;
        self.changes += 1;
        Ok(())
    }

    fn changed_settings<'a>(
        &self,
        settings: &Settings,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<Settings, Error> {
        let mut settings = settings.clone();
        for (attribute, value) in attributes {
            settings.set(attribute, value)?;
        }
        match &settings.redrive {
            Some(redrive) if !self.by_name.contains_key(&redrive.target) => {
                Err(Error::InvalidParameterValue(
                    "Value for parameter RedrivePolicy is invalid. Reason: Dead letter target \
                     does not exist."
                        .to_owned(),
                ))
            }
            _ => Ok(settings),
        }
    }

    pub(crate) fn remove(&mut self, name: &str) -> Result<(), Error> {
        self.by_name.remove(name).ok_or(Error::QueueDoesNotExist)?;
        self.changes += 1;
        Ok(())
    }

    pub(crate) fn purge(&mut self, name: &str) -> Result<(), Error> {
        self.get_mut(name)?.purge();
        self.changes += 1;
        Ok(())
    }

    /// Returns the id of the new message.
    pub(crate) fn send(
        &mut self,
        name: &str,
        draft: Draft,
        now: Timestamp,
    ) -> Result<String, Error> {
        let number = self.next_number();
        let id = ids::uuid();
        self.get_mut(name)?.send(number, id.clone(), draft, now);
        self.changes += 1;
        Ok(id)
    }

    /// Receives what is there now. Messages that were received too often go to the dead letters on
    /// the way, whether or not anything is delivered.
    pub(crate) fn receive(&mut self, take: &Take, now: Timestamp) -> Result<Vec<Message>, Error> {
        let redrive = self.get(&take.queue)?.settings.redrive.clone();
        let redrive = redrive.filter(|redrive| self.by_name.contains_key(&redrive.target));
        let queue = self
            .by_name
            .get_mut(&take.queue)
            .ok_or(Error::QueueDoesNotExist)?;
        let serial = &mut self.serial;
        let next = || {
            *serial += 1;
            *serial
        };
        let limit = redrive.as_ref().map(|redrive| redrive.max_receives);
        let taken = queue.take(take.max, take.visibility, limit, next, now);
        if !taken.delivered.is_empty() || !taken.dead.is_empty() {
            self.changes += 1;
        }
        if let Some(redrive) = redrive {
            for mut message in taken.dead {
                message.source = Some(take.queue.clone());
                let number = self.next_number();
                self.get_mut(&redrive.target)?.put(number, message, now);
            }
        }
        let delivered = taken.delivered.iter().map(|(number, message)| {
            let lease = message.lease.map_or(0, |lease| lease.number);
            message.to_message(ids::receipt_handle(&take.queue, *number, lease))
        });
        Ok(delivered.collect())
    }

    /// Deleting twice, or with the handle of an earlier receive, succeeds without an effect.
    pub(crate) fn delete(&mut self, name: &str, handle: &str) -> Result<(), Error> {
        checks::required("ReceiptHandle", handle)?;
        let queue = self.get_mut(name)?;
        let (number, lease) = ids::parse_receipt_handle(name, handle)?;
        if queue.delete(number, lease) {
            self.changes += 1;
        }
        Ok(())
    }

    pub(crate) fn change_visibility(
        &mut self,
        name: &str,
        handle: &str,
        timeout_s: i64,
        now: Timestamp,
    ) -> Result<(), Error> {
        checks::required("ReceiptHandle", handle)?;
        checks::within("VisibilityTimeout", timeout_s, &checks::VISIBILITY)?;
        let queue = self.get_mut(name)?;
        let (number, lease) = ids::parse_receipt_handle(name, handle)?;
        queue.change_visibility(number, lease, SignedDuration::from_secs(timeout_s), now)?;
        self.changes += 1;
        Ok(())
    }

    pub(crate) fn reveal(&mut self, name: &str, now: Timestamp) -> Result<usize, Error> {
        let revealed = self.get_mut(name)?.reveal(now);
        self.changes += 1;
        Ok(revealed)
    }

    /// The names of the queues whose dead letters go to this one.
    pub(crate) fn sources<'a>(&'a self, dead_letters: &'a str) -> impl Iterator<Item = &'a str> {
        self.by_name.iter().filter_map(move |(name, queue)| {
            let redrive = queue.settings.redrive.as_ref()?;
            (redrive.target == dead_letters).then_some(name.as_str())
        })
    }

    pub(crate) fn stats(&self, now: Timestamp) -> Vec<QueueStats> {
        self.by_name
            .iter()
            .map(|(name, queue)| queue.stats(name, now))
            .collect()
    }

    pub(crate) fn next_change(&self, now: Timestamp) -> Option<Timestamp> {
        self.by_name
            .values()
            .filter_map(|queue| queue.next_visible(now))
            .min()
    }
}
