//! AWS at the other end of the wire: every request is noted, and answered by what the target put
//! there. The desk's own code, down to the SDK, is the real one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use frontdesk_desk::Desk;
use frontdesk_queue::Queue;
use frontdesk_storage::Store;
use serde_json::{Value, json};

use crate::sample;

/// The table that the desk uses.
pub(crate) const TABLE: &str = "desk";

/// A request that the desk made.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) operation: String,
    pub(crate) body: Value,
}

impl Call {
    /// True where something would have been stored.
    pub(crate) fn is_write(&self) -> bool {
        ["TransactWriteItems", "PutItem", "UpdateItem"].contains(&self.operation.as_str())
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Aws(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    answers: HashMap<&'static str, Value>,
    found: HashMap<String, Value>,
    calls: Vec<Call>,
}

impl Aws {
    /// A desk with the sample's settings that calls this.
    pub(crate) fn desk(&self) -> Desk {
        let client = self.client();
        let region = || Some(Region::new("us-east-1"));
        let credentials = || Credentials::new("test", "test", None, None, "test");
        let dynamodb = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .credentials_provider(credentials())
            .region(region())
            .endpoint_url("http://dynamodb.test")
            .retry_config(RetryConfig::disabled())
            .timeout_config(TimeoutConfig::disabled())
            .http_client(client.clone());
        let sqs = aws_sdk_sqs::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .credentials_provider(credentials())
            .region(region())
            .endpoint_url("http://sqs.test")
            .retry_config(RetryConfig::disabled())
            .timeout_config(TimeoutConfig::disabled())
            .http_client(client);
        let dynamodb = aws_sdk_dynamodb::Client::from_conf(dynamodb.build());
        let sqs = aws_sdk_sqs::Client::from_conf(sqs.build());
        Desk {
            settings: sample::settings().clone(),
            store: Store::new(dynamodb, TABLE),
            queue: Queue::new(sqs, "http://sqs.test/1/outbox"),
        }
    }

    /// Forgets the calls and answers of the input before.
    pub(crate) fn reset(&self) {
        *self.state() = State::default();
    }

    /// Answers `operation` so from now on; without this, with an empty object.
    pub(crate) fn answer(&self, operation: &'static str, body: Value) {
        self.state().answers.insert(operation, body);
    }

    /// Has reads find `items`, in DynamoDB's JSON.
    pub(crate) fn hold(&self, items: &[Value]) {
        self.answer("BatchGetItem", json!({"Responses": {TABLE: items}}));
    }

    /// Has a query for this key find `items`.
    pub(crate) fn find(&self, key: &str, items: &[Value]) {
        let found = json!({"Count": items.len(), "Items": items});
        self.state().found.insert(key.to_owned(), found);
    }

    /// What was called since the last time, in order.
    pub(crate) fn take_calls(&self) -> Vec<Call> {
        std::mem::take(&mut self.state().calls)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn client(&self) -> SharedHttpClient {
        let connector = SharedHttpConnector::new(self.clone());
        http_client_fn(move |_, _| connector.clone())
    }
}

impl HttpConnector for Aws {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default().to_owned();
        let body = request.body().bytes().unwrap_or_default();
        let body: Value = serde_json::from_slice(body).expect("the SDK writes JSON");
        let mut state = self.state();
        let values = body["ExpressionAttributeValues"].as_object();
        let keys = values.into_iter().flat_map(|values| values.values());
        let found = keys
            .filter(|_| operation == "Query")
            .find_map(|value| state.found.get(value["S"].as_str()?));
        let answer = found.or_else(|| state.answers.get(operation.as_str()));
        let answer = answer.map_or_else(|| "{}".to_owned(), Value::to_string);
        state.calls.push(Call { operation, body });
        let status = 200.try_into().expect("a status");
        HttpConnectorFuture::ready(Ok(HttpResponse::new(status, SdkBody::from(answer))))
    }
}
