//! Wishes for effects that nobody's transaction makes: they are made where there are none yet.

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::effect::{EffectId, HandOver};
use jiff::{SignedDuration, Timestamp};

use crate::transaction::held;
use crate::{Bot, Error, Store, item, keys};

impl Store {
    /// Wishes that Telegram knows the webhook whose digest is `wanted`; true if that was not wished
    /// before.
    pub async fn want_webhook(
        &self,
        bot: &Bot,
        wanted: &str,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let effect = EffectId::Webhook { bot: bot.clone() };
        let update = self
            .wish_or_make(
                &effect,
                "want = if_not_exists(want, :zero) + :one, wanted = :wanted",
                now,
            )
            .condition_expression("attribute_not_exists(wanted) OR wanted <> :wanted")
            .expression_attribute_values(":wanted", AttributeValue::S(wanted.to_owned()));
        held(update).await
    }

    /// Wishes for a look at the webhook, unless the last wish is younger than `every`; true if it is a
    /// new wish.
    pub async fn want_webhook_check(
        &self,
        bot: &Bot,
        every: SignedDuration,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let effect = EffectId::WebhookCheck { bot: bot.clone() };
        let update = self
            .wish_or_make(
                &effect,
                "want = if_not_exists(want, :zero) + :one, wished = :now",
                now,
            )
            .condition_expression("attribute_not_exists(wished) OR wished <= :before")
            .expression_attribute_values(":before", item::time(now - every));
        held(update).await
    }

    /// Wishes that a place is told of version `want` of what is watched; true if that was not wished
    /// before.
    pub async fn want_warning(
        &self,
        effect: &EffectId,
        want: u32,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let update = self
            .wish_or_make(effect, "want = :want", now)
            .condition_expression("attribute_not_exists(want) OR want < :want")
            .expression_attribute_values(":want", item::number(want));
        held(update).await
    }

    /// A wish never touches the state, lease or attempts of an effect that is there.
    fn wish_or_make(
        &self,
        effect: &EffectId,
        assignments: &str,
        now: Timestamp,
    ) -> UpdateItemFluentBuilder {
        let key = keys::effect(effect);
        let shard = keys::due_partition_of(&key.0);
        let zeros = ["shown", "attempts", "unknowns", "resends"]
            .map(|name| format!("{name} = if_not_exists({name}, :zero)"))
            .join(", ");
        self.client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(key)))
            .update_expression(format!(
                "SET v = if_not_exists(v, :v), {assignments}, #state = if_not_exists(#state, :pending), {zeros}, \
                 not_before = if_not_exists(not_before, :now), since = if_not_exists(since, :now), \
                 due_shard = :shard, due = :due ADD revision :one"
            ))
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":pending", AttributeValue::S("pending".to_owned()))
            .expression_attribute_values(":zero", item::number(0))
            .expression_attribute_values(":one", item::number(1))
            .expression_attribute_values(":now", item::time(now))
            .expression_attribute_values(":shard", AttributeValue::S(shard))
            .expression_attribute_values(":due", item::time(HandOver::at(now, now).due))
    }
}
