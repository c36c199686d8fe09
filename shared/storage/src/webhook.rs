use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::effect::{EffectId, HandOver};
use jiff::Timestamp;

use crate::store::with_patience;
use crate::transaction::{Condition, condition};
use crate::{Bot, Error, Store, item, keys};

impl Store {
    /// Wishes that Telegram knows the webhook whose digest is `wanted`; true if that was not wished
    /// before. The effect is made where there is none yet.
    pub async fn want_webhook(
        &self,
        bot: &Bot,
        wanted: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let key = keys::effect(&EffectId::Webhook { bot: bot.clone() });
        let shard = keys::due_partition(keys::shard_of(&key.0));
        let zeros = ["shown", "attempts", "unknowns", "resends"];
        let zeros = zeros
            .map(|name| format!("{name} = if_not_exists({name}, :zero)"))
            .join(", ");
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(key)))
            .condition_expression("attribute_not_exists(wanted) OR wanted <> :wanted")
            .update_expression(format!(
                "SET v = :v, wanted = :wanted, #state = if_not_exists(#state, :pending), {zeros}, \
                 want = if_not_exists(want, :zero) + :one, not_before = if_not_exists(not_before, :now), \
                 due_shard = :shard, due = :due ADD revision :one"
            ))
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":wanted", AttributeValue::S(wanted.to_owned()))
            .expression_attribute_values(":pending", AttributeValue::S("pending".to_owned()))
            .expression_attribute_values(":zero", item::number(0))
            .expression_attribute_values(":one", item::number(1))
            .expression_attribute_values(":now", item::time(now))
            .expression_attribute_values(":shard", AttributeValue::S(shard))
            .expression_attribute_values(":due", item::time(HandOver::at(now, now).due));
        let written = with_patience(|| {
            let call = update.clone();
            async move { condition("UpdateItem", call.send().await, |_: &UpdateItemError| None) }
        });
        Ok(matches!(written.await?, Condition::Held(_)))
    }
}
