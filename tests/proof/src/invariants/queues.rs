//! Invariants of the queues.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::ensure;
use serde_json::Value;

use super::dialogs::is_unreachable;
use super::text;
use crate::world::{DEAD_LETTERS, World};

/// 14: a failed effect has a dead letter, but for customers who cannot be reached; and a dead letter names an effect that exists.
pub(super) async fn dead_letters(world: &World, effects: &[&Value]) -> anyhow::Result<()> {
    let key = |item: &Value| (text(item, "pk").to_owned(), text(item, "sk").to_owned());
    let known: BTreeSet<_> = effects.iter().map(|effect| key(effect)).collect();
    let mut dead = BTreeSet::new();
    loop {
        let letters = world.desk.sqs().receive(DEAD_LETTERS, 10, Duration::ZERO);
        let letters = letters.await;
        if letters.is_empty() {
            break;
        }
        for letter in letters {
            let named = key(&serde_json::from_str(&letter.body)?);
            ensure!(
                known.contains(&named),
                "a letter of nothing: {}",
                letter.body
            );
            dead.insert(named);
        }
    }
    for effect in effects
        .iter()
        .filter(|effect| text(effect, "state") == "failed" && !is_unreachable(effect))
    {
        ensure!(
            dead.contains(&key(effect)),
            "failed without a dead letter: {effect}"
        );
    }
    Ok(())
}
