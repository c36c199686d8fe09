//! The bot's dialog with a customer: its steps, the draft that it fills, and what each message or press
//! makes of that draft.
//!
//! ```text
//!            ┌── edit ──┐
//! asking ──▶ preview ──▶ sent
//!    │          │
//!    └──────────┴──▶ cancelled, expired ──▶ (a new draft)
//! ```

mod answer;
mod draft;
mod event;
mod press;
mod step;
mod turn;

use jiff::SignedDuration;

use crate::{Localized, Name};

pub use answer::{BriefFile, FileKind, Given, LONGEST_CAPTION, StepFault};
pub use draft::{Draft, Phase};
pub use event::{Command, Event, Source};
pub use press::{Action, DialogPress};
pub use turn::{Context, Remark, Reply, Turn, turn};

/// A dialog as the settings describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialog {
    /// The heading of its requests.
    pub title: Localized,
    /// What whoever begins is told first.
    pub greeting: Localized,
    /// The questions, in the order in which they are asked; at least one.
    pub steps: Vec<Step>,
    /// How long a draft waits for its customer.
    pub keep: SignedDuration,
}

/// One question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name in stored answers and in buttons.
    pub name: Name,
    /// What stands before its answer on the preview and on cards.
    pub label: Localized,
    /// The question.
    pub question: Localized,
    /// Whether it must be answered.
    pub required: bool,
    /// What it takes.
    pub kind: StepKind,
}

/// What a step takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// One of these.
    Choice(Vec<Choice>),
    /// Several of these.
    Choices {
        /// What there is to choose.
        options: Vec<Choice>,
        /// How many at the most.
        most: usize,
    },
    /// A text of a length between these, in characters.
    Text {
        /// The least and the greatest length.
        length: (usize, usize),
    },
    /// Documents and photos.
    Brief {
        /// How many at the most.
        most: usize,
    },
    /// One of the ranges between these amounts, in rising order.
    Budget {
        /// What stands behind an amount.
        currency: String,
        /// The amounts between ranges.
        bounds: Vec<u64>,
    },
    /// A phone number, typed or shared.
    Contact,
}

/// One thing to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name in stored answers and in buttons.
    pub name: Name,
    /// What people read.
    pub label: Localized,
}

/// A range of amounts: open at one end, from the lower up to the higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    /// The lower end, if it has one.
    pub from: Option<u64>,
    /// The higher end, if it has one.
    pub to: Option<u64>,
}

/// The longest name of a step or a choice: a button's data holds both within 64 bytes.
pub const LONGEST_NAME: usize = 16;
/// The greatest amount in a budget, for the same reason.
pub const GREATEST_AMOUNT: u64 = 99_999_999_999;
/// As many files as a brief can have.
pub const MOST_FILES: usize = 20;

impl Dialog {
    /// The step of this name.
    pub fn step(&self, name: &Name) -> Option<&Step> {
        self.steps.iter().find(|step| step.name == *name)
    }

    /// The step before this one.
    pub(crate) fn before(&self, name: &Name) -> Option<&Step> {
        let at = self.steps.iter().position(|step| step.name == *name)?;
        self.steps.get(at.checked_sub(1)?)
    }
}

impl StepKind {
    /// The ranges of a budget.
    pub fn ranges(bounds: &[u64]) -> impl Iterator<Item = Range> + '_ {
        (0..=bounds.len()).map(|at| Range {
            from: at.checked_sub(1).and_then(|at| bounds.get(at)).copied(),
            to: bounds.get(at).copied(),
        })
    }
}

impl Range {
    /// The range's text in buttons and stored answers, such as `50000-150000` or `500000-`.
    pub fn code(&self) -> String {
        let end = |end: Option<u64>| end.map(|end| end.to_string()).unwrap_or_default();
        format!("{}-{}", end(self.from), end(self.to))
    }

    /// Reads a code.
    pub fn parse(code: &str) -> Option<Self> {
        let (from, to) = code.split_once('-')?;
        let end = |digits: &str| match digits {
            "" => Some(None),
            digits => digits.parse().ok().map(Some),
        };
        let range = Self {
            from: end(from)?,
            to: end(to)?,
        };
        // Numbers also read with a plus or zeros before them; a code has one spelling.
        (range.code() == code).then_some(range)
    }
}
