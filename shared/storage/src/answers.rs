use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem, Update};
use frontdesk_domain::effect::{Effect, EffectId, HandOver, MessageRef};
use jiff::{SignedDuration, Timestamp};

use crate::item::{self, Item, number_of, optional, text_of};
use crate::requests::unbuilt;
use crate::{Error, Store, keys};

/// How long an answer is kept: as long as the receipt that it belongs to.
const KEPT: SignedDuration = SignedDuration::from_hours(72);

/// What a command or a page comes to, as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its text, in Telegram's HTML.
    pub html: String,
    /// Its rows of buttons: labels and callback data.
    pub buttons: Vec<Vec<(String, String)>>,
    /// The message that it replies to, if that is still there.
    pub reply_to: Option<MessageRef>,
}

impl Store {
    pub(crate) fn answer_put(
        &self,
        effect: &Effect,
        answer: &Answer,
        now: Timestamp,
    ) -> Result<TransactWriteItem, Error> {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let button =
            |(label, data): &(String, String)| AttributeValue::L(vec![text(label), text(data)]);
        let row = |row: &Vec<_>| AttributeValue::L(row.iter().map(button).collect());
        let mut item = item::effect_item(effect);
        item.extend([
            ("html".to_owned(), text(&answer.html)),
            (
                "buttons".to_owned(),
                AttributeValue::L(answer.buttons.iter().map(row).collect()),
            ),
        ]);
        if let Some(card) = answer.reply_to {
            item.insert("reply_chat".to_owned(), item::number(card.chat));
            item.insert("reply_to".to_owned(), item::number(card.message));
        }
        // A reminder is part of its request's story.
        if let EffectId::Answer { .. } = effect.id {
            let expires = (now + KEPT).as_second();
            item.insert("expires".to_owned(), item::number(expires));
        }
        let put = Put::builder()
            .table_name(&self.table)
            .set_item(Some(item))
            .build()
            .map_err(|_| unbuilt())?;
        Ok(TransactWriteItem::builder().put(put).build())
    }

    /// Only what was given up or is unknown is attempted afresh.
    pub(crate) fn retry(&self, effect: &EffectId, now: Timestamp) -> Result<Update, Error> {
        let key = keys::effect(effect);
        let shard = keys::due_partition_of(&key.0);
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(key)))
            .condition_expression("#state IN (:failed, :unknown)")
            .update_expression(
                "SET #state = :pending, attempts = :zero, resends = :zero, not_before = :now, \
                 since = if_not_exists(since, :now), due_shard = :shard, due = :due \
                 REMOVE failed_at, list_pk, list_sk ADD revision :one",
            )
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":failed", AttributeValue::S("failed".to_owned()))
            .expression_attribute_values(":unknown", AttributeValue::S("unknown".to_owned()))
            .expression_attribute_values(":pending", AttributeValue::S("pending".to_owned()))
            .expression_attribute_values(":zero", item::number(0))
            .expression_attribute_values(":one", item::number(1))
            .expression_attribute_values(":now", item::time(now))
            .expression_attribute_values(":shard", AttributeValue::S(shard))
            .expression_attribute_values(":due", item::time(HandOver::at(now, now).due))
            .build()
            .map_err(|_| unbuilt())
    }
}

/// Reads what an answer's effect is to send.
pub(crate) fn read_answer(item: &Item) -> Result<Answer, Error> {
    let malformed = || Error::Malformed {
        attribute: "buttons",
    };
    let list = |value: &AttributeValue| value.as_l().cloned().map_err(|_| malformed());
    let text = |value: &AttributeValue| value.as_s().cloned().map_err(|_| malformed());
    let button = |value: &AttributeValue| match &list(value)?[..] {
        [label, data] => Ok((text(label)?, text(data)?)),
        _ => Err(malformed()),
    };
    let row = |value: &AttributeValue| list(value)?.iter().map(button).collect();
    let rows = item.get("buttons").ok_or_else(malformed)?;
    Ok(Answer {
        html: text_of(item, "html")?.to_owned(),
        reply_to: optional(item, "reply_to", |item, name| {
            Ok(MessageRef {
                chat: number_of(item, "reply_chat")?,
                message: number_of(item, name)?,
            })
        })?,
        buttons: list(rows)?.iter().map(row).collect::<Result<_, Error>>()?,
    })
}
