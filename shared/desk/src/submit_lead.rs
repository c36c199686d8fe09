//! A site form comes in: the lead is stored, then the staff are told.

use std::collections::BTreeMap;

use frontdesk_domain::effect::{Effect, EffectId};
use frontdesk_domain::{
    ContactKey, ContentDigest, Counter, DraftToken, FieldFault, Name, Request, RequestId, State,
    fill,
};
use frontdesk_settings::SiteForm;
use frontdesk_storage::{Error, Inserted, NewRequest};
use jiff::Timestamp;

use crate::Desk;
use crate::metrics::Metric;

/// What came of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It is stored, now or by an earlier send of the same draft.
    Accepted(RequestId),
    /// The draft was sent before, with other content; nothing is stored.
    OtherContent,
    /// Some fields are wrong; nothing is stored.
    Invalid(BTreeMap<String, FieldFault>),
}

/// Stores what was typed into a form under its draft token, unless it is there already, with a card
/// for each of the form's places.
///
/// An error means that it may or may not be stored: the same call may be made again.
pub async fn submit_lead(
    desk: &Desk,
    site: &SiteForm,
    token: DraftToken,
    typed: &[(String, String)],
    now: Timestamp,
) -> Result<Submitted, Error> {
    let form = &site.form;
    let pairs = || {
        typed
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    };
    let answers = match fill(form, pairs(), desk.settings.country) {
        Ok(answers) => answers,
        Err(faults) => return Ok(Submitted::Invalid(faults)),
    };
    let as_typed = answers
        .iter()
        .filter_map(|answer| pairs().find(|(name, _)| *name == answer.field.as_str()));
    let digest = ContentDigest::of(as_typed);
    let contact = answers
        .iter()
        .find_map(|answer| answer.e164.as_deref())
        .map(ContactKey::of_phone);
    for id in RequestId::candidates("form", &form.name, &token) {
        let request = desk.settings.attention.watching(Request {
            id,
            source: form.name.clone(),
            token: token.clone(),
            digest: digest.clone(),
            answers: answers.clone(),
            contact: contact.clone(),
            state: State::New,
            version: 1,
            created: now,
            changed: now,
            attention: None,
            called_out: false,
            dialog: None,
        });
        let card = |place: &Name| {
            Effect::new(
                EffectId::Card {
                    request: id,
                    place: place.clone(),
                },
                now,
            )
        };
        let effects: Vec<_> = site.places.iter().map(card).collect();
        let new = NewRequest {
            request,
            files: Vec::new(),
            effects,
        };
        match desk.store.insert_request(&new).await? {
            Inserted::Stored => {
                tracing::info!(lead.id = %id, form = %form.name, "lead.stored");
                Metric::LeadsAccepted.record(1);
                desk.announce_now(new.effects.iter().map(|effect| &effect.id))
                    .await;
                return Ok(Submitted::Accepted(id));
            }
            Inserted::Exists(found) if found.source != form.name || found.token != token => {}
            Inserted::Exists(found) if found.digest == digest => {
                tracing::info!(lead.id = %id, "lead.repeated");
                Metric::Repeats.record(1);
                desk.count(Counter::LeadRepeated, now).await;
                return Ok(Submitted::Accepted(id));
            }
            Inserted::Exists(_) => return Ok(Submitted::OtherContent),
        }
    }
    // Four of 2^56 ids are taken by other drafts: that is no accident.
    Err(Error::Contended {
        operation: "TransactWriteItems",
    })
}
