//! What SQS refuses in a request.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::Error;
use crate::message::MessageAttribute;

/// The largest message, and the largest batch: body, attribute names, types and values.
pub(crate) const MAX_BYTES: usize = 1_048_576;
pub(crate) const DELAY: RangeInclusive<i64> = 0..=900;
pub(crate) const VISIBILITY: RangeInclusive<i64> = 0..=43_200;
pub(crate) const WAIT: RangeInclusive<i64> = 0..=20;

pub(crate) fn within(name: &str, value: i64, range: &RangeInclusive<i64>) -> Result<i64, Error> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(Error::InvalidParameterValue(format!(
        "Value {value} for parameter {name} is invalid. Reason: Must be between {} and {}.",
        range.start(),
        range.end()
    )))
}

pub(crate) fn required<'a>(name: &'static str, value: &'a str) -> Result<&'a str, Error> {
    if value.is_empty() {
        Err(Error::MissingParameter(name))
    } else {
        Ok(value)
    }
}

pub(crate) fn queue_name(name: &str) -> Result<(), Error> {
    required("QueueName", name)?;
    if name.strip_suffix(".fifo").is_some() {
        return Err(Error::UnsupportedOperation(
            "FIFO queues are not offered here.".to_owned(),
        ));
    }
    if is_identifier(name) {
        return Ok(());
    }
    Err(Error::InvalidParameterValue(
        "A queue's name takes 1 to 80 letters, digits, hyphens and underscores.".to_owned(),
    ))
}

pub(crate) fn entry_ids<'a>(ids: impl ExactSizeIterator<Item = &'a str>) -> Result<(), Error> {
    match ids.len() {
        0 => return Err(Error::EmptyBatchRequest),
        count @ 11.. => return Err(Error::TooManyEntriesInBatchRequest(count)),
        _ => {}
    }
    let mut seen = BTreeSet::new();
    for id in ids {
        if !is_identifier(id) {
            return Err(Error::InvalidBatchEntryId);
        }
        if !seen.insert(id) {
            return Err(Error::BatchEntryIdsNotDistinct(id.to_owned()));
        }
    }
    Ok(())
}

fn is_identifier(text: &str) -> bool {
    (1..=80).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

pub(crate) fn body(body: &str) -> Result<(), Error> {
    required("MessageBody", body)?;
    if is_text(body) {
        Ok(())
    } else {
        Err(Error::InvalidMessageContents)
    }
}

fn is_text(text: &str) -> bool {
    text.chars().all(
        |char| matches!(char, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}'),
    )
}

/// The bytes that count towards the limits.
pub(crate) fn size(body: &str, attributes: &BTreeMap<String, MessageAttribute>) -> usize {
    let values = attributes.iter().map(|(name, attribute)| {
        let binary = attribute
            .binary_value
            .as_ref()
            .map_or(0, |value| value.len() / 4 * 3);
        let text = attribute.string_value.as_ref().map_or(0, String::len);
        name.len() + attribute.data_type.len() + text + binary
    });
    body.len() + values.sum::<usize>()
}

pub(crate) fn attributes(attributes: &BTreeMap<String, MessageAttribute>) -> Result<(), Error> {
    if attributes.len() > 10 {
        return Err(Error::InvalidParameterValue(
            "A message takes at most 10 message attributes.".to_owned(),
        ));
    }
    for (name, attribute) in attributes {
        attribute_name(name)
            .and_then(|()| attribute_value(attribute))
            .map_err(|reason| {
                Error::InvalidParameterValue(format!("The message attribute '{name}' {reason}."))
            })?;
    }
    Ok(())
}

fn attribute_name(name: &str) -> Result<(), &'static str> {
    let lower = name.to_ascii_lowercase();
    if !(1..=256).contains(&name.len()) {
        Err("must have a name of 1 to 256 characters")
    } else if lower.starts_with("aws.") || lower.starts_with("amazon.") {
        Err("has a reserved prefix")
    } else if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        Err("has a period where none may be")
    } else if !name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    {
        Err("has characters other than letters, digits, '-', '_' and '.'")
    } else {
        Ok(())
    }
}

fn attribute_value(attribute: &MessageAttribute) -> Result<(), &'static str> {
    let kind = attribute.data_type.split('.').next().unwrap_or_default();
    match (kind, &attribute.string_value, &attribute.binary_value) {
        ("String", Some(text), None) if text.is_empty() => Err("has an empty value"),
        ("String", Some(text), None) if !is_text(text) => Err("has invalid characters"),
        ("Number", Some(text), None) if text.parse::<f64>().is_err() => Err("is not a number"),
        ("Binary", None, Some(value)) => match STANDARD.decode(value) {
            Ok(bytes) if bytes.is_empty() => Err("has an empty value"),
            Ok(_) => Ok(()),
            Err(_) => Err("is not base64"),
        },
        ("String" | "Number", Some(_), None) => Ok(()),
        ("String" | "Number" | "Binary", ..) => Err("has not the one value that its type takes"),
        _ => Err("has a type that is neither String, Number nor Binary"),
    }
}
