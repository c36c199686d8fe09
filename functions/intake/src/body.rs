//! A submission's body: pairs of names and texts, from JSON or urlencoded alike.

use std::fmt;

use frontdesk_domain::FieldFault;
use lambda_http::Request;
use lambda_http::http::header;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::answer::Problem;

/// The greatest length of a body, in bytes.
const LONGEST: usize = 64 * 1024;

/// What a body holds.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Names and texts in the order sent; a name may stand more than once.
    pub(crate) texts: Vec<(String, String)>,
    /// Names whose value is no text.
    pub(crate) not_texts: Vec<(String, FieldFault)>,
    /// True for a form that a browser sent without a script.
    pub(crate) from_plain_form: bool,
}

/// Reads the body as its content type says.
pub(crate) fn read(request: &Request) -> Result<Pairs, Problem> {
    let body = request.body().as_ref();
    if body.len() > LONGEST {
        return Err(Problem::TOO_LARGE);
    }
    let content_type = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = content_type
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim();
    if essence.eq_ignore_ascii_case("application/json") {
        let text = std::str::from_utf8(body).map_err(|_| Problem::UNREADABLE)?;
        serde_json::from_str(text).map_err(|_| Problem::UNREADABLE)
    } else if essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        read_urlencoded(body)
    } else {
        Err(Problem::MEDIA_TYPE)
    }
}

fn read_urlencoded(body: &[u8]) -> Result<Pairs, Problem> {
    let mut texts = Vec::new();
    for pair in body
        .split(|byte| *byte == b'&')
        .filter(|pair| !pair.is_empty())
    {
        for part in pair.splitn(2, |byte| *byte == b'=') {
            if !is_utf8_when_decoded(part) {
                return Err(Problem::UNREADABLE);
            }
        }
        texts.extend(form_urlencoded::parse(pair).into_owned());
    }
    Ok(Pairs {
        texts,
        not_texts: Vec::new(),
        from_plain_form: true,
    })
}

/// The parser replaces what is not UTF-8; here it must be an error, or half a name would be stored.
fn is_utf8_when_decoded(part: &[u8]) -> bool {
    let hex = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut decoded = Vec::with_capacity(part.len());
    let mut at = 0;
    while let Some(byte) = part.get(at) {
        let escape = hex(part.get(at + 1)).zip(hex(part.get(at + 2)));
        if let (b'%', Some((high, low))) = (*byte, escape) {
            decoded.push(u8::try_from(high * 16 + low).unwrap_or_default());
            at += 3;
        } else {
            decoded.push(*byte);
            at += 1;
        }
    }
    std::str::from_utf8(&decoded).is_ok()
}

/// A JSON object read pair by pair, because a map would silently keep only the last of two.
impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Pairs::default();
                while let Some(name) = map.next_key::<String>()? {
                    match map.next_value()? {
                        Value::Text(text) => pairs.texts.push((name, text)),
                        Value::Nothing(()) => {}
                        Value::Other(IgnoredAny) => {
                            pairs.not_texts.push((name, FieldFault::NotText));
                        }
                    }
                }
                Ok(pairs)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Nothing(()),
    Other(IgnoredAny),
}
