//! Waiting until nothing happens any more.

use std::time::Duration;

use frontdesk_local_clock::Clock;
use frontdesk_local_sqs::Sqs;
use frontdesk_local_telegram::Telegram;
use jiff::Timestamp;
use serde::Serialize;

use crate::instances::Lambda;
use crate::poller::{Concluded, OUTBOX};
use crate::table::{Due, Table};

/// How often the state is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What has to come to rest. The chats are not part of it when they are Telegram's own.
#[derive(Clone)]
pub(crate) struct Settling {
    pub(crate) clock: Clock,
    pub(crate) lambda: Lambda,
    pub(crate) sqs: Sqs,
    pub(crate) telegram: Telegram,
    pub(crate) table: Table,
    pub(crate) concluded: Concluded,
}

/// What still goes on. Dead letters and delayed messages do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Left {
    /// Messages of the outbox that could be received.
    pub visible: u64,
    /// Messages of the outbox that were received and neither deleted nor given back.
    pub in_flight: u64,
    /// Invocations that run or wait.
    pub invocations: usize,
    /// Requests of functions that are being answered, whether or not these still wait.
    pub requests: usize,
    /// Updates that are being delivered to the webhook.
    pub deliveries: usize,
    /// What the clock function should have done by now.
    pub due: Vec<Due>,
}

/// How waiting ended.
#[derive(Clone, Debug, Serialize)]
pub struct Settled {
    /// Whether all came to rest in time.
    pub settled: bool,
    /// When something will happen by itself, on the desk's clock.
    pub next_due: Option<Timestamp>,
    /// What did not come to rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<Left>,
}

/// What is waited for.
#[derive(Clone, Copy)]
enum Until {
    /// Nothing happens and nothing is overdue.
    Settled,
    /// Only the clock can move anything.
    AtRest,
}

impl Settling {
    /// Waits for at most `longest`, in real time.
    pub(crate) async fn settle(&self, longest: Duration) -> anyhow::Result<Settled> {
        self.wait(longest, Until::Settled).await
    }

    /// Waits for at most `longest`, in real time, until only the clock can move anything: what is due,
    /// and messages that were received and left, do not count. Only the poller may receive messages.
    pub(crate) async fn rest(&self, longest: Duration) -> anyhow::Result<Settled> {
        self.wait(longest, Until::AtRest).await
    }

    async fn wait(&self, longest: Duration, until: Until) -> anyhow::Result<Settled> {
        let deadline = tokio::time::Instant::now() + longest;
        loop {
            let out_of_time = tokio::time::Instant::now() >= deadline;
            let left = self.left(until, out_of_time).await?;
            if left.is_none() || out_of_time {
                let next_due = self.next_due().await?;
                return Ok(Settled {
                    settled: left.is_none(),
                    next_due,
                    left,
                });
            }
            tokio::time::sleep_until(deadline.min(tokio::time::Instant::now() + LOOK_EVERY)).await;
        }
    }

    /// What goes on; nothing only if no invocation began during the whole look, since only invocations
    /// make new work. The table is slow to look into, so that is done only when all else is quiet.
    async fn left(&self, until: Until, out_of_time: bool) -> anyhow::Result<Option<Left>> {
        let begun = self.lambda.begun();
        let mut left = Left {
            invocations: self.lambda.busy(),
            requests: self.lambda.requests(),
            deliveries: self.telegram.in_flight(),
            ..Left::default()
        };
        // After these two, since their work ends in messages; and the count before the queue's own.
        let concluded = self.concluded.count();
        let mut queues = self.sqs.stats().into_iter();
        let outbox = queues.find(|queue| queue.name == OUTBOX);
        let outbox = outbox.unwrap_or_default();
        (left.visible, left.in_flight) = (outbox.visible, outbox.in_flight);
        let moves =
            left.visible > 0 || left.invocations > 0 || left.requests > 0 || left.deliveries > 0;
        let is_quiet = match until {
            Until::AtRest => !moves && outbox.received == concluded,
            Until::Settled => {
                if !moves || out_of_time {
                    let (table, now) = (self.table.clone(), self.clock.now());
                    left.due = tokio::task::spawn_blocking(move || table.due(now)).await??;
                }
                !moves && left.in_flight == 0 && left.due.is_empty()
            }
        };
        Ok((!is_quiet || begun != self.lambda.begun()).then_some(left))
    }

