//! YAML and JSON documents whose values know where they stand, so that a mistake can name its place.

use std::fmt::Display;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag};

/// A value and the line on which it begins.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    line: usize,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    /// A word without quotes: a number, a truth value, null or, in YAML, any text.
    Plain(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

#[derive(Clone, Debug)]
struct Entry {
    key: String,
    line: usize,
    value: Node,
}

/// Why a document cannot be read, and the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl From<ScanError> for Unreadable {
    fn from(error: ScanError) -> Self {
        Self {
            line: error.marker().line(),
            what: error.info().to_owned(),
        }
    }
}

fn unreadable<T>(span: Span, what: impl Into<String>) -> Result<T, Unreadable> {
    let (line, what) = (span.start.line(), what.into());
    Err(Unreadable { line, what })
}

impl Node {
    /// Reads one document. A template's short forms become their long ones: `!Ref X` is
    /// `{Ref: X}`, any other `!Name X` is `{"Fn::Name": X}`.
    pub(crate) fn parse(text: &str) -> Result<Self, Unreadable> {
        let mut reader = Reader(Parser::new_from_str(text));
        loop {
            let (event, span) = reader.next()?;
            match event {
                Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => {}
                Event::StreamEnd | Event::DocumentEnd => return unreadable(span, "it is empty"),
                event => return reader.node(event, span),
            }
        }
    }
}

struct Reader<'a>(Parser<'a, StrInput<'a>>);

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Unreadable> {
        let ended = || Unreadable {
            line: 1,
            what: "it ends too early".to_owned(),
        };
        Ok(self.0.next_event().ok_or_else(ended)??)
    }

    fn node(&mut self, event: Event<'a>, span: Span) -> Result<Node, Unreadable> {
        let (value, tag) = match event {
            Event::Scalar(text, style, _, tag) => {
                let text = text.into_owned();
                let value = if style == ScalarStyle::Plain {
                    Value::Plain(text)
                } else {
                    Value::Text(text)
                };
                (value, tag)
            }
            Event::SequenceStart(_, tag) => (self.list()?, tag),
            Event::MappingStart(_, tag) => (self.map()?, tag),
            Event::Alias(_) => return unreadable(span, "CloudFormation takes no aliases"),
            _ => return unreadable(span, "a value is missing"),
        };
        let line = span.start.line();
        let node = Node { line, value };
        Ok(match tag.as_deref() {
            Some(Tag { handle, suffix }) if handle == "!" => {
                let prefix = if matches!(suffix.as_str(), "Ref" | "Condition") {
                    ""
                } else {
                    "Fn::"
                };
                let key = format!("{prefix}{suffix}");
                let value = node;
                Node {
                    line,
                    value: Value::Map(vec![Entry { key, line, value }]),
                }
            }
            _ => node,
        })
    }

    fn list(&mut self) -> Result<Value, Unreadable> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::List(items)),
                (event, span) => items.push(self.node(event, span)?),
            }
        }
    }

    fn map(&mut self) -> Result<Value, Unreadable> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (key, span) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(Value::Map(entries)),
                (Event::Scalar(key, ..), span) => (key.into_owned(), span),
                (_, span) => return unreadable(span, "a key must be a text"),
            };
            if entries.iter().any(|entry| entry.key == key) {
                return unreadable(span, format!("\"{key}\" is here twice"));
            }
            let (event, at) = self.next()?;
            let value = self.node(event, at)?;
            let line = span.start.line();
            entries.push(Entry { key, line, value });
        }
    }
}

/// A place in a document, whether or not something is there.
#[derive(Clone, Debug)]
pub(crate) struct At<'a> {
    node: Option<&'a Node>,
    line: usize,
    path: String,
}

impl<'a> At<'a> {
    /// The document's top.
    pub(crate) fn top(node: &'a Node) -> Self {
        Self {
            node: Some(node),
            line: node.line,
            path: String::new(),
        }
    }

