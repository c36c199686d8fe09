use std::cmp::Reverse;
use std::collections::HashSet;

use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::effect::{Effect, State};
use frontdesk_domain::{ContactKey, HistoryEntry, PageStart, Request, RequestId};
use jiff::Timestamp;

use crate::item::{self, Item, text_of, time_of};
use crate::{EffectKey, Error, Listed, Store, keys};

/// Everything that is stored of a request.
#[derive(Clone, Debug)]
pub struct Story {
    /// The request, whole.
    pub request: Request,
    /// Its changes, oldest first.
    pub history: Vec<HistoryEntry>,
    /// What was to be sent for it.
    pub effects: Vec<Effect>,
}

impl Story {
    /// The effects that the staff can have attempted afresh.
    pub fn troubled(&self) -> impl Iterator<Item = &Effect> {
        self.effects
            .iter()
            .filter(|effect| matches!(effect.state, State::Failed | State::Unknown))
    }
}

impl Store {
    /// A request's whole story, as it now is. Effects of kinds that only a newer version knows are left
    /// out.
    pub async fn read_story(&self, id: RequestId) -> Result<Option<Story>, Error> {
        let (pk, _) = keys::request(id);
        let items = self.read_partition(pk).await?;
        let named = |sk: &str| items.iter().find(|item| text_of(item, keys::SK) == Ok(sk));
        let Some(request) = named("REQ") else {
            return Ok(None);
        };
        let request = item::read_request(request, named("BODY"))?;
        let (mut history, mut effects) = (Vec::new(), Vec::new());
        for item in &items {
            let key = EffectKey {
                pk: text_of(item, keys::PK)?.to_owned(),
                sk: text_of(item, keys::SK)?.to_owned(),
            };
            if key.sk.starts_with("LOG#") {
                history.push(item::read_history(item)?);
            } else if let Some(id) = key.id() {
                effects.push(item::read_effect(id, item)?);
            }
        }
        Ok(Some(Story {
            request,
            history,
            effects,
        }))
    }

    /// The requests whose number begins so, `most` at the most. `beginning` has at least four hex
    /// digits. The index may lag a moment behind.
    pub async fn find_numbers(&self, beginning: &str, most: u8) -> Result<Vec<RequestId>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .index_name(keys::NUMBER_INDEX)
            .limit(i32::from(most))
            .key_condition_expression("number_pk = :start AND begins_with(number_sk, :beginning)")
            .expression_attribute_values(
                ":start",
                AttributeValue::S(keys::number_partition(beginning)),
            )
            .expression_attribute_values(":beginning", AttributeValue::S(beginning.to_owned()));
        let found = query.send().await;
        let found = found.map_err(|error| Error::of("Query", &error))?;
        found.items().iter().map(id_of).collect()
    }

    /// The numbers of `contact`'s last requests before `created`, the latest first.
    pub async fn earlier_requests(
        &self,
        contact: &ContactKey,
        created: Timestamp,
        most: u8,
    ) -> Result<Vec<RequestId>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .index_name(keys::CONTACT_INDEX)
            .scan_index_forward(false)
            .limit(i32::from(most))
            .key_condition_expression("contact_pk = :contact AND contact_sk < :created")
            .expression_attribute_values(
                ":contact",
                AttributeValue::S(keys::contact_partition(contact)),
            )
            .expression_attribute_values(":created", item::time(created));
        let found = query.send().await;
        let found = found.map_err(|error| Error::of("Query", &error))?;
        found.items().iter().map(id_of).collect()
    }

    /// The requests that changed last, on the page that begins at `start`, the latest first and without
    /// their long texts; and where the next page begins, if there are more. The index may lag a moment
    /// behind. `most` is what a page holds; on as many that changed in the same millisecond as the page's
    /// first, nothing is left out.
    pub async fn read_latest(
        &self,
        start: Option<PageStart>,
        most: u8,
    ) -> Result<(Vec<Request>, Option<PageStart>), Error> {
        let until = start.map_or(Timestamp::MAX, |start| start.changed);
        let mut latest = Vec::new();
        for state in frontdesk_domain::State::NAMES {
            let query = self
                .client
                .query()
                .table_name(&self.table)
                .index_name(keys::LIST_INDEX)
                .scan_index_forward(false)
                .limit(2 * i32::from(most) + 1)
                .key_condition_expression("list_pk = :list AND list_sk <= :until")
                .expression_attribute_values(":list", Listed::Requests(state).partition())
                .expression_attribute_values(":until", item::time(until));
            let found = query.send().await;
            let found = found.map_err(|error| Error::of("Query", &error))?;
            for item in found.items() {
                latest.push(PageStart {
                    changed: time_of(item, "list_sk")?,
                    request: id_of(item)?,
                });
            }
        }
        latest.retain(|entry| start.is_none_or(|start| *entry < start));
        latest.sort_unstable_by_key(|entry| Reverse(*entry));
        // One that changed between two of the queries stands in both.
        let mut seen = HashSet::new();
        latest.retain(|entry| seen.insert(entry.request));
        let more = latest.len() > usize::from(most);
        latest.truncate(usize::from(most));
        let next = latest.last().copied().filter(|_| more);
        if latest.is_empty() {
            return Ok((Vec::new(), None));
        }
        let wanted: Vec<_> = latest
            .iter()
            .map(|entry| keys::request(entry.request))
            .collect();
        let found = self.read_now(&wanted).await?;
        let requests = found.iter().flatten();
        let requests = requests.map(|item| item::read_request(item, None));
        Ok((requests.collect::<Result<_, Error>>()?, next))
    }
}

fn id_of(item: &Item) -> Result<RequestId, Error> {
    let malformed = || Error::Malformed {
        attribute: keys::PK,
    };
    let id = text_of(item, keys::PK)?
        .strip_prefix("REQ#")
        .ok_or_else(malformed)?;
    RequestId::parse(id).map_err(|_| malformed())
}
