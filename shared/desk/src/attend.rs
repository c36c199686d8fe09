//! The clock looks at a request whose time has come: nobody has taken it, or whoever has it does nothing.

use frontdesk_domain::effect::{Effect, EffectId, Wish};
use frontdesk_domain::{Attended, RequestId};
use frontdesk_storage::{Answer, Applied, DueEntry, Error};
use frontdesk_texts::{self as texts, Page};
use jiff::Timestamp;

use crate::Desk;

/// Looks at a request that the index shows as due; false where somebody else was first, and the next sweep
/// looks again.
pub(crate) async fn attend(
    desk: &Desk,
    id: RequestId,
    seen: &DueEntry,
    now: Timestamp,
) -> Result<bool, Error> {
    let store = &desk.store;
    let Some(story) = store.read_story(id).await? else {
        return store.drop_due(seen).await;
    };
    let (transition, page) = match desk.settings.attention.attend(&story.request, now) {
        Attended::Nothing => return store.drop_due(seen).await,
        Attended::Later(due) => return store.move_due(seen, due).await,
        Attended::CalledOut(transition) => {
            let page = texts::called_out(&desk.settings, &story.request);
            (transition, page)
        }
        Attended::Returned {
            transition,
            assignee,
            name,
        } => {
            let page = texts::returned(&desk.settings, &story.request, assignee, &name);
            (transition, page)
        }
    };
    let version = transition.after.version;
    let mut changes = Vec::new();
    let mut effects = Vec::new();
    for card in &story.effects {
        let EffectId::Card { place, .. } = &card.id else {
            continue;
        };
        let reminder = EffectId::Reminder {
            request: id,
            version,
            place: place.clone(),
        };
        effects.extend([card.id.clone(), reminder.clone()]);
        changes.push(Applied::Wish(Wish {
            id: card.id.clone(),
            want: Some(version),
            stray: None,
        }));
        let effect = Box::new(Effect::new(reminder, now));
        changes.push(Applied::Answer(effect, answer(card, &page)));
    }
    let is_returned = transition.entry.to != transition.entry.from;
    let seen = seen.due;
    changes.push(Applied::Attended { transition, seen });
    if !store.apply(desk.bot(), &changes, now).await? {
        return Ok(false);
    }
    if is_returned {
        tracing::info!(lead.id = %id, "lead.returned_by_itself");
    } else {
        tracing::info!(lead.id = %id, "lead.called_out");
    }
    desk.announce_now(effects.iter()).await;
    Ok(true)
}

fn answer(card: &Effect, page: &Page) -> Answer {
    let Page { html, buttons } = page.clone();
    Answer {
        html,
        buttons,
        reply_to: card.message,
    }
}
