//! What staff type: a command, with the number of a request where it needs one.

use crate::text::{clean_line, cut};

/// The longest reason that is kept.
const LONGEST_REASON: usize = 200;

/// A command of the staff's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The last requests.
    List,
    /// How many stand where.
    Stats,
    /// One request's whole story.
    Show(NumberGiven),
    /// Attempt again what was given up, or what nobody knows the outcome of.
    Retry(NumberGiven),
    /// Take a request in work.
    Take(NumberGiven),
    /// Give a request back.
    Return(NumberGiven),
    /// Close a request, with a reason or without.
    Close(NumberGiven, Option<String>),
}

/// The name of a typed command, in small letters, and what follows: a slash, a word, perhaps the bot's
/// name. Anything else is a text.
pub(crate) fn split_command(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('/')?;
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let name = word.split_once('@').map_or(word, |(name, _)| name);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_command = !name.is_empty() && name.chars().all(is_name);
    is_command.then(|| (name.to_ascii_lowercase(), rest))
}

/// What somebody gave for a request's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberGiven {
    /// A number's beginning, of 4 to 14 hex digits.
    Beginning(String),
    /// Nothing that a number could begin with.
    Unreadable,
}

impl NumberGiven {
    /// Digits of the shortest beginning.
    pub const LEAST: usize = 4;
    /// Digits of a whole number.
    pub const WHOLE: usize = 14;

    /// Reads a number from the beginning of `text`, with the spaces that people copy along, and returns
    /// what comes after it.
    fn read(text: &str) -> (Self, &str) {
        let mut digits = String::new();
        let mut rest = text.trim_start();
        for word in text.split_whitespace() {
            let is_part = word.chars().all(|c| c.is_ascii_hexdigit())
                && digits.len() + word.len() <= Self::WHOLE
                // Groups are of four digits; what follows the last is no part of the number.
                && digits.len().is_multiple_of(4);
            if !is_part {
                break;
            }
            digits.push_str(&word.to_ascii_lowercase());
            rest = rest[word.len()..].trim_start();
        }
        if digits.len() < Self::LEAST {
            return (Self::Unreadable, rest);
        }
        (Self::Beginning(digits), rest)
    }
}

impl NumberGiven {
    /// The same where other words may follow, some of which look like digits ("bad", "dead"): a whole
    /// number may have spaces in it, a beginning has none.
    fn read_before_words(text: &str) -> (Self, &str) {
        let (number, after) = Self::read(text);
        match &number {
            Self::Beginning(digits) if digits.len() == Self::WHOLE => (number, after),
            _ => {
                let text = text.trim_start();
                let end = text.find(char::is_whitespace).unwrap_or(text.len());
                let (word, after) = text.split_at(end);
                let (number, unread) = Self::read(word);
                if unread.is_empty() {
                    (number, after)
                } else {
                    (number, text)
                }
            }
        }
    }
}

impl Command {
    /// The names of all commands, as they are typed after "/".
    pub const NAMES: [&str; 7] = ["list", "stats", "show", "retry", "take", "return", "close"];

    /// Reads a message; none where it is no command of the staff's. A bot's name after the command is
    /// taken as this one's: Telegram gives others' commands to others.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, rest) = split_command(text)?;
        let (number, after) = match name.as_str() {
            "close" => NumberGiven::read_before_words(rest),
            _ => NumberGiven::read(rest),
        };
        Some(match name.as_str() {
            "list" => Self::List,
            "stats" => Self::Stats,
            "show" => Self::Show(number),
            "retry" => Self::Retry(number),
            "take" => Self::Take(number),
            "return" => Self::Return(number),
            "close" => {
                let reason = clean_line(after);
                let reason = cut(&reason, LONGEST_REASON).trim_end().to_owned();
                Self::Close(number, Some(reason).filter(|reason| !reason.is_empty()))
            }
            _ => return None,
        })
    }

    /// Its name, as it is typed after "/".
    pub fn name(&self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Stats => "stats",
            Self::Show(_) => "show",
            Self::Retry(_) => "retry",
            Self::Take(_) => "take",
            Self::Return(_) => "return",
            Self::Close(..) => "close",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beginning(digits: &str) -> NumberGiven {
        NumberGiven::Beginning(digits.to_owned())
    }

    #[test]
    fn a_number_is_read_with_its_spaces_without_and_by_its_beginning() {
        for (text, digits) in [
            ("/show 3f9a22c107bed4", "3f9a22c107bed4"),
            ("/show  3F9A 22c1 07be d4", "3f9a22c107bed4"),
            ("/show 3f9a", "3f9a"),
            ("/show@desk_bot 3f9a 22", "3f9a22"),
            ("/SHOW\n3f9a22", "3f9a22"),
        ] {
            let command = Command::parse(text);
            assert_eq!(command, Some(Command::Show(beginning(digits))), "{text}");
        }
        for text in [
            "/show",
            "/show 3f9",
            "/show number",
            "/show 3f9a22c107bed4ff",
        ] {
            let command = Command::parse(text);
            assert_eq!(
                command,
                Some(Command::Show(NumberGiven::Unreadable)),
                "{text}"
            );
        }
    }

    #[test]
    fn a_reason_follows_the_number_even_where_it_looks_like_one() {
        let close = |text| match Command::parse(text) {
            Some(Command::Close(number, reason)) => (number, reason),
            other => panic!("{text}: {other:?}"),
        };
        let whole = beginning("3f9a22c107bed4");
        let reason = |text: &str| Some(text.to_owned());
        assert_eq!(close("/close 3f9a 22c1 07be d4"), (whole.clone(), None));
        assert_eq!(
            close("/close 3f9a22c107bed4 a double\nof it"),
            (whole.clone(), reason("a double of it"))
        );
        assert_eq!(
            close("/close 3f9a 22c1 07be d4 dead number"),
            (whole, reason("dead number"))
        );
        assert_eq!(
            close("/close 3f9a bad number"),
            (beginning("3f9a"), reason("bad number"))
        );
        assert_eq!(close("/close 3f9a"), (beginning("3f9a"), None));
    }

    #[test]
    fn other_texts_are_none_of_ours() {
        for text in ["", "list", "/", "/start", "/listing"] {
            assert_eq!(Command::parse(text), None, "{text}");
        }
        let all = Command::NAMES.map(|name| Command::parse(&format!("/{name} 3f9a")));
        for (name, command) in Command::NAMES.into_iter().zip(all) {
            assert_eq!(command.expect("a command").name(), name);
        }
    }
}
