//! A press of a button.

use frontdesk_domain::effect::{MessageRef, Wish};
use frontdesk_domain::{Press, Taken, take};
use frontdesk_storage::{Applied, Error, PressView};
use frontdesk_telegram::{AnswerCallbackQuery, Callback};
use frontdesk_texts::{self as texts, AnonymousPress, PressResult};
use jiff::Timestamp;

use crate::Desk;
use crate::handle_update::{Decision, Event, replying};

/// The users behind which Telegram hides whoever acts as a group, or as Telegram itself.
const GROUP_ANONYMOUS_BOT: i64 = 1_087_968_824;
const TELEGRAM: i64 = 777_000;

/// Decides a press. Whoever made the update could put anything into it, so the presser is looked up
/// on the staff list and the chat among the desk's places.
pub(crate) async fn press(
    desk: &Desk,
    callback: &Callback,
    now: Timestamp,
) -> Result<Decision, Error> {
    let language = desk.settings.staff_language;
    let refuse = |text: &str| Ok(answer(callback, text, true));
    let Ok(Press::Take(id)) = Press::parse(callback.data.as_deref().unwrap_or_default()) else {
        return refuse(texts::press_gone(language));
    };
    let anonymous = match callback.from.id {
        GROUP_ANONYMOUS_BOT => Some(AnonymousPress::Administrator),
        TELEGRAM => Some(AnonymousPress::Service),
        _ => None,
    };
    let Some(member) = desk
        .settings
        .member(callback.from.id)
        .filter(|_| anonymous.is_none())
    else {
        return refuse(texts::only_staff(language, anonymous));
    };
    let Some(message) = &callback.message else {
        return refuse(texts::wrong_chat(language));
    };
    let pressed = MessageRef {
        chat: message.chat.id,
        message: message.message_id,
    };

    let places: Vec<_> = desk
        .settings
        .places
        .iter()
        .map(|place| (&place.name, place.chat_id))
        .collect();
    let view = desk.store.read_for_press(desk.bot(), id, &places).await?;
    let here = places
        .iter()
        .zip(&view.places)
        .position(|((_, chat), (_, known))| {
            *chat == pressed.chat || known.migrated_to == Some(pressed.chat)
        });
    let Some(here) = here else {
        return refuse(texts::wrong_chat(language));
    };
    let taken = view
        .request
        .as_ref()
        .map(|request| take(request, member, now));
    let result = match &taken {
        Some(Taken::Claimed(_)) => PressResult::Claimed,
        Some(Taken::AlreadyYours) => PressResult::AlreadyYours,
        Some(Taken::AlreadyTaken { by }) => PressResult::AlreadyTaken { by },
        None => PressResult::NoSuchRequest,
    };
    let mut decision = answer(callback, &texts::press_result(language, &result), false);
    let transition = taken.and_then(|taken| match taken {
        Taken::Claimed(transition) => Some(transition),
        Taken::AlreadyYours | Taken::AlreadyTaken { .. } => None,
    });
    let want = transition
        .as_ref()
        .map(|transition| transition.after.version);
    decision.changes.extend(wishes(&view, here, pressed, want));
    if let Some(transition) = transition {
        decision.event = Some(Event {
            name: "lead.claimed",
            lead: id,
            actor: member.id,
        });
        decision.changes.push(Applied::Transition(transition));
    }
    Ok(decision)
}

/// What the cards must come to: each place's shows the new version, and a pressed message that is
/// not the noted card is dealt with.
fn wishes(
    view: &PressView,
    here: usize,
    pressed: MessageRef,
    want: Option<u32>,
) -> impl Iterator<Item = Applied> {
    view.places
        .iter()
        .enumerate()
        .filter_map(move |(at, (effect, _))| {
            let effect = effect.as_ref()?;
            let stray = (at == here && effect.message != Some(pressed)).then_some(pressed);
            (want.is_some() || stray.is_some()).then(|| {
                Applied::Wish(Wish {
                    id: effect.id.clone(),
                    want,
                    stray,
                })
            })
        })
}

fn answer(callback: &Callback, text: &str, show_alert: bool) -> Decision {
    replying(&AnswerCallbackQuery {
        callback_query_id: callback.id.clone(),
        text: text.to_owned(),
        show_alert,
    })
}
