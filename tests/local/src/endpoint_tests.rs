//! Faults on real connections: callers are HTTP clients, the services are the real ones.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_local_clock::Clock;
use frontdesk_local_sqs::Sqs;
use frontdesk_local_telegram::{Bot, ChatKind, Telegram};
use serde_json::{Value, json};

use crate::bot_api::BotApi;
use crate::calls::Calls;
use crate::dynamodb::Dynamodb;
use crate::endpoint::Endpoint;
use crate::fault::{Kind, Target};
use crate::faults::Faults;
use crate::instances::idle;
use crate::journal::Journal;
use crate::poller::{OUTBOX, create_queues};
use crate::service::Service;
use crate::table::Table;
use crate::tasks::Tasks;

struct Cloud {
    endpoints: Vec<Endpoint>,
    faults: Arc<Faults>,
    journal: Arc<Journal>,
    sqs: Sqs,
    telegram: Telegram,
    http: reqwest::Client,
    _tasks: Tasks,
}

async fn cloud() -> Cloud {
    let clock = Clock::new();
    let faults = Arc::new(Faults::default());
    let journal = Arc::new(Journal::new(false));
    let lambda = idle();
    let calls = Arc::new(Calls {
        faults: Arc::clone(&faults),
        journal: Arc::clone(&journal),
        lambda,
        clock: clock.clone(),
    });
    let sqs = Sqs::new(clock.clone(), "http://localhost");
    create_queues(&sqs).expect("queues");
    let bot = Bot {
        name: "desk".into(),
        username: "desk_bot".into(),
        token: "1:local".into(),
        id: 1,
        secret: None,
    };
    let telegram = Telegram::new(clock, bot);
    telegram.add_chat(-5, ChatKind::Group, "Staff");
    let mut tasks = Tasks::default();
    let table = Table::open(None).expect("a table");
    let services = [
        Service::Dynamodb(Dynamodb::start(&table, &mut tasks).await.expect("a server")),
        Service::Sqs(sqs.clone()),
        Service::Telegram(BotApi::new(telegram.clone())),
    ];
    let mut endpoints = Vec::new();
    for service in services {
        let listener = Endpoint::bind().await.expect("a port");
        endpoints
            .push(Endpoint::start(listener, service, &calls, &mut tasks).expect("an endpoint"));
    }
    let http = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    Cloud {
        endpoints,
        faults,
        journal,
        sqs,
        telegram,
        http,
        _tasks: tasks,
    }
}

impl Cloud {
    fn url(&self, target: Target) -> String {
        let endpoint = self
            .endpoints
            .iter()
            .find(|endpoint| endpoint.target() == target)
            .expect("an endpoint");
        format!("http://{}/test", endpoint.address())
    }

    async fn fault(&self, fault: Value) {
        self.faults
            .add(serde_json::from_value(fault).expect("a fault"))
            .expect("a fault that can act");
        for endpoint in &self.endpoints {
            endpoint.caught_up().await;
        }
    }

    async fn put(&self) -> reqwest::Result<reqwest::Response> {
        let body = json!({"TableName": "frontdesk", "Item": {"pk": {"S": "A"}, "sk": {"S": "B"}, "due_shard": {"S": "DUE#0"}, "due": {"N": "1"}}});
        let request = self
            .http
            .post(self.url(Target::Dynamodb))
            .body(body.to_string());
        let request = request
            .header("x-amz-target", "DynamoDB_20120810.PutItem")
            .header("content-type", "application/x-amz-json-1.0")
            .header("x-amz-date", "20261129T160000Z")
            .header(
                "authorization",
                "AWS4-HMAC-SHA256 Credential=local/20261129/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
            );
        request.send().await
    }

    async fn send(&self) -> reqwest::Result<reqwest::Response> {
        let body = json!({"QueueUrl": format!("http://localhost/000000000000/{OUTBOX}"), "MessageBody": "x"});
        let request = self.http.post(self.url(Target::Sqs)).body(body.to_string());
        request
            .header("x-amz-target", "AmazonSQS.SendMessage")
            .send()
            .await
    }

    async fn say(&self) -> reqwest::Result<reqwest::Response> {
        let url = format!("{}/bot1:local/sendMessage", self.url(Target::Telegram));
        self.http
            .post(url)
            .json(&json!({"chat_id": -5, "text": "hello"}))
            .send()
            .await
    }

    fn visible(&self) -> u64 {
        self.sqs.stats().iter().map(|queue| queue.visible).sum()
    }

    fn messages(&self) -> usize {
        self.telegram.chat(-5).expect("a chat").messages.len()
    }
}

async fn json(response: reqwest::Result<reqwest::Response>) -> (u16, Value) {
    let response = response.expect("an answer");
    (
        response.status().as_u16(),
        response.json().await.expect("JSON"),
    )
}

