//! HTTP requests as Lambda events of payload format 2.0.

use std::net::IpAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, Method, Uri, header};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::instances::request_id;

/// A request that has been read in full.
pub(crate) struct Incoming<'a> {
    pub(crate) method: &'a Method,
    pub(crate) uri: &'a Uri,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
    pub(crate) source: IpAddr,
    /// On the desk's clock.
    pub(crate) at: Timestamp,
}

/// The event of an HTTP API whose only route catches everything below `/forms/`.
pub(crate) fn http_api_event(incoming: &Incoming<'_>) -> Value {
    let mut event = event(incoming, "ANY /forms/{proxy+}", "000000000000");
    let rest = incoming.uri.path().trim_start_matches("/forms/");
    event["pathParameters"] = json!({ "proxy": rest });
    event
}

/// The event of a function URL.
pub(crate) fn function_url_event(incoming: &Incoming<'_>) -> Value {
    event(incoming, "$default", "anonymous")
}

fn event(incoming: &Incoming<'_>, route: &str, account: &str) -> Value {
    let headers = headers(incoming);
    let host = headers
        .get("host")
        .and_then(Value::as_str)
        .unwrap_or("localhost")
        .to_owned();
    let agent = headers
        .get("user-agent")
        .cloned()
        .unwrap_or_else(|| json!(""));
    let path = incoming.uri.path();
    let query = incoming.uri.query().unwrap_or_default();
    let time = incoming
        .at
        .to_zoned(TimeZone::UTC)
        .strftime("%d/%b/%Y:%H:%M:%S %z")
        .to_string();
    let mut event = json!({
        "version": "2.0",
        "routeKey": route,
        "rawPath": path,
        "rawQueryString": query,
        "headers": headers,
        "requestContext": {
            "accountId": account,
            "apiId": "local",
            "domainName": host,
            "domainPrefix": "local",
            "http": {
                "method": incoming.method.as_str(),
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": incoming.source,
                "userAgent": agent,
            },
            "requestId": request_id(),
            "routeKey": route,
            "stage": "$default",
            "time": time,
            "timeEpoch": incoming.at.as_millisecond(),
        },
        "isBase64Encoded": false,
    });
    let cookies = cookies(incoming.headers);
    if !cookies.is_empty() {
        event["cookies"] = json!(cookies);
    }
    if !query.is_empty() {
        event["queryStringParameters"] = Value::Object(parameters(query));
    }
    if !incoming.body.is_empty() {
        if let Some(text) = text(incoming) {
            event["body"] = json!(text);
        } else {
            event["body"] = json!(STANDARD.encode(incoming.body));
            event["isBase64Encoded"] = json!(true);
        }
    }
    event
}

/// Header names in lower case, the values of repeated ones joined; cookies travel apart.
fn headers(incoming: &Incoming<'_>) -> Map<String, Value> {
    let mut joined = Map::new();
    for name in incoming
        .headers
        .keys()
        .filter(|name| **name != header::COOKIE)
    {
        let values: Vec<_> = incoming
            .headers
            .get_all(name)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
            .collect();
        joined.insert(name.as_str().to_owned(), json!(values.join(",")));
    }
    let source = incoming.source.to_string();
    let forwarded = match joined.get("x-forwarded-for").and_then(Value::as_str) {
        Some(earlier) => format!("{earlier}, {source}"),
        None => source,
    };
    joined.insert("x-forwarded-for".into(), json!(forwarded));
    joined.insert("x-forwarded-proto".into(), json!("http"));
    joined
}

fn cookies(headers: &HeaderMap) -> Vec<String> {
    let lines = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    lines
        .flat_map(|line| line.split(';'))
        .map(|cookie| cookie.trim().to_owned())
        .filter(|cookie| !cookie.is_empty())
        .collect()
}

/// Decoded parameters; the values of repeated ones are joined by commas.
fn parameters(query: &str) -> Map<String, Value> {
    let mut parameters: Map<String, Value> = Map::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let value = match parameters.get(name.as_ref()).and_then(Value::as_str) {
            Some(earlier) => format!("{earlier},{value}"),
            None => value.into_owned(),
        };
        parameters.insert(name.into_owned(), json!(value));
    }
    parameters
}

/// The body as text, where the gateway passes that type as text.
fn text<'a>(incoming: &Incoming<'a>) -> Option<&'a str> {
    let kind = incoming.headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let kind = kind
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let is_text = kind.starts_with("text/")
        || matches!(
            kind.as_str(),
            "application/json" | "application/javascript" | "application/xml"
        );
    if is_text {
        std::str::from_utf8(incoming.body).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn convert(headers: &[(&'static str, &'static str)], uri: &'static str, body: &[u8]) -> Value {
        let headers = headers.iter().map(|(name, value)| {
            (
                header::HeaderName::from_static(name),
                header::HeaderValue::from_static(value),
            )
        });
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value);
        }
        http_api_event(&Incoming {
            method: &Method::POST,
            uri: &Uri::from_static(uri),
            headers: &map,
            body,
            source: Ipv4Addr::LOCALHOST.into(),
            at: "2026-11-29T16:00:00.5Z".parse().expect("a time"),
        })
    }

    #[test]
    fn a_request_becomes_an_event_of_the_http_api() {
        let event = convert(
            &[
                ("host", "localhost:8080"),
                ("accept", "a"),
                ("accept", "b"),
                ("cookie", "x=1; y=2"),
            ],
            "/forms/contact?a=1&a=%20&b",
            b"",
        );
        assert_eq!(event["rawPath"], "/forms/contact");
        assert_eq!(event["rawQueryString"], "a=1&a=%20&b");
        assert_eq!(event["queryStringParameters"], json!({"a": "1, ", "b": ""}));
        assert_eq!(event["headers"]["accept"], "a,b");
        assert_eq!(event["headers"].get("cookie"), None);
        assert_eq!(event["cookies"], json!(["x=1", "y=2"]));
        assert_eq!(event["pathParameters"], json!({"proxy": "contact"}));
        assert_eq!(event["requestContext"]["http"]["sourceIp"], "127.0.0.1");
        assert_eq!(event["requestContext"]["timeEpoch"], 1_795_968_000_500_i64);
        assert_eq!(
            event["requestContext"]["time"],
            "29/Nov/2026:16:00:00 +0000"
        );
        assert_eq!(event.get("body"), None);
    }

    #[test]
    fn only_text_travels_as_text() {
        let json = convert(
            &[("content-type", "application/json; charset=utf-8")],
            "/forms/contact",
            "{\"a\":\"я\"}".as_bytes(),
        );
        assert_eq!(
            (&json["body"], &json["isBase64Encoded"]),
            (&json!("{\"a\":\"я\"}"), &json!(false))
        );
        let form = convert(
            &[("content-type", "application/x-www-form-urlencoded")],
            "/forms/contact",
            b"a=1",
        );
        assert_eq!(
            (&form["body"], &form["isBase64Encoded"]),
            (&json!("YT0x"), &json!(true))
        );
        let broken = convert(&[("content-type", "text/plain")], "/forms/contact", b"\xff");
        assert_eq!(
            (&broken["body"], &broken["isBase64Encoded"]),
            (&json!("/w=="), &json!(true))
        );
        let untyped = convert(&[], "/forms/contact", b"a");
        assert_eq!(untyped["isBase64Encoded"], true);
    }
}
