use aws_sdk_dynamodb::types::{
    AttributeValue, Put, ReturnValuesOnConditionCheckFailure, Select, TransactWriteItem,
};
use frontdesk_domain::dialog::BriefFile;
use frontdesk_domain::effect::Effect;
use frontdesk_domain::{ContactKey, Request};
use jiff::Timestamp;

use crate::item::{self, Item};
use crate::transaction::Transacted;
use crate::{Error, Store, keys};

/// A request that is not stored yet, and what its creation calls for.
#[derive(Clone, Debug)]
pub struct NewRequest {
    /// The request.
    pub request: Request,
    /// The files of its brief.
    pub files: Vec<BriefFile>,
    /// The effects that tell the staff and the customer of it.
    pub effects: Vec<Effect>,
}

/// What became of a new request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is stored, with its effects.
    Stored,
    /// Its id is taken by this request (long texts left out).
    Exists(Box<Request>),
}

impl Store {
    /// Stores a request with its body and effects, all or nothing, unless its id is taken.
    pub async fn insert_request(&self, new: &NewRequest) -> Result<Inserted, Error> {
        let writes = self.request_writes(new)?;
        match self.transact(writes).await? {
            Transacted::Committed => Ok(Inserted::Stored),
            Transacted::Cancelled(refusals) => {
                let in_the_way = refusals.at(0).ok_or(Error::Malformed {
                    attribute: keys::PK,
                })?;
                Ok(Inserted::Exists(Box::new(item::read_request(
                    &in_the_way,
                    None,
                )?)))
            }
        }
    }

    /// The writes of a new request; the first one's condition is that its id is not taken.
    pub(crate) fn request_writes(&self, new: &NewRequest) -> Result<Vec<TransactWriteItem>, Error> {
        let (request, body) = item::request_items(&new.request);
        let brief = item::brief_item(new.request.id, &new.files);
        let effects = new.effects.iter().map(item::effect_item);
        let mut writes = vec![self.put_if_absent(request)?];
        for item in body.into_iter().chain(brief).chain(effects) {
            writes.push(TransactWriteItem::builder().put(self.put(item)?).build());
        }
        Ok(writes)
    }

    /// How many requests `contact` had made before `created`, counted up to `most`. The index may lag
    /// a moment behind.
    pub async fn count_earlier(
        &self,
        contact: &ContactKey,
        created: Timestamp,
        most: u8,
    ) -> Result<u32, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .index_name(keys::CONTACT_INDEX)
            .select(Select::Count)
            .limit(i32::from(most))
            .key_condition_expression("contact_pk = :contact AND contact_sk < :created")
            .expression_attribute_values(
                ":contact",
                AttributeValue::S(keys::contact_partition(contact)),
            )
            .expression_attribute_values(":created", item::time(created));
        let counted = query
            .send()
            .await
            .map_err(|error| Error::of("Query", &error))?;
        Ok(u32::try_from(counted.count).unwrap_or_default())
    }

    pub(crate) fn put(&self, item: Item) -> Result<Put, Error> {
        Put::builder()
            .table_name(&self.table)
            .set_item(Some(item))
            .build()
            .map_err(|_| unbuilt())
    }

    fn put_if_absent(&self, item: Item) -> Result<TransactWriteItem, Error> {
        let put = Put::builder()
            .table_name(&self.table)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk)")
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build()
            .map_err(|_| unbuilt())?;
        Ok(TransactWriteItem::builder().put(put).build())
    }
}

/// The SDK's builders refuse a request that lacks a part; ours never do.
pub(crate) fn unbuilt() -> Error {
    Error::Refused {
        operation: "build",
        code: "incomplete_request".to_owned(),
    }
}
