//! What customers and staff write stays out of logs and queue messages.

use frontdesk_local::Target;
use serde_json::json;

use crate::customer::Customer;
use crate::harness::{ANNA, Desk, token};

#[tokio::test(flavor = "multi_thread")]
async fn canary_names_phones_texts_and_secrets_are_in_no_log_and_no_queue_message() {
    let desk = Desk::start_with(|options| options.keep_requests = true).await;
    let fields =
        json!({"name": "CANARYNAME", "phone": "8 (812) 777-66-55", "message": "CANARYTEXT"});
    let (_, body) = desk.submit(&token(1), &fields).await;
    let id = body["id"].as_str().unwrap().to_owned();
    desk.settle().await;
    let card = desk.the_card().await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    desk.submit(
        &token(1),
        &json!({"name": "CANARYNAME", "phone": "CANARYPHONE"}),
    )
    .await;
    desk.control("say", json!({"chat_id": 77, "user": {"id": 77, "first_name": "CANARYNAME"}, "text": "CANARYTEXT"})).await;
    let vera = Customer::new(&desk, 7001, "en");
    vera.writes("/start CANARYSOURCE").await;
    vera.presses("Support").await;
    vera.presses("Go on").await;
    vera.presses("Company site").await;
    vera.writes("CANARYTEXT").await;
    let file = json!({"file_name": "CANARYFILE.pdf", "mime_type": "application/pdf", "file_size": 1, "caption": "CANARYTEXT"});
    vera.does(json!({"document": file})).await;
    vera.presses("Go on").await;
    vera.presses("up to 50,000").await;
    vera.presses("Not urgent").await;
    vera.writes("8 (812) 777-66-55").await;
    desk.settle().await;
    vera.presses("Send").await;
    desk.run_to_quiet(60).await;
    let description = "Bad Request: CANARYANSWER";
    desk.fault(json!({"target": "telegram", "fault": "status", "value": 400, "description": description, "times": -1})).await;
    desk.submit(&token(2), &fields).await;
    crate::harness::eventually("it fails", async || desk.dead_letters().await == 1).await;
    desk.end_faults().await;
    desk.fault(json!({"target": "dynamodb", "fault": "status", "value": 500, "times": -1}))
        .await;
    desk.submit(&token(3), &fields).await;
    desk.end_faults().await;
    let logs = desk.local.logs();
    assert!(
        logs.iter()
            .any(|line| line.contains("lead.stored") && line.contains(&id)),
        "{logs:#?}"
    );
    assert!(logs.iter().any(|line| line.contains("lead.claimed")));
    let secrets = [
        desk.local.webhook_secret().to_owned(),
        desk.local.telegram().bot().token.clone(),
        token(1),
    ];
    for line in &logs {
        serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON");
    }
    // Whatever the functions asked of the queues: their messages are in it.
    let calls = desk.local.calls().into_iter();
    let queued = calls.filter(|call| call.target == Target::Sqs);
    let queued: Vec<_> = queued
        .map(|call| String::from_utf8(call.request.unwrap().to_vec()).unwrap())
        .collect();
    assert!(
        queued.iter().any(|request| request.contains(&id)),
        "{queued:#?}"
    );
    for text in logs.iter().chain(&queued) {
        for canary in ["CANARY", "7776655", "777-66-55"]
            .into_iter()
            .chain(secrets.iter().map(String::as_str))
        {
            assert!(!text.contains(canary), "{canary} in {text}");
        }
    }
    desk.finish().await;
}
