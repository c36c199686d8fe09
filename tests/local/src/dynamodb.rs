//! The embedded DynamoDB, reached through its own HTTP server, and the errors it never gives by itself.

use anyhow::Context;
use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::endpoint::Endpoint;
use crate::service::{Reply, Request};
use crate::table::Table;
use crate::tasks::Tasks;

const READS: [&str; 5] = [
    "GetItem",
    "Query",
    "Scan",
    "BatchGetItem",
    "TransactGetItems",
];
const WRITES: [&str; 5] = [
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
];

/// A client of the embedded server.
pub(crate) struct Dynamodb {
    url: String,
    http: reqwest::Client,
}

impl Dynamodb {
    /// Serves the table on a private port.
    pub(crate) async fn start(table: &Table, tasks: &mut Tasks) -> anyhow::Result<Self> {
        let listener: TcpListener = Endpoint::bind().await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let served = dynoxide::server::serve_with_shutdown(
            listener,
            table.database().clone(),
            std::future::pending(),
        );
        tasks.spawn(async move {
            if let Err(error) = served.await {
                eprintln!("the table is lost: {error}");
            }
        });
        let http = reqwest::Client::builder()
            .no_proxy()
            // It never speaks TLS; reading the system's roots would take longer than the rest of a start.
            .tls_certs_only([])
            .build()
            .context("no HTTP client")?;
        Ok(Self { url, http })
    }

    /// Passes a request on, asking for its capacity too, which the caller does not get to see.
    pub(crate) async fn perform(&self, request: &Request, operation: &str) -> Reply {
        let metered = metered(operation, &request.body);
        let is_metered = metered.is_some();
        match self
            .forward(
                &request.headers,
                metered.unwrap_or_else(|| request.body.clone()),
            )
            .await
        {
            Ok(reply) if is_metered => without_capacity(reply, operation),
            Ok(reply) => reply,
            Err(error) => Reply::aws_error(
                500,
                &json!({"__type": "InternalServerError", "message": error.to_string()}),
            ),
        }
    }

    async fn forward(&self, headers: &HeaderMap, body: Bytes) -> reqwest::Result<Reply> {
        let mut forwarded = HeaderMap::new();
        for (name, value) in headers {
            let name: &HeaderName = name;
            if matches!(name.as_str(), "authorization" | "content-type")
                || name.as_str().starts_with("x-amz")
            {
                forwarded.append(name, value.clone());
            }
        }
        let answer = self
            .http
            .post(&self.url)
            .headers(forwarded)
            .body(body)
            .send()
            .await?;
        let status = answer.status().as_u16();
        let kept = |name: &str| matches!(name, "content-type" | "x-amzn-requestid" | "x-amz-crc32");
        let headers = answer
            .headers()
            .iter()
            .filter(|(name, _)| kept(name.as_str()));
        let headers = headers
            .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
        let headers = headers.collect();
        let body = answer.bytes().await?;
        Ok(Reply {
            status,
            headers,
            body,
            read_units: 0.0,
            write_units: 0.0,
        })
    }
}

/// The same request with a wish for its capacity; nothing if it has none or asks for it itself.
fn metered(operation: &str, body: &[u8]) -> Option<Bytes> {
    if !READS.contains(&operation) && !WRITES.contains(&operation) {
        return None;
    }
    let mut request: Value = serde_json::from_slice(body).ok()?;
    let fields = request.as_object_mut()?;
    if fields.contains_key("ReturnConsumedCapacity") {
        return None;
    }
    fields.insert("ReturnConsumedCapacity".to_owned(), json!("INDEXES"));
    Some(request.to_string().into())
}