    async fn next_due(&self) -> anyhow::Result<Option<Timestamp>> {
        let (table, now) = (self.table.clone(), self.clock.now());
        let due = tokio::task::spawn_blocking(move || table.next_due(now)).await??;
        let others = [self.sqs.next_change(), self.telegram.next_retry()];
        Ok(others.into_iter().chain([due]).flatten().min())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontdesk_local_telegram::Bot;
    use serde_json::{Value, json};

    use crate::instances::idle;
    use crate::poller::create_queues;
    use crate::table::NAME;

    fn settling() -> Settling {
        let clock = Clock::new();
        let sqs = Sqs::new(clock.clone(), "http://localhost");
        create_queues(&sqs).expect("queues");
        let bot = Bot {
            name: "desk".into(),
            username: "desk_bot".into(),
            token: "1:local".into(),
            id: 1,
            secret: None,
        };
        let telegram = Telegram::new(clock.clone(), bot);
        let table = Table::open(None).expect("a table");
        Settling {
            clock,
            lambda: idle(),
            sqs,
            telegram,
            table,
            concluded: Concluded::default(),
        }
    }

    async fn send(settling: &Settling, delay: u32) {
        let url = format!("http://localhost/000000000000/{OUTBOX}");
        let body: Value = json!({"QueueUrl": url, "MessageBody": "x", "DelaySeconds": delay});
        let answer = settling
            .sqs
            .handle("SendMessage", body.to_string().as_bytes())
            .await;
        assert_eq!(answer.status, 200);
    }

    fn put_due(settling: &Settling, due: Timestamp) {
        let due = due.as_millisecond().to_string();
        let item = json!({"pk": {"S": "REQ#1"}, "sk": {"S": "EFF"}, "due_shard": {"S": "DUE#2"}, "due": {"N": due}});
        let request =
            serde_json::from_value(json!({"TableName": NAME, "Item": item})).expect("a request");
        settling.table.database().put_item(request).expect("a put");
    }

    async fn settle(settling: &Settling) -> Settled {
        settling
            .settle(Duration::from_millis(20))
            .await
            .expect("a look")
    }

    #[tokio::test]
    async fn a_desk_where_nothing_happens_is_settled() {
        let settled = settle(&settling()).await;
        assert!(settled.settled);
        assert_eq!((settled.next_due, settled.left), (None, None));
    }

    #[tokio::test]
    async fn a_message_keeps_the_desk_from_settling_until_it_is_deleted() {
        let settling = settling();
        send(&settling, 0).await;
        assert_eq!(settle(&settling).await.left.expect("a message").visible, 1);
        let messages = settling.sqs.receive(OUTBOX, 10, Duration::ZERO).await;
        assert_eq!(
            settle(&settling).await.left.expect("a message").in_flight,
            1
        );
        settling.sqs.delete(OUTBOX, &messages[0].receipt_handle);
        assert!(settle(&settling).await.settled);
    }

    #[tokio::test]
    async fn a_delayed_message_is_something_to_come() {
        let settling = settling();
        send(&settling, 60).await;
        let settled = settle(&settling).await;
        assert!(settled.settled && settled.next_due.is_some_and(|at| at > settling.clock.now()));
    }

    #[tokio::test]
    async fn a_message_that_was_left_and_what_is_due_are_the_clocks() {
        let settling = settling();
        send(&settling, 0).await;
        put_due(&settling, settling.clock.now());
        let wait = Duration::from_millis(20);
        assert!(!settling.rest(wait).await.expect("a look").settled);
        let messages = settling.sqs.receive(OUTBOX, 10, Duration::ZERO).await;
        assert!(!settling.rest(wait).await.expect("a look").settled);
        settling.concluded.add(messages.len());
        assert!(settling.rest(wait).await.expect("a look").settled);
        assert!(!settle(&settling).await.settled);
    }

    #[tokio::test]
    async fn what_is_due_is_waited_for_and_what_will_be_is_told() {
        let settling = settling();
        let soon = settling.clock.now() + jiff::SignedDuration::from_mins(2);
        put_due(&settling, soon);
        let settled = settle(&settling).await;
        assert!(settled.settled);
        assert_eq!(
            settled.next_due.map(Timestamp::as_millisecond),
            Some(soon.as_millisecond())
        );
        settling
            .clock
            .advance(Duration::from_mins(3))
            .expect("no file to write");
        let left = settle(&settling).await.left.expect("something is due");
        assert_eq!(left.due[0].sk, "EFF");
    }
}
