//! Invariants of the answers to commands in a group.

use anyhow::ensure;
use serde_json::Value;

use super::{in_groups, number, stands, text};
use crate::talk::is_answer;
use crate::world::World;

/// 12: an answer is sent once for each time that it was asked for, but for sends without an answer and lists
/// that were deleted; and what is done stands there.
pub(super) fn all(world: &World, effects: &[&Value]) -> anyhow::Result<()> {
    let answers = || {
        let effects = effects.iter();
        effects.filter(|effect| text(effect, "sk").starts_with("EFF#answer"))
    };
    let again: i64 = answers()
        .map(|effect| number(effect, "unknowns") + number(effect, "resends"))
        .sum();
    // What stands in a group that has become a supergroup cannot be edited any more: a page that is turned
    // there comes anew.
    let asked = if world.former_chats.is_empty() {
        world.answers_asked
    } else {
        answers().count()
    };
    for there in in_groups(world, |message| is_answer(&message.text))? {
        ensure!(
            there <= i64::try_from(asked)? + again,
            "{there} answers, {asked} asked for, {again} sent again"
        );
    }
    for effect in answers().filter(|effect| text(effect, "state") == "done") {
        ensure!(stands(world, effect), "no such message: {effect}");
    }
    Ok(())
}
