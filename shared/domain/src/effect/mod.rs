//! Effects: what must be sent, and how each attempt changes what is known about it.
//!
//! ```text
//! pending ──lease──▶ sending ──▶ done ──wish──▶ (leased again)
//!    ▲                 │ │ └────▶ failed ──redrive──▶ (leased again, attempts from zero)
//!    └──again at───────┘ └──────▶ unknown ──its kind's rule──▶ (leased again)
//! ```
//!
//! A card is level-triggered: its effect says that one place must show one request as it now is. A
//! **wish** only raises the version wanted; whoever holds the lease sees it when finishing.

mod attempt;
mod backoff;
mod id;

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::id::short_digest;

pub use attempt::{Outcome, Start};
pub use backoff::{MAX_ATTEMPTS, backoff};
pub use id::{EffectId, Lane};

/// How long the clock leaves an effect alone for which a message is on its way.
pub const GRACE: SignedDuration = SignedDuration::from_mins(2);
/// How long one attempt may hold an effect.
pub const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// How long an unknown card waits before it is sent again: time for the lost answer's message to
/// be pressed or seen.
pub const UNKNOWN_WAIT: SignedDuration = SignedDuration::from_secs(30);
/// The longest delay that SQS takes for a message (15 minutes); a longer wait has no message.
pub const LONGEST_DELAY: SignedDuration = SignedDuration::from_secs(900);
/// How long before its time an effect without a message is handed over: more than one sweep, so that
/// its message's delay can still hit the very second.
pub const EARLY: SignedDuration = SignedDuration::from_mins(2);
/// The kinds of error which say that a customer does not take messages.
const UNREACHABLE: [&str; 4] = [
    "blocked_by_user",
    "user_deactivated",
    "chat_not_found",
    "forbidden",
];
/// How far two clocks may differ before an effect counts as not yet due.
pub const TOLERANCE: SignedDuration = SignedDuration::from_secs(2);

/// A short digest of what an effect is to bring about, to tell whether that has changed.
pub fn digest<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    short_digest(parts)
}

/// A message in a chat of Telegram's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageRef {
    /// The chat's id.
    pub chat: i64,
    /// The message's id within it.
    pub message: i64,
}

/// Where an effect stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// To be attempted at `not_before`.
    Pending,
    /// An attempt holds the lease.
    Sending,
    /// The outside has what was wanted.
    Done,
    /// The last request went out and no answer came.
    Unknown,
    /// Given up: refused for good, or the attempts are used up.
    Failed,
}

/// The right to attempt an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The queue message that is worked on, a colon, and the attempt's own nonce.
    pub holder: String,
    /// When the right ends by itself.
    pub until: Timestamp,
}

/// An effect as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What it is.
    pub id: EffectId,
    /// Where it stands.
    pub state: State,
    /// The version of the request that must be shown; 1 where there is no request.
    pub want: u32,
    /// The newest version known to be shown.
    pub shown: u32,
    /// Not to be attempted before this.
    pub not_before: Timestamp,
    /// The place in its chat's pace that was reserved for it; it is not taken a second time.
    pub slot: Option<Timestamp>,
    /// When the clock steps in; none where nothing is left to do.
    pub due: Option<Timestamp>,
    /// Since when the outside has not shown what is wanted; none while it does.
    pub since: Option<Timestamp>,
    /// Attempts of this start that count towards [`MAX_ATTEMPTS`].
    pub attempts: u32,
    /// Sends whose outcome was never learnt.
    pub unknowns: u32,
    /// The version in whose send an answer was last missing: that version may be shown already.
    pub doubtful: Option<u32>,
    /// Messages sent anew because a person had deleted the former.
    pub resends: u32,
    /// The last attempt's lease; it is live only while the state is [`State::Sending`].
    pub lease: Option<Lease>,
    /// The message that shows it.
    pub message: Option<MessageRef>,
    /// Messages whose buttons were pressed though they were never noted: copies from unknown sends.
    pub strays: BTreeSet<MessageRef>,
    /// Rises with every write, wishes too; a write holds only while it is what was read.
    pub revision: u32,
    /// When it failed. A queue message sent later than this is a redrive.
    pub failed_at: Option<Timestamp>,
    /// The kind of the last error.
    pub error: Option<String>,
}

/// How an effect comes back when it may run: by a message that is put on the queue now, or, where no
/// message can wait so long, by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandOver {
    /// When the clock steps in.
    pub due: Timestamp,
    /// The delay of the message, if there is one.
    pub delay: Option<Duration>,
}

impl HandOver {
    /// For an effect that may run at `not_before`.
    pub fn at(not_before: Timestamp, now: Timestamp) -> Self {
        let wait = not_before.duration_since(now).max(SignedDuration::ZERO);
        if wait <= LONGEST_DELAY {
            let delay = Duration::try_from(wait).unwrap_or_default();
            Self {
                due: not_before.max(now) + GRACE,
                delay: Some(delay),
            }
        } else {
            Self {
                due: not_before - EARLY,
                delay: None,
            }
        }
    }
}

