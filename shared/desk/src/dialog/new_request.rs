use std::collections::BTreeSet;

use frontdesk_domain::dialog::{Dialog, Draft, Given};
use frontdesk_domain::effect::{Effect, EffectId};
use frontdesk_domain::{
    Answer, ContactKey, ContentDigest, FromDialog, Picked, Request, RequestId, State,
};
use frontdesk_settings::BotDialog;
use frontdesk_storage::NewRequest;
use frontdesk_texts as texts;
use jiff::Timestamp;

use crate::Desk;

/// The request that a draft becomes, with a card and the brief for each of the dialog's places and a
/// confirmation for the customer.
pub(super) fn of(
    desk: &Desk,
    bot_dialog: &BotDialog,
    id: RequestId,
    chat: i64,
    draft: &Draft,
    now: Timestamp,
) -> NewRequest {
    let answers = answers(&bot_dialog.dialog, draft);
    let typed = answers
        .iter()
        .map(|answer| (answer.field.as_str(), answer.text.as_str()));
    let digest = ContentDigest::of(typed);
    let contact = answers.iter().find_map(|answer| answer.e164.as_deref());
    let files = draft.brief();
    let count = u32::try_from(files.len()).unwrap_or(u32::MAX);
    let effects = bot_dialog.places.iter().flat_map(|place| {
        let card = EffectId::Card {
            request: id,
            place: place.clone(),
        };
        let brief = EffectId::Brief {
            request: id,
            place: place.clone(),
        };
        let brief = (count > 0).then(|| Effect {
            want: count,
            ..Effect::new(brief, now)
        });
        [Some(Effect::new(card, now)), brief].into_iter().flatten()
    });
    let confirmation = Effect::new(EffectId::Confirmation { request: id, chat }, now);
    NewRequest {
        effects: effects.chain([confirmation]).collect(),
        request: desk.settings.attention.watching(Request {
            id,
            source: desk.bot().clone(),
            token: draft.token.clone(),
            digest,
            contact: contact.map(ContactKey::of_phone),
            answers,
            state: State::New,
            version: 1,
            created: now,
            changed: now,
            attention: None,
            called_out: false,
            dialog: Some(FromDialog {
                chat,
                language: draft.language,
                link: draft.source.clone(),
                began: draft.began,
                files: count,
                unreachable: false,
                refused: BTreeSet::new(),
            }),
        }),
        files,
    }
}

/// The answers in the steps' order: as the customer read them, with what they stand for.
fn answers(dialog: &Dialog, draft: &Draft) -> Vec<Answer> {
    let answer = |step: &frontdesk_domain::dialog::Step| {
        let given = draft.answers.get(&step.name)?;
        let (e164, picked) = match given {
            Given::Chosen(names) => (None, Some(Picked::Options(names.clone()))),
            Given::Range(range) => (None, Some(Picked::Range(*range))),
            Given::Contact { e164, own, .. } => {
                (Some(e164.clone()), own.then_some(Picked::OwnNumber))
            }
            Given::Skipped | Given::Files | Given::Text(_) => (None, None),
        };
        Some(Answer {
            field: step.name.clone(),
            text: texts::answer_text(step, given, draft.language)?,
            e164,
            picked,
        })
    };
    dialog.steps.iter().filter_map(answer).collect()
}
