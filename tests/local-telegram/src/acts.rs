//! What people do in the chats, and raw updates: each call returns after the first attempt at delivery.

use crate::outcome::{Error, PressResult, Results, SayResult, UpdateResult};
use crate::person::{Press, RawUpdate, Say};
use crate::state::{State, Update};
use crate::{Telegram, press, say};

impl Telegram {
    /// A person writes. Returns after the first attempt at delivering the update.
    pub async fn say(&self, say: Say) -> Result<SayResult, Error> {
        let now = self.clock().now();
        let updates = self.with(|state| match say.update_id {
            Some(id) => earlier(state, id).map(|update| vec![update]),
            None => say::write(state, now, &say),
        })?;
        let several = say.copies.is_some() || updates.len() > 1;
        let attempts = self.deliver(updates, say.copies).await;
        Ok(Results::new(
            attempts.into_iter().map(Into::into).collect(),
            several,
        ))
    }

    /// A person presses a button. Returns after the first attempt at delivering the update.
    pub async fn press(&self, press: Press) -> Result<PressResult, Error> {
        let now = self.clock().now();
        let update = self.with(|state| match press.update_id {
            Some(id) => earlier(state, id),
            None => press::press(state, now, &press),
        })?;
        let attempts = self.deliver(vec![update], press.copies).await;
        let results = attempts.into_iter().map(Into::into).collect();
        Ok(Results::new(results, press.copies.is_some()))
    }

    /// Delivers an update as it is. Returns after the first attempt.
    pub async fn update(&self, raw: RawUpdate) -> Result<UpdateResult, Error> {
        let now = self.clock().now();
        let update = self.with(|state| match raw.update_id {
            Some(id) => earlier(state, id),
            None => press::raw(state, now, raw.update),
        })?;
        let attempts = self.deliver(vec![update], raw.copies).await;
        let results = attempts.into_iter().map(Into::into).collect();
        Ok(Results::new(results, raw.copies.is_some()))
    }
}

fn earlier(state: &State, id: i64) -> Result<Update, Error> {
    state
        .updates
        .get(&id)
        .cloned()
        .ok_or(Error::UnknownUpdate(id))
}
