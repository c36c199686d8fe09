//! Invariants of repeats: none goes without a word.

use anyhow::ensure;
use serde_json::Value;

use super::{number, text};
use crate::story::{Key, Sent, Story};
use crate::world::World;

/// The word.
const MARK: &str = "may be a repeat";

/// 12: of the messages that an effect has made, all but one say that they may be repeats; not counted are
/// those that were sent anew because a person had deleted the former, or its group had become another. A
/// warning may go without the word for each turn, a brief for each file.
pub(super) fn check(
    world: &World,
    items: &[Value],
    key: &Key,
    story: &Story,
) -> anyhow::Result<()> {
    let of_the_same = |sk: &str| {
        let mut items = items.iter();
        items.find(|item| text(item, "pk") == key.0 && text(item, "sk") == sk)
    };
    let kind = key.1.split('#').nth(1).unwrap_or_default();
    let once = match kind {
        "card" | "answer" | "reminder" | "report" => 1,
        "warning" => of_the_same("ALERT").map_or(0, |alert| number(alert, "version")),
        "brief" => of_the_same("REQ").map_or(0, |request| number(request, "files")),
        _ => return Ok(()),
    };
    let former = i64::try_from(world.former_chats.len())?;
    let is_unmarked = |sent: &&Sent| sent.is_new && sent.is_done && !sent.text.contains(MARK);
    let unmarked: Vec<_> = story.sends.iter().filter(is_unmarked).collect();
    ensure!(
        i64::try_from(unmarked.len())? <= once + story.resends() + former,
        "12: repeats without a word: {unmarked:?}"
    );
    Ok(())
}
