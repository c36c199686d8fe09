use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{DraftToken, Language, Name, RequestId};

use super::{BriefFile, Dialog, Given, Source, Step};

/// A customer's draft, as far as it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Under which it becomes at most one request.
    pub token: DraftToken,
    /// Rises with every change of the chat's draft, over its end too; a write holds only on the version
    /// that was read.
    pub version: u32,
    /// The customer's language.
    pub language: Language,
    /// Where the link stood that led here.
    pub source: Option<Source>,
    /// When it was begun.
    pub began: Timestamp,
    /// When the customer last moved it on.
    pub changed: Timestamp,
    /// What was answered, by step.
    pub answers: BTreeMap<Name, Given>,
    /// The files of the brief, in the order in which they came.
    pub files: Vec<BriefFile>,
    /// The album that was last replied to: its other parts need no reply.
    pub told_album: Option<String>,
    /// The album of which it was said that not all of it is kept.
    pub cut_album: Option<String>,
    /// The last request that the chat's earlier drafts have become.
    pub former: Option<RequestId>,
    /// Where it stands.
    pub phase: Phase,
}

/// Where a draft stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A step is asked.
    Asking {
        /// Which.
        step: Name,
        /// True where it was opened from the preview and leads back there.
        returning: bool,
        /// Of several choices, those that are marked so far.
        marked: Vec<Name>,
    },
    /// Everything is shown, to be confirmed.
    Preview,
    /// It has become a request.
    Sent(RequestId),
    /// The customer has given it up.
    Cancelled,
    /// The customer did not come back in time.
    Expired,
}

impl Draft {
    /// True until it is sent, cancelled or expired.
    pub fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Asking { .. } | Phase::Preview)
    }

    /// The chat's last request: what this has become, or else what came before it.
    pub fn last_request(&self) -> Option<RequestId> {
        match self.phase {
            Phase::Sent(id) => Some(id),
            _ => self.former,
        }
    }

    /// When it expires, while it is open.
    pub fn expires(&self, dialog: &Dialog) -> Option<Timestamp> {
        self.is_open().then(|| self.changed + dialog.keep)
    }

    /// True where its time is over and it has not been said yet.
    pub fn is_overdue(&self, dialog: &Dialog, now: Timestamp) -> bool {
        self.expires(dialog).is_some_and(|expires| expires <= now)
    }

    /// The draft given up, since its time is over.
    pub fn expired(&self) -> Self {
        Self {
            version: self.version + 1,
            phase: Phase::Expired,
            ..self.clone()
        }
    }

    /// The step that is asked, if one is.
    pub fn asked<'a>(&self, dialog: &'a Dialog) -> Option<&'a Step> {
        match &self.phase {
            Phase::Asking { step, .. } => dialog.step(step),
            _ => None,
        }
    }

    /// The draft as the settings now read: a step that they no longer have is not asked.
    pub(super) fn fitted(&self, dialog: &Dialog) -> Self {
        let mut draft = self.clone();
        if matches!(self.phase, Phase::Asking { .. }) && self.asked(dialog).is_none() {
            draft.phase = self.onward(dialog);
        }
        draft
    }

    /// The phase that asks `step`.
    pub(super) fn asking(&self, step: &Step, returning: bool) -> Phase {
        let marked = match self.answers.get(&step.name) {
            Some(Given::Chosen(names)) => names.clone(),
            _ => Vec::new(),
        };
        Phase::Asking {
            step: step.name.clone(),
            returning,
            marked,
        }
    }

    /// The phase that asks the first step without an answer; the preview where there is none.
    pub(super) fn onward(&self, dialog: &Dialog) -> Phase {
        let open = dialog
            .steps
            .iter()
            .find(|step| !self.answers.contains_key(&step.name));
        match open {
            Some(step) => self.asking(step, false),
            None => Phase::Preview,
        }
    }

    /// The files in the order in which they are passed on: parts of an album together, where its first
    /// part stands.
    pub fn brief(&self) -> Vec<BriefFile> {
        let mut files = self.files.clone();
        let place = |file: &BriefFile| {
            let same = |other: &BriefFile| {
                other == file || (file.album.is_some() && other.album == file.album)
            };
            self.files.iter().position(same)
        };
        files.sort_by_key(place);
        files
    }
}
