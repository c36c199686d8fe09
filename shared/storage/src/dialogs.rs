//! Drafts: one query reads all that there is of a chat, one update writes what a step changes.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem, Update};
use frontdesk_domain::dialog::Draft;
use frontdesk_domain::effect::{EffectId, HandOver, MessageRef};
use jiff::{SignedDuration, Timestamp};

use crate::item::{self, Item, optional, text_of};
use crate::requests::unbuilt;
use crate::{Bot, Chat, Error, Store, keys};

/// How long a draft is kept beyond its time, so that its end can still be told.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);

/// All that there is of a chat with a customer.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// The draft, whole.
    pub draft: Option<Draft>,
    /// What is known of the chat.
    pub chat: Chat,
    /// The message that shows the draft, or is about to.
    pub shown_in: Option<i64>,
}

/// A draft that changes, and what the change asks for.
#[derive(Clone, Debug)]
pub struct DraftChange {
    /// The customer's chat.
    pub chat: i64,
    /// The draft that was read; the change holds only while that is still so.
    pub before: Option<Draft>,
    /// The draft afterwards.
    pub after: Draft,
    /// How long it waits for its customer.
    pub keep: SignedDuration,
    /// Where it must be shown, if somewhere else than in the reply.
    pub panel: Option<Panel>,
}

/// Where a draft must be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// In this message, which was pressed.
    At(i64),
    /// In a new message; the buttons of this one go.
    Anew(Option<i64>),
}

impl Store {
    /// Reads all that there is of a chat as it now is, in one call.
    pub async fn read_conversation(&self, bot: &Bot, chat: i64) -> Result<Conversation, Error> {
        conversation_of(self.conversation_items(bot, chat).await?)
    }

    /// All items of a chat by their sort keys.
    pub(crate) async fn conversation_items(
        &self,
        bot: &Bot,
        chat: i64,
    ) -> Result<HashMap<String, Item>, Error> {
        let items = self.read_partition(keys::conversation(bot, chat)).await?;
        items
            .into_iter()
            .map(|item| Ok((text_of(&item, keys::SK)?.to_owned(), item)))
            .collect()
    }

    /// The writes of a change: the draft with its panel's wish, then what of it stands in items of its
    /// own.
    pub(crate) fn draft_writes(
        &self,
        bot: &Bot,
        change: &DraftChange,
        now: Timestamp,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let update = self.draft_update(bot, change, now)?;
        let mut writes = vec![TransactWriteItem::builder().update(update).build()];
        let DraftChange { before, after, .. } = change;
        if after.is_open() {
            let pk = keys::conversation(bot, change.chat);
            let expires = expires(change);
            let before = before.as_ref().filter(|before| before.token == after.token);
            let texts = after
                .answers
                .iter()
                .filter(|(step, given)| {
                    before.and_then(|before| before.answers.get(*step)) != Some(*given)
                })
                .filter_map(|(step, _)| item::text_item(&pk, after, step, expires));
            let files = (0..after.files.len())
                .filter(|at| {
                    before.and_then(|before| before.files.get(*at)) != after.files.get(*at)
                })
                .filter_map(|at| item::file_item(&pk, after, at, expires));
            for item in texts.chain(files) {
                let put: Put = self.put(item)?;
                writes.push(TransactWriteItem::builder().put(put).build());
            }
        }
        Ok(writes)
    }

    fn draft_update(
        &self,
        bot: &Bot,
        change: &DraftChange,
        now: Timestamp,
    ) -> Result<Update, Error> {
        let DraftChange {
            chat,
            before,
            after,
            keep,
            panel,
        } = change;
        let id = EffectId::Panel {
            bot: bot.clone(),
            chat: *chat,
        };
        let key = keys::effect(&id);
        let shard = keys::due_partition_of(&key.0);
        let mut update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(key)))
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":draft", item::draft_value(after))
            .expression_attribute_values(":version", item::number(after.version))
            .expression_attribute_values(":expires", item::number(expires(change)))
            .expression_attribute_values(":done", AttributeValue::S("done".to_owned()))
            .expression_attribute_values(":zero", item::number(0))
            .expression_attribute_values(":now", item::time(now));
        let zeros = ["shown", "attempts", "unknowns"]
            .map(|name| format!("{name} = if_not_exists({name}, :zero)"))
            .join(", ");
        let mut set = format!(
            "SET v = :v, draft = :draft, draft_version = :version, expires = :expires, {zeros}, \
             #state = if_not_exists(#state, :done)"
        );
        let (mut remove, mut add) = (String::new(), String::new());
        match panel {
            None => {
                set += ", not_before = if_not_exists(not_before, :now), want = if_not_exists(want, :zero), resends = if_not_exists(resends, :zero), \
                        revision = if_not_exists(revision, :zero)";
                if after.is_open() {
                    set += ", due_shard = if_not_exists(due_shard, :shard), due = if_not_exists(due, :due)";
                    update = update
                        .expression_attribute_values(":due", item::time(now + *keep))
                        .expression_attribute_values(":shard", AttributeValue::S(shard));
                }
            }
            Some(panel) => {
                // A customer who acts does not wait for an earlier attempt's time.
                set += ", not_before = :now, want = :version, resends = :zero, due_shard = :shard, due = :due, \
                        since = if_not_exists(since, :now)";
                add += " ADD revision :one";
                update = update
                    .expression_attribute_values(":due", item::time(HandOver::at(now, now).due))
                    .expression_attribute_values(":shard", AttributeValue::S(shard))
                    .expression_attribute_values(":one", item::number(1));
                match panel {
                    Panel::At(message) => {
                        set += ", message = :message, message_chat = :chat";
                        update = update
                            .expression_attribute_values(":message", item::number(*message))
                            .expression_attribute_values(":chat", item::number(*chat));
                    }
                    Panel::Anew(former) => {
                        remove += " REMOVE message, message_chat";
                        if let Some(message) = former {
                            let stray = MessageRef {
                                chat: *chat,
                                message: *message,
                            };
                            let stray = AttributeValue::Ss(vec![item::stray_text(&stray)]);
                            add += ", strays :stray";
                            update = update.expression_attribute_values(":stray", stray);
                        }
                    }
                }
            }
        }
        let update = match before {
            None => update.condition_expression("attribute_not_exists(draft_version)"),
            Some(before) => update
                .condition_expression("draft_version = :before")
                .expression_attribute_values(":before", item::number(before.version)),
        };
        update
            .update_expression(set + &remove + &add)
            .build()
            .map_err(|_| unbuilt())
    }

    /// Stores a draft that changed by itself, if it is still what was read; false if it is not.
    pub async fn change_draft(
        &self,
        bot: &Bot,
        change: &DraftChange,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let update = self.draft_update(bot, change, now)?;
        self.update_alone(update).await
    }
}

/// Reads all that there is of a chat from its items.
pub(crate) fn conversation_of(mut items: HashMap<String, Item>) -> Result<Conversation, Error> {
    let chat = Chat::read(items.remove(keys::CHAT).as_ref())?;
    let (draft, shown_in) = match items.get(keys::DRAFT) {
        Some(item) => (
            item::read_draft(item, &items)?,
            optional(item, "message", item::number_of)?,
        ),
        None => (None, None),
    };
    Ok(Conversation {
        draft,
        chat,
        shown_in,
    })
}

fn expires(change: &DraftChange) -> i64 {
    (change.after.changed + change.keep + KEPT).as_second()
}
