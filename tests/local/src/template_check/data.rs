//! The table and the queues.

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{Template, referred};
use crate::document::{At, Mistakes};
use crate::functions::Function;
use crate::table::{self, Table};

/// After so many receives a message is a dead letter: the number of an effect's attempts.
const RECEIVES: &str = "8";
/// A message stays hidden for so many timeouts of the function that works on it.
const TIMEOUTS: u64 = 6;
/// What SQS keeps a message for if it is not told: four days.
const KEPT: u64 = 345_600;

pub(super) fn check(template: &Template<'_>, mistakes: &mut Mistakes) {
    match template.table() {
        None => mistakes.add(&template.resources(), "there is no table"),
        Some((_, table)) => check_table(&table, mistakes),
    }
    match template.outbox() {
        None => mistakes.add(&template.resources(), "there is no queue"),
        Some((_, outbox)) => check_queues(template, &outbox, mistakes),
    }
}

/// The table must be the one that the functions run on locally.
fn check_table(table: &At<'_>, mistakes: &mut Mistakes) {
    for policy in ["DeletionPolicy", "UpdateReplacePolicy"] {
        mistakes.expect(&table.get(policy), "Retain");
    }
    let table = table.get("Properties");
    for (way, wanted) in [
        (&["BillingMode"][..], "PAY_PER_REQUEST"),
        (&["SSESpecification", "SSEEnabled"], "true"),
        (
            &[
                "PointInTimeRecoverySpecification",
                "PointInTimeRecoveryEnabled",
            ],
            "true",
        ),
        (&["DeletionProtectionEnabled"], "true"),
    ] {
        mistakes.expect(&table.way(way), wanted);
    }
    let (local, expiry) = match local_table() {
        Ok(described) => described,
        Err(why) => return mistakes.add(&table, format_args!("the local table: {why}")),
    };
    let expires = table.get("TimeToLiveSpecification");
    let attribute = expiry["AttributeName"].as_str().unwrap_or_default();
    mistakes.expect(&expires.get("AttributeName"), attribute);
    mistakes.expect(&expires.get("Enabled"), "true");
    check_keys(&table.get("KeySchema"), &local["KeySchema"], mistakes);
    check_indexes(&table.get("GlobalSecondaryIndexes"), &local, mistakes);
    check_types(&table.get("AttributeDefinitions"), &local, mistakes);
}

fn check_keys(keys: &At<'_>, local: &Value, mistakes: &mut Mistakes) {
    let given = keys.one_or_many();
    let wanted = local.as_array().map(Vec::as_slice).unwrap_or_default();
    if given.len() != wanted.len() {
        let names: Vec<_> = wanted
            .iter()
            .map(|key| text(key, "AttributeName"))
            .collect();
        mistakes.add(keys, format_args!("must be {}", names.join(" and ")));
        return;
    }
    for (given, wanted) in given.iter().zip(wanted) {
        for name in ["AttributeName", "KeyType"] {
            mistakes.expect(&given.get(name), text(wanted, name));
        }
    }
}

fn check_indexes(indexes: &At<'_>, local: &Value, mistakes: &mut Mistakes) {
    let given = indexes.one_or_many();
    let empty = Vec::new();
    let wanted = local["GlobalSecondaryIndexes"].as_array().unwrap_or(&empty);
    for index in &given {
        let name = index.get("IndexName");
        let Some(known) = wanted
            .iter()
            .find(|wanted| name.text() == Some(text(wanted, "IndexName")))
        else {
            let is = name.text().unwrap_or_default();
            mistakes.add(&name, format_args!("the code knows no index \"{is}\""));
            continue;
        };
        check_keys(&index.get("KeySchema"), &known["KeySchema"], mistakes);
        let projection = &known["Projection"];
        let given = index.get("Projection");
        mistakes.expect(
            &given.get("ProjectionType"),
            text(projection, "ProjectionType"),
        );
        check_projected(&given.get("NonKeyAttributes"), projection, mistakes);
    }
    for wanted in wanted {
        let wanted = text(wanted, "IndexName");
        if !given
            .iter()
            .any(|index| index.get("IndexName").text() == Some(wanted))
        {
            mistakes.add(
                indexes,
                format_args!("the code's index \"{wanted}\" is missing"),
            );
        }
    }
}

