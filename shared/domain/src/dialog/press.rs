use crate::{DraftToken, Name};

use super::{LONGEST_NAME, Range};

/// A button of the dialog's. Its data names the draft, what is to be done, and the step that it belongs
/// to: at most 62 bytes, whatever the labels say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogPress {
    draft: String,
    /// What is to be done.
    pub action: Action,
}

/// What a button of the dialog does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Chooses, marks or unmarks an option of a step.
    Choose {
        /// The step.
        step: Name,
        /// The option.
        option: Name,
    },
    /// Chooses a range of a budget.
    Range {
        /// The step.
        step: Name,
        /// The range.
        range: Range,
    },
    /// Goes on with what is marked, or with the files that are there.
    Next(Name),
    /// Goes on without an answer.
    Skip(Name),
    /// Goes back from a step.
    Back(Name),
    /// Takes out the files that are there.
    Clear(Name),
    /// Opens a step from the preview.
    Edit(Name),
    /// Sends the request.
    Confirm,
    /// Gives the draft up.
    Cancel,
    /// Begins a new draft.
    Anew,
}

/// Characters of the draft's token in a button: 12 hex digits. Only one customer's own drafts have to be
/// told apart.
const TOKEN: usize = 12;

impl DialogPress {
    /// What the data of every button of the dialog begins with.
    pub const PREFIX: &str = "d:";

    /// The button of `draft` that does `action`.
    pub fn new(draft: &DraftToken, action: Action) -> Self {
        Self {
            draft: draft.as_str()[..TOKEN].to_owned(),
            action,
        }
    }

    /// True where the button belongs to the draft with this token.
    pub fn belongs_to(&self, draft: &DraftToken) -> bool {
        self.draft == draft.as_str()[..TOKEN]
    }

    /// Reads callback data, which anyone can make up; `None` where it is no button of the dialog's.
    pub fn parse(data: &str) -> Option<Self> {
        let mut parts = data.strip_prefix(Self::PREFIX)?.split(':');
        let draft = parts.next().filter(|draft| {
            draft.len() == TOKEN && draft.bytes().all(|byte| byte.is_ascii_hexdigit())
        })?;
        let verb = parts.next()?;
        let mut name = || {
            let name = parts.next().filter(|name| name.len() <= LONGEST_NAME)?;
            Name::parse(name)
        };
        let action = match verb {
            "o" => Action::Choose {
                step: name()?,
                option: name()?,
            },
            "r" => Action::Range {
                step: name()?,
                range: Range::parse(parts.next()?)?,
            },
            "n" => Action::Next(name()?),
            "s" => Action::Skip(name()?),
            "b" => Action::Back(name()?),
            "c" => Action::Clear(name()?),
            "e" => Action::Edit(name()?),
            "y" => Action::Confirm,
            "x" => Action::Cancel,
            "a" => Action::Anew,
            _ => return None,
        };
        parts.next().is_none().then(|| Self {
            draft: draft.to_owned(),
            action,
        })
    }

    /// The callback data.
    pub fn data(&self) -> String {
        let action = match &self.action {
            Action::Choose { step, option } => format!("o:{step}:{option}"),
            Action::Range { step, range } => format!("r:{step}:{}", range.code()),
            Action::Next(step) => format!("n:{step}"),
            Action::Skip(step) => format!("s:{step}"),
            Action::Back(step) => format!("b:{step}"),
            Action::Clear(step) => format!("c:{step}"),
            Action::Edit(step) => format!("e:{step}"),
            Action::Confirm => "y".to_owned(),
            Action::Cancel => "x".to_owned(),
            Action::Anew => "a".to_owned(),
        };
        format!("{}{}:{action}", Self::PREFIX, self.draft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::GREATEST_AMOUNT;

    #[test]
    fn data_reads_back_and_the_longest_is_within_64_bytes() {
        let token = DraftToken::from_random([0xab; 16]);
        let name = || Name::parse(&"n".repeat(LONGEST_NAME)).expect("a name");
        let range = Range {
            from: Some(GREATEST_AMOUNT - 1),
            to: Some(GREATEST_AMOUNT),
        };
        for action in [
            Action::Choose {
                step: name(),
                option: name(),
            },
            Action::Range {
                step: name(),
                range,
            },
            Action::Range {
                step: name(),
                range: Range {
                    from: None,
                    to: Some(1),
                },
            },
            Action::Next(name()),
            Action::Skip(name()),
            Action::Back(name()),
            Action::Clear(name()),
            Action::Edit(name()),
            Action::Confirm,
            Action::Cancel,
            Action::Anew,
        ] {
            let press = DialogPress::new(&token, action);
            assert!(press.data().len() <= 64, "{}", press.data());
            assert_eq!(DialogPress::parse(&press.data()), Some(press));
        }
    }

    #[test]
    fn made_up_data_is_no_button() {
        for data in [
            "",
            "d:",
            "d:abababababab",
            "d:abababababab:y:more",
            "d:abababababa:y",
            "d:ABABABABABAZ:y",
            "d:abababababab:o:step",
            "d:abababababab:r:step:many",
            "d:abababababab:r:step:+1-",
            "d:abababababab:r:step:01-",
            "d:abababababab:e:nnnnnnnnnnnnnnnnn",
            "take:3f9a22c107bed4",
        ] {
            assert_eq!(DialogPress::parse(data), None, "{data}");
        }
    }
}