fn without_capacity(mut reply: Reply, operation: &str) -> Reply {
    let Ok(mut body) = serde_json::from_slice::<Value>(&reply.body) else {
        return reply;
    };
    let Some(consumed) = body
        .as_object_mut()
        .and_then(|fields| fields.remove("ConsumedCapacity"))
    else {
        return reply;
    };
    let units = match &consumed {
        Value::Array(tables) => tables
            .iter()
            .filter_map(|table| table["CapacityUnits"].as_f64())
            .sum(),
        table => table["CapacityUnits"].as_f64().unwrap_or(0.0),
    };
    if READS.contains(&operation) {
        reply.read_units = units;
    } else {
        reply.write_units = units;
    }
    // The checksum was of the body as it came.
    reply.headers.retain(|(name, _)| name != "x-amz-crc32");
    reply.body = body.to_string().into();
    reply
}

/// An operation that is throttled.
pub(crate) fn throttled(operation: &str, body: &[u8]) -> Reply {
    const MESSAGE: &str = "Throughput exceeds the current capacity of your table or index.";
    if operation.starts_with("Transact") {
        return cancelled(body, "ThrottlingError", MESSAGE);
    }
    let body = json!({"__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException", "message": MESSAGE});
    Reply::aws_error(400, &body)
}

/// An operation that meets a transaction on the same item.
pub(crate) fn conflict(operation: &str, body: &[u8]) -> Reply {
    const MESSAGE: &str = "Transaction is ongoing for the item";
    if operation.starts_with("Transact") {
        return cancelled(body, "TransactionConflict", MESSAGE);
    }
    let body = json!({"__type": "com.amazonaws.dynamodb.v20120810#TransactionConflictException", "message": MESSAGE});
    Reply::aws_error(400, &body)
}

/// A transaction that is cancelled for its first item, with one reason for each item.
fn cancelled(body: &[u8], code: &str, message: &str) -> Reply {
    let request: Value = serde_json::from_slice(body).unwrap_or_default();
    let items = request["TransactItems"].as_array().map_or(1, Vec::len);
    let codes: Vec<_> = (0..items)
        .map(|item| if item == 0 { code } else { "None" })
        .collect();
    let reasons: Vec<_> = codes
        .iter()
        .map(|code| {
            if *code == "None" {
                json!({"Code": code})
            } else {
                json!({"Code": code, "Message": message})
            }
        })
        .collect();
    let summary = codes.join(", ");
    let body = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": format!("Transaction cancelled, please refer cancellation reasons for specific reasons [{summary}]"),
        "CancellationReasons": reasons,
    });
    Reply::aws_error(400, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_transaction_has_a_reason_for_each_item() {
        let reply = conflict("TransactWriteItems", br#"{"TransactItems": [{}, {}, {}]}"#);
        let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
        let codes: Vec<_> = body["CancellationReasons"]
            .as_array()
            .expect("reasons")
            .iter()
            .map(|reason| reason["Code"].as_str())
            .collect();
        assert_eq!(
            codes,
            [Some("TransactionConflict"), Some("None"), Some("None")]
        );
        assert!(
            body["Message"]
                .as_str()
                .is_some_and(|text| text.ends_with("[TransactionConflict, None, None]"))
        );
    }

    #[test]
    fn a_single_write_is_throttled_by_an_error_of_its_own() {
        let reply = throttled("PutItem", b"{}");
        let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
        assert_eq!(
            (reply.status, &body["__type"]),
            (
                400,
                &json!("com.amazonaws.dynamodb.v20120810#ThrottlingException")
            )
        );
    }

    #[test]
    fn capacity_is_asked_for_and_taken_out_again() {
        let asked = metered("Query", b"{}").expect("a metered request");
        assert_eq!(
            serde_json::from_slice::<Value>(&asked).expect("JSON"),
            json!({"ReturnConsumedCapacity": "INDEXES"})
        );
        assert_eq!(
            metered("Query", br#"{"ReturnConsumedCapacity": "TOTAL"}"#),
            None
        );
        assert_eq!(metered("DescribeTable", b"{}"), None);
        let reply = Reply::new(
            200,
            "x",
            r#"{"ConsumedCapacity": [{"CapacityUnits": 4.0}, {"CapacityUnits": 2.0}]}"#,
        );
        let reply = without_capacity(reply, "TransactWriteItems");
        assert!((reply.write_units - 6.0).abs() < f64::EPSILON);
        assert_eq!(reply.body, "{}");
    }
}
