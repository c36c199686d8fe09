//! What staff type, and what they do to requests from anywhere but a card.

use frontdesk_domain::effect::{Effect, EffectId, MessageRef, State as EffectState, Wish};
use frontdesk_domain::{
    Acted, Action, Command, Member, NumberGiven, Request, RequestId, State, Transition, act,
};
use frontdesk_storage::{Answer, Applied, Error, Listed, Story};
use frontdesk_telegram::{
    InlineKeyboard, InlineKeyboardButton, LinkPreview, Message, ParseMode, ReplyMarkup, SendMessage,
};
use frontdesk_texts::{
    self as texts, AnonymousPress, NumberProblem, Page, PressResult, Stats, StoryView,
};
use jiff::{SignedDuration, Timestamp};

use crate::Desk;
use crate::handle_update::{Decision, Event, replying};
use crate::press::place_of;

/// The users behind which Telegram hides whoever acts as a group, or as Telegram itself.
const GROUP_ANONYMOUS_BOT: i64 = 1_087_968_824;
const TELEGRAM: i64 = 777_000;
/// Requests on one page of the list.
const PAGE: u8 = 5;
/// Counting ends here.
const MOST: u32 = 1000;
/// Requests named where a number's beginning fits several, and earlier ones in a story.
const MOST_NAMED: u8 = 5;

/// Behind what somebody hides, if they do.
pub(crate) fn anonymity(user: i64) -> Option<AnonymousPress> {
    match user {
        GROUP_ANONYMOUS_BOT => Some(AnonymousPress::Administrator),
        TELEGRAM => Some(AnonymousPress::Service),
        _ => None,
    }
}

/// Where a member of staff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    /// In their own chat with the bot.
    Private,
    /// In a place of the desk's.
    Place,
    /// Where customers and strangers could read along.
    Elsewhere,
}

pub(crate) async fn where_is(desk: &Desk, chat: i64, member: &Member) -> Result<Where, Error> {
    if chat == member.id {
        return Ok(Where::Private);
    }
    Ok(match place_of(desk, chat).await? {
        Some(_) => Where::Place,
        None => Where::Elsewhere,
    })
}

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

fn act_in(
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

/// The page of the list that begins with what changed before `start`; `changed` is a request that changes
/// with this very update, and stays where it stands on the page.
pub(crate) async fn list(
    desk: &Desk,
    start: Option<Timestamp>,
    changed: Option<&Request>,
) -> Result<Page, Error> {
    let (mut requests, more) = desk.store.read_latest(start, PAGE).await?;
    if let Some(changed) = changed
        && let Some(listed) = requests.iter_mut().find(|listed| listed.id == changed.id)
    {
        *listed = changed.clone();
    }
    Ok(texts::render_list(&desk.settings, &requests, start, more))
}

/// What the outbox sends to `chat`: a new message, or a new content of `message`.
pub(crate) fn answer(
    desk: &Desk,
    update: i64,
    chat: i64,
    message: Option<MessageRef>,
    page: Page,
    now: Timestamp,
) -> Applied {
    let bot = desk.bot().clone();
    let id = EffectId::Answer { bot, update, chat };
    let effect = Effect {
        message,
        ..Effect::new(id, now)
    };
    let Page { html, buttons } = page;
    let answer = Answer {
        html,
        buttons,
        reply_to: None,
    };
    Applied::Answer(Box::new(effect), answer)
}

/// Decides a message that may be a command of the staff's; none where it is not, or not from staff in
/// their own chat, so that others' dialogs go on.
pub(crate) async fn command(
    desk: &Desk,
    message: &Message,
    update_id: i64,
    now: Timestamp,
) -> Result<Option<Decision>, Error> {
    let Some(command) = message.text.as_deref().and_then(Command::parse) else {
        return Ok(None);
    };
    let language = desk.settings.staff_language;
    let user = message.from.as_ref().map_or(0, |from| from.id);
    let anonymous = anonymity(user);
    let member = desk.settings.member(user).filter(|_| anonymous.is_none());
    let is_private = message.chat.kind == "private";
    let chat = message.chat.id;
    let place = if is_private {
        Where::Private
    } else if place_of(desk, chat).await?.is_some() {
        Where::Place
    } else {
        Where::Elsewhere
    };
    let (page, changes, event) = match (member, place) {
        (None, Where::Private) | (_, Where::Elsewhere) => return Ok(None),
        (None, Where::Place) => {
            let refusal = texts::said(texts::only_staff(language, anonymous));
            (refusal, Vec::new(), None)
        }
        (Some(member), _) if !desk.settings.may(member, command.name()) => {
            let only = texts::press_result(language, &PressResult::OnlyAdministrators);
            (texts::said(&only), Vec::new(), None)
        }
        (Some(member), _) => carry_out(desk, &command, member, now).await?,
    };
    let mut decision = match place {
        Where::Private => replying(&SendMessage {
            reply_parameters: None,
            chat_id: chat,
            text: page.html,
            parse_mode: Some(ParseMode::Html),
            link_preview_options: LinkPreview::OFF,
            reply_markup: keyboard(page.buttons).map(ReplyMarkup::Inline),
        }),
        Where::Place | Where::Elsewhere => Decision {
            changes: vec![answer(desk, update_id, chat, None, page, now)],
            ..Decision::default()
        },
    };
    decision.changes.extend(changes);
    decision.event = event;
    Ok(Some(decision))
}

fn keyboard(rows: Vec<Vec<(String, String)>>) -> Option<InlineKeyboard> {
    let button = |(text, callback_data)| InlineKeyboardButton {
        text,
        callback_data,
    };
    let inline_keyboard: Vec<Vec<_>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(button).collect())
        .collect();
    (!inline_keyboard.is_empty()).then_some(InlineKeyboard { inline_keyboard })
}

