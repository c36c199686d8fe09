//! The `HTML` parse mode: a small grammar of its own, with byte offsets in its errors.

use crate::format::{Entity, Formatted, Style};
use crate::reference::reference;

const TAGS: [&str; 17] = [
    "a",
    "b",
    "strong",
    "i",
    "em",
    "u",
    "ins",
    "s",
    "strike",
    "del",
    "span",
    "tg-spoiler",
    "tg-emoji",
    "tg-time",
    "code",
    "pre",
    "blockquote",
];

/// A tag that is still open, with the attributes that mean something.
struct Tag {
    name: String,
    argument: String,
    format: String,
    units: usize,
    byte: usize,
}

struct Reader<'a> {
    raw: &'a str,
    at: usize,
    text: String,
    units: usize,
    open: Vec<Tag>,
    entities: Vec<Entity>,
    /// The language of the `code` entity that was closed last, with its place.
    language: Option<((usize, usize), String)>,
}

/// Parses text in the `HTML` parse mode. The error is the part after "can't parse entities: ".
pub(crate) fn parse(raw: &str) -> Result<Formatted, String> {
    let mut reader = Reader {
        raw,
        at: 0,
        text: String::new(),
        units: 0,
        open: Vec::new(),
        entities: Vec::new(),
        language: None,
    };
    while let Some(byte) = reader.peek() {
        match byte {
            b'<' if reader.raw.as_bytes().get(reader.at + 1) == Some(&b'/') => reader.end_tag()?,
            b'<' => reader.start_tag()?,
            _ => {
                let character = reader.character()?;
                reader.text.push(character);
                reader.units += character.len_utf16();
            }
        }
    }
    if let Some(tag) = reader.open.last() {
        return Err(format!(
            "Can't find end tag corresponding to start tag \"{}\"",
            tag.name
        ));
    }
    // Inner tags close first; entities go from the outside in.
    reader.entities.reverse();
    Ok(Formatted {
        text: reader.text,
        entities: reader.entities,
    })
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.raw.as_bytes().get(self.at).copied()
    }

    /// Moves on while `wanted` holds and gives what was passed. Stops before ASCII only.
    fn skip(&mut self, wanted: impl Fn(u8) -> bool) -> &str {
        let from = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        &self.raw[from..self.at]
    }

    /// The next character, with a character reference decoded.
    fn character(&mut self) -> Result<char, String> {
        let rest = &self.raw[self.at..];
        if let Some((code, length)) = reference(rest) {
            self.at += length;
            return char::from_u32(code).ok_or_else(|| {
                "Text contains invalid Unicode characters after decoding HTML entities, check for \
                 unmatched surrogate code units"
                    .to_owned()
            });
        }
        let character = rest.chars().next().unwrap_or_default();
        self.at += character.len_utf8();
        Ok(character)
    }

    fn start_tag(&mut self) -> Result<(), String> {
        let begin = self.at;
        self.at += 1;
        let name = self
            .skip(|byte| !is_space(byte) && byte != b'>')
            .to_ascii_lowercase();
        if self.peek().is_none() {
            return Err(format!("Unclosed start tag at byte offset {begin}"));
        }
        if !TAGS.contains(&name.as_str()) {
            return Err(format!(
                "Unsupported start tag \"{name}\" at byte offset {begin}"
            ));
        }
        let mut tag = Tag {
            name,
            argument: String::new(),
            format: String::new(),
            units: self.units,
            byte: self.text.len(),
        };
        loop {
            self.skip(is_space);
            if self.peek() == Some(b'>') {
                break;
            }
            self.attribute(begin, &mut tag)?;
        }
        self.at += 1;
        if tag.name == "span" && tag.argument != "spoiler" {
            return Err(format!(
                "Tag \"span\" must have class \"tg-spoiler\" at byte offset {begin}"
            ));
        }
        self.open.push(tag);
        Ok(())
    }

    fn attribute(&mut self, begin: usize, tag: &mut Tag) -> Result<(), String> {
        let at = self.at;
        let ends_name = |byte| is_space(byte) || matches!(byte, b'=' | b'>');
        let name = self.skip(|byte| !ends_name(byte)).to_owned();
        if name.is_empty() {
            if self.peek().is_none() {
                return Err(format!("Unclosed start tag at byte offset {begin}"));
            }
            return Err(format!(
                "Empty attribute name in the tag \"{}\" at byte offset {at}",
                tag.name
            ));
        }
        if tag.name == "blockquote" && name == "expandable" && self.peek() != Some(b'=') {
            "1".clone_into(&mut tag.argument);
            return Ok(());
        }
        self.skip(is_space);
        if self.peek() != Some(b'=') {
            return Err(format!(
                "Expected equal sign in declaration of an attribute of the tag \"{}\" at byte \
                 offset {at}",
                tag.name
            ));
        }
        self.at += 1;
        self.skip(is_space);
        if self.peek().is_none() {
            return Err(format!(
                "Unclosed start tag \"{}\" at byte offset {begin}",
                tag.name
            ));
        }
        let value = self.attribute_value()?;
        if self.peek().is_none() {
            return Err(format!("Unclosed start tag at byte offset {begin}"));
        }
        let class = |prefix| value.strip_prefix(prefix).map(str::to_owned);
        match (tag.name.as_str(), name.as_str()) {
            ("a", "href") | ("tg-emoji", "emoji-id") | ("tg-time", "unix") => tag.argument = value,
            ("tg-time", "format") => tag.format = value,
            ("code", "class") => tag.argument = class("language-").unwrap_or_default(),
            ("span", "class") => tag.argument = class("tg-").unwrap_or_default(),
            ("blockquote", "expandable") => "1".clone_into(&mut tag.argument),
            _ => {}
        }
        Ok(())
    }

    fn attribute_value(&mut self) -> Result<String, String> {
        let begin = self.at;
        let Some(quote @ (b'"' | b'\'')) = self.peek() else {
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
            let value = self.skip(is_token).to_ascii_lowercase();
            return match self.peek() {
                Some(byte) if !is_space(byte) && byte != b'>' => Err(format!(
                    "Unexpected end of name token at byte offset {begin}"
                )),
                _ => Ok(value),
            };
        };
        self.at += 1;
        let mut value = String::new();
        while let Some(byte) = self.peek() {
            if byte == quote {
                self.at += 1;
                break;
            }
            value.push(self.character()?);
        }
        Ok(value)
    }

    fn end_tag(&mut self) -> Result<(), String> {
        let begin = self.at;
        let Some(tag) = self.open.pop() else {
            return Err(format!("Unexpected end tag at byte offset {begin}"));
        };
        self.at += 2;
        let name = self
            .skip(|byte| !is_space(byte) && byte != b'>')
            .to_ascii_lowercase();
        self.skip(is_space);
        if self.peek() != Some(b'>') {
            return Err(format!("Unclosed end tag at byte offset {begin}"));
        }
        self.at += 1;
        if !name.is_empty() && name != tag.name {
            return Err(format!(
                "Unmatched end tag at byte offset {begin}, expected \"</{}>\", found \"</{name}>\"",
                tag.name
            ));
        }
        self.close(tag);
        Ok(())
    }

    /// Turns a closed tag into its entity; an empty one leaves none.
    fn close(&mut self, tag: Tag) {
        let (offset, length) = (tag.units, self.units - tag.units);
        if length == 0 {
            return;
        }
        let style = match tag.name.as_str() {
            "b" | "strong" => Style::Bold,
            "i" | "em" => Style::Italic,
            "u" | "ins" => Style::Underline,
            "s" | "strike" | "del" => Style::Strikethrough,
            "span" | "tg-spoiler" => Style::Spoiler,
            "tg-emoji" => Style::Emoji(tag.argument),
            "tg-time" => Style::Time {
                unix: tag.argument,
                format: tag.format,
            },
            "blockquote" => Style::Quote {
                expandable: !tag.argument.is_empty(),
            },
            "a" => {
                let url = if tag.argument.is_empty() {
                    self.text[tag.byte..].to_owned()
                } else {
                    tag.argument
                };
                if !is_link(&url) {
                    return;
                }
                Style::Link(url)
            }
            // A language counts only where `pre` and `code` enclose exactly the same text.
            "pre" => {
                let language = self
                    .language
                    .take()
                    .filter(|(at, _)| *at == (offset, length));
                if let (Some((_, language)), Some(inner)) = (language, self.entities.last_mut()) {
                    inner.style = Style::Pre(language);
                    return;
                }
                Style::Pre(String::new())
            }
            "code" if !tag.argument.is_empty() => {
                if let Some(inner) = self.entities.last_mut()
                    && (inner.offset, inner.length) == (offset, length)
                    && inner.style == Style::Pre(String::new())
                {
                    inner.style = Style::Pre(tag.argument);
                    return;
                }
                self.language = Some(((offset, length), tag.argument));
                Style::Code
            }
            _ => Style::Code,
        };
        self.entities.push(Entity {
            style,
            offset,
            length,
        });
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0 | 0x0B)
}

/// Whether Telegram makes a link of it; anything else stays plain text without an error.
fn is_link(url: &str) -> bool {
    url.starts_with("tg://")
        || url.starts_with("ton://")
        || (url.contains('.') && !url.contains(char::is_whitespace))
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
