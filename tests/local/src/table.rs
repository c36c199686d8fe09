//! The table: made when it is missing, served by an embedded DynamoDB, and looked into directly.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, anyhow};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dynoxide::actions::query::QueryRequest;
use dynoxide::types::AttributeValue;
use dynoxide::{Database, Item};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// The table's name, locally.
pub(crate) const NAME: &str = "frontdesk";

/// The partitions of the index of what is due.
const DUE_SHARDS: [&str; 4] = ["DUE#0", "DUE#1", "DUE#2", "DUE#3"];

/// A handle on the table; clones share it. Its methods block for as long as SQLite takes.
#[derive(Clone)]
pub struct Table {
    db: Database,
}

/// An entry of the index of what is due.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Due {
    /// The item's partition.
    pub pk: String,
    /// The item within it.
    pub sk: String,
    /// When it is due.
    pub due: Timestamp,
}

impl Table {
    /// Opens the table in memory, or in `table.db` of a directory.
    pub fn open(directory: Option<&Path>) -> anyhow::Result<Self> {
        let db = match directory {
            None => Database::memory(),
            Some(directory) => {
                let file = directory.join("table.db");
                Database::new(
                    file.to_str()
                        .context("the data directory's path is not UTF-8")?,
                )
            }
        };
        let table = Self {
            db: db.map_err(|error| anyhow!("the table cannot be opened: {error}"))?,
        };
        table.create_if_missing()?;
        Ok(table)
    }

    fn create_if_missing(&self) -> anyhow::Result<()> {
        if self
            .db
            .get_table_metadata(NAME)
            .map_err(|error| anyhow!("{error}"))?
            .is_some()
        {
            return Ok(());
        }
        let index = |name: &str, hash: &str, range: &str, also: &[&str]| {
            let projection = if also.is_empty() {
                json!({"ProjectionType": "KEYS_ONLY"})
            } else {
                json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": also})
            };
            json!({
                "IndexName": name,
                "KeySchema": key_schema(hash, range),
                "Projection": projection,
            })
        };
        let attribute =
            |(name, kind): (&str, &str)| json!({"AttributeName": name, "AttributeType": kind});
        let attributes = [
            ("pk", "S"),
            ("sk", "S"),
            ("due_shard", "S"),
            ("due", "N"),
            ("list_pk", "S"),
            ("list_sk", "N"),
            ("number_pk", "S"),
            ("number_sk", "S"),
            ("contact_pk", "S"),
            ("contact_sk", "N"),
        ];
        let request = json!({
            "TableName": NAME,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": key_schema("pk", "sk"),
            "AttributeDefinitions": attributes.map(attribute),
            "GlobalSecondaryIndexes": [
                index("due", "due_shard", "due", &["not_before", "since"]),
                index("list", "list_pk", "list_sk", &["created"]),
                index("number", "number_pk", "number_sk", &[]),
                index("contact", "contact_pk", "contact_sk", &[]),
            ],
        });
        let expiry = json!({
            "TableName": NAME,
            "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": true},
        });
        self.db
            .create_table(serde_json::from_value(request)?)
            .map_err(|error| anyhow!("{error}"))?;
        self.db
            .update_time_to_live(serde_json::from_value(expiry)?)
            .map_err(|error| anyhow!("{error}"))?;
        Ok(())
    }

    /// The embedded database.
    pub fn database(&self) -> &Database {
        &self.db
    }

    /// All items of a partition as plain JSON, in the order of their sort keys.
    pub fn items(&self, pk: &str) -> anyhow::Result<Vec<Value>> {
        let request = query("pk = :pk", [(":pk", AttributeValue::S(pk.to_owned()))]);
        Ok(self
            .query(request)?
            .into_iter()
            .map(|item| Value::Object(plain_item(item)))
            .collect())
    }

    /// Every item of the table as plain JSON.
    pub fn all(&self) -> anyhow::Result<Vec<Value>> {
        let request = serde_json::from_value(json!({"TableName": NAME}))?;
        let found = self.db.scan(request).map_err(|error| anyhow!("{error}"))?;
        let items = found.items.unwrap_or_default();
        Ok(items
            .into_iter()
            .map(|item| Value::Object(plain_item(item)))
            .collect())
    }

    /// What is due at `now`, earliest first.
    pub fn due(&self, now: Timestamp) -> anyhow::Result<Vec<Due>> {
        self.due_where("due <= :now", now, None)
    }

    /// When the next thing falls due after `now`.
    pub fn next_due(&self, now: Timestamp) -> anyhow::Result<Option<Timestamp>> {
        let next = self.due_where("due > :now", now, Some(1))?;
        Ok(next.first().map(|due| due.due))
    }

    fn due_where(
        &self,
        condition: &str,
        now: Timestamp,
        limit: Option<usize>,
    ) -> anyhow::Result<Vec<Due>> {
        let mut found = Vec::new();
        for shard in DUE_SHARDS {
            let values = [
                (":shard", AttributeValue::S(shard.to_owned())),
                (":now", AttributeValue::N(now.as_millisecond().to_string())),
            ];
            let mut request = query(&format!("due_shard = :shard AND {condition}"), values);
            request.index_name = Some("due".to_owned());
            request.limit = limit;
            for item in self.query(request)? {
                found.push(due(&item).context("an index entry lacks its keys")?);
            }
        }
        found.sort_by_key(|due| due.due);
        Ok(found)
    }

    /// All pages of a query, or the first if it has a limit.
    fn query(&self, mut request: QueryRequest) -> anyhow::Result<Vec<Item>> {
        let mut items = Vec::new();
        loop {
            let page = QueryRequest {
                table_name: request.table_name.clone(),
                key_condition_expression: request.key_condition_expression.clone(),
                expression_attribute_values: request.expression_attribute_values.clone(),
                scan_index_forward: true,
                limit: request.limit,
                exclusive_start_key: request.exclusive_start_key.take(),
                index_name: request.index_name.clone(),
                ..QueryRequest::default()
            };
            let page = self.db.query(page).map_err(|error| anyhow!("{error}"))?;
            items.extend(page.items.unwrap_or_default());
            match page.last_evaluated_key {
                Some(key) if request.limit.is_none() => request.exclusive_start_key = Some(key),
                _ => return Ok(items),
            }
        }
    }
}

