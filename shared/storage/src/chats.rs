use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, Update};
use jiff::{SignedDuration, Timestamp};

use crate::item::{self, Item, number_of, optional, time_of};
use crate::requests::unbuilt;
use crate::store::with_patience;
use crate::transaction::{Condition, condition};
use crate::{Bot, Error, Store, keys};

/// What is known of a chat; nothing until there is something to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chat {
    /// Telegram takes nothing for it before this.
    pub blocked_until: Option<Timestamp>,
    /// The supergroup that it has become.
    pub migrated_to: Option<i64>,
    /// When its pace has room for the next message.
    pub next_free: Option<Timestamp>,
}

impl Chat {
    pub(crate) fn read(item: Option<&Item>) -> Result<Self, Error> {
        let Some(item) = item else {
            return Ok(Self::default());
        };
        Ok(Self {
            blocked_until: optional(item, "blocked_until", time_of)?,
            migrated_to: optional(item, "migrated_to", number_of)?,
            next_free: optional(item, "next_free", time_of)?,
        })
    }
}

impl Store {
    /// Reads a chat as it is now.
    pub async fn read_chat(&self, bot: &Bot, chat: i64) -> Result<Chat, Error> {
        let found = self.read_now(&[keys::chat(bot, chat)]).await?;
        Chat::read(found.first().and_then(Option::as_ref))
    }

    /// Which of `chats` has become the supergroup `to`, if one has.
    pub async fn find_migrated(
        &self,
        bot: &Bot,
        chats: &[i64],
        to: i64,
    ) -> Result<Option<i64>, Error> {
        let wanted: Vec<_> = chats.iter().map(|chat| keys::chat(bot, *chat)).collect();
        let found = self.read_now(&wanted).await?;
        for (chat, item) in chats.iter().zip(&found) {
            if Chat::read(item.as_ref())?.migrated_to == Some(to) {
                return Ok(Some(*chat));
            }
        }
        Ok(None)
    }

    /// Reserves the next slot in a chat's pace, at `earliest` or later, and returns it: slots are
    /// `interval` apart. `known` is what was read of the chat; when it is out of date, a second write is
    /// needed. A write that is sent twice leaves a slot unused.
    pub async fn take_slot(
        &self,
        bot: &Bot,
        chat: i64,
        known: &Chat,
        earliest: Timestamp,
        interval: SignedDuration,
    ) -> Result<Timestamp, Error> {
        let mut busy = known
            .next_free
            .is_some_and(|next_free| next_free > earliest);
        with_patience(|| {
            let queue_up = self.slot_update(bot, chat, busy, earliest, interval);
            busy = !busy;
            async move {
                let result = queue_up.send().await;
                let written = condition("UpdateItem", result, |_: &UpdateItemError| None)?;
                let Condition::Held(chat) = written else {
                    return Err(Error::Contended {
                        operation: "UpdateItem",
                    });
                };
                let chat = Chat::read(chat.attributes.as_ref())?;
                chat.next_free
                    .map(|next_free| next_free - interval)
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
        bot: &Bot,
        chat: i64,
        busy: bool,
        earliest: Timestamp,
        interval: SignedDuration,
    ) -> UpdateItemFluentBuilder {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(bot, chat))))
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":earliest", item::time(earliest))
            .return_values(ReturnValue::UpdatedNew);
        if busy {
            let step = i64::try_from(interval.as_millis()).unwrap_or(i64::MAX);
            update
                .update_expression("SET v = :v, next_free = next_free + :step")
                .condition_expression("next_free > :earliest")
                .expression_attribute_values(":step", item::number(step))
        } else {
            update
                .update_expression("SET v = :v, next_free = :next")
                .condition_expression("attribute_not_exists(next_free) OR next_free <= :earliest")
                .expression_attribute_values(":next", item::time(earliest + interval))
        }
    }

    /// Notes that Telegram takes nothing for `chat` before `until`; a longer wait that is noted already
    /// stays.
    pub async fn block_chat(&self, bot: &Bot, chat: i64, until: Timestamp) -> Result<(), Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(bot, chat))))
            .update_expression("SET v = :v, blocked_until = :until")
            .condition_expression("attribute_not_exists(blocked_until) OR blocked_until < :until")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":until", item::time(until));
        let written = with_patience(|| {
            let call = update.clone();
            async move { condition("UpdateItem", call.send().await, |_: &UpdateItemError| None) }
        });
        written.await.map(|_| ())
    }

    /// Notes that the group `from` has become the supergroup `to`.
    pub async fn migrate_chat(&self, bot: &Bot, from: i64, to: i64) -> Result<(), Error> {
        let update = self.migration(bot, from, to)?;
        let update = self
            .client
            .update_item()
            .table_name(update.table_name)
            .set_key(Some(update.key))
            .update_expression(update.update_expression)
            .set_expression_attribute_values(update.expression_attribute_values);
        let written = with_patience(|| {
            let call = update.clone();
            async move {
                call.send()
                    .await
                    .map_err(|error| Error::of("UpdateItem", &error))
            }
        });
        written.await.map(|_| ())
    }

    pub(crate) fn migration(&self, bot: &Bot, from: i64, to: i64) -> Result<Update, Error> {
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(bot, from))))
            .update_expression("SET v = :v, migrated_to = :to")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":to", item::number(to))
            .build()
            .map_err(|_| unbuilt())
    }
}
