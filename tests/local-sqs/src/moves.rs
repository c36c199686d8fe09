//! Redriving: moving dead letters back.

use jiff::Timestamp;

use crate::error::Error;
use crate::ids;
use crate::message::Stored;
use crate::queues::Queues;

/// A move task. It is over as soon as it is started.
#[derive(Clone, Debug)]
pub(crate) struct MoveTask {
    pub(crate) handle: String,
    /// The name of the dead-letter queue.
    pub(crate) source: String,
    /// Where all messages go, if not back to where they came from.
    pub(crate) destination: Option<String>,
    pub(crate) started: Timestamp,
    pub(crate) moved: u64,
    /// How many had no queue to go back to.
    pub(crate) left: u64,
}

impl Queues {
    /// Moves all messages of a dead-letter queue that no consumer holds. As SQS does, it makes new
    /// messages of them: new id, new `SentTimestamp`, no receives.
    pub(crate) fn redrive(
        &mut self,
        source: &str,
        destination: Option<&str>,
        now: Timestamp,
    ) -> Result<MoveTask, Error> {
        if !self.by_name.contains_key(source) {
            return Err(Error::ResourceNotFound("SourceArn"));
        }
        if destination.is_some_and(|name| !self.by_name.contains_key(name)) {
            return Err(Error::ResourceNotFound("DestinationArn"));
        }
        if self.sources(source).next().is_none() {
            return Err(Error::InvalidParameterValue(
                "Source queue must be configured as a Dead Letter Queue.".to_owned(),
            ));
        }
        let mut task = MoveTask {
            handle: ids::uuid(),
            source: source.to_owned(),
            destination: destination.map(str::to_owned),
            started: now,
            moved: 0,
            left: 0,
        };
        let known: Vec<String> = self.by_name.keys().cloned().collect();
        let target = |message: &Stored| {
            let target = destination.or(message.source.as_deref());
            target
                .filter(|name| known.iter().any(|known| known == name))
                .map(str::to_owned)
        };
        let messages = self
            .get_mut(source)?
            .extract(now, |message| target(message).is_some());
        for message in messages {
            let Some(target) = target(&message) else {
                continue;
            };
            let number = self.next_number();
            let message = Stored {
                id: ids::uuid(),
                sent: now,
                first_received: None,
                receives: 0,
                source: None,
                ..message
            };
            self.get_mut(&target)?.put(number, message, now);
            task.moved += 1;
        }
        task.left = self.get(source)?.stats(source, now).visible;
        self.tasks.push(task.clone());
        self.changes += 1;
        Ok(task)
    }
}