fn key_schema(hash: &str, range: &str) -> Value {
    json!([
        {"AttributeName": hash, "KeyType": "HASH"},
        {"AttributeName": range, "KeyType": "RANGE"},
    ])
}

fn query<const N: usize>(condition: &str, values: [(&str, AttributeValue); N]) -> QueryRequest {
    QueryRequest {
        table_name: NAME.to_owned(),
        key_condition_expression: Some(condition.to_owned()),
        expression_attribute_values: Some(
            values
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        ),
        ..QueryRequest::default()
    }
}

fn due(item: &Item) -> Option<Due> {
    let text = |name| match item.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    };
    let Some(AttributeValue::N(due)) = item.get("due") else {
        return None;
    };
    Some(Due {
        pk: text("pk")?,
        sk: text("sk")?,
        due: Timestamp::from_millisecond(due.parse().ok()?).ok()?,
    })
}

fn plain_item(item: impl IntoIterator<Item = (String, AttributeValue)>) -> Map<String, Value> {
    // Sorted, so that the same item always reads the same.
    let sorted: BTreeMap<_, _> = item
        .into_iter()
        .map(|(name, value)| (name, plain(value)))
        .collect();
    sorted.into_iter().collect()
}

/// A DynamoDB value as the JSON that one would write for it; binary as base64.
fn plain(value: AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => Value::String(text),
        AttributeValue::N(number) => plain_number(number),
        AttributeValue::B(bytes) => Value::String(STANDARD.encode(bytes)),
        AttributeValue::BOOL(yes) => Value::Bool(yes),
        AttributeValue::NULL(_) => Value::Null,
        AttributeValue::SS(texts) => json!(texts),
        AttributeValue::NS(numbers) => numbers.into_iter().map(plain_number).collect(),
        AttributeValue::BS(list) => list
            .iter()
            .map(|bytes| Value::String(STANDARD.encode(bytes)))
            .collect(),
        AttributeValue::L(list) => list.into_iter().map(plain).collect(),
        AttributeValue::M(map) => Value::Object(plain_item(map)),
    }
}

/// A number stays text where JSON would lose digits.
fn plain_number(number: String) -> Value {
    let parsed: Option<serde_json::Number> = number.parse().ok();
    match parsed {
        Some(parsed) if parsed.to_string() == number => Value::Number(parsed),
        _ => Value::String(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(table: &Table, item: &Value) {
        let request = json!({"TableName": NAME, "Item": item});
        table
            .database()
            .put_item(serde_json::from_value(request).expect("a request"))
            .expect("a put");
    }

    #[test]
    fn what_is_due_is_told_from_what_will_be() {
        let table = Table::open(None).expect("a table");
        let now: Timestamp = "2026-11-29T16:00:00Z".parse().expect("a time");
        let entry = |sk: &str, shard: &str, at: i64| json!({"pk": {"S": "REQ#1"}, "sk": {"S": sk}, "due_shard": {"S": shard}, "due": {"N": at.to_string()}});
        put(&table, &entry("EFF#late", "DUE#3", now.as_millisecond()));
        put(
            &table,
            &entry("EFF#early", "DUE#0", now.as_millisecond() - 5),
        );
        put(
            &table,
            &entry("EFF#coming", "DUE#1", now.as_millisecond() + 1),
        );
        let due: Vec<_> = table
            .due(now)
            .expect("a query")
            .into_iter()
            .map(|due| due.sk)
            .collect();
        assert_eq!(due, ["EFF#early", "EFF#late"]);
        let next = table
            .next_due(now)
            .expect("a query")
            .expect("something is coming");
        assert_eq!(next.as_millisecond(), now.as_millisecond() + 1);
    }

    #[test]
    fn items_are_shown_as_plain_json() {
        let table = Table::open(None).expect("a table");
        put(
            &table,
            &json!({"pk": {"S": "A"}, "sk": {"S": "1"}, "n": {"N": "3"}, "d": {"N": "1.5"}, "l": {"L": [{"BOOL": true}, {"NULL": true}]}, "m": {"M": {"s": {"SS": ["x"]}}}}),
        );
        let items = table.items("A").expect("a query");
        assert_eq!(
            items,
            [json!({"pk": "A", "sk": "1", "n": 3, "d": 1.5, "l": [true, null], "m": {"s": ["x"]}})]
        );
    }

    #[test]
    fn a_file_keeps_the_table() {
        let directory = tempfile::tempdir().expect("a directory");
        let table = Table::open(Some(directory.path())).expect("a table");
        put(&table, &json!({"pk": {"S": "A"}, "sk": {"S": "1"}}));
        drop(table);
        let table = Table::open(Some(directory.path())).expect("the table again");
        assert_eq!(table.items("A").expect("a query").len(), 1);
    }
}
