use std::time::{Duration, SystemTime};

use aws_lambda_events::sqs::{SqsEvent, SqsMessage};
use frontdesk_notifier::handle;
use frontdesk_queue::Message;
use frontdesk_storage::EffectKey;
use serde_json::Value;

use crate::sample::with_notifier;

/// More in one batch are no other case.
const MOST: usize = 20;

/// A batch of queue messages, one body a line: each that is ours is read as it says and looked up under
/// the very key that it names, each that is not is given back, and neither stops the others.
pub fn outbox(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let bodies: Vec<_> = text.lines().take(MOST).collect();
    let parsed: Vec<_> = bodies.iter().map(|body| read(body)).collect();
    with_notifier(async |notifier, aws| {
        let deadline = SystemTime::now() + Duration::from_mins(1);
        let response = handle(notifier, batch(&bodies), deadline).await;
        let failures = response.batch_item_failures.iter();
        let mut failed: Vec<_> = failures
            .map(|failure| failure.item_identifier.clone())
            .collect();
        failed.sort();
        let strangers = parsed
            .iter()
            .enumerate()
            .filter(|(_, message)| message.is_none());
        let mut strangers: Vec<_> = strangers.map(|(at, _)| at.to_string()).collect();
        strangers.sort();
        assert_eq!(
            failed, strangers,
            "the others name what does not exist, and are done with"
        );
        let ours = parsed.into_iter().flatten();
        let mut keys: Vec<_> = ours.map(|Message { pk, sk }| (pk, sk)).collect();
        keys.sort();
        keys.dedup();
        let calls = aws.take_calls();
        let mut looked_up: Vec<_> = calls.iter().map(|call| first_key(&call.body)).collect();
        looked_up.sort();
        assert_eq!(looked_up, keys);
    });
}

fn read(body: &str) -> Option<Message> {
    let message = Message::parse(body).ok()?;
    let value: Value = serde_json::from_str(body).expect("what was read is JSON");
    assert_eq!(value["pk"].as_str(), Some(message.pk.as_str()), "{body}");
    assert_eq!(value["sk"].as_str(), Some(message.sk.as_str()), "{body}");
    let written = serde_json::to_string(&message).expect("JSON");
    assert_eq!(Message::parse(&written).as_ref(), Ok(&message));
    let key = EffectKey {
        pk: message.pk.clone(),
        sk: message.sk.clone(),
    };
    if let Some(id) = key.id() {
        assert_eq!(
            EffectKey::from(&id),
            key,
            "it would be written under another key"
        );
    }
    Some(message)
}

fn batch(bodies: &[&str]) -> SqsEvent {
    let message = |(at, body): (usize, &&str)| {
        let mut message = SqsMessage::default();
        message.message_id = Some(at.to_string());
        message.body = Some((*body).to_owned());
        message
    };
    let mut event = SqsEvent::default();
    event.records = bodies.iter().enumerate().map(message).collect();
    event
}

/// The first key of a read: the effect's.
fn first_key(body: &Value) -> (String, String) {
    let key = &body["RequestItems"][crate::aws::TABLE]["Keys"][0];
    let text = |name: &str| key[name]["S"].as_str().expect("a text").to_owned();
    (text("pk"), text("sk"))
}
