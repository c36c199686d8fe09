//! What a member of staff may do to a request, and what comes of it.

use jiff::Timestamp;

use crate::{HistoryEntry, Member, Request, Role, State, Transition};

/// What a member of staff wants to do to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Take it in work.
    Take,
    /// Give it back, so that somebody else can take it.
    Return,
    /// Close it.
    Close {
        /// Why, where somebody says so.
        reason: Option<String>,
    },
}

/// What comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acted {
    /// The request changes so.
    Changed(Box<Transition>),
    /// Whoever wants to take it has it already.
    AlreadyYours,
    /// Somebody else has it, and only they or an administrator may do this.
    TakenBy {
        /// The name of who has it.
        name: String,
    },
    /// Nobody has it, so nobody can give it back.
    NotTaken,
    /// It is closed.
    AlreadyClosed {
        /// The name of who closed it.
        name: String,
    },
}

/// Decides what `actor` wants to do to `request`.
pub fn act(request: &Request, action: &Action, actor: &Member, now: Timestamp) -> Acted {
    let is_administrator = actor.role == Role::Administrator;
    let state = match (&request.state, action) {
        (State::Closed { name, .. }, _) => {
            return Acted::AlreadyClosed { name: name.clone() };
        }
        (State::New, Action::Take) => State::InWork {
            assignee: actor.id,
            name: actor.name.clone(),
        },
        (State::InWork { assignee, .. }, Action::Take) if *assignee == actor.id => {
            return Acted::AlreadyYours;
        }
        (State::InWork { name, .. }, Action::Take) => {
            return Acted::TakenBy { name: name.clone() };
        }
        (State::InWork { assignee, name }, Action::Return | Action::Close { .. })
            if *assignee != actor.id && !is_administrator =>
        {
            return Acted::TakenBy { name: name.clone() };
        }
        (State::New, Action::Return) => return Acted::NotTaken,
        (State::InWork { .. }, Action::Return) => State::New,
        (State::New | State::InWork { .. }, Action::Close { reason }) => State::Closed {
            by: actor.id,
            name: actor.name.clone(),
            reason: reason.clone(),
        },
    };
    Acted::Changed(Box::new(request.changed_to(state, actor.id, now)))
}

impl Request {
    /// The change that gives the request another state; `actor` is 0 where nobody does it.
    pub fn changed_to(&self, state: State, actor: i64, now: Timestamp) -> Transition {
        let version = self.version + 1;
        let entry = HistoryEntry {
            version,
            at: now,
            actor,
            from: self.state.name(),
            to: state.name(),
        };
        let after = Self {
            state,
            version,
            changed: now,
            attention: None,
            called_out: false,
            ..self.clone()
        };
        Transition { after, entry }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ContentDigest, DraftToken, Name, RequestId};

    fn member(id: i64, role: Role) -> Member {
        let name = format!("Member {id}");
        Member { id, name, role }
    }

    fn new() -> Request {
        Request {
            id: RequestId::parse("3f9a22c107bed4").expect("an id"),
            source: Name::parse("contact").expect("a name"),
            token: DraftToken::parse("draft-token-for-tests-0001").expect("a token"),
            digest: ContentDigest::of([]),
            answers: Vec::new(),
            contact: None,
            state: State::New,
            version: 1,
            created: Timestamp::UNIX_EPOCH,
            changed: Timestamp::UNIX_EPOCH,
            attention: None,
            called_out: false,
            dialog: None,
        }
    }

    fn after(request: &Request, action: &Action, actor: &Member) -> Request {
        match act(request, action, actor, Timestamp::UNIX_EPOCH) {
            Acted::Changed(transition) => {
                assert_eq!(transition.from_version(), request.version);
                assert_eq!(transition.entry.from, request.state.name());
                assert_eq!(transition.entry.to, transition.after.state.name());
                transition.after
            }
            other => panic!("{action:?} by {}: {other:?}", actor.id),
        }
    }

    const CLOSE: Action = Action::Close { reason: None };

    #[test]
    fn who_takes_it_can_give_it_back_or_close_it_and_others_cannot() {
        let (anna, boris) = (member(1, Role::Member), member(2, Role::Member));
        let taken = after(&new(), &Action::Take, &anna);
        let by_anna = Acted::TakenBy {
            name: anna.name.clone(),
        };
        let now = Timestamp::UNIX_EPOCH;
        for action in [Action::Take, Action::Return, CLOSE] {
            assert_eq!(act(&taken, &action, &boris, now), by_anna, "{action:?}");
        }
        assert_eq!(act(&taken, &Action::Take, &anna, now), Acted::AlreadyYours);
        let back = after(&taken, &Action::Return, &anna);
        assert_eq!((back.state.clone(), back.version), (State::New, 3));
        assert_eq!(act(&back, &Action::Return, &anna, now), Acted::NotTaken);
        after(&back, &Action::Take, &boris);
    }

    #[test]
    fn an_administrator_can_do_so_for_others_and_closed_is_closed() {
        let (boss, boris) = (member(1, Role::Administrator), member(2, Role::Member));
        let taken = after(&new(), &Action::Take, &boris);
        after(&taken, &Action::Return, &boss);
        let reason = Some("a double".to_owned());
        let closed = after(&taken, &Action::Close { reason }, &boss);
        for action in [Action::Take, Action::Return, CLOSE] {
            let acted = act(&closed, &action, &boris, Timestamp::UNIX_EPOCH);
            let name = boss.name.clone();
            assert_eq!(acted, Acted::AlreadyClosed { name }, "{action:?}");
        }
        after(&new(), &CLOSE, &boris);
    }
}
