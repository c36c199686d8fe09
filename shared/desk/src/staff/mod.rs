//! What staff type, and what they get for it.

mod act;
mod pages;
mod who;

use frontdesk_domain::effect::{Effect, EffectId, MessageRef};
use frontdesk_domain::{Action, Command, Member, NumberGiven, RequestId};
use frontdesk_storage::{Answer, Applied, Error};
use frontdesk_telegram::{InlineKeyboard, Message, SendMessage};
use frontdesk_texts::{self as texts, NumberProblem, Page, PressResult};
use jiff::Timestamp;

use crate::Desk;
use crate::handle_update::{Decision, Event, replying};
use act::act_in;
pub(crate) use act::{Said, act_on, activity, command_of, event_of};
pub(crate) use pages::list;
use pages::{show, stats};
pub(crate) use who::{Where, anonymity, where_is};

/// Requests named where a number's beginning fits several, and earlier ones in a story.
const MOST_NAMED: u8 = 5;

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
    let chat = message.chat.id;
    let is_known = desk
        .settings
        .places
        .iter()
        .any(|place| place.chat_id == chat);
    if member.is_none() && anonymous.is_none() && !is_known {
        // A stranger elsewhere: nothing is looked up for them.
        return Ok(None);
    }
    let place = where_is(desk, chat, user).await?;
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
            reply_markup: InlineKeyboard::of(page.buttons).markup(),
            ..SendMessage::html(chat, page.html)
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
