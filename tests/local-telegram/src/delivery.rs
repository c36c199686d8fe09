//! Delivering updates to the webhook: one in flight per queue, repeated until it answers 2xx.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::Telegram;
use crate::answer::Via;
use crate::state::{State, Update};

/// What the webhook answered.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct WebhookAnswer {
    /// The HTTP status; 0 when there was no answer at all.
    pub status: u16,
    /// The `Retry-After` header, in seconds.
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Vec<u8>,
}

impl WebhookAnswer {
    /// An empty answer with a status.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// 200 with a JSON body.
    pub fn json(body: &Value) -> Self {
        Self {
            body: body.to_string().into_bytes(),
            ..Self::status(200)
        }
    }
}

/// Puts an update to the webhook.
pub type Deliver = Arc<dyn Fn(Value) -> BoxFuture<'static, WebhookAnswer> + Send + Sync>;

/// How long Telegram waits for an answer.
const ANSWER_TIME: Duration = Duration::from_mins(1);
const LONGEST_RETRY_AFTER: u64 = 3_600;

/// Telegram's queues: the updates of one travel one after another, those of two side by side.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Key {
    /// Messages and edits of a chat.
    Chat(i64),
    /// Presses of a person.
    User(i64),
    /// Other kinds of update.
    Kind(String),
    /// A copy that is let past the rule.
    Copy(u64),
}

/// A queue in which something waits or is in flight.
#[derive(Default)]
pub(crate) struct Lane {
    /// The first one is in flight, or waits for `retry_at`.
    pub(crate) jobs: VecDeque<Job>,
    pub(crate) retry_at: Option<Timestamp>,
}

pub(crate) struct Job {
    update: Update,
    expires: Timestamp,
    first: Option<oneshot::Sender<Attempt>>,
}

/// One attempt at delivering an update.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) update_id: i64,
    pub(crate) status: Option<u16>,
    pub(crate) body: Option<Value>,
    retry_after: Option<u64>,
}

impl Attempt {
    fn unanswered(update_id: i64) -> Self {
        Self {
            update_id,
            status: None,
            body: None,
            retry_after: None,
        }
    }

    fn is_accepted(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }

    /// The method that an accepted answer carries.
    pub(crate) fn reply(&self) -> Option<Value> {
        let body = self.body.as_ref().filter(|_| self.is_accepted())?;
        body.get("method")?.as_str()?;
        Some(body.clone())
    }
}

impl Telegram {
    /// Sends updates on their way, each as often as `copies` says, and waits for the first attempts.
    pub(crate) async fn deliver(
        &self,
        updates: Vec<Update>,
        copies: Option<usize>,
    ) -> Vec<Attempt> {
        let mut waiting = Vec::new();
        for update in updates {
            match copies {
                None => waiting.push((update.id, self.enqueue(update.key.clone(), update))),
                Some(copies) => {
                    for _ in 0..copies {
                        let key = self.with(State::take_copy_key);
                        waiting.push((update.id, self.enqueue(key, update.clone())));
                    }
                }
            }
        }
        let mut attempts = Vec::with_capacity(waiting.len());
        for (id, first) in waiting {
            attempts.push(first.await.unwrap_or_else(|_| Attempt::unanswered(id)));
        }
        attempts
    }

    /// Queues an update and starts its queue if it was empty.
    pub(crate) fn enqueue(&self, key: Key, update: Update) -> oneshot::Receiver<Attempt> {
        let (first, receiver) = oneshot::channel();
        let now = self.clock().now();
        let is_new = self.with(|state| {
            if state.webhook.target().is_none() {
                state.pending.push_back(update.id);
                return false;
            }
            let is_new = !state.lanes.contains_key(&key);
            let lane = state.lanes.entry(key.clone()).or_default();
            // Nobody is kept waiting for what waits behind an update that is being repeated.
            let first = lane.retry_at.is_none().then_some(first);
            let expires = now.saturating_add(update.life).unwrap_or(Timestamp::MAX);
            lane.jobs.push_back(Job {
                update,
                expires,
                first,
            });
            is_new
        });
        self.changed_now();
        if is_new {
            tokio::spawn(self.clone().run_lane(key));
        }
        receiver
    }

