//! What people do in several use cases, or in several steps.

use anyhow::Context;
use frontdesk_local::{Fault, Kind, Target};

use super::fault;
use crate::people::{ANNA, BORIS, Press, STAFF};
use crate::talk::VERA;
use crate::world::World;

/// How long the sample settings keep a draft, in seconds.
const KEPT: u64 = 30 * 24 * 3600;
/// A little more than the time from one look at the webhook to the next, in seconds.
const LOOK_EVERY: u64 = 901;

/// A form that was sent, and its card.
pub(super) async fn a_card(world: &mut World) -> anyhow::Result<()> {
    world.submit(1, 0).await?;
    world.quiet().await
}

/// The desk registers itself, somebody turns its updates away, and it looks.
pub(super) async fn register(world: &mut World) -> anyhow::Result<()> {
    world.sweep().await;
    world.rest().await?;
    world.turn_webhook_away().await?;
    world.advance(LOOK_EVERY)?;
    world.sweep().await;
    Ok(())
}

/// The list is asked for; a request is taken on it, and a page turned.
pub(super) async fn turn_pages(world: &mut World) -> anyhow::Result<()> {
    world.ask(ANNA, STAFF, "/list").await?;
    for (user, button) in [(BORIS, ":"), (ANNA, "list:1")] {
        // The last message with a button is the list, if it has come.
        let press = world.awaited_button(ANNA, STAFF, "list:1").await?;
        let Some(list) = press else { break };
        let press = world.button(user, STAFF, button);
        if let Some(press) = press.filter(|press| press.message == list.message) {
            world.press(&[press]).await?;
        }
    }
    Ok(())
}

/// A card is given back, taken by another and closed.
pub(super) async fn close(world: &mut World) -> anyhow::Result<()> {
    let lead = on_card(world, ANNA, "take")?;
    for (user, what) in [(ANNA, "back"), (BORIS, "take"), (BORIS, "close")] {
        let data = format!("{what}:{}", lead.lead);
        let lead = lead.clone();
        world.press(&[Press { user, data, ..lead }]).await?;
        world.rest().await?;
    }
    Ok(())
}

/// A group becomes a supergroup, and the desk cannot note it.
pub(super) async fn migrate_unnoticed(world: &mut World) -> anyhow::Result<()> {
    let down = Fault {
        value: Some(500),
        times: -1,
        ..fault(Target::Dynamodb, Kind::Status)
    };
    world.fault(down).await?;
    world.migrate(STAFF).context("a group")?;
    world.rest().await?;
    world.desk.clear_faults().await;
    Ok(())
}

/// A customer answers, and then does not come back for as long as drafts are kept.
pub(super) async fn forget(world: &mut World) -> anyhow::Result<()> {
    world.answer_questions(VERA).await?;
    world.quiet().await?;
    world.advance(KEPT + 60)
}

/// The number of the first request.
pub(super) fn number_told(world: &World) -> anyhow::Result<String> {
    let sent = world.submissions.first().context("a form")?;
    let told: serde_json::Value = serde_json::from_str(&sent.body)?;
    Ok(told["id"].as_str().context("a number")?.to_owned())
}

/// A press that takes the request of the oldest card that can be taken.
pub(super) fn press(world: &World, user: i64, copies: usize) -> anyhow::Result<Press> {
    let press = on_card(world, user, "take")?;
    Ok(Press { copies, ..press })
}

/// A press of the oldest message with a button, whatever that shows by now.
fn on_card(world: &World, user: i64, what: &str) -> anyhow::Result<Press> {
    let card = world
        .staff_messages()
        .into_iter()
        .find_map(|(chat, message)| {
            let data = message.buttons.first()?.first()?.callback_data.as_deref()?;
            let (_, lead) = data.split_once(':')?;
            Some((chat, message.message_id, lead.to_owned()))
        });
    let (chat, message, lead) = card.context("a card with a button")?;
    Ok(Press {
        user,
        data: format!("{what}:{lead}"),
        lead,
        chat,
        message,
        copies: 1,
    })
}
