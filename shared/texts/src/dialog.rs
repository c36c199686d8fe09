//! What a customer sees of the dialog: questions, the preview, and what is said of each message.

mod remark;
mod screen;

use frontdesk_domain::dialog::{
    Choice, Dialog, Draft, Given, LONGEST_CAPTION, Range, Remark, Step, StepKind,
};
use frontdesk_domain::text::cut;
use frontdesk_domain::{Language, Name, RequestId};

use crate::languages::{text, text_with};

pub use remark::render_toast;

/// Of an answer that is acknowledged, what shows which one it is.
const LONGEST_ACKNOWLEDGED: usize = 100;

/// A message of the dialog's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Telegram's HTML, within its limit.
    pub html: String,
    /// What is under it.
    pub keyboard: Keyboard,
}

/// What is under a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keyboard {
    /// Rows of buttons with their labels and data; none where it has no row.
    Inline(Vec<Vec<(String, String)>>),
    /// Instead of the customer's own keyboard: a button that shares the number, and others that are
    /// typed for the customer. A message with it can never be edited.
    Share {
        /// The label of the button that shares.
        share: String,
        /// The other buttons.
        typed: Vec<String>,
    },
}

/// What a message is answered with: what is said of it, then what is asked or shown now.
pub fn render_reply(
    dialog: &Dialog,
    draft: Option<&Draft>,
    remark: Option<&Remark>,
    language: Language,
) -> Screen {
    let said = remark.and_then(|remark| remark::said(dialog, remark, language));
    screen::render(dialog, draft, said.as_deref(), language)
}

/// What an answer is acknowledged with when the preview follows in a message of its own.
pub fn acknowledgement(language: Language, answer: &str) -> String {
    let answer = cut(answer, LONGEST_ACKNOWLEDGED);
    text_with(language, "dialog-noted", [("answer", answer.into())])
}

/// What a pressed message shows from now on.
pub fn render_panel(dialog: &Dialog, draft: &Draft) -> Screen {
    screen::render(dialog, Some(draft), None, draft.language)
}

/// The message that confirms a request to its customer.
pub fn confirmation(language: Language, id: RequestId) -> String {
    with_number(language, "dialog-confirmation", id)
}

/// The text under a file that is passed on to the staff, whose language it is in where it is the desk's.
pub fn brief_caption(language: Language, caption: &str, may_be_repeat: bool) -> String {
    if !may_be_repeat {
        return caption.to_owned();
    }
    let mark = text(language, "brief-may-be-repeat");
    let whole = format!("{mark}\n{caption}");
    cut(whole.trim_end(), LONGEST_CAPTION).to_owned()
}

/// True where a text is the "back" of a keyboard that [`Keyboard::Share`] shows.
pub fn is_back(typed: &str) -> bool {
    is_label(typed, "dialog-button-back")
}

/// The same for "skip".
pub fn is_skip(typed: &str) -> bool {
    is_label(typed, "dialog-button-skip")
}

fn is_label(typed: &str, id: &'static str) -> bool {
    Language::ALL
        .iter()
        .any(|language| text(*language, id) == typed.trim())
}

/// An answer as `language` reads it; nothing where the step was skipped or its files are elsewhere.
pub fn answer_text(step: &Step, given: &Given, language: Language) -> Option<String> {
    match (given, &step.kind) {
        (Given::Skipped | Given::Files, _) => None,
        (Given::Chosen(names), StepKind::Choice(options) | StepKind::Choices { options, .. }) => {
            Some(labels(options, names, language))
        }
        (Given::Chosen(names), _) => {
            let names: Vec<_> = names.iter().map(Name::as_str).collect();
            Some(names.join(", "))
        }
        (Given::Range(range), StepKind::Budget { currency, .. }) => {
            Some(range_text(language, *range, currency))
        }
        (Given::Range(range), _) => Some(range.code()),
        (Given::Text(text) | Given::Contact { text, .. }, _) => Some(text.clone()),
    }
}

fn labels(options: &[Choice], names: &[Name], language: Language) -> String {
    let label = |name: &Name| {
        options
            .iter()
            .find(|option| option.name == *name)
            .map_or(name.as_str(), |option| option.label.get(language))
            .to_owned()
    };
    names.iter().map(label).collect::<Vec<_>>().join(", ")
}

fn range_text(language: Language, range: Range, currency: &str) -> String {
    let amount = |amount: u64| amount_text(language, amount);
    match (range.from, range.to) {
        (Some(from), Some(to)) => text_with(
            language,
            "budget-between",
            [
                ("from", amount(from).into()),
                ("to", amount(to).into()),
                ("currency", currency.into()),
            ],
        ),
        (Some(from), None) => text_with(
            language,
            "budget-from",
            [("from", amount(from).into()), ("currency", currency.into())],
        ),
        (None, to) => text_with(
            language,
            "budget-to",
            [
                ("to", amount(to.unwrap_or_default()).into()),
                ("currency", currency.into()),
            ],
        ),
    }
}

/// An amount with its thousands set apart as the language's readers do.
fn amount_text(language: Language, amount: u64) -> String {
    let mark = match language {
        Language::En | Language::Ja => ',',
        Language::Ru => '\u{a0}',
    };
    let digits = amount.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(mark);
        }
        text.push(digit);
    }
    text
}

fn with_number(language: Language, message: &'static str, id: RequestId) -> String {
    text_with(language, message, [("number", id.grouped().into())])
}

#[cfg(test)]
mod tests;
