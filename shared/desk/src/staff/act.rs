//! What staff do to a request from anywhere but its card.

use frontdesk_domain::effect::{EffectId, Wish};
use frontdesk_domain::{Acted, Action, Member, Request, RequestId, State, Transition, act};
use frontdesk_storage::{Applied, Error, Story};
use frontdesk_texts::PressResult;
use jiff::Timestamp;

use crate::Desk;
use crate::handle_update::Event;

/// The name of the command that does what a button does.
pub(crate) fn command_of(action: &Action) -> &'static str {
    match action {
        Action::Take => "take",
        Action::Return => "return",
        Action::Close { .. } => "close",
    }
}

/// What the log says of it.
pub(crate) fn event_of(action: &Action) -> &'static str {
    match action {
        Action::Take => "lead.claimed",
        Action::Return => "lead.returned",
        Action::Close { .. } => "lead.closed",
    }
}

/// What came of an action, to be said.
#[derive(Debug)]
pub(crate) enum Said {
    Claimed,
    Returned,
    Closed,
    AlreadyYours,
    TakenBy(String),
    ClosedBy(String),
    NotTaken,
    NoSuchRequest,
}

impl Said {
    pub(crate) fn of(acted: Option<&Acted>, action: &Action) -> Self {
        match acted {
            None => Self::NoSuchRequest,
            Some(Acted::Changed(_)) => match action {
                Action::Take => Self::Claimed,
                Action::Return => Self::Returned,
                Action::Close { .. } => Self::Closed,
            },
            Some(Acted::AlreadyYours) => Self::AlreadyYours,
            Some(Acted::TakenBy { name }) => Self::TakenBy(name.clone()),
            Some(Acted::AlreadyClosed { name }) => Self::ClosedBy(name.clone()),
            Some(Acted::NotTaken) => Self::NotTaken,
        }
    }

    pub(crate) fn view(&self) -> PressResult<'_> {
        match self {
            Self::Claimed => PressResult::Claimed,
            Self::Returned => PressResult::Returned,
            Self::Closed => PressResult::Closed,
            Self::AlreadyYours => PressResult::AlreadyYours,
            Self::TakenBy(by) => PressResult::AlreadyTaken { by },
            Self::ClosedBy(by) => PressResult::AlreadyClosed { by },
            Self::NotTaken => PressResult::NotTaken,
            Self::NoSuchRequest => PressResult::NoSuchRequest,
        }
    }
}

/// What an action comes to: what is said, and what changes.
#[derive(Debug)]
pub(crate) struct ActedOn {
    pub(crate) result: Said,
    pub(crate) changes: Vec<Applied>,
    pub(crate) event: Option<Event>,
}

impl ActedOn {
    pub(crate) fn transition(&self) -> Option<&Transition> {
        self.changes.iter().find_map(|change| match change {
            Applied::Transition(transition) => Some(&**transition),
            _ => None,
        })
    }
}

/// Does something to a request, whatever its cards.
pub(crate) async fn act_on(
    desk: &Desk,
    id: RequestId,
    action: &Action,
    member: &Member,
    now: Timestamp,
) -> Result<ActedOn, Error> {
    let story = desk.store.read_story(id).await?;
    Ok(act_in(desk, story.as_ref(), action, member, now))
}

/// That whoever has a request has done something on it without changing it.
pub(crate) fn activity(
    desk: &Desk,
    request: &Request,
    acted: Option<&Acted>,
    member: &Member,
    now: Timestamp,
) -> Option<Applied> {
    let is_theirs =
        matches!(&request.state, State::InWork { assignee, .. } if *assignee == member.id);
    let changes = matches!(acted, Some(Acted::Changed(_)));
    let due = desk.settings.attention.due_after_activity(request, now);
    due.filter(|_| is_theirs && !changes)
        .map(|due| Applied::Activity {
            request: request.id,
            assignee: member.id,
            due,
        })
}

pub(super) fn act_in(
    desk: &Desk,
    story: Option<&Story>,
    action: &Action,
    member: &Member,
    now: Timestamp,
) -> ActedOn {
    let acted = story.map(|story| act(&story.request, action, member, now));
    let result = Said::of(acted.as_ref(), action);
    let active =
        story.and_then(|story| activity(desk, &story.request, acted.as_ref(), member, now));
    let (Some(story), Some(Acted::Changed(mut transition))) = (story, acted) else {
        return ActedOn {
            result,
            changes: active.into_iter().collect(),
            event: None,
        };
    };
    transition.after = desk.settings.attention.watching(transition.after);
    let cards = story.effects.iter().map(|effect| &effect.id);
    let cards = cards.filter(|id| matches!(id, EffectId::Card { .. }));
    let want = Some(transition.after.version);
    let wish = |id: &EffectId| {
        Applied::Wish(Wish {
            id: id.clone(),
            want,
            stray: None,
        })
    };
    let event = Event {
        name: event_of(action),
        lead: story.request.id,
        actor: member.id,
    };
    let mut changes: Vec<_> = cards.map(wish).collect();
    changes.push(Applied::Transition(transition));
    ActedOn {
        result,
        changes,
        event: Some(event),
    }
}