#[tokio::test]
async fn calls_reach_their_services_and_are_noted() {
    let cloud = cloud().await;
    assert_eq!(json(cloud.put().await).await, (200, json!({})));
    assert_eq!(json(cloud.send().await).await.0, 200);
    assert_eq!(json(cloud.say().await).await.0, 200);
    let calls = cloud.journal.calls();
    let operations: Vec<_> = calls
        .iter()
        .map(|call| (call.target, call.operation.as_str(), call.status))
        .collect();
    assert_eq!(
        operations,
        [
            (Target::Dynamodb, "PutItem", Some(200)),
            (Target::Sqs, "SendMessage", Some(200)),
            (Target::Telegram, "sendMessage", Some(200)),
        ]
    );
    // One unit for the item and one for its entry in an index.
    assert!(
        (calls[0].write_units - 2.0).abs() < f64::EPSILON,
        "{calls:?}"
    );
    assert_eq!(calls[0].function, "test");
}

#[tokio::test]
async fn a_dropped_request_is_not_done_and_a_lost_answer_is() {
    let cloud = cloud().await;
    for (fault, done) in [("drop", 0), ("lose_answer", 1)] {
        cloud.fault(json!({"target": "sqs", "fault": fault})).await;
        cloud
            .fault(json!({"target": "telegram", "fault": fault}))
            .await;
        assert!(
            cloud.send().await.is_err() && cloud.say().await.is_err(),
            "{fault}"
        );
        assert_eq!(
            (cloud.visible(), cloud.messages()),
            (done, usize::try_from(done).expect("small"))
        );
    }
    let calls = cloud.journal.calls();
    assert!(calls.iter().all(|call| call.status.is_none()));
    let requests = cloud.telegram.requests();
    assert_eq!((requests[0].status, requests[1].status), (None, Some(200)));
}

#[tokio::test]
async fn errors_look_like_those_of_the_service() {
    let cloud = cloud().await;
    cloud
        .fault(json!({"target": "dynamodb", "fault": "conflict"}))
        .await;
    let (status, body) = json(cloud.put().await).await;
    assert_eq!(
        (status, &body["__type"]),
        (
            400,
            &json!("com.amazonaws.dynamodb.v20120810#TransactionConflictException")
        )
    );
    cloud
        .fault(json!({"target": "sqs", "fault": "throttle"}))
        .await;
    let response = cloud.send().await.expect("an answer");
    assert_eq!(
        response.headers()["x-amzn-query-error"],
        "RequestThrottled;Sender"
    );
    cloud
        .fault(json!({"target": "sqs", "fault": "status", "value": 503}))
        .await;
    assert_eq!(json(cloud.send().await).await.0, 503);
    cloud
        .fault(json!({"target": "telegram", "fault": "retry_after", "value": 9, "chat_id": -5}))
        .await;
    let (status, body) = json(cloud.say().await).await;
    assert_eq!(
        (status, &body["parameters"]["retry_after"]),
        (429, &json!(9))
    );
    assert_eq!(cloud.telegram.requests()[0].status, Some(429));
    assert_eq!((cloud.visible(), cloud.messages()), (0, 0));
}

#[tokio::test]
async fn a_delayed_request_is_done_late() {
    let cloud = cloud().await;
    cloud
        .fault(json!({"target": "telegram", "fault": "delay", "value": 60}))
        .await;
    let started = std::time::Instant::now();
    assert_eq!(json(cloud.say().await).await.0, 200);
    assert!(started.elapsed() >= Duration::from_millis(60));
    assert_eq!(cloud.journal.calls()[0].fault, Some(Kind::Delay));
}

#[tokio::test]
async fn connections_are_refused_until_the_fault_is_taken_back() {
    let cloud = cloud().await;
    assert_eq!(json(cloud.say().await).await.0, 200);
    cloud
        .fault(json!({"target": "telegram", "fault": "refuse", "times": -1}))
        .await;
    for _ in 0..3 {
        // The client's open connection was closed, so that it has to connect anew.
        assert!(cloud.say().await.expect_err("no answer").is_connect());
    }
    assert_eq!(json(cloud.send().await).await.0, 200);
    cloud.faults.clear();
    for endpoint in &cloud.endpoints {
        endpoint.caught_up().await;
    }
    assert_eq!(json(cloud.say().await).await.0, 200);
    assert_eq!(cloud.messages(), 2);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn refusals_are_counted_where_the_kernel_counts_them() {
    let cloud = cloud().await;
    cloud
        .fault(json!({"target": "sqs", "fault": "refuse", "times": 2}))
        .await;
    let mut refused = 0;
    while cloud.send().await.is_err() {
        refused += 1;
        assert!(refused < 200, "{:?}", cloud.faults.list());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Other programs' failures count too, so it may have ended early but not before one.
    assert!(refused >= 1);
    assert_eq!(cloud.faults.list()[0].hits, 2);
}

#[tokio::test]
async fn the_root_of_the_bot_api_is_no_call() {
    let cloud = cloud().await;
    let answer = cloud
        .http
        .get(cloud.url(Target::Telegram))
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), 404);
    assert!(cloud.journal.calls().is_empty() && cloud.telegram.requests().is_empty());
}
