//! The fields of Bot API 10.3: which a method takes, of which type, and which it must have.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

type Fields = BTreeMap<String, (String, u8)>;

#[derive(Deserialize)]
struct Schema {
    methods: BTreeMap<String, Fields>,
    types: BTreeMap<String, Fields>,
}

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../bot-api-10.3.json")).expect("the schema is well-formed")
});

/// The proper spelling of a method: the Bot API takes it in any letter case.
pub(crate) fn method_name(method: &str) -> Option<&'static str> {
    SCHEMA
        .methods
        .keys()
        .find(|name| name.eq_ignore_ascii_case(method))
        .map(String::as_str)
}

/// The first thing wrong with the parameters of a method, in words.
pub(crate) fn first_fault(method: &str, params: &Map<String, Value>) -> Option<String> {
    let fields = SCHEMA.methods.get(method)?;
    let mut faults = Vec::new();
    check_object(params, fields, "", &mut faults);
    faults.into_iter().next()
}

fn check_object(
    object: &Map<String, Value>,
    fields: &Fields,
    place: &str,
    faults: &mut Vec<String>,
) {
    for (name, (_, required)) in fields {
        if *required == 1 && !object.contains_key(name) {
            faults.push(match (place, name.as_str()) {
                ("", "chat_id") => "chat_id is empty".to_owned(),
                ("", "text") => "message text is empty".to_owned(),
                ("", "message_id") => "message identifier is not specified".to_owned(),
                _ => format!("can't find field \"{place}{name}\""),
            });
        }
    }
    for (name, value) in object {
        let path = format!("{place}{name}");
        match fields.get(name) {
            None => faults.push(format!("there is no field \"{path}\"")),
            Some(_) if value.is_null() => {
                faults.push(format!("field \"{path}\" is null; leave it out"));
            }
            Some((kind, _)) => check_value(value, kind, &path, faults),
        }
    }
}

fn check_value(value: &Value, kind: &str, path: &str, faults: &mut Vec<String>) {
    if let Some(inner) = kind.strip_prefix("Array of ") {
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    check_value(item, inner, &format!("{path}[{at}]"), faults);
                }
            }
            _ => faults.push(wrong_type(path, "Array")),
        }
        return;
    }
    let choices = choices(kind);
    if choices.len() > 1 {
        check_choices(value, &choices, path, faults);
        return;
    }
    let fits = match kind {
        "Integer" => value.is_i64() || value.is_u64(),
        "Float" => value.is_number(),
        "Boolean" => value.is_boolean(),
        "True" => value == &Value::Bool(true),
        "String" | "InputFile" => value.is_string(),
        _ => match (value, SCHEMA.types.get(kind)) {
            (Value::Object(object), Some(fields)) => {
                // A type without fields stands for several that the schema does not tell apart.
                if !fields.is_empty() {
                    check_object(object, fields, &format!("{path}."), faults);
                }
                true
            }
            _ => false,
        },
    };
    if !fits {
        faults.push(wrong_type(path, kind));
    }
}

/// One of several types: the fewest faults are the likeliest to be meant.
fn check_choices(value: &Value, choices: &[&str], path: &str, faults: &mut Vec<String>) {
    let mut fewest: Option<Vec<String>> = None;
    for kind in choices {
        let mut trial = Vec::new();
        check_value(value, kind, path, &mut trial);
        if fewest.as_ref().is_none_or(|best| trial.len() < best.len()) {
            fewest = Some(trial);
        }
    }
    faults.extend(fewest.into_iter().flatten());
}

fn choices(kind: &str) -> Vec<&str> {
    kind.split(" or ")
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(','))
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

fn wrong_type(path: &str, kind: &str) -> String {
    format!("field \"{path}\" must be of type {kind}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault(method: &str, params: &Value) -> Option<String> {
        first_fault(method, params.as_object().expect("an object"))
    }

    #[test]
    fn a_request_with_known_fields_passes() {
        let params = json!({"chat_id": 1, "text": "x", "reply_markup": {"force_reply": true}});
        assert_eq!(fault("sendMessage", &params), None);
        let media = json!({"chat_id": 1, "media": [{"type": "document", "media": "x"}]});
        assert_eq!(fault("sendMediaGroup", &media), None);
    }

    #[test]
    fn what_does_not_belong_is_named() {
        for (params, expected) in [
            (json!({"text": "x"}), "chat_id is empty"),
            (json!({"chat_id": 1}), "message text is empty"),
            (
                json!({"chat_id": 1, "text": "x", "a": 1}),
                "there is no field \"a\"",
            ),
            (
                json!({"chat_id": 1, "text": 5}),
                "field \"text\" must be of type String",
            ),
            (
                json!({"chat_id": 1, "text": null}),
                "field \"text\" is null; leave it out",
            ),
            (
                json!({"chat_id": 1, "text": "x", "reply_parameters": {"message_id": "7"}}),
                "field \"reply_parameters.message_id\" must be of type Integer",
            ),
            (
                json!({"chat_id": 1, "text": "x", "reply_markup": {"inline_keyboard": [{"text": "b"}]}}),
                "field \"reply_markup.inline_keyboard[0]\" must be of type Array",
            ),
        ] {
            assert_eq!(
                fault("sendMessage", &params).as_deref(),
                Some(expected),
                "{params}"
            );
        }
    }
}
