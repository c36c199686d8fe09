use std::time::Duration;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes, ReturnConsumedCapacity};

use crate::item::Item;
use crate::{Error, keys};

/// How often a write that met a conflict is tried.
const TRIES: u32 = 6;
/// The first wait between two tries; each later one is twice as long, less jitter of up to a half.
const FIRST_WAIT: Duration = Duration::from_millis(20);

/// Keys that one `BatchGetItem` takes.
const MOST_KEYS: usize = 100;

/// The desk's table.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) client: Client,
    pub(crate) table: String,
}

impl Store {
    /// The table called `table`.
    pub fn new(client: Client, table: impl Into<String>) -> Self {
        Self {
            client,
            table: table.into(),
        }
    }

    /// Opens the connection, so that the first event does not have to wait for it. What it reads
    /// does not exist; whether it succeeds does not matter.
    pub async fn warm_up(&self) {
        let key = keys::key_of(("WARM".to_owned(), "WARM".to_owned()));
        let get = self
            .client
            .get_item()
            .table_name(&self.table)
            .set_key(Some(key));
        let _ = get
            .return_consumed_capacity(ReturnConsumedCapacity::None)
            .send()
            .await;
    }

    /// Reads all items of a partition as they are now, in the order of their sort keys.
    pub(crate) async fn read_partition(&self, pk: String) -> Result<Vec<Item>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .consistent_read(true)
            .key_condition_expression("pk = :pk")
            .expression_attribute_values(":pk", AttributeValue::S(pk));
        let mut items = Vec::new();
        let mut after = None;
        loop {
            let page = query.clone().set_exclusive_start_key(after).send().await;
            let page = page.map_err(|error| Error::of("Query", &error))?;
            items.extend(page.items.unwrap_or_default());
            after = page.last_evaluated_key;
            if after.is_none() {
                return Ok(items);
            }
        }
    }

    /// Reads several items as they are now, in one call for every hundred. The answers come in the
    /// keys' order.
    pub(crate) async fn read_now(
        &self,
        keys: &[(String, String)],
    ) -> Result<Vec<Option<Item>>, Error> {
        let mut found = Vec::with_capacity(keys.len());
        for batch in keys.chunks(MOST_KEYS) {
            found.extend(self.read_batch(batch).await?);
        }
        Ok(found)
    }

    async fn read_batch(&self, keys: &[(String, String)]) -> Result<Vec<Option<Item>>, Error> {
        const OPERATION: &str = "BatchGetItem";
        let mut found: Vec<Option<Item>> = vec![None; keys.len()];
        let mut left: Vec<_> = keys.iter().cloned().map(keys::key_of).collect();
        for attempt in 0..TRIES {
            let request = KeysAndAttributes::builder()
                .consistent_read(true)
                .set_keys(Some(std::mem::take(&mut left)))
                .build()
                .map_err(|_| Error::Refused {
                    operation: OPERATION,
                    code: "no_keys".to_owned(),
                })?;
            let answer = self
                .client
                .batch_get_item()
                .request_items(&self.table, request)
                .send()
                .await;
            let answer = answer.map_err(|error| Error::of(OPERATION, &error))?;
            for item in answer
                .responses
                .into_iter()
                .flatten()
                .flat_map(|(_, items)| items)
            {
                let at = keys.iter().position(|(pk, sk)| {
                    item.get(keys::PK).and_then(|value| value.as_s().ok()) == Some(pk)
                        && item.get(keys::SK).and_then(|value| value.as_s().ok()) == Some(sk)
                });
                if let Some(at) = at {
                    found[at] = Some(item);
                }
            }
            let unprocessed = answer.unprocessed_keys.into_iter().flatten();
            left = unprocessed.flat_map(|(_, keys)| keys.keys).collect();
            if left.is_empty() {
                return Ok(found);
            }
            pause(attempt).await;
        }
        Err(Error::Unavailable {
            operation: OPERATION,
            kind: "unprocessed_keys".to_owned(),
        })
    }
}

/// Calls `write` again while it meets conflicts, a bounded number of times, with growing waits.
pub(crate) async fn with_patience<T, F>(mut write: impl FnMut() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let mut attempt = 0;
    loop {
        match write().await {
            Err(Error::Contended { .. }) if attempt + 1 < TRIES => pause(attempt).await,
            outcome => return outcome,
        }
        attempt += 1;
    }
}

async fn pause(attempt: u32) {
    let wait = FIRST_WAIT * 2_u32.pow(attempt);
    tokio::time::sleep(wait.mul_f64(1.0 - 0.5 * fastrand::f64())).await;
}
