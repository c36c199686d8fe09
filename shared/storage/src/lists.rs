use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, Select};
use frontdesk_domain::effect;
use jiff::Timestamp;

use crate::item::{self, time_of};
use crate::{Error, Store, keys};

/// What a partition of the list index holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Requests in the state of this name.
    Requests(&'static str),
    /// Effects in this state, which is one of trouble.
    Effects(effect::State),
}

impl Listed {
    pub(crate) fn partition(self) -> AttributeValue {
        AttributeValue::S(match self {
            Self::Requests(state) => keys::list_partition("lead", state),
            Self::Effects(state) => keys::list_partition("effect", item::effect_state_name(state)),
        })
    }
}

impl Store {
    /// How many there are, counted up to `most`; of effects those whose time came before `before`. The
    /// index may lag a moment behind.
    pub async fn count_listed(
        &self,
        listed: Listed,
        before: Timestamp,
        most: u32,
    ) -> Result<u32, Error> {
        let query = self
            .list_query(listed, "list_sk < :before")
            .expression_attribute_values(":before", item::time(before));
        count(query, most).await
    }

    /// How many have come to where they are at `since` or later, counted up to `most`.
    pub async fn count_listed_since(
        &self,
        listed: Listed,
        since: Timestamp,
        most: u32,
    ) -> Result<u32, Error> {
        let query = self
            .list_query(listed, "list_sk >= :since")
            .expression_attribute_values(":since", item::time(since));
        count(query, most).await
    }

    /// A query of a partition, from `range` on.
    fn list_query(&self, listed: Listed, range: &str) -> QueryFluentBuilder {
        self.client
            .query()
            .table_name(&self.table)
            .index_name(keys::LIST_INDEX)
            .key_condition_expression(format!("list_pk = :list AND {range}"))
            .expression_attribute_values(":list", listed.partition())
    }

    /// When the oldest of them was changed.
    pub async fn oldest_listed(&self, listed: Listed) -> Result<Option<Timestamp>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .index_name(keys::LIST_INDEX)
            .limit(1)
            .key_condition_expression("list_pk = :list")
            .expression_attribute_values(":list", listed.partition());
        let found = query
            .send()
            .await
            .map_err(|error| Error::of("Query", &error))?;
        let oldest = found.items().first();
        oldest.map(|item| time_of(item, "list_sk")).transpose()
    }

    /// How many requests that are now in a state were accepted from `from` up to `to`. It reads what
    /// has changed since `from`.
    pub async fn count_accepted(
        &self,
        state: &'static str,
        (from, to): (Timestamp, Timestamp),
    ) -> Result<u32, Error> {
        let query = self
            .list_query(Listed::Requests(state), "list_sk >= :from")
            .select(Select::Count)
            .filter_expression("created >= :from AND created < :to")
            .expression_attribute_values(":from", item::time(from))
            .expression_attribute_values(":to", item::time(to));
        let mut accepted = 0;
        let mut after = None;
        loop {
            let page = query.clone().set_exclusive_start_key(after).send().await;
            let page = page.map_err(|error| Error::of("Query", &error))?;
            accepted += u32::try_from(page.count).unwrap_or_default();
            after = page.last_evaluated_key;
            if after.is_none() {
                return Ok(accepted);
            }
        }
    }
}

async fn count(query: QueryFluentBuilder, most: u32) -> Result<u32, Error> {
    let query = query
        .select(Select::Count)
        .limit(i32::try_from(most).unwrap_or(i32::MAX));
    let counted = query.send().await;
    let counted = counted.map_err(|error| Error::of("Query", &error))?;
    Ok(u32::try_from(counted.count).unwrap_or_default())
}
