use jiff::Timestamp;

use crate::{Error, Store, item, keys};

/// Items per counter and day, so that a busy counter is not one hot item.
const COUNTER_SHARDS: u8 = 4;

impl Store {
    /// Adds one to the day's count of `name`. Best effort: it stands outside what it counts, and a
    /// write that is sent twice counts twice.
    pub async fn count(&self, name: &str, now: Timestamp) -> Result<(), Error> {
        let shard = fastrand::u8(..COUNTER_SHARDS);
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::counter(name, now, shard))))
            .update_expression("SET v = :v ADD times :one")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":one", item::number(1));
        update
            .send()
            .await
            .map_err(|error| Error::of("UpdateItem", &error))
            .map(|_| ())
    }
}
