//! Slots in a chat's pace: one conditional write reserves one.

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use jiff::{SignedDuration, Timestamp};

use crate::item::{self, Item};
use crate::store::with_patience;
use crate::transaction::{Condition, condition};
use crate::{Bot, Chat, Error, Store, keys};

const OPERATION: &str = "UpdateItem";
/// How often a notice's slot is sought when others keep taking it.
const TRIES: usize = 8;

/// A chat's pace.
#[derive(Clone, Copy, Debug)]
pub struct Pace<'a> {
    /// The bot that writes.
    pub bot: &'a Bot,
    /// The chat that it writes to.
    pub chat: i64,
    /// The time from one message to the next.
    pub interval: SignedDuration,
}

impl Store {
    /// Reserves the next slot at `earliest` or later, and returns it. `known` is what was read of the
    /// chat; when it is out of date, a second write is needed. A write that is sent twice leaves a slot
    /// unused.
    pub async fn take_slot(
        &self,
        pace: Pace<'_>,
        known: &Chat,
        earliest: Timestamp,
    ) -> Result<Timestamp, Error> {
        let mut busy = known
            .next_free
            .is_some_and(|next_free| next_free > earliest);
        with_patience(|| {
            let queue_up = self.slot_update(pace, busy, earliest);
            busy = !busy;
            async move {
                let result = queue_up.send().await;
                let written = condition(OPERATION, result, |_: &UpdateItemError| None)?;
                let Condition::Held(chat) = written else {
                    return Err(Error::Contended {
                        operation: OPERATION,
                    });
                };
                let chat = Chat::read(chat.attributes.as_ref())?;
                chat.next_free
                    .map(|next_free| next_free - pace.interval)
                    .ok_or(Error::Malformed {
                        attribute: "next_free",
                    })
            }
        })
        .await
    }

    /// Behind those who wait already, or else at the head.
    fn slot_update(
        &self,
        pace: Pace<'_>,
        busy: bool,
        earliest: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let update = self
            .chat_update(pace)
            .expression_attribute_values(":earliest", item::time(earliest))
            .return_values(ReturnValue::UpdatedNew);
        if busy {
            let step = i64::try_from(pace.interval.as_millis()).unwrap_or(i64::MAX);
            update
                .update_expression("SET v = if_not_exists(v, :v), next_free = next_free + :step")
                .condition_expression("next_free > :earliest")
                .expression_attribute_values(":step", item::number(step))
        } else {
            update
                .update_expression("SET v = if_not_exists(v, :v), next_free = :next")
                .condition_expression("attribute_not_exists(next_free) OR next_free <= :earliest")
                .expression_attribute_values(":next", item::time(earliest + pace.interval))
        }
    }

    /// The slot of a notice, at `earliest` or later and behind all who wait. If that is `now`, it is
    /// taken; else the notice is only queued among notices, so that a message that comes in the meantime
    /// finds the pace free, and must take it with [`Self::take_noticed_slot`] when it comes.
    pub async fn take_notice_slot(
        &self,
        pace: Pace<'_>,
        known: &Chat,
        earliest: Timestamp,
        now: Timestamp,
    ) -> Result<Timestamp, Error> {
        let mut known = known.clone();
        for _ in 0..TRIES {
            let waiting = [known.next_free, known.next_notice];
            let slot = waiting.into_iter().flatten().fold(earliest, Timestamp::max);
            let update = self
                .chat_update(pace)
                .expression_attribute_values(":next", item::time(slot + pace.interval));
            let update = if slot <= now {
                update
                    .update_expression("SET v = if_not_exists(v, :v), next_free = :next")
                    .condition_expression(
                        "(attribute_not_exists(next_free) OR next_free <= :slot) AND \
                         (attribute_not_exists(next_notice) OR next_notice <= :slot)",
                    )
                    .expression_attribute_values(":slot", item::time(slot))
            } else {
                let update =
                    update.update_expression("SET v = if_not_exists(v, :v), next_notice = :next");
                match known.next_notice {
                    None => update.condition_expression("attribute_not_exists(next_notice)"),
                    Some(seen) => update
                        .condition_expression("next_notice = :seen")
                        .expression_attribute_values(":seen", item::time(seen)),
                }
            };
            match written(&update).await? {
                Condition::Held(()) => return Ok(slot),
                Condition::Failed(now) => known = Chat::read(Some(&now))?,
            }
        }
        Err(Error::Contended {
            operation: OPERATION,
        })
    }

    /// Takes the slot that a notice had waited for; false if messages have taken it.
    pub async fn take_noticed_slot(&self, pace: Pace<'_>, slot: Timestamp) -> Result<bool, Error> {
        let update = self
            .chat_update(pace)
            .update_expression("SET v = if_not_exists(v, :v), next_free = :next")
            .condition_expression("attribute_not_exists(next_free) OR next_free <= :slot")
            .expression_attribute_values(":slot", item::time(slot))
            .expression_attribute_values(":next", item::time(slot + pace.interval));
        Ok(matches!(written(&update).await?, Condition::Held(())))
    }

    fn chat_update(&self, pace: Pace<'_>) -> UpdateItemFluentBuilder {
        self.client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(pace.bot, pace.chat))))
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
    }
}

async fn written(update: &UpdateItemFluentBuilder) -> Result<Condition<()>, Error> {
    with_patience(|| {
        let call = update.clone();
        async move {
            let old = |error: &UpdateItemError| -> Option<Item> {
                match error {
                    UpdateItemError::ConditionalCheckFailedException(failed) => failed.item.clone(),
                    _ => None,
                }
            };
            Ok(match condition(OPERATION, call.send().await, old)? {
                Condition::Held(_) => Condition::Held(()),
                Condition::Failed(item) => Condition::Failed(item),
            })
        }
    })
    .await
}
