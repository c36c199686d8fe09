//! The text and caption of a request: parse mode, entities and lengths.

use serde_json::{Map, Value};

use crate::answer::Refusal;
use crate::format::{Formatted, read_entities, utf16_len};
use crate::html;

const RAW_BYTES: usize = 32_768;
const TEXT_UNITS: usize = 4_096;
const CAPTION_UNITS: usize = 1_024;

/// The `text` of a message. Telegram counts code points; the stand-in counts UTF-16 units, which are
/// never fewer.
pub(crate) fn message_text(params: &Map<String, Value>) -> Result<Formatted, Refusal> {
    let raw = params
        .get("text")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if raw.is_empty() {
        return Err(Refusal::bad_request("message text is empty"));
    }
    let text = formatted(raw, params, "entities")?;
    if text.text.is_empty() {
        return Err(Refusal::bad_request("text must be non-empty"));
    }
    if utf16_len(&text.text) > TEXT_UNITS {
        return Err(Refusal::bad_request("message is too long"));
    }
    Ok(text)
}

/// The `caption` of a document or photo; empty when there is none.
pub(crate) fn caption(params: &Map<String, Value>) -> Result<Formatted, Refusal> {
    let raw = params
        .get("caption")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let caption = formatted(raw, params, "caption_entities")?;
    if utf16_len(&caption.text) > CAPTION_UNITS {
        return Err(Refusal::bad_request("message caption is too long"));
    }
    Ok(caption)
}

fn formatted(raw: &str, params: &Map<String, Value>, entities: &str) -> Result<Formatted, Refusal> {
    if raw.len() > RAW_BYTES {
        return Err(Refusal::bad_request("text is too long"));
    }
    let mode = params
        .get("parse_mode")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let text = match mode.to_ascii_lowercase().as_str() {
        "html" => html::parse(raw)
            .map_err(|fault| Refusal::bad_request(format!("can't parse entities: {fault}")))?,
        "" => {
            let list = params.get(entities).and_then(Value::as_array);
            let entities = list.map(|list| read_entities(list)).unwrap_or_default();
            Formatted {
                entities,
                ..Formatted::plain(raw)
            }
        }
        "markdown" | "markdownv2" => {
            return Err(Refusal::bad_request(
                "the stand-in reads parse_mode HTML only",
            ));
        }
        _ => return Err(Refusal::bad_request("unsupported parse_mode")),
    };
    Ok(text.trimmed())
}
