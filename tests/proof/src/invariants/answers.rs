//! Invariants of the answers to commands in a group.

use anyhow::ensure;
use serde_json::Value;

use super::{number, text};
use crate::talk::is_list;
use crate::world::World;

/// 12: a list is sent once for each time that it was asked for, but for sends without an answer and lists
/// that were deleted; and what is done stands there.
pub(super) fn lists(world: &World, effects: &[&Value]) -> anyhow::Result<()> {
    let answers = || {
        let effects = effects.iter();
        effects.filter(|effect| text(effect, "sk").starts_with("EFF#answer"))
    };
    let messages = world.staff_messages();
    let again: i64 = answers()
        .map(|effect| number(effect, "unknowns") + number(effect, "resends"))
        .sum();
    // What stands in a group that has become a supergroup cannot be edited any more: a page that is turned
    // there comes anew.
    let asked = if world.former_chats.is_empty() {
        world.lists_asked
    } else {
        answers().count()
    };
    let (former, now): (Vec<_>, Vec<_>) = messages
        .iter()
        .filter(|(_, message)| is_list(&message.text))
        .partition(|(chat, _)| world.former_chats.contains(chat));
    for there in [former.len(), now.len()] {
        ensure!(
            i64::try_from(there)? <= i64::try_from(asked)? + again,
            "{there} lists, {asked} asked for, {again} sent again"
        );
    }
    for effect in answers().filter(|effect| text(effect, "state") == "done") {
        let stands = messages.iter().any(|(chat, message)| {
            effect["message"] == message.message_id && effect["message_chat"] == *chat
        });
        ensure!(stands, "no such message: {effect}");
    }
    Ok(())
}
