//! Formatted text: plain text with entities, as Telegram keeps it, and back to HTML.

use std::cmp::Reverse;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// What an entity does to its part of the text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Style {
    Bold,
    Italic,
    Underline,
    Strikethrough,
    Spoiler,
    Code,
    Pre(String),
    Link(String),
    Emoji(String),
    Time { unix: String, format: String },
    Quote { expandable: bool },
    Command,
}

/// A styled part of a text; offset and length are in UTF-16 units.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Entity {
    pub(crate) style: Style,
    pub(crate) offset: usize,
    pub(crate) length: usize,
}

/// Text with its entities, outer ones first.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Formatted {
    pub(crate) text: String,
    pub(crate) entities: Vec<Entity>,
}

impl Formatted {
    pub(crate) fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            entities: Vec::new(),
        }
    }

    /// Without white space at both ends; entities shift and shrink with it, and are put in order.
    pub(crate) fn trimmed(self) -> Self {
        let start = utf16_len(&self.text) - utf16_len(self.text.trim_start());
        let text = self.text.trim().to_owned();
        let end = start + utf16_len(&text);
        let mut entities: Vec<Entity> = self
            .entities
            .into_iter()
            .filter_map(|entity| {
                let from = entity.offset.max(start);
                let to = (entity.offset + entity.length).min(end);
                (from < to).then(|| Entity {
                    offset: from - start,
                    length: to - from,
                    ..entity
                })
            })
            .collect();
        entities.sort_by_key(|entity| (entity.offset, Reverse(entity.length)));
        Self { text, entities }
    }

    /// The text as HTML for the `HTML` parse mode.
    pub(crate) fn html(&self) -> String {
        let mut out = String::new();
        let mut open: Vec<(usize, &Style)> = Vec::new();
        let mut next = self.entities.iter().peekable();
        let mut at = 0;
        for character in self.text.chars() {
            close(&mut out, &mut open, at);
            while let Some(entity) = next.next_if(|entity| entity.offset <= at) {
                // An entity that crosses the end of the one around it is cut there.
                let end = (entity.offset + entity.length)
                    .min(open.last().map_or(usize::MAX, |(end, _)| *end));
                out.push_str(&start_tag(&entity.style));
                open.push((end, &entity.style));
            }
            push_escaped(&mut out, character);
            at += character.len_utf16();
        }
        close(&mut out, &mut open, usize::MAX);
        out
    }

    /// The entities as the Bot API lists them.
    pub(crate) fn entities_json(&self) -> Value {
        self.entities.iter().map(entity_json).collect()
    }
}

/// Length in UTF-16 units, the unit of Telegram's offsets.
pub(crate) fn utf16_len(text: &str) -> usize {
    text.encode_utf16().count()
}

fn close(out: &mut String, open: &mut Vec<(usize, &Style)>, at: usize) {
    while let Some((_, style)) = open.pop_if(|(end, _)| *end <= at || at == usize::MAX) {
        out.push_str(end_tag(style));
    }
}

fn push_escaped(out: &mut String, character: char) {
    match character {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        other => out.push(other),
    }
}

fn attribute(value: &str) -> String {
    let mut out = String::new();
    for character in value.chars() {
        if character == '"' {
            out.push_str("&quot;");
        } else {
            push_escaped(&mut out, character);
        }
    }
    out
}

fn start_tag(style: &Style) -> String {
    match style {
        Style::Bold => "<b>".to_owned(),
        Style::Italic => "<i>".to_owned(),
        Style::Underline => "<u>".to_owned(),
        Style::Strikethrough => "<s>".to_owned(),
        Style::Spoiler => "<tg-spoiler>".to_owned(),
        Style::Code => "<code>".to_owned(),
        Style::Pre(language) if language.is_empty() => "<pre>".to_owned(),
        Style::Pre(language) => {
            format!("<pre><code class=\"language-{}\">", attribute(language))
        }
        Style::Link(url) => format!("<a href=\"{}\">", attribute(url)),
        Style::Emoji(id) => format!("<tg-emoji emoji-id=\"{}\">", attribute(id)),
        Style::Time { unix, format } => {
            let mut tag = format!("<tg-time unix=\"{}\"", attribute(unix));
            if !format.is_empty() {
                let _ = write!(tag, " format=\"{}\"", attribute(format));
            }
            tag + ">"
        }
        Style::Quote { expandable: false } => "<blockquote>".to_owned(),
        Style::Quote { expandable: true } => "<blockquote expandable>".to_owned(),
        Style::Command => String::new(),
    }
}

fn end_tag(style: &Style) -> &'static str {
    match style {
        Style::Bold => "</b>",
        Style::Italic => "</i>",
        Style::Underline => "</u>",
        Style::Strikethrough => "</s>",
        Style::Spoiler => "</tg-spoiler>",
        Style::Code => "</code>",
        Style::Pre(language) if language.is_empty() => "</pre>",
        Style::Pre(_) => "</code></pre>",
        Style::Link(_) => "</a>",
        Style::Emoji(_) => "</tg-emoji>",
        Style::Time { .. } => "</tg-time>",
        Style::Quote { .. } => "</blockquote>",
        Style::Command => "",
    }
}

fn entity_json(entity: &Entity) -> Value {
    let (kind, more) = match &entity.style {
        Style::Bold => ("bold", json!({})),
        Style::Italic => ("italic", json!({})),
        Style::Underline => ("underline", json!({})),
        Style::Strikethrough => ("strikethrough", json!({})),
        Style::Spoiler => ("spoiler", json!({})),
        Style::Code => ("code", json!({})),
        Style::Pre(language) if language.is_empty() => ("pre", json!({})),
        Style::Pre(language) => ("pre", json!({"language": language})),
        Style::Link(url) => ("text_link", json!({"url": url})),
        Style::Emoji(id) => ("custom_emoji", json!({"custom_emoji_id": id})),
        Style::Time { unix, format } => (
            "date_time",
            json!({"unix_time": unix.parse::<i64>().unwrap_or(0), "date_time_format": format}),
        ),
        Style::Quote { expandable: false } => ("blockquote", json!({})),
        Style::Quote { expandable: true } => ("expandable_blockquote", json!({})),
        Style::Command => ("bot_command", json!({})),
    };
    let mut out = json!({"type": kind, "offset": entity.offset, "length": entity.length});
    if let (Value::Object(out), Value::Object(more)) = (&mut out, more) {
        out.extend(more);
    }
    out
}

/// Reads entities that a bot gave beside plain text; kinds that Telegram finds by itself and those
/// it does not know change nothing.
pub(crate) fn read_entities(list: &[Value]) -> Vec<Entity> {
    list.iter()
        .filter_map(|item| read_entity(item.as_object()?))
        .collect()
}

fn read_entity(object: &Map<String, Value>) -> Option<Entity> {
    let text = |name: &str| {
        object
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    let number = |name: &str| usize::try_from(object.get(name)?.as_u64()?).ok();
    let style = match object.get("type")?.as_str()? {
        "bold" => Style::Bold,
        "italic" => Style::Italic,
        "underline" => Style::Underline,
        "strikethrough" => Style::Strikethrough,
        "spoiler" => Style::Spoiler,
        "code" => Style::Code,
        "pre" => Style::Pre(text("language")),
        "text_link" => Style::Link(text("url")),
        "custom_emoji" => Style::Emoji(text("custom_emoji_id")),
        "blockquote" => Style::Quote { expandable: false },
        "expandable_blockquote" => Style::Quote { expandable: true },
        _ => return None,
    };
    Some(Entity {
        style,
        offset: number("offset")?,
        length: number("length")?,
    })
}
