use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::RequestId;
use jiff::Timestamp;

use crate::item::{self, optional, text_of, time_of};
use crate::transaction::held;
use crate::{EffectKey, Error, Store, keys};

/// An entry of the index of what is due. It is a hint: the item may have moved on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueEntry {
    /// The item's partition key.
    pub pk: String,
    /// The item's sort key.
    pub sk: String,
    /// When it is due.
    pub due: Timestamp,
    /// Of an effect, when it may run.
    pub not_before: Option<Timestamp>,
    /// Of an effect, since when it waits to be done.
    pub since: Option<Timestamp>,
}

impl DueEntry {
    /// The request's id, if it is one.
    pub fn request(&self) -> Option<RequestId> {
        keys::request_of(&self.pk, &self.sk)
    }

    /// The effect's key, if it is one: of a kind known here, or of one that only a newer version knows.
    pub fn effect(&self) -> Option<EffectKey> {
        (self.sk == "EFF" || self.sk.starts_with("EFF#")).then(|| EffectKey {
            pk: self.pk.clone(),
            sk: self.sk.clone(),
        })
    }
}

impl Store {
    /// What of one shard is due now or later, longest overdue first, `most` entries at the most.
    pub async fn read_due(&self, shard: u8, most: u8) -> Result<Vec<DueEntry>, Error> {
        self.read_due_of(keys::due_partition(shard), most).await
    }

    /// The requests that need attention now or later, longest overdue first, `most` at the most.
    pub async fn read_attention(&self, most: u8) -> Result<Vec<DueEntry>, Error> {
        self.read_due_of(keys::ATTENTION_PARTITION.to_owned(), most)
            .await
    }

    async fn read_due_of(&self, partition: String, most: u8) -> Result<Vec<DueEntry>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .index_name(keys::DUE_INDEX)
            .limit(i32::from(most))
            .key_condition_expression("due_shard = :shard")
            .expression_attribute_values(":shard", AttributeValue::S(partition));
        let found = query
            .send()
            .await
            .map_err(|error| Error::of("Query", &error))?;
        let entry = |item| {
            Ok(DueEntry {
                pk: text_of(item, keys::PK)?.to_owned(),
                sk: text_of(item, keys::SK)?.to_owned(),
                due: time_of(item, "due")?,
                not_before: optional(item, "not_before", time_of)?,
                since: optional(item, "since", time_of)?,
            })
        };
        found.items().iter().map(entry).collect()
    }

    /// Moves an item's `due`, if it is still what was seen; false if it is not.
    pub async fn move_due(&self, seen: &DueEntry, to: Timestamp) -> Result<bool, Error> {
        let update = self
            .update_if_still_due(seen, "SET due = :to")
            .expression_attribute_values(":to", item::time(to));
        held(update).await
    }

    /// Takes an item off the index, if it is still what was seen; false if it is not.
    pub async fn drop_due(&self, seen: &DueEntry) -> Result<bool, Error> {
        held(self.update_if_still_due(seen, "REMOVE due_shard, due")).await
    }

    fn update_if_still_due(&self, seen: &DueEntry, expression: &str) -> UpdateItemFluentBuilder {
        self.client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of((seen.pk.clone(), seen.sk.clone()))))
            .update_expression(expression)
            .condition_expression("due = :seen")
            .expression_attribute_values(":seen", item::time(seen.due))
    }

    /// The same for an effect.
    pub async fn move_effect_due(
        &self,
        key: &EffectKey,
        seen: Timestamp,
        to: Timestamp,
    ) -> Result<bool, Error> {
        let EffectKey { pk, sk } = key.clone();
        self.move_due(
            &DueEntry {
                pk,
                sk,
                due: seen,
                not_before: None,
                since: None,
            },
            to,
        )
        .await
    }
}
