//! Whether the sample events have the shape in which AWS sends them.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::document::{At, Mistakes, Node};
use crate::functions::Function;

/// What stands in a place of an event.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    Number,
    Bool,
    /// A map of texts, by any names.
    Texts,
    /// A map of anything.
    Any,
    Map(&'static [Field]),
    List(&'static Shape),
}

struct Field {
    name: &'static str,
    is_required: bool,
    shape: Shape,
}

const fn always(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        is_required: true,
        shape,
    }
}

const fn sometimes(name: &'static str, shape: Shape) -> Field {
    Field {
        name,
        is_required: false,
        shape,
    }
}

/// A request as an HTTP API and a function URL send it, payload format 2.0.
const HTTP: Shape = Shape::Map(&[
    always("version", Shape::Text),
    always("routeKey", Shape::Text),
    always("rawPath", Shape::Text),
    always("rawQueryString", Shape::Text),
    sometimes("cookies", Shape::List(&Shape::Text)),
    always("headers", Shape::Texts),
    sometimes("queryStringParameters", Shape::Texts),
    always("requestContext", REQUEST_CONTEXT),
    sometimes("pathParameters", Shape::Texts),
    sometimes("stageVariables", Shape::Texts),
    sometimes("body", Shape::Text),
    always("isBase64Encoded", Shape::Bool),
]);

const REQUEST_CONTEXT: Shape = Shape::Map(&[
    always("accountId", Shape::Text),
    always("apiId", Shape::Text),
    sometimes("authentication", Shape::Any),
    sometimes("authorizer", Shape::Any),
    always("domainName", Shape::Text),
    always("domainPrefix", Shape::Text),
    always("http", HTTP_REQUEST),
    always("requestId", Shape::Text),
    always("routeKey", Shape::Text),
    always("stage", Shape::Text),
    always("time", Shape::Text),
    always("timeEpoch", Shape::Number),
]);

const HTTP_REQUEST: Shape = Shape::Map(&[
    always("method", Shape::Text),
    always("path", Shape::Text),
    always("protocol", Shape::Text),
    always("sourceIp", Shape::Text),
    always("userAgent", Shape::Text),
]);

/// A batch of a queue.
const BATCH: Shape = Shape::Map(&[always("Records", Shape::List(&RECORD))]);

const RECORD: Shape = Shape::Map(&[
    always("messageId", Shape::Text),
    always("receiptHandle", Shape::Text),
    always("body", Shape::Text),
    always("attributes", ATTRIBUTES),
    always("messageAttributes", Shape::Any),
    always("md5OfBody", Shape::Text),
    sometimes("md5OfMessageAttributes", Shape::Text),
    always("eventSource", Shape::Text),
    always("eventSourceARN", Shape::Text),
    always("awsRegion", Shape::Text),
]);

const ATTRIBUTES: Shape = Shape::Map(&[
    always("ApproximateReceiveCount", Shape::Text),
    always("SentTimestamp", Shape::Text),
    always("SenderId", Shape::Text),
    always("ApproximateFirstReceiveTimestamp", Shape::Text),
    sometimes("AWSTraceHeader", Shape::Text),
    sometimes("DeadLetterQueueSourceArn", Shape::Text),
    sometimes("MessageGroupId", Shape::Text),
]);

/// What a schedule of the template sends.
const TICK: Shape = Shape::Map(&[always("schedule", Shape::Text), always("time", Shape::Text)]);

/// All mistakes in the text of an event for `function`, each with its line and place.
pub(crate) fn check_event(file: &Path, text: &str, function: Function) -> Vec<String> {
    let mut mistakes = Mistakes::of(file.display());
    match Node::parse(text) {
        Err(why) => mistakes.unreadable(&why),
        Ok(node) => {
            let top = At::top(&node);
            match function {
                Function::Intake | Function::Webhook => {
                    compare(&top, HTTP, &mut mistakes);
                    check_request(&top, function, &mut mistakes);
                }
                Function::Notifier => compare(&top, BATCH, &mut mistakes),
                Function::Clock => {
                    compare(&top, TICK, &mut mistakes);
                    check_time(&top.get("time"), &mut mistakes);
                }
            }
        }
    }
    mistakes.into_found()
}