    async fn run_lane(self, key: Key) {
        let mut failures = 0;
        while let Some((update, expires)) = self.with(|state| front(state, &key)) {
            let Some(deliver) = self.with(|state| state.webhook.target()) else {
                self.with(|state| shelve(state, &key));
                break;
            };
            let attempt = self.attempt(&deliver, &update).await;
            let now = self.clock().now();
            let retry_at = if attempt.is_accepted() {
                None
            } else {
                failures += 1;
                let at = now.saturating_add(delay(failures, attempt.retry_after));
                Some(at.unwrap_or(Timestamp::MAX)).filter(|at| *at < expires)
            };
            self.with(|state| note(state, &key, attempt, retry_at.filter(|at| *at > now)));
            self.changed_now();
            match retry_at {
                None => {
                    self.with(|state| pop(state, &key));
                    failures = 0;
                }
                Some(at) => {
                    self.clock().sleep_until(at).await;
                    self.with(|state| state.lanes.entry(key.clone()).or_default().retry_at = None);
                }
            }
            self.changed_now();
        }
        self.changed_now();
    }

    /// Asks the webhook once, and does the method that its answer carries.
    async fn attempt(&self, deliver: &Deliver, update: &Update) -> Attempt {
        let answer = tokio::select! {
            biased;
            answer = deliver((*update.body).clone()) => Some(answer),
            () = self.clock().sleep(ANSWER_TIME) => None,
        };
        let mut attempt = Attempt::unanswered(update.id);
        let timed_out = answer.is_none();
        if let Some(answer) = answer.filter(|answer| answer.status != 0) {
            attempt.status = Some(answer.status);
            attempt.retry_after = answer.retry_after;
            attempt.body = read_body(&answer.body);
        }
        if !attempt.is_accepted() {
            let text = failure_text(attempt.status, timed_out);
            let date = self.clock().now().as_second();
            self.with(|state| state.webhook.last_error = Some((date, text)));
        }
        if let Some(Value::Object(mut fields)) = attempt.reply()
            && let Some(Value::String(method)) = fields.remove("method")
        {
            self.perform(&method, Value::Object(fields), Via::Webhook);
        }
        attempt
    }
}

/// The first update of a queue; a queue that has none ends.
fn front(state: &mut State, key: &Key) -> Option<(Update, Timestamp)> {
    let next = state.lanes.get(key).and_then(|lane| lane.jobs.front());
    let next = next.map(|job| (job.update.clone(), job.expires));
    if next.is_none() {
        state.lanes.remove(key);
    }
    next
}

fn pop(state: &mut State, key: &Key) {
    if let Some(lane) = state.lanes.get_mut(key) {
        lane.jobs.pop_front();
    }
}

/// Without a webhook the updates of a queue wait for `getUpdates`.
fn shelve(state: &mut State, key: &Key) {
    let jobs = state
        .lanes
        .remove(key)
        .map(|lane| lane.jobs)
        .unwrap_or_default();
    state.pending.extend(jobs.iter().map(|job| job.update.id));
}

/// Tells whoever waits for the first attempt. When the update now waits for a repeat, those behind
/// it are told that theirs has not been made.
fn note(state: &mut State, key: &Key, attempt: Attempt, retry_at: Option<Timestamp>) {
    let Some(lane) = state.lanes.get_mut(key) else {
        return;
    };
    if let Some(first) = lane.jobs.front_mut().and_then(|job| job.first.take()) {
        // Whoever asked may have stopped waiting.
        let _ = first.send(attempt);
    }
    lane.retry_at = retry_at;
    if retry_at.is_some() {
        for job in &mut lane.jobs {
            job.first = None;
        }
    }
}

/// How long to wait after so many failures: at once, then 2, 4, 8 … seconds up to one or two minutes.
fn delay(failures: u32, retry_after: Option<u64>) -> SignedDuration {
    let seconds = match retry_after {
        Some(seconds @ 1..) => seconds.min(LONGEST_RETRY_AFTER),
        _ if failures <= 1 => 0,
        _ => 2_u64
            .saturating_pow(failures - 1)
            .min(fastrand::u64(60..=120)),
    };
    SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX))
}

fn read_body(body: &[u8]) -> Option<Value> {
    if body.is_empty() {
        return None;
    }
    let text = || Value::String(String::from_utf8_lossy(body).into_owned());
    Some(serde_json::from_slice(body).unwrap_or_else(|_| text()))
}

fn failure_text(status: Option<u16>, timed_out: bool) -> String {
    let code = status.and_then(|status| http::StatusCode::from_u16(status).ok());
    match (code, status, timed_out) {
        (Some(code), ..) => format!("Wrong response from the webhook: {code}"),
        (None, Some(status), _) => format!("Wrong response from the webhook: {status}"),
        (None, None, true) => "Read timeout expired".to_owned(),
        (None, None, false) => "Connection closed".to_owned(),
    }
}
