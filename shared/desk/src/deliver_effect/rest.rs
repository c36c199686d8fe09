//! What a message finds that comes before its effect's time: a draft that nobody moves on, a brief whose
//! card is not there yet.

use frontdesk_domain::dialog::Draft;
use frontdesk_domain::effect::{Effect, GRACE, State};
use frontdesk_storage::{DraftChange, EffectKey, Error, Finished, Panel, Subject};
use jiff::Timestamp;

use super::{Delivery, Round, Verdict, brief};

impl<C: Fn() -> Timestamp> Delivery<'_, C> {
    /// What is done instead of an attempt, if one must not be made now.
    pub(super) async fn put_off(
        &self,
        key: &EffectKey,
        stored: &Effect,
        subject: &Subject,
    ) -> Result<Option<Round>, Error> {
        match subject {
            Subject::Draft(draft) if self.expire(stored, draft).await? => Ok(Some(Round::Again)),
            // Given up as its card was, and now one of them is redriven: only this message brings it back.
            Subject::Brief(subject) if brief::waits(subject) && stored.state == State::Failed => {
                Ok(Some(Round::Over(Verdict::Keep)))
            }
            Subject::Brief(subject) if brief::waits(subject) => {
                // The end of the card's attempt brings it back sooner.
                if let Some(seen) = stored.due {
                    let card = subject.card.as_ref().and_then(|card| card.due);
                    let later = card.unwrap_or(seen).max((self.clock)()) + GRACE;
                    self.desk.store.move_effect_due(key, seen, later).await?;
                }
                Ok(Some(Round::Over(Verdict::Delete)))
            }
            _ => Ok(None),
        }
    }

    /// Ends a draft whose time is over, and wishes that its customer is told; false where its time is
    /// not over, or somebody moved it on.
    async fn expire(&self, panel: &Effect, draft: &Draft) -> Result<bool, Error> {
        let (Some(dialog), Some(chat)) = (&self.desk.settings.dialog, panel.id.customer()) else {
            return Ok(false);
        };
        let now = (self.clock)();
        if !draft.is_overdue(&dialog.dialog, now) {
            return Ok(false);
        }
        let change = DraftChange {
            chat,
            before: Some(draft.clone()),
            after: draft.expired(),
            keep: dialog.dialog.keep,
            panel: Some(Panel::Anew(panel.message.map(|message| message.message))),
        };
        self.desk
            .store
            .change_draft(self.desk.bot(), &change, now)
            .await
    }

    /// An effect with nothing to do that the clock brought up again: of a panel, its draft's end is what
    /// the clock has to wait for now; of a card, all that it was behind with is in a chat that has become
    /// another. `effect` is what is left of it in its chat.
    pub(super) async fn rest(
        &self,
        stored: &Effect,
        effect: Effect,
        subject: &Subject,
    ) -> Result<Round, Error> {
        let dialog = self.desk.settings.dialog.as_ref();
        let until = match subject {
            Subject::Draft(draft) => dialog.and_then(|dialog| draft.expires(&dialog.dialog)),
            _ => None,
        };
        if stored.due == until {
            return Ok(Round::Over(Verdict::Delete));
        }
        let resting = Effect {
            due: until,
            since: None,
            // It still shows what it showed, though it cannot be edited any more.
            message: stored.message,
            ..effect
        };
        Ok(
            match self.desk.store.write_effect(stored, &resting).await? {
                Finished::Stored(_) => Round::Over(Verdict::Delete),
                Finished::Changed(_) => Round::Again,
            },
        )
    }
}
