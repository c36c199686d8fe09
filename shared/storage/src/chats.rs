use aws_sdk_dynamodb::types::Update;
use jiff::Timestamp;

use crate::item::{self, Item, number_of, optional, time_of};
use crate::requests::unbuilt;
use crate::transaction::held;
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
    /// When its pace would have room for the next notice, if no message came in between.
    pub next_notice: Option<Timestamp>,
    /// Since when Telegram refuses to deliver anything to it.
    pub unreachable_since: Option<Timestamp>,
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
            next_notice: optional(item, "next_notice", time_of)?,
            unreachable_since: optional(item, "unreachable_since", time_of)?,
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
        let known = self.read_chats(bot, chats).await?;
        let former = chats
            .iter()
            .zip(known)
            .find(|(_, known)| known.migrated_to == Some(to));
        Ok(former.map(|(chat, _)| *chat))
    }

    /// Reads several chats as they are now, in the order asked for.
    pub async fn read_chats(&self, bot: &Bot, chats: &[i64]) -> Result<Vec<Chat>, Error> {
        let wanted: Vec<_> = chats.iter().map(|chat| keys::chat(bot, *chat)).collect();
        let found = self.read_now(&wanted).await?;
        found.iter().map(|item| Chat::read(item.as_ref())).collect()
    }

    /// Notes that Telegram refuses to deliver anything to `chat`, or that it no longer does. The first
    /// refusal's time stays.
    pub async fn note_reach(
        &self,
        bot: &Bot,
        chat: i64,
        refused_at: Option<Timestamp>,
    ) -> Result<(), Error> {
        let update = self.reach_update(bot, chat, refused_at)?;
        self.update_alone(update).await.map(|_| ())
    }

    /// Notes that Telegram takes nothing for `chat` before `until`; a longer wait that is noted already
    /// stays.
    pub async fn block_chat(&self, bot: &Bot, chat: i64, until: Timestamp) -> Result<(), Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(bot, chat))))
            .update_expression("SET v = if_not_exists(v, :v), blocked_until = :until")
            .condition_expression("attribute_not_exists(blocked_until) OR blocked_until < :until")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":until", item::time(until));
        held(update).await.map(|_| ())
    }

    /// Notes that the group `from` has become the supergroup `to`.
    pub async fn migrate_chat(&self, bot: &Bot, from: i64, to: i64) -> Result<(), Error> {
        let update = self.migration(bot, from, to)?;
        self.update_alone(update).await.map(|_| ())
    }

    pub(crate) fn migration(&self, bot: &Bot, from: i64, to: i64) -> Result<Update, Error> {
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(bot, from))))
            .update_expression("SET v = if_not_exists(v, :v), migrated_to = :to")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":to", item::number(to))
            .build()
            .map_err(|_| unbuilt())
    }

    /// The update that notes that a chat can be reached, or since when not.
    pub(crate) fn reach_update(
        &self,
        bot: &Bot,
        chat: i64,
        refused_at: Option<Timestamp>,
    ) -> Result<Update, Error> {
        let update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(bot, chat))))
            .expression_attribute_values(":v", item::number(item::FORMAT));
        let update = match refused_at {
            Some(at) => update
                .update_expression(
                    "SET v = if_not_exists(v, :v), unreachable_since = if_not_exists(unreachable_since, :at)",
                )
                .expression_attribute_values(":at", item::time(at)),
            None => update.update_expression("SET v = if_not_exists(v, :v) REMOVE unreachable_since"),
        };
        update.build().map_err(|_| unbuilt())
    }
}
