//! SQS standard queues in process, for a local run of the desk and for its tests.
//!
//! Consumers and producers speak to it as to SQS, through [`Sqs::handle`] behind any HTTP server; the
//! stand-in for the event source mapping polls it in process, through [`Sqs::receive`]. All times come
//! from one [`Clock`], so that moving it lets delays, visibility timeouts, long polls and retention
//! run out.
//!
//! What it does as SQS does:
//!
//! - A message is received at most `maxReceiveCount` times. The receive that would exceed the count
//!   moves it to the dead-letter queue and skips it. There it keeps its id, its `SentTimestamp` and
//!   its receive count, and its retention still runs from when it was first sent.
//! - A redrive makes a new message of it: new id, new `SentTimestamp`, no receives.
//! - A receipt handle belongs to one receive. Once the message was received again, the older handle
//!   deletes nothing, and says so no more than SQS does.
//! - Message groups make a queue fair: while one has a backlog and many messages in flight, the others'
//!   go first.
//! - Limits, error codes and MD5 sums are those of SQS.
//!
//! Where it differs: it speaks awsJson 1.0 only; there are no FIFO queues, tags, permissions or
//! encryption, and no limits on purges, on queues being created again or on messages in flight; lists
//! come in one page; a move task is over when it is started. SQS may deliver a message twice and out
//! of order; this endpoint does neither.

mod checks;
mod digest;
mod error;
mod fairness;
mod ids;
mod message;
mod moves;
mod queue;
mod queues;
mod settings;
mod wire;

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_local_clock::Clock;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tokio::sync::watch;

pub use error::Error;
pub use message::{Message, MessageAttribute};
pub use queue::QueueStats;
pub use wire::Answer;

use queues::{Queues, Take};

/// The account of all queues.
pub const ACCOUNT: &str = "000000000000";

/// The region of all queues.
pub const REGION: &str = "us-east-1";

/// The ARN of the queue of that name.
pub fn queue_arn(name: &str) -> String {
    format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{name}")
}

/// The name of the queue that an ARN, of any region and account, stands for.
fn queue_of_arn(arn: &str) -> Option<&str> {
    let mut parts = arn.strip_prefix("arn:aws:sqs:")?.split(':').skip(2);
    parts
        .next()
        .filter(|name| !name.is_empty() && parts.next().is_none())
}

/// A handle on the endpoint and all of its queues; clones share them.
#[derive(Clone, Debug)]
pub struct Sqs {
    clock: Clock,
    queues: Arc<Mutex<Queues>>,
    /// The number of changes so far.
    changes: Arc<watch::Sender<u64>>,
}

impl Sqs {
    /// An endpoint without queues, which is reached under `base_url`: the URL of a queue is
    /// `{base_url}/000000000000/{name}`.
    pub fn new(clock: Clock, base_url: &str) -> Self {
        Self {
            clock,
            queues: Arc::new(Mutex::new(Queues::new(base_url))),
            changes: Arc::new(watch::Sender::new(0)),
        }
    }

    /// Creates a queue, with attributes named as in `CreateQueue`, and returns its URL. A queue that
    /// exists with the same attributes is left as it is.
    ///
    /// Fails where SQS does: on an invalid name or attribute, on a dead-letter queue that does not
    /// exist yet, and where the queue exists with other attributes.
    pub fn create_queue(&self, name: &str, attributes: &[(&str, &str)]) -> Result<String, Error> {
        self.with(|queues, now| queues.create(name, attributes.iter().copied(), now))
    }

    /// Answers one awsJson 1.0 request. The action is the `X-Amz-Target` header without its
    /// `AmazonSQS.` prefix. Resolves at once, but for a `ReceiveMessage` that waits.
    pub async fn handle(&self, action: &str, body: &[u8]) -> Answer {
        if action == "ReceiveMessage" {
            self.receive_on_the_wire(body).await.into()
        } else {
            self.with(|queues, now| wire::run(queues, action, body, now))
                .into()
        }
    }

    /// Answers a request by its `X-Amz-Target` header, and refuses one of the older query protocol,
    /// which has none, in words that say so.
    pub async fn handle_target(&self, target: Option<&str>, body: &[u8]) -> Answer {
        match target.and_then(|target| target.strip_prefix("AmazonSQS.")) {
            Some(action) => self.handle(action, body).await,
            None => Answer::from(Err(Error::UnsupportedOperation(
                "This endpoint speaks awsJson 1.0, with a header X-Amz-Target: AmazonSQS.<action>, \
                 and not the query protocol."
                    .to_owned(),
            ))),
        }
    }

