//! When a request needs somebody's attention by itself: nobody takes it, or whoever has it does nothing.

use jiff::{SignedDuration, Timestamp};

use crate::{Request, State, Transition};

/// How long is too long; never, where nothing is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attention {
    /// A request that nobody has taken for so long is called out again, once.
    pub call_out_after: Option<SignedDuration>,
    /// A request on which its assignee has done nothing for so long is anybody's again.
    pub return_after: Option<SignedDuration>,
}

/// What a look at a request comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attended {
    /// It is called out again.
    CalledOut(Box<Transition>),
    /// It is nobody's again.
    Returned {
        /// The change.
        transition: Box<Transition>,
        /// The user id of who had it.
        assignee: i64,
        /// Their name.
        name: String,
    },
    /// Its time has not come.
    Later(Timestamp),
    /// There is nothing to look at.
    Nothing,
}

impl Attention {
    /// True where the clock has to look at requests at all.
    pub fn is_wanted(&self) -> bool {
        self.call_out_after.is_some() || self.return_after.is_some()
    }

    /// When the clock is to look at `request`, which has just changed.
    pub fn due(&self, request: &Request) -> Option<Timestamp> {
        let after = match &request.state {
            State::New => self.call_out_after.filter(|_| !request.called_out),
            State::InWork { .. } => self.return_after,
            State::Closed { .. } => None,
        };
        after.and_then(|after| request.changed.checked_add(after).ok())
    }

    /// The same, after something that its assignee has done without changing it.
    pub fn due_after_activity(&self, request: &Request, now: Timestamp) -> Option<Timestamp> {
        let after = match &request.state {
            State::InWork { .. } => self.return_after,
            State::New | State::Closed { .. } => None,
        };
        after.and_then(|after| now.checked_add(after).ok())
    }

    /// `request` with the time of the clock's next look at it.
    pub fn watching(&self, mut request: Request) -> Request {
        request.attention = self.due(&request);
        request
    }

    /// Looks at `request`.
    pub fn attend(&self, request: &Request, now: Timestamp) -> Attended {
        match request.attention {
            None => return Attended::Nothing,
            Some(due) if due > now => return Attended::Later(due),
            Some(_) => {}
        }
        let change = |called_out, state| {
            let mut transition = request.changed_to(state, 0, now);
            transition.after.called_out = called_out;
            if called_out {
                // It stands where it stood, and waits since when it waited.
                transition.after.changed = request.changed;
            }
            transition.after = self.watching(transition.after);
            Box::new(transition)
        };
        match &request.state {
            State::New if self.call_out_after.is_some() && !request.called_out => {
                Attended::CalledOut(change(true, State::New))
            }
            State::InWork { assignee, name } if self.return_after.is_some() => Attended::Returned {
                transition: change(false, State::New),
                assignee: *assignee,
                name: name.clone(),
            },
            // The settings have changed since.
            State::New | State::InWork { .. } | State::Closed { .. } => Attended::Nothing,
        }
    }
}
