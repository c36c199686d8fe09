#![doc = include_str!("../README.md")]

mod token;

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent, SqsMessage};
use frontdesk_desk::deliver_effect::{Delivery, Verdict};
use frontdesk_desk::{Desk, Registration};
use frontdesk_lambda::Clock;
use frontdesk_queue::Message;
use frontdesk_storage::EffectKey;
use frontdesk_telegram::Client;
use futures_util::future::join_all;
use jiff::Timestamp;

pub use token::TokenSource;

/// What the function holds from one batch to the next.
#[derive(Debug)]
pub struct Notifier {
    /// The desk.
    pub desk: Desk,
    /// The Bot API.
    pub telegram: Client,
    /// Where the bot's token comes from.
    pub source: TokenSource,
    /// The webhook that Telegram is to know, where there is one.
    pub registration: Option<Registration>,
    /// Tells the time.
    pub clock: Clock,
}

/// Delivers a batch. The answer names the messages that must come again; SQS deletes the others.
pub async fn handle(
    notifier: &Notifier,
    event: SqsEvent,
    deadline: SystemTime,
) -> SqsBatchResponse {
    let left = deadline
        .duration_since(SystemTime::now())
        .unwrap_or(Duration::ZERO);
    let deadline = Instant::now() + left;
    let mut failed = Vec::new();
    let mut by_effect: BTreeMap<EffectKey, Vec<SqsMessage>> = BTreeMap::new();
    for message in event.records {
        match Message::parse(message.body.as_deref().unwrap_or_default()) {
            Ok(Message { pk, sk }) => by_effect
                .entry(EffectKey { pk, sk })
                .or_default()
                .push(message),
            Err(error) => {
                // It will not become one of ours; after its receives it is a dead letter.
                tracing::error!(error.kind = %error, "message.malformed");
                failed.push(message);
            }
        }
    }
    let deliveries = by_effect
        .into_iter()
        .map(|(key, messages)| notifier.deliver(key, messages, deadline));
    failed.extend(join_all(deliveries).await.into_iter().flatten());
    notifier.renew_token_if_refused().await;
    let batch_item_failures = failed
        .into_iter()
        .map(|message| {
            let mut failure = BatchItemFailure::default();
            // Without its id the whole batch comes again, which the leases make harmless.
            failure.item_identifier = message.message_id.unwrap_or_default();
            failure
        })
        .collect();
    let mut response = SqsBatchResponse::default();
    response.batch_item_failures = batch_item_failures;
    response
}

impl Notifier {
    /// Delivers one effect for all of the batch's messages that name it, and returns those that must
    /// come again: one where it has failed, all where nothing could be done.
    async fn deliver(
        &self,
        key: EffectKey,
        messages: Vec<SqsMessage>,
        deadline: Instant,
    ) -> Vec<SqsMessage> {
        let delivery = Delivery {
            desk: &self.desk,
            telegram: &self.telegram,
            registration: self.registration.as_ref(),
            clock: || self.clock.now(),
            deadline,
        };
        // The latest: a redrive among copies must count as one.
        let sent_at = messages.iter().map(sent_at).max().unwrap_or(Timestamp::MIN);
        // Of several, the one that becomes the dead letter.
        let id = messages.first().and_then(|first| first.message_id.clone());
        let id = id.unwrap_or_default();
        match delivery.deliver(&key, &id, sent_at).await {
            Ok(Verdict::Delete) => Vec::new(),
            Ok(Verdict::Keep) => messages,
            Ok(verdict @ (Verdict::DeadLetter | Verdict::Failed)) => {
                let mut messages = messages;
                messages.truncate(1);
                let is_there = match messages.first() {
                    Some(letter) => self.give_back(letter).await,
                    None => true,
                };
                if !is_there && verdict == Verdict::Failed {
                    tracing::warn!(effect.id = %key, "message.gone");
                    self.desk.announce(&[(key, Duration::ZERO)]).await;
                }
                messages
            }
            Err(error) => {
                tracing::error!(effect.id = %key, error.kind = error.kind(), "effect.not_attempted");
                messages
            }
        }
    }

    /// Makes the message of a failed effect visible at once, so that its receives end soon. False where the
    /// queue does not know it any more: it was delivered twice, and the other delivery has deleted it or holds
    /// it now.
    async fn give_back(&self, message: &SqsMessage) -> bool {
        let Some(receipt_handle) = &message.receipt_handle else {
            return true;
        };
        match self.desk.queue.give_back(receipt_handle).await {
            Ok(()) => true,
            Err(error) if error.is_of_no_message() => false,
            Err(error) => {
                // It comes back by itself when its visibility timeout ends.
                tracing::warn!(error.kind = error.kind, "message.not_given_back");
                true
            }
        }
    }

    async fn renew_token_if_refused(&self) {
        if !self.telegram.was_refused() {
            return;
        }
        match self.source.read().await {
            Ok(token) => self.telegram.set_token(token),
            Err(error) => tracing::error!(error.kind = %error, "token.not_read"),
        }
    }
}

/// When the message was put on the queue; a redrive counts as putting it there anew.
fn sent_at(message: &SqsMessage) -> Timestamp {
    let millis = message
        .attributes
        .get("SentTimestamp")
        .and_then(|millis| millis.parse().ok());
    millis
        .and_then(|millis| Timestamp::from_millisecond(millis).ok())
        .unwrap_or(Timestamp::MIN)
}
