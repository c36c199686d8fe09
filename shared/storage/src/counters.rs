use frontdesk_domain::Counter;
use jiff::civil::Date;

use crate::item::number_of;
use crate::{Error, Store, item, keys};

/// Items per counter and day, so that a busy counter is not one hot item.
const COUNTER_SHARDS: u8 = 4;

impl Store {
    /// Adds one to what is counted on `day`. Best effort: it stands outside what it counts, and a
    /// write that is sent twice counts twice.
    pub async fn count(&self, counter: Counter, day: Date) -> Result<(), Error> {
        let shard = fastrand::u8(..COUNTER_SHARDS);
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::counter(counter, day, shard))))
            .update_expression("SET v = :v ADD times :one")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":one", item::number(1));
        update
            .send()
            .await
            .map_err(|error| Error::of("UpdateItem", &error))
            .map(|_| ())
    }

    /// How often each of these was counted on `day`.
    pub async fn read_counts<const N: usize>(
        &self,
        counters: [Counter; N],
        day: Date,
    ) -> Result<[u32; N], Error> {
        let shards =
            |counter| (0..COUNTER_SHARDS).map(move |shard| keys::counter(counter, day, shard));
        let wanted: Vec<_> = counters.into_iter().flat_map(shards).collect();
        let found = self.read_now(&wanted).await?;
        let mut counts = [0; N];
        for (at, item) in found.iter().enumerate() {
            if let Some(item) = item {
                let times: u32 = number_of(item, "times")?;
                counts[at / usize::from(COUNTER_SHARDS)] += times;
            }
        }
        Ok(counts)
    }
}