fn compare(at: &At<'_>, shape: Shape, mistakes: &mut Mistakes) {
    let (fits, what) = match shape {
        Shape::Text => (at.quoted().is_some(), "a text"),
        Shape::Number => (at.plain().is_some() && at.number().is_some(), "a number"),
        Shape::Bool => (
            matches!(at.plain(), Some("true" | "false")),
            "true or false",
        ),
        Shape::Texts | Shape::Any | Shape::Map(_) => (at.is_map(), "an object"),
        Shape::List(_) => (at.is_list(), "a list"),
    };
    if !fits {
        return mistakes.add(at, format_args!("must be {what}"));
    }
    match shape {
        Shape::Texts => {
            for (_, value) in at.entries() {
                compare(&value, Shape::Text, mistakes);
            }
        }
        Shape::List(shape) => {
            for item in at.one_or_many() {
                compare(&item, *shape, mistakes);
            }
        }
        Shape::Map(fields) => {
            for (name, value) in at.entries() {
                match fields.iter().find(|field| field.name == name) {
                    Some(field) if !field.is_required && value.plain() == Some("null") => {}
                    Some(field) => compare(&value, field.shape, mistakes),
                    None => mistakes.add(&value, "AWS sends no such field"),
                }
            }
            for field in fields {
                let value = at.get(field.name);
                if field.is_required && !value.exists() {
                    mistakes.add(&value, "is missing");
                }
            }
        }
        Shape::Text | Shape::Number | Shape::Bool | Shape::Any => {}
    }
}

/// What must agree within a request.
fn check_request(event: &At<'_>, function: Function, mistakes: &mut Mistakes) {
    mistakes.expect(&event.get("version"), "2.0");
    let context = event.get("requestContext");
    for (place, wanted) in [
        (context.get("routeKey"), event.get("routeKey")),
        (context.way(&["http", "path"]), event.get("rawPath")),
    ] {
        if let (true, Some(wanted)) = (place.exists(), wanted.text()) {
            mistakes.expect(&place, wanted);
        }
    }
    if function == Function::Webhook {
        mistakes.expect(&event.get("routeKey"), "$default");
        mistakes.expect(&context.get("accountId"), "anonymous");
    }
    for (name, value) in event.get("headers").entries() {
        if name.chars().any(|c| c.is_ascii_uppercase()) {
            mistakes.add(&value, "AWS sends the names of headers in lower case");
        }
    }
    let body = event.get("body");
    let is_base64 = event.get("isBase64Encoded").plain() == Some("true");
    if is_base64 && STANDARD.decode(body.text().unwrap_or_default()).is_err() {
        mistakes.add(&body, "is not base64");
    }
}

fn check_time(time: &At<'_>, mistakes: &mut Mistakes) {
    let parsed = time.text().map(str::parse::<jiff::Timestamp>);
    if let Some(Err(error)) = parsed {
        mistakes.add(time, format_args!("is no time: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, function: Function) -> Vec<String> {
        check_event(Path::new("event.json"), text, function)
    }

    #[test]
    fn a_tick_needs_a_schedule_and_a_time_and_nothing_else() {
        let good = "{\n  \"schedule\": \"sweep\",\n  \"time\": \"2026-11-29T16:00:00Z\"\n}";
        assert_eq!(check(good, Function::Clock), Vec::<String>::new());
        for (from, to, wanted) in [
            (
                "schedule",
                "shedule",
                "event.json:2: shedule: AWS sends no such field",
            ),
            ("\"sweep\"", "7", "event.json:2: schedule: must be a text"),
            ("16:00:00Z", "at four", "event.json:3: time: is no time"),
        ] {
            let found = check(&good.replace(from, to), Function::Clock);
            assert!(found[0].starts_with(wanted), "{found:?}");
        }
    }

    #[test]
    fn a_field_deep_within_a_batch_is_named_by_its_place() {
        let text = "{\"Records\": [\n{\"messageId\": \"1\"},\n{\"messageId\": 2}]}";
        let found = check(text, Function::Notifier);
        let has = |wanted: &str| found.iter().any(|mistake| mistake == wanted);
        assert!(
            has("event.json:3: Records[1].messageId: must be a text"),
            "{found:?}"
        );
        assert!(
            has("event.json:2: Records[0].body: is missing"),
            "{found:?}"
        );
    }
}
