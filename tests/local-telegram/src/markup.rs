//! Keyboards: what a request may ask for and what a message keeps.

use serde_json::{Map, Value, json};

use crate::answer::Refusal;
use crate::chat::ChatKind;

const ACTIONS: [&str; 11] = [
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
    "disabled",
];
const CALLBACK_DATA_BYTES: usize = 64;
const BUTTONS: usize = 100;

/// The keyboard of a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Markup {
    #[default]
    None,
    /// Rows of buttons under the message.
    Inline(Vec<Value>),
    /// Rows of a keyboard in place of the person's own.
    Keyboard(Vec<Value>),
    /// The keyboard is taken away, or a reply is asked for.
    Other,
}

impl Markup {
    /// Reads `reply_markup`, whose types the schema has checked already.
    pub(crate) fn read(params: &Map<String, Value>) -> Result<Self, Refusal> {
        let Some(markup) = params.get("reply_markup").and_then(Value::as_object) else {
            return Ok(Self::None);
        };
        if let Some(rows) = markup.get("inline_keyboard").and_then(Value::as_array) {
            let rows = filled(rows)?;
            buttons(&rows).try_for_each(check_inline_button)?;
            return Ok(if rows.is_empty() {
                Self::None
            } else {
                Self::Inline(rows)
            });
        }
        if let Some(rows) = markup.get("keyboard").and_then(Value::as_array) {
            let rows = filled(rows)?;
            if buttons(&rows).any(|button| text_of(button).is_empty()) {
                return Err(Refusal::bad_request(
                    "keyboard button text must be non-empty",
                ));
            }
            return Ok(if rows.is_empty() {
                Self::None
            } else {
                Self::Keyboard(rows)
            });
        }
        Ok(Self::Other)
    }

    /// What only the chat can tell: contacts and locations are asked for in private chats only.
    pub(crate) fn check_chat(&self, kind: ChatKind) -> Result<(), Refusal> {
        let (Self::Keyboard(rows), false) = (self, kind == ChatKind::Private) else {
            return Ok(());
        };
        for button in buttons(rows) {
            for (field, what) in [
                ("request_contact", "phone number can be requested"),
                ("request_location", "location can be requested"),
                ("web_app", "web App buttons can be used"),
            ] {
                if button
                    .get(field)
                    .is_some_and(|value| value != &Value::Bool(false))
                {
                    let text = format!("{what} in private chats only");
                    return Err(Refusal::bad_request(text));
                }
            }
        }
        Ok(())
    }

    /// Whether a message with it can be edited: one that changed the person's keyboard cannot.
    pub(crate) fn is_editable(&self) -> bool {
        matches!(self, Self::None | Self::Inline(_))
    }

    /// The `reply_markup` of the message; only buttons under it are shown there.
    pub(crate) fn json(&self) -> Option<Value> {
        match self {
            Self::Inline(rows) => Some(json!({"inline_keyboard": rows})),
            _ => None,
        }
    }
}

/// The rows that hold something.
fn filled(rows: &[Value]) -> Result<Vec<Value>, Refusal> {
    let rows: Vec<Value> = rows
        .iter()
        .filter(|row| row.as_array().is_some_and(|row| !row.is_empty()))
        .cloned()
        .collect();
    if buttons(&rows).count() > BUTTONS {
        return Err(Refusal::bad_request("reply markup is too long"));
    }
    Ok(rows)
}

fn buttons(rows: &[Value]) -> impl Iterator<Item = &Value> {
    rows.iter().filter_map(Value::as_array).flatten()
}

fn text_of(button: &Value) -> &str {
    button["text"].as_str().unwrap_or_default()
}

fn check_inline_button(button: &Value) -> Result<(), Refusal> {
    if text_of(button).is_empty() {
        return Err(Refusal::bad_request(
            "inline keyboard button text must be non-empty",
        ));
    }
    let actions = ACTIONS
        .iter()
        .filter(|action| button.get(action).is_some())
        .count();
    if actions == 0 {
        return Err(Refusal::bad_request(
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ));
    }
    if actions > 1 {
        return Err(Refusal::bad_request(
            "can't parse inline keyboard button: a button has exactly one action",
        ));
    }
    if let Some(data) = button["callback_data"].as_str()
        && !(1..=CALLBACK_DATA_BYTES).contains(&data.len())
    {
        return Err(Refusal::bad_request("BUTTON_DATA_INVALID"));
    }
    if let Some(url) = button["url"].as_str()
        && !is_button_url(url)
    {
        let text = format!("inline keyboard button URL '{url}' is invalid: Wrong HTTP URL");
        return Err(Refusal::bad_request(text));
    }
    Ok(())
}

fn is_button_url(url: &str) -> bool {
    if url.starts_with("tg://") {
        return true;
    }
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .unwrap_or(url);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.contains('.') && !url.contains(char::is_whitespace) && !host.contains("://")
}