    /// A field. One that is missing is at the line of what should have it.
    pub(crate) fn get(&self, key: &str) -> Self {
        let entries = match self.node.map(|node| &node.value) {
            Some(Value::Map(entries)) => entries.as_slice(),
            _ => &[],
        };
        let entry = entries.iter().find(|entry| entry.key == key);
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            node: entry.map(|entry| &entry.value),
            line: entry.map_or(self.line, |entry| entry.line),
            path: format!("{}{dot}{key}", self.path),
        }
    }

    /// The field at the end of a way of fields.
    pub(crate) fn way(&self, keys: &[&str]) -> Self {
        keys.iter().fold(self.clone(), |at, key| at.get(key))
    }

    /// A list's items; of anything else that is there, itself.
    pub(crate) fn one_or_many(&self) -> Vec<Self> {
        let Some(node) = self.node else {
            return Vec::new();
        };
        let Value::List(items) = &node.value else {
            return vec![self.clone()];
        };
        let place = |(at, item): (usize, &'a Node)| Self {
            node: Some(item),
            line: item.line,
            path: format!("{}[{at}]", self.path),
        };
        items.iter().enumerate().map(place).collect()
    }

    /// A map's names and values.
    pub(crate) fn entries(&self) -> Vec<(&'a str, Self)> {
        let Some(Value::Map(entries)) = self.node.map(|node| &node.value) else {
            return Vec::new();
        };
        let keys = entries.iter().map(|entry| entry.key.as_str());
        keys.map(|key| (key, self.get(key))).collect()
    }

    /// Whether something is there.
    pub(crate) fn exists(&self) -> bool {
        self.node.is_some()
    }

    /// Whether it is a map.
    pub(crate) fn is_map(&self) -> bool {
        matches!(self.node.map(|node| &node.value), Some(Value::Map(_)))
    }

    /// Whether it is a list.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.node.map(|node| &node.value), Some(Value::List(_)))
    }

    /// A scalar, with or without quotes.
    pub(crate) fn text(&self) -> Option<&'a str> {
        match self.node.map(|node| &node.value)? {
            Value::Plain(text) | Value::Text(text) => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// A text in quotes.
    pub(crate) fn quoted(&self) -> Option<&'a str> {
        match self.node.map(|node| &node.value)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A scalar without quotes.
    pub(crate) fn plain(&self) -> Option<&'a str> {
        match self.node.map(|node| &node.value)? {
            Value::Plain(text) => Some(text),
            _ => None,
        }
    }

    /// A scalar, or a reference as it stands in `!Sub`: `${Name}`, `${Name.Attribute}`.
    pub(crate) fn value(&self) -> Option<String> {
        if let Some(text) = self.text() {
            return Some(text.to_owned());
        }
        let entries = self.entries();
        let [(name, argument)] = entries.as_slice() else {
            return None;
        };
        match *name {
            "Ref" => Some(format!("${{{}}}", argument.text()?)),
            "Fn::Sub" => argument.text().map(ToOwned::to_owned),
            "Fn::GetAtt" => {
                let parts: Option<Vec<_>> = argument.one_or_many().iter().map(Self::text).collect();
                Some(format!("${{{}}}", parts?.join(".")))
            }
            _ => None,
        }
    }

    /// A whole number.
    pub(crate) fn number(&self) -> Option<u64> {
        self.text()?.parse().ok()
    }
}

/// The mistakes that were found in one file.
#[derive(Debug)]
pub(crate) struct Mistakes {
    file: String,
    found: Vec<String>,
}

impl Mistakes {
    pub(crate) fn of(file: impl Display) -> Self {
        Self {
            file: file.to_string(),
            found: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, at: &At<'_>, what: impl Display) {
        let At { line, path, .. } = at;
        self.found
            .push(format!("{}:{line}: {path}: {what}", self.file));
    }

    pub(crate) fn unreadable(&mut self, why: &Unreadable) {
        let Unreadable { line, what } = why;
        self.found.push(format!("{}:{line}: {what}", self.file));
    }

    /// The value there must be `wanted`.
    pub(crate) fn expect(&mut self, at: &At<'_>, wanted: &str) {
        if !at.exists() {
            self.add(at, format_args!("is missing; it must be {wanted}"));
        } else if at.value().as_deref() != Some(wanted) {
            let is = at.value().unwrap_or_else(|| "something else".to_owned());
            self.add(at, format_args!("must be {wanted}, and is {is}"));
        }
    }

    pub(crate) fn into_found(self) -> Vec<String> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_lines_and_short_forms_become_long_ones() {
        let text = "a:\n  b: !Ref X\n  c:\n    - !GetAtt Y.Arn\n    - !Sub ${Z}/index\n    - Fn::GetAtt: [Y, Arn]\nd: \"1\"\n";
        let node = Node::parse(text).expect("YAML");
        let top = At::top(&node);
        assert_eq!(top.way(&["a", "b"]).value().as_deref(), Some("${X}"));
        let items = top.way(&["a", "c"]).one_or_many();
        let values: Vec<_> = items.iter().filter_map(At::value).collect();
        assert_eq!(values, ["${Y.Arn}", "${Z}/index", "${Y.Arn}"]);
        assert_eq!((items[1].line, items[1].path.as_str()), (5, "a.c[1]"));
        assert_eq!(
            (top.get("d").plain(), top.get("d").quoted()),
            (None, Some("1"))
        );
        let missing = top.way(&["a", "x", "y"]);
        assert_eq!((missing.line, missing.path.as_str()), (1, "a.x.y"));
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (text, line) in [
            ("a: 1\na: 2\n", 2),
            ("a: &x 1\nb: *x\n", 2),
            ("a: [1\n", 1),
            ("", 1),
        ] {
            let error = Node::parse(text).expect_err(text);
            assert!(error.line >= line, "{text}: {error:?}");
        }
    }
}