    /// Receives up to `max` messages of the queue of that name, which stay invisible for as long as
    /// the queue says. Waits up to `wait`, on the desk's clock, for the first one.
    ///
    /// While there is no such queue, it has no messages.
    pub async fn receive(&self, queue: &str, max: usize, wait: Duration) -> Vec<Message> {
        let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
        let take = Take {
            queue: queue.to_owned(),
            max,
            visibility: None,
            wait: Some(wait),
        };
        let started = self.clock.now();
        loop {
            let changed = self.changed();
            match self.poll(&take, started).await {
                Ok(messages) => return messages,
                Err(_) if self.clock.now() >= end_of(started, wait) => return Vec::new(),
                Err(_) => tokio::select! {
                    () = changed => {}
                    () = self.clock.sleep_until(end_of(started, wait)) => {}
                },
            }
        }
    }

    /// Deletes the message of that receive. Does nothing where it is gone, was received again, or
    /// where the handle is not one of this queue.
    pub fn delete(&self, queue: &str, receipt_handle: &str) {
        // What a consumer in process could do about it is what it does anyway: receive again.
        let _ = self.with(|queues, _| queues.delete(queue, receipt_handle));
    }

    /// Has every message that is in flight delivered a second time, at once, as SQS does now and then
    /// ("At-least-once delivery" in its developer guide); returns how many there are.
    ///
    /// Fails with [`Error::QueueDoesNotExist`] where there is no such queue.
    pub fn deliver_twice(&self, queue: &str) -> Result<usize, Error> {
        self.with(|queues, now| queues.reveal(queue, now))
    }

    /// What is in each queue now, by name.
    pub fn stats(&self) -> Vec<QueueStats> {
        self.with(|queues, now| queues.stats(now))
    }

    /// When the next delayed or invisible message becomes visible, if any is.
    pub fn next_change(&self) -> Option<Timestamp> {
        self.with(|queues, now| queues.next_change(now))
    }

    /// Resolves after the next change of any queue: a message sent, received, deleted, moved or held
    /// back, a queue created or changed. Changes count from this call on, not from the first poll, so
    /// a waiter calls it, looks, and then awaits it. That a time runs out is no change: see
    /// [`Sqs::next_change`].
    pub fn changed(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut changes = self.changes.subscribe();
        // Held by the waiter, so that the sender is never gone while it waits.
        let sender = Arc::clone(&self.changes);
        async move {
            let _ = changes.changed().await;
            drop(sender);
        }
    }

    /// Moves the messages of a dead-letter queue back to the queues that they died in, as new
    /// messages, and returns how many. Those that a consumer holds at the moment stay, as in SQS.
    ///
    /// Fails with [`Error::ResourceNotFound`] where there is no such queue, with
    /// [`Error::InvalidParameterValue`] where no queue has it for its dead letters, and with
    /// [`Error::SourceUnknown`] where some messages, sent to it directly, had to stay.
    #[expect(
        clippy::unused_async,
        reason = "in SQS it takes time; callers should be ready for that"
    )]
    pub async fn redrive(&self, dead_letter_queue: &str) -> Result<u64, Error> {
        let task = self.with(|queues, now| queues.redrive(dead_letter_queue, None, now))?;
        match task.left {
            0 => Ok(task.moved),
            left => Err(Error::SourceUnknown {
                moved: task.moved,
                left,
            }),
        }
    }

    async fn receive_on_the_wire(&self, body: &[u8]) -> Result<Value, Error> {
        let request: wire::Receive = wire::parse_receive(body)?;
        let messages = self.poll(&request.take, self.clock.now()).await?;
        Ok(wire::received(&request, &messages))
    }

    /// Looks again whenever something may have become visible, until the time is up.
    async fn poll(&self, take: &Take, started: Timestamp) -> Result<Vec<Message>, Error> {
        loop {
            // Before the look, so that a message sent right after it is not overlooked.
            let changed = self.changed();
            let (messages, until, next, now) = self.with(|queues, now| {
                let messages = queues.receive(take, now)?;
                let queue = queues.get(&take.queue)?;
                let wait = take.wait.unwrap_or(queue.settings.wait());
                Ok((
                    messages,
                    end_of(started, wait),
                    queue.next_visible(now),
                    now,
                ))
            })?;
            if !messages.is_empty() || now >= until {
                return Ok(messages);
            }
            tokio::select! {
                () = changed => {}
                () = self.clock.sleep_until(next.map_or(until, |next| next.min(until))) => {}
            }
        }
    }

    /// Works on the queues at one moment, and then wakes the waiters if anything changed.
    fn with<T>(&self, work: impl FnOnce(&mut Queues, Timestamp) -> T) -> T {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        queues.expire(now);
        let outcome = work(&mut queues, now);
        let changes = queues.changes;
        self.changes
            .send_if_modified(|seen| std::mem::replace(seen, changes) != changes);
        outcome
    }
}

fn end_of(started: Timestamp, wait: SignedDuration) -> Timestamp {
    started.checked_add(wait).unwrap_or(Timestamp::MAX)
}
