use aws_sdk_dynamodb::types::Update;
use jiff::Timestamp;

use crate::item::{self, Item, number_of, optional, time_of};
use crate::requests::unbuilt;
use crate::store::with_patience;
use crate::{Bot, Error, Store, keys};

/// What is known of a chat; nothing until there is something to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chat {
    /// Telegram takes nothing for it before this.
    pub blocked_until: Option<Timestamp>,
    /// The supergroup that it has become.
    pub migrated_to: Option<i64>,
}

impl Chat {
    pub(crate) fn read(item: Option<&Item>) -> Result<Self, Error> {
        let Some(item) = item else {
            return Ok(Self::default());
        };
        Ok(Self {
            blocked_until: optional(item, "blocked_until", time_of)?,
            migrated_to: optional(item, "migrated_to", number_of)?,
        })
    }
}

impl Store {
    /// Reads a chat as it is now.
    pub async fn read_chat(&self, bot: &Bot, chat: i64) -> Result<Chat, Error> {
        let found = self.read_now(&[keys::chat(bot, chat)]).await?;
        Chat::read(found.first().and_then(Option::as_ref))
    }

    /// Notes that Telegram takes nothing for `chat` before `until`.
    pub async fn block_chat(&self, bot: &Bot, chat: i64, until: Timestamp) -> Result<(), Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::chat(bot, chat))))
            .update_expression("SET v = :v, blocked_until = :until")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":until", item::time(until));
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
