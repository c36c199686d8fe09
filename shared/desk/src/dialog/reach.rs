//! Whether a customer can be reached, as the chat and the card say it.

use frontdesk_domain::dialog::Draft;
use frontdesk_domain::effect::{Effect, Wish};
use frontdesk_domain::{FromDialog, RequestId};
use frontdesk_storage::{Applied, Conversation, Error};
use jiff::Timestamp;

use crate::Desk;

/// How often a note is decided anew when others keep changing the request.
#[cfg(feature = "deliver")]
const TRIES: usize = 8;

/// What changes when a customer turns out to be out of reach since `refused_at`, or within it again: what is
/// known of the chat, and its last request.
pub(super) async fn changes(
    desk: &Desk,
    chat: i64,
    read: &Conversation,
    refused_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<Vec<Applied>, Error> {
    let unreachable = refused_at.is_some();
    let mut changes = Vec::new();
    if unreachable != read.chat.unreachable_since.is_some() {
        changes.push(Applied::Reach { chat, refused_at });
    }
    if let Some(id) = read.draft.as_ref().and_then(Draft::last_request) {
        let set = |dialog: &mut FromDialog| dialog.unreachable = unreachable;
        changes.extend(noting(desk, id, set, chat, now).await?);
    }
    Ok(changes)
}

/// What changes when something is noted on a dialog's request: the request, its history and its cards.
async fn noting(
    desk: &Desk,
    id: RequestId,
    change: impl FnOnce(&mut FromDialog),
    actor: i64,
    now: Timestamp,
) -> Result<Vec<Applied>, Error> {
    let dialog = desk.settings.dialog.iter();
    let places = dialog.flat_map(|dialog| &dialog.places);
    let view = desk.store.read_for_press(id, places).await?;
    let noted = view
        .request
        .and_then(|request| request.noted(change, actor, now));
    let Some(transition) = noted else {
        return Ok(Vec::new());
    };
    let want = Some(transition.after.version);
    let wish = |card: &Effect| {
        Applied::Wish(Wish {
            id: card.id.clone(),
            want,
            stray: None,
        })
    };
    let wishes = view.cards.iter().map(wish);
    let transition = Applied::Transition(Box::new(transition));
    Ok([transition].into_iter().chain(wishes).collect())
}

/// Notes something on a dialog's request by itself, and has its cards brought up to date. It may be
/// noted already.
#[cfg(feature = "deliver")]
pub(crate) async fn note(
    desk: &Desk,
    id: RequestId,
    change: impl Fn(&mut FromDialog),
    now: Timestamp,
) -> Result<(), Error> {
    for _ in 0..TRIES {
        let changes = noting(desk, id, &change, 0, now).await?;
        if changes.is_empty() {
            return Ok(());
        }
        if desk.store.apply(desk.bot(), &changes, now).await? {
            let wishes = changes.iter().filter_map(|change| match change {
                Applied::Wish(wish) => Some(&wish.id),
                _ => None,
            });
            desk.announce_now(wishes).await;
            return Ok(());
        }
    }
    Err(Error::Contended {
        operation: "TransactWriteItems",
    })
}