/// What is said, what changes, and what the log says of it.
type Done = (Page, Vec<Applied>, Option<Event>);

async fn carry_out(
    desk: &Desk,
    command: &Command,
    member: &Member,
    now: Timestamp,
) -> Result<Done, Error> {
    let language = desk.settings.staff_language;
    let only = |page| Ok((page, Vec::new(), None));
    let number = match command {
        Command::List => return only(list(desk, None, None).await?),
        Command::Stats => return only(stats(desk, now).await?),
        Command::Show(number)
        | Command::Retry(number)
        | Command::Take(number)
        | Command::Return(number)
        | Command::Close(number, _) => number,
    };
    let id = match find(desk, number).await? {
        Ok(id) => id,
        Err(page) => return only(page),
    };
    let Some(story) = desk.store.read_story(id).await? else {
        return only(texts::number_problem(language, &NumberProblem::Unknown));
    };
    let action = match command {
        Command::Take(_) => Action::Take,
        Command::Return(_) => Action::Return,
        Command::Close(_, reason) => Action::Close {
            reason: reason.clone(),
        },
        Command::Retry(_) => {
            let again: Vec<_> = story.troubled().map(|effect| effect.id.clone()).collect();
            let page = texts::retried(language, again.len());
            let event = (!again.is_empty()).then_some(Event {
                name: "lead.retried",
                lead: id,
                actor: member.id,
            });
            let again = again.into_iter().map(Applied::Retry);
            let active = activity(desk, &story.request, None, member, now);
            return Ok((page, again.chain(active).collect(), event));
        }
        Command::List | Command::Stats | Command::Show(_) => {
            let active = activity(desk, &story.request, None, member, now);
            let page = show(desk, &story).await?;
            return Ok((page, active.into_iter().collect(), None));
        }
    };
    let acted = act_in(desk, Some(&story), &action, member, now);
    let said = texts::press_result(language, &acted.result.view());
    Ok((texts::said(&said), acted.changes, acted.event))
}

/// The request that a number leads to, or what is said where it leads to none or to several.
async fn find(desk: &Desk, number: &NumberGiven) -> Result<Result<RequestId, Page>, Error> {
    let language = desk.settings.staff_language;
    let problem = |problem| Ok(Err(texts::number_problem(language, &problem)));
    let NumberGiven::Beginning(digits) = number else {
        return problem(NumberProblem::Unreadable);
    };
    if digits.len() == NumberGiven::WHOLE
        && let Ok(id) = RequestId::parse(digits)
    {
        return Ok(Ok(id));
    }
    match &desk.store.find_numbers(digits, MOST_NAMED).await?[..] {
        [] => problem(NumberProblem::Unknown),
        [id] => Ok(Ok(*id)),
        several => problem(NumberProblem::Several(several)),
    }
}

async fn show(desk: &Desk, story: &Story) -> Result<Page, Error> {
    let request = &story.request;
    let earlier = match &request.contact {
        Some(contact) => {
            desk.store
                .earlier_requests(contact, request.created, MOST_NAMED)
                .await?
        }
        None => Vec::new(),
    };
    Ok(texts::render_story(&StoryView {
        settings: &desk.settings,
        request,
        history: &story.history,
        effects: &story.effects,
        earlier: &earlier,
    }))
}

async fn stats(desk: &Desk, now: Timestamp) -> Result<Page, Error> {
    let store = &desk.store;
    let count = |listed| store.count_listed(listed, Timestamp::MAX, MOST);
    let zone = &desk.settings.zone;
    let today = now.to_zoned(zone.clone()).start_of_day();
    let today = today.map_or(now, |start| start.timestamp());
    let month = now - SignedDuration::from_hours(30 * 24);
    let [new, in_work, closed] = frontdesk_domain::State::NAMES.map(Listed::Requests);
    let stats = Stats {
        new: count(new).await?,
        in_work: count(in_work).await?,
        closed_today: store.count_listed_since(closed, today, MOST).await?,
        closed_lately: store.count_listed_since(closed, month, MOST).await?,
        oldest: store.oldest_listed(new).await?,
        unknown: count(Listed::Effects(EffectState::Unknown)).await?,
        failed: count(Listed::Effects(EffectState::Failed)).await?,
        most: MOST,
    };
    Ok(texts::render_stats(&desk.settings, &stats))
}
