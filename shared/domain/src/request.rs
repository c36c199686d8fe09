//! A request, its states, and what a press may do to it.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::dialog::Source;
use crate::{Answer, ContactKey, ContentDigest, DraftToken, Language, Name, RequestId};

/// What a customer started: a lead from a site form, or a request from the bot's dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its id, which is also its number.
    pub id: RequestId,
    /// The form that it came from; of a dialog's, the bot.
    pub source: Name,
    /// The draft that it was made of.
    pub token: DraftToken,
    /// A digest of the answers as they were typed.
    pub digest: ContentDigest,
    /// What was filled in.
    pub answers: Vec<Answer>,
    /// Who it is from, where it names a phone.
    pub contact: Option<ContactKey>,
    /// Where it stands.
    pub state: State,
    /// 1 when stored, and one more with each change.
    pub version: u32,
    /// When it was stored.
    pub created: Timestamp,
    /// When it last changed.
    pub changed: Timestamp,
    /// When the clock is to look at it, if it is.
    pub attention: Option<Timestamp>,
    /// True once it was called out again, until somebody takes it.
    pub called_out: bool,
    /// Of a dialog's: whom it is from, and what belongs to it.
    pub dialog: Option<FromDialog>,
}

/// What a request from the bot's dialog has beside its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromDialog {
    /// The customer's chat, whose id is the customer's own.
    pub chat: i64,
    /// The customer's language.
    pub language: Language,
    /// Where the link stood by which the customer came.
    pub link: Option<Source>,
    /// When the draft was begun.
    pub began: Timestamp,
    /// How many files its brief has.
    pub files: u32,
    /// True while Telegram refuses to deliver anything to the customer.
    pub unreachable: bool,
    /// Names of files that Telegram refused to pass on.
    pub refused: BTreeSet<String>,
}

/// Where a request stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has it.
    New,
    /// One member of staff has it.
    InWork {
        /// The user id of whoever has it.
        assignee: i64,
        /// The name that goes with it on the card.
        name: String,
    },
    /// It is done with.
    Closed {
        /// The user id of whoever closed it.
        by: i64,
        /// The name that goes with it on the card.
        name: String,
        /// Why, where somebody said so.
        reason: Option<String>,
    },
}

impl State {
    /// The names of all states.
    pub const NAMES: [&str; 3] = ["new", "in_work", "closed"];

    /// The state's name in storage, history and logs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::InWork { .. } => "in_work",
            Self::Closed { .. } => "closed",
        }
    }
}

/// One line of a request's history: who changed it, when, from what to what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The version that the change made.
    pub version: u32,
    /// When.
    pub at: Timestamp,
    /// The user id of who did it; 0 where nobody did.
    pub actor: i64,
    /// The state's name before.
    pub from: &'static str,
    /// The state's name after.
    pub to: &'static str,
}

/// A change to a request: what it becomes and the history of it. It holds only while the stored
/// request still has the version before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The request afterwards.
    pub after: Request,
    /// The change's line of history.
    pub entry: HistoryEntry,
}

impl Transition {
    /// The version that the stored request must still have.
    pub fn from_version(&self) -> u32 {
        self.entry.version - 1
    }
}

impl Request {
    /// What `change` makes of what belongs to a dialog's request: its state stays, and its history says
    /// when it was. None where nothing changes.
    pub fn noted(
        &self,
        change: impl FnOnce(&mut FromDialog),
        actor: i64,
        now: Timestamp,
    ) -> Option<Transition> {
        let mut dialog = self.dialog.clone()?;
        change(&mut dialog);
        if self.dialog.as_ref() == Some(&dialog) {
            return None;
        }
        let version = self.version + 1;
        let state = self.state.name();
        let entry = HistoryEntry {
            version,
            at: now,
            actor,
            from: state,
            to: state,
        };
        let after = Self {
            version,
            dialog: Some(dialog),
            ..self.clone()
        };
        Some(Transition { after, entry })
    }
}
