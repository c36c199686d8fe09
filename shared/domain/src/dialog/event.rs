use super::{BriefFile, DialogPress};
use crate::command::split_command;

/// What a customer did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A command was sent.
    Command(Command),
    /// A text was sent.
    Text(String),
    /// A contact was shared.
    Contact {
        /// Its number, as Telegram writes it.
        phone: String,
        /// True where it is the sender's own.
        own: bool,
    },
    /// A document or photo was sent.
    File(BriefFile),
    /// Something that no step takes: a sticker, a voice message, a location.
    Unusable,
    /// A message that was there already was changed.
    Edited,
    /// A button was pressed that no draft has any more.
    OldPress,
    /// A button was pressed.
    Press(DialogPress),
}

/// What a customer can ask for at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// To begin, or to go on; from a link with this source.
    Start(Option<Source>),
    /// To be told what can be done.
    Help,
    /// To give the draft up.
    Cancel,
    /// To go back from the step that is asked.
    Back,
    /// To go on without an answer.
    Skip,
    /// Something else.
    Unknown,
}

/// Where the link stood by which a customer came: 1 to 64 of `A-Z a-z 0-9 _ -`, as Telegram takes it
/// in `https://t.me/<bot>?start=<source>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source(String);

impl Source {
    /// Reads a source; `None` where it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        ((1..=64).contains(&text.len()) && text.chars().all(allowed)).then(|| Self(text.to_owned()))
    }

    /// The source's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Command {
    /// Reads a text as a command: a slash, a word, perhaps the bot's name, and what follows. Anything else
    /// is a text.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, rest) = split_command(text)?;
        let mut words = rest.split_whitespace();
        Some(match name.as_str() {
            "start" => Self::Start(
                words
                    .next()
                    .filter(|_| words.next().is_none())
                    .and_then(Source::parse),
            ),
            "help" => Self::Help,
            "cancel" => Self::Cancel,
            "back" => Self::Back,
            "skip" => Self::Skip,
            _ => Self::Unknown,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_kept_only_where_a_link_can_carry_it() {
        let longest = "a".repeat(64);
        let start = |source: &str| Command::parse(&format!("/start {source}"));
        let source = |text: &str| Some(Command::Start(Source::parse(text)));
        assert_eq!(start(&longest), source(&longest));
        assert_eq!(start("site_footer-2"), source("site_footer-2"));
        for unknown in ["", "a.b=c", &"a".repeat(65), "two words", "ä"] {
            assert_eq!(start(unknown), Some(Command::Start(None)), "{unknown}");
        }
        assert_eq!(
            Command::parse("/START@desk_bot"),
            Some(Command::Start(None))
        );
    }

    #[test]
    fn what_only_begins_with_a_slash_is_a_text() {
        for text in [
            "/",
            "/ 5",
            "//x",
            "/usr/bin",
            "/ начать",
            "start",
            " /start",
        ] {
            assert_eq!(Command::parse(text), None, "{text}");
        }
        assert_eq!(Command::parse("/settings"), Some(Command::Unknown));
    }
}
