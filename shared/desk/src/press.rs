//! A press of a button.

use frontdesk_domain::effect::{Effect, EffectId, MessageRef, Wish};
use frontdesk_domain::{Acted, Action, Member, Press, PressedOn, RequestId, act};
use frontdesk_settings::Place;
use frontdesk_storage::{Applied, Error};
use frontdesk_telegram::{AnswerCallbackQuery, Callback};
use frontdesk_texts::{self as texts, PressResult};
use jiff::Timestamp;

use crate::Desk;
use crate::dialog;
use crate::handle_update::{Decision, Event, replying};
use crate::staff::{self, Where, anonymity};

/// Decides a press of update `update_id`. Whoever made it could put anything into it, so the presser is
/// looked up on the staff list and the chat among the desk's places. `taken` counts the ids of a new
/// request that belong to others.
pub(crate) async fn press(
    desk: &Desk,
    callback: &Callback,
    update_id: i64,
    now: Timestamp,
    taken: usize,
) -> Result<Decision, Error> {
    let language = desk.settings.staff_language;
    let refuse = |text: &str| Ok(answer(callback, text, true));
    if let Some(event) = dialog::press_of(callback.data.as_deref()) {
        // A private chat has the id of its user: nobody presses for somebody else.
        let message = callback.message.as_ref();
        let is_own = message.is_none_or(|message| message.chat.id == callback.from.id);
        return match desk.settings.dialog.as_ref().filter(|_| is_own) {
            Some(dialog) => dialog::press(desk, dialog, callback, event, now, taken).await,
            None => refuse(texts::press_gone(language)),
        };
    }
    let Ok(press) = Press::parse(callback.data.as_deref().unwrap_or_default()) else {
        return refuse(texts::press_gone(language));
    };
    let anonymous = anonymity(callback.from.id);
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
    let needed = match &press {
        Press::Page(_) => vec!["list"],
        Press::Act {
            action,
            from: PressedOn::Card,
            ..
        } => vec![staff::command_of(action)],
        // The page that it stands on is shown anew.
        Press::Act { action, .. } => vec![staff::command_of(action), "list"],
    };
    if !needed
        .iter()
        .all(|command| desk.settings.may(member, command))
    {
        let only = texts::press_result(language, &PressResult::OnlyAdministrators);
        return refuse(&only);
    }
    match press {
        Press::Act {
            action,
            request,
            from: PressedOn::Card,
        } => {
            let Some(here) = place_of(desk, pressed.chat).await? else {
                return refuse(texts::wrong_chat(language));
            };
            on_card(
                desk,
                callback,
                member,
                (&action, request),
                here,
                pressed,
                now,
            )
            .await
        }
        // A list is for staff, in their own chat with the bot or in a place of the desk's.
        _ if staff::where_is(desk, pressed.chat, member.id).await? == Where::Elsewhere => {
            refuse(texts::wrong_chat(language))
        }
        Press::Page(start) => {
            let page = staff::list(desk, start, None).await?;
            let mut decision = answer(callback, "", false);
            let shown = staff::answer(desk, update_id, pressed.chat, Some(pressed), page, now);
            decision.changes.push(shown);
            Ok(decision)
        }
        Press::Act {
            action,
            request,
            from: PressedOn::List(start),
        } => {
            let acted = staff::act_on(desk, request, &action, member, now).await?;
            let said = texts::press_result(language, &acted.result.view());
            let mut decision = answer(callback, &said, false);
            let changed = acted.transition().map(|transition| &transition.after);
            let page = staff::list(desk, start, changed).await?;
            let shown = staff::answer(desk, update_id, pressed.chat, Some(pressed), page, now);
            decision.event = acted.event;
            decision.changes = acted.changes;
            decision.changes.push(shown);
            Ok(decision)
        }
    }
}

/// A press on a card, or on a copy of it that was never noted.
async fn on_card(
    desk: &Desk,
    callback: &Callback,
    member: &Member,
    (action, id): (&Action, RequestId),
    here: &Place,
    pressed: MessageRef,
    now: Timestamp,
) -> Result<Decision, Error> {
    let language = desk.settings.staff_language;
    let beside = desk.settings.places_beside(here);
    let names = beside.iter().map(|place| &place.name);
    let view = desk.store.read_for_press(id, names).await?;
    let acted = view
        .request
        .as_ref()
        .map(|request| act(request, action, member, now));
    let active = view
        .request
        .as_ref()
        .and_then(|request| staff::activity(desk, request, acted.as_ref(), member, now));
    let result = staff::Said::of(acted.as_ref(), action);
    let said = texts::press_result(language, &result.view());
    let mut decision = answer(callback, &said, false);
    let transition = acted.and_then(|acted| match acted {
        Acted::Changed(transition) => Some(transition),
        _ => None,
    });
    let version = match (&transition, &view.request) {
        (Some(transition), _) => transition.after.version,
        (None, Some(request)) => request.version,
        (None, None) => 0,
    };
    let wishes = wishes(&view.cards, here, pressed, version);
    decision.changes.extend(wishes);
    decision.changes.extend(active);
    if let Some(mut transition) = transition {
        transition.after = desk.settings.attention.watching(transition.after);
        decision.event = Some(Event {
            name: staff::event_of(action),
            lead: id,
            actor: member.id,
        });
        decision.changes.push(Applied::Transition(transition));
    }
    Ok(decision)
}

/// The place that a chat belongs to: by the settings, or because its group has become this one.
pub(crate) async fn place_of(desk: &Desk, chat: i64) -> Result<Option<&Place>, Error> {
    let places = &desk.settings.places;
    if let Some(place) = places.iter().find(|place| place.chat_id == chat) {
        return Ok(Some(place));
    }
    let chats: Vec<_> = places.iter().map(|place| place.chat_id).collect();
    let former = desk.store.find_migrated(desk.bot(), &chats, chat).await?;
    Ok(places.iter().find(|place| Some(place.chat_id) == former))
}

/// What the cards must come to: each shows the request's version, and a pressed message that is not the
/// noted card is dealt with. A card that was not among those of an earlier press, since the form's places
/// have changed in between, is brought up to date by the press on it.
fn wishes(
    cards: &[Effect],
    here: &Place,
    pressed: MessageRef,
    version: u32,
) -> impl Iterator<Item = Applied> {
    cards.iter().filter_map(move |effect| {
        let is_here = matches!(&effect.id, EffectId::Card { place, .. } if *place == here.name);
        let stray = (is_here && effect.message != Some(pressed)).then_some(pressed);
        let want = Some(version).filter(|version| effect.want < *version);
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
