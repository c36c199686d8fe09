//! A real bot's updates, with a Bot API that the test plays.

use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::routing::post;
use axum::{Json, Router};
use frontdesk_local_clock::Clock;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::endpoint::Endpoint;
use crate::instances::{Delivery, Lambda};
use crate::outcome::Outcome;
use crate::runtime_tests::sleeper;
use crate::tasks::Tasks;
use crate::updates::Source;
use crate::webhook::Webhook;

/// The calls that arrive, and the updates that are still to be fetched.
type Bot = State<Arc<(mpsc::UnboundedSender<(String, Value)>, Mutex<Vec<Value>>)>>;

async fn call(
    State(bot): Bot,
    Path((token, method)): Path<(String, String)>,
    Json(params): Json<Value>,
) -> Json<Value> {
    assert_eq!(token, "bot1:real");
    bot.0.send((method.clone(), params)).expect("a listener");
    if method == "getUpdates" {
        let updates = std::mem::take(&mut *bot.1.lock().expect("a lock"));
        if updates.is_empty() {
            std::future::pending::<()>().await;
        }
        return Json(json!({"ok": true, "result": updates}));
    }
    Json(json!({"ok": true, "result": true}))
}

/// Takes the webhook's next invocation, which must come with the secret, and answers it.
async fn answer(lambda: &Lambda, response: Value) -> Value {
    while !lambda.instances().contains(&"webhook-1".to_owned()) {
        tokio::task::yield_now().await;
    }
    let delivery: Delivery = lambda
        .next("webhook-1")
        .expect("an instance")
        .await
        .expect("an event");
    let event: Value = serde_json::from_slice(&delivery.event).expect("JSON");
    assert_eq!(event["rawPath"], "/telegram/desk");
    assert_eq!(
        event["headers"]["x-telegram-bot-api-secret-token"],
        "secret"
    );
    let outcome = Outcome::Answer(response.to_string().into());
    assert!(lambda.finish("webhook-1", &delivery.id, outcome));
    serde_json::from_str(event["body"].as_str().expect("a body")).expect("JSON")
}

#[tokio::test]
async fn updates_are_fetched_delivered_and_confirmed_in_that_order() {
    let (calls, mut seen) = mpsc::unbounded_channel();
    let message =
        |id: i64| json!({"update_id": id, "message": {"chat": {"id": 7}, "text": id.to_string()}});
    let bot = Arc::new((calls, Mutex::new(vec![message(41), message(42)])));
    let listener = Endpoint::bind().await.expect("a port");
    let api = format!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new()
        .route("/{token}/{method}", post(call))
        .with_state(bot);
    let mut tasks = Tasks::default();
    tasks.spawn(async move { axum::serve(listener, router).await.expect("a server") });

    let fake = sleeper().await;
    let webhook = Webhook {
        lambda: fake.lambda.clone(),
        clock: Clock::new(),
        bot: "desk".into(),
    };
    let source = Source::new(api, "1:real".into(), webhook, "secret".into()).expect("a client");
    tasks.spawn(source.run());

    let reply = json!({"method": "sendMessage", "chat_id": 7, "text": "hello"});
    let response = json!({"statusCode": 200, "body": reply.to_string()});
    assert_eq!(answer(&fake.lambda, response).await, message(41));
    assert_eq!(
        answer(&fake.lambda, json!({"statusCode": 200})).await,
        message(42)
    );

    let mut next = async || seen.recv().await.expect("a call");
    assert_eq!(next().await.1["offset"], 0);
    assert_eq!(
        next().await,
        ("sendMessage".into(), json!({"chat_id": 7, "text": "hello"}))
    );
    let (method, params) = next().await;
    assert_eq!(
        (method.as_str(), &params["offset"]),
        ("getUpdates", &json!(43))
    );
}