/// A wish: that a card shows at least this version, and that a stray message is dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Whose.
    pub id: EffectId,
    /// The version wanted, where the request has changed.
    pub want: Option<u32>,
    /// A message that was pressed though it is not the noted one.
    pub stray: Option<MessageRef>,
}

impl Effect {
    /// A new effect, due at once; its cause is about to put a message for it on the queue.
    pub fn new(id: EffectId, now: Timestamp) -> Self {
        Self {
            id,
            state: State::Pending,
            want: 1,
            shown: 0,
            not_before: now,
            slot: None,
            due: Some(now + GRACE),
            since: Some(now),
            attempts: 0,
            unknowns: 0,
            doubtful: None,
            resends: 0,
            lease: None,
            message: None,
            strays: BTreeSet::new(),
            revision: 0,
            failed_at: None,
            error: None,
        }
    }

    /// True while something that the outside should show is not known to be shown.
    pub fn is_behind(&self) -> bool {
        self.want > self.shown || !self.strays.is_empty()
    }

    /// Forgets messages in other chats than `chat`: what is shown there cannot be edited from here, as
    /// after a group has become a supergroup.
    pub fn keep_messages_in(&mut self, chat: i64) {
        self.message = self.message.filter(|message| message.chat == chat);
        self.strays.retain(|stray| stray.chat == chat);
    }

    /// The delay of the queue message that this effect waits for: none where it waits for nothing,
    /// or so long that the clock brings it back.
    pub fn message_delay(&self, now: Timestamp) -> Option<Duration> {
        let waits = matches!(self.state, State::Pending | State::Unknown) && !self.is_unsettled();
        HandOver::at(self.not_before, now).delay.filter(|_| waits)
    }

    /// The lane of its chat's pace in which its next attempt waits: none for an edit, so that it never
    /// waits behind new messages, and none where no chat is written to.
    pub fn lane(&self) -> Option<Lane> {
        self.id.lane().filter(|_| self.message.is_none())
    }

    /// True where sending it again can make a second message: nothing is noted that could be edited.
    fn repeats_when_sent_again(&self) -> bool {
        self.id.makes_messages() && self.message.is_none()
    }

    /// The version that the next attempt shows: of a brief, which is shown file by file, one more than what
    /// is shown.
    fn next_version(&self) -> u32 {
        match self.id {
            EffectId::Brief { .. } => self.shown + 1,
            _ => self.want,
        }
    }

    /// True where something newer than what is known to be shown may be shown: an answer was missing since,
    /// and what the next attempt sends may be there already.
    pub fn is_in_doubt(&self) -> bool {
        self.doubtful.is_some_and(|version| version > self.shown)
    }

    /// True where the outcome of its send is not known and the staff have to settle it.
    fn is_unsettled(&self) -> bool {
        self.state == State::Unknown
            && !self.id.is_sent_again()
            && self.message.is_none()
            && self.is_in_doubt()
    }

    /// True where it failed because its customer does not take messages: that is nobody's mistake and
    /// needs no dead letter.
    pub fn is_unreachable(&self) -> bool {
        self.state == State::Failed
            && self.id.customer().is_some()
            && self
                .error
                .as_deref()
                .is_some_and(|error| UNREACHABLE.contains(&error))
    }

    fn wait_until(&mut self, state: State, at: Timestamp, now: Timestamp) {
        self.state = state;
        self.not_before = at;
        self.due = Some(HandOver::at(at, now).due);
    }

    fn fail(&mut self, now: Timestamp) {
        self.state = State::Failed;
        self.failed_at = Some(now);
        self.due = None;
    }

    /// Counts a send whose outcome will not be learnt.
    fn note_unknown(&mut self, resend_at: Timestamp, now: Timestamp) {
        self.unknowns += 1;
        self.doubtful = Some(self.next_version());
        if !self.id.is_sent_again() {
            self.state = State::Unknown;
            self.not_before = now;
            self.due = None;
            return;
        }
        self.wait_until(State::Unknown, resend_at, now);
        self.adopt_stray(now);
    }

    /// A stray message is what became of a send whose outcome was not learnt: then that is the card,
    /// and nothing needs to be sent again.
    fn adopt_stray(&mut self, now: Timestamp) {
        // A panel's strays are messages that it has left.
        if matches!(self.id, EffectId::Card { .. })
            && self.message.is_none()
            && let Some(stray) = self.strays.pop_first()
        {
            self.message = Some(stray);
            if self.state == State::Unknown {
                self.wait_until(State::Pending, now, now);
            }
        }
    }
}