fn check_projected(attributes: &At<'_>, local: &Value, mistakes: &mut Mistakes) {
    let items = attributes.one_or_many();
    let mut given: Vec<_> = items.iter().filter_map(At::text).collect();
    let empty = Vec::new();
    let wanted = local["NonKeyAttributes"].as_array().unwrap_or(&empty);
    let mut wanted: Vec<_> = wanted.iter().filter_map(Value::as_str).collect();
    given.sort_unstable();
    wanted.sort_unstable();
    if given != wanted {
        mistakes.add(attributes, format_args!("must be [{}]", wanted.join(", ")));
    }
}

fn check_types(definitions: &At<'_>, local: &Value, mistakes: &mut Mistakes) {
    let given = definitions.one_or_many();
    let empty = Vec::new();
    for wanted in local["AttributeDefinitions"].as_array().unwrap_or(&empty) {
        let (name, kind) = (text(wanted, "AttributeName"), text(wanted, "AttributeType"));
        match given
            .iter()
            .find(|given| given.get("AttributeName").text() == Some(name))
        {
            Some(given) => mistakes.expect(&given.get("AttributeType"), kind),
            None => mistakes.add(definitions, format_args!("\"{name}\" ({kind}) is missing")),
        }
    }
}

fn check_queues(template: &Template<'_>, outbox: &At<'_>, mistakes: &mut Mistakes) {
    let outbox = outbox.get("Properties");
    mistakes.expect(&outbox.get("SqsManagedSseEnabled"), "true");
    let redrive = outbox.get("RedrivePolicy");
    mistakes.expect(&redrive.get("maxReceiveCount"), RECEIVES);

    let timeout = Function::Notifier.timeout().as_secs();
    let hidden = outbox.get("VisibilityTimeout");
    if hidden
        .number()
        .is_none_or(|hidden| hidden < TIMEOUTS * timeout)
    {
        mistakes.add(
            &hidden,
            format_args!(
                "must be {} or more, {TIMEOUTS} times the notifier's timeout",
                TIMEOUTS * timeout
            ),
        );
    }

    let target = redrive.get("deadLetterTargetArn");
    let name = target.value();
    let dead = name.as_deref().and_then(referred);
    let Some(dead) = dead.and_then(|name| template.named(name, "AWS::SQS::Queue")) else {
        return mistakes.add(&target, "must be the ARN of another queue of the template");
    };
    let dead = dead.get("Properties");
    mistakes.expect(&dead.get("SqsManagedSseEnabled"), "true");
    mistakes.expect(
        &dead.way(&["RedriveAllowPolicy", "redrivePermission"]),
        "byQueue",
    );
    let kept = |at: &At<'_>| at.number().unwrap_or(KEPT);
    let (source, dead) = (
        outbox.get("MessageRetentionPeriod"),
        dead.get("MessageRetentionPeriod"),
    );
    if kept(&dead) < kept(&source) {
        mistakes.add(
            &dead,
            format_args!(
                "must be {} or more, as long as the outbox keeps messages",
                kept(&source)
            ),
        );
    }
}

/// The local table's description, and its expiry's.
fn local_table() -> anyhow::Result<(Value, Value)> {
    fn request<T: DeserializeOwned>() -> Result<T, serde_json::Error> {
        serde_json::from_value(json!({"TableName": table::NAME}))
    }
    let error = |error| anyhow::anyhow!("{error}");
    let table = Table::open(None)?;
    let described = table.database().describe_table(request()?).map_err(error)?;
    let expiry = table
        .database()
        .describe_time_to_live(request()?)
        .map_err(error)?;
    let expiry = serde_json::to_value(expiry)?;
    Ok((
        serde_json::to_value(described)?["Table"].take(),
        expiry["TimeToLiveDescription"].clone(),
    ))
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}
