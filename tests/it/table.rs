//! A table for the tests of the access patterns: the local desk's, or one of their own in another
//! DynamoDB, at `FRONTDESK_DYNAMODB` (an address).

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};
use frontdesk_domain::effect::{Effect, EffectId};
use frontdesk_domain::{
    Answer, ContactKey, ContentDigest, DraftToken, Name, Request, RequestId, State,
};
use frontdesk_local::Target;
use frontdesk_storage::{NewRequest, Store};
use jiff::Timestamp;

use crate::harness::Desk;

/// A store, and what keeps it alive.
pub(crate) struct Table {
    pub(crate) store: Store,
    _desk: Option<Desk>,
}

pub(crate) async fn table() -> Table {
    let other = std::env::var("FRONTDESK_DYNAMODB").ok();
    let desk = if other.is_none() {
        Some(Desk::start().await)
    } else {
        None
    };
    let endpoint = match (&desk, &other) {
        (Some(desk), _) => desk.local.endpoint(Target::Dynamodb, "test"),
        (None, other) => other.clone().unwrap(),
    };
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .endpoint_url(endpoint)
        .build();
    let client = Client::from_conf(config);
    let name = if desk.is_some() {
        "frontdesk".to_owned()
    } else {
        create_table(&client).await
    };
    Table {
        store: Store::new(client, name),
        _desk: desk,
    }
}

async fn create_table(client: &Client) -> String {
    let name = format!("frontdesk-{}", jiff::Timestamp::now().as_nanosecond());
    let attribute = |name: &str, kind: ScalarAttributeType| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(kind)
            .build()
            .unwrap()
    };
    let keys = |hash: &str, range: &str| {
        let key = |name: &str, kind: KeyType| {
            KeySchemaElement::builder()
                .attribute_name(name)
                .key_type(kind)
                .build()
                .unwrap()
        };
        vec![key(hash, KeyType::Hash), key(range, KeyType::Range)]
    };
    let index = |name: &str, hash: &str, range: &str, also: &[&str]| {
        let kind = if also.is_empty() {
            ProjectionType::KeysOnly
        } else {
            ProjectionType::Include
        };
        let also: Vec<_> = also.iter().map(|name| (*name).to_owned()).collect();
        let projection = Projection::builder()
            .projection_type(kind)
            .set_non_key_attributes((!also.is_empty()).then_some(also));
        GlobalSecondaryIndex::builder()
            .index_name(name)
            .set_key_schema(Some(keys(hash, range)))
            .projection(projection.build())
            .build()
            .unwrap()
    };
    let (text, number) = (ScalarAttributeType::S, ScalarAttributeType::N);
    client
        .create_table()
        .table_name(&name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_key_schema(Some(keys("pk", "sk")))
        .set_attribute_definitions(Some(vec![
            attribute("pk", text.clone()),
            attribute("sk", text.clone()),
            attribute("due_shard", text.clone()),
            attribute("due", number.clone()),
            attribute("list_pk", text.clone()),
            attribute("list_sk", number.clone()),
            attribute("number_pk", text.clone()),
            attribute("number_sk", text.clone()),
            attribute("contact_pk", text),
            attribute("contact_sk", number),
        ]))
        .global_secondary_indexes(index("due", "due_shard", "due", &["not_before", "since"]))
        .global_secondary_indexes(index("list", "list_pk", "list_sk", &["created"]))
        .global_secondary_indexes(index("contact", "contact_pk", "contact_sk", &[]))
        .global_secondary_indexes(index("number", "number_pk", "number_sk", &[]))
        .send()
        .await
        .unwrap();
    name
}

pub(crate) fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

pub(crate) fn now() -> Timestamp {
    Timestamp::from_millisecond(1_800_000_000_123).unwrap()
}

/// The lead of draft `n`, with its card.
pub(crate) fn lead(n: usize, created: Timestamp) -> NewRequest {
    let token = DraftToken::parse(&crate::harness::token(n)).unwrap();
    let id = RequestId::candidates("form", &name("contact"), &token)[0];
    let answer = |field: &str, text: &str, e164: Option<&str>| Answer {
        field: name(field),
        text: text.to_owned(),
        e164: e164.map(str::to_owned),
        picked: None,
    };
    let answers = vec![
        answer("name", "Vera", None),
        answer("phone", "8121234567", Some("+78121234567")),
        answer("message", &"m".repeat(2000), None),
    ];
    let request = Request {
        id,
        source: name("contact"),
        token,
        digest: ContentDigest::of([("name", "Vera")]),
        answers,
        contact: Some(ContactKey::of_phone("+78121234567")),
        state: State::New,
        version: 1,
        created,
        changed: created,
        attention: None,
        called_out: false,
        dialog: None,
    };
    let card = Effect::new(
        EffectId::Card {
            request: id,
            place: name("staff"),
        },
        created,
    );
    NewRequest {
        request,
        effects: vec![card],
        files: Vec::new(),
    }
}
