//! Who is behind an update, and where.

use frontdesk_storage::Error;
use frontdesk_texts::AnonymousPress;

use crate::Desk;
use crate::press::place_of;

/// The users behind which Telegram hides whoever acts as a group, or as Telegram itself.
const GROUP_ANONYMOUS_BOT: i64 = 1_087_968_824;
const TELEGRAM: i64 = 777_000;

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

/// Where `user` is. A private chat has the id of its user.
pub(crate) async fn where_is(desk: &Desk, chat: i64, user: i64) -> Result<Where, Error> {
    if chat == user {
        return Ok(Where::Private);
    }
    Ok(match place_of(desk, chat).await? {
        Some(_) => Where::Place,
        None => Where::Elsewhere,
    })
}
