//! The use cases: what stands before each, and what is done.

use anyhow::Context;
use frontdesk_local::{Fault, Kind, Target};

use crate::world::{ANNA, BORIS, World};

/// A use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// A form is sent and its card arrives.
    Lead,
    /// The same form is sent twice at nearly the same moment.
    LeadTwice,
    /// A card is pressed and shows who has it.
    Claim,
    /// Two people press, and one press comes three times at once.
    Race,
    /// The button of a copy from an unknown send is pressed.
    Stray,
    /// A lead whose message never reached the queue is found by the sweep.
    Sweep,
    /// A dead letter is redriven.
    Redrive,
    /// The group has become a supergroup and nobody has said so yet.
    Migration,
}

impl Case {
    pub(crate) const ALL: [Self; 8] = [
        Self::Lead,
        Self::LeadTwice,
        Self::Claim,
        Self::Race,
        Self::Stray,
        Self::Sweep,
        Self::Redrive,
        Self::Migration,
    ];

    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Brings about what the use case begins with.
    pub(crate) async fn prepare(self, world: &mut World) -> anyhow::Result<()> {
        world.without_limits();
        match self {
            Self::Lead | Self::LeadTwice => {}
            Self::Claim | Self::Race => {
                world.submit(1, 0).await?;
                world.quiet().await?;
            }
            Self::Stray => {
                let mut lost = fault(Target::Telegram, Kind::LoseAnswer);
                lost.operation = Some("sendMessage".to_owned());
                world.fault(lost).await?;
                world.submit(1, 0).await?;
                world.quiet().await?;
                world.desk.clear_faults().await;
            }
            Self::Sweep => {
                world
                    .fault(Fault {
                        times: -1,
                        ..fault(Target::Sqs, Kind::Refuse)
                    })
                    .await?;
                world.submit(1, 0).await?;
                world.desk.clear_faults().await;
                world.advance(150)?;
            }
            Self::Redrive => {
                let refusal = Fault {
                    value: Some(400),
                    description: Some("Bad Request: chat not found".to_owned()),
                    times: -1,
                    ..fault(Target::Telegram, Kind::Status)
                };
                world.fault(refusal).await?;
                world.submit(1, 0).await?;
                world.quiet().await?;
                world.desk.clear_faults().await;
                world.advance(60)?;
            }
            Self::Migration => {
                let down = Fault {
                    value: Some(500),
                    times: -1,
                    ..fault(Target::Dynamodb, Kind::Status)
                };
                world.fault(down).await?;
                world
                    .desk
                    .telegram()
                    .migrate(crate::world::STAFF)
                    .context("a group")?;
                world.rest().await?;
                world.desk.clear_faults().await;
            }
        }
        Ok(())
    }

    /// Does what the use case is, up to the point where only the clock can move it on.
    pub(crate) async fn act(self, world: &mut World) -> anyhow::Result<()> {
        match self {
            Self::Lead | Self::Migration => {
                world.submit(1, 0).await?;
            }
            Self::LeadTwice => {
                world.submit(1, 0).await?;
                world.submit(1, 0).await?;
            }
            Self::Claim => {
                let (lead, message) = first_card(world)?;
                let update = world.press(ANNA, &lead, message, 1).await?;
                world.rest().await?;
                world.repeat(update).await?;
            }
            Self::Race => {
                let (lead, message) = first_card(world)?;
                world.press(ANNA, &lead, message, 3).await?;
                world.press(BORIS, &lead, message, 1).await?;
            }
            Self::Stray => {
                let (lead, message) = first_card(world)?;
                world.press(BORIS, &lead, message, 1).await?;
            }
            Self::Sweep => world.sweep().await,
            Self::Redrive => {
                world.desk.sqs().redrive("frontdesk-outbox-dead").await?;
            }
        }
        world.rest().await?;
        Ok(())
    }
}

pub(crate) fn fault(target: Target, kind: Kind) -> Fault {
    Fault {
        target,
        fault: kind,
        value: None,
        description: None,
        operation: None,
        chat_id: None,
        skip: 0,
        times: 1,
        after: false,
    }
}

/// The first lead's id and the oldest message of it in the staff's chat.
fn first_card(world: &World) -> anyhow::Result<(String, i64)> {
    let messages = world.staff_messages();
    let card = messages
        .iter()
        .find(|message| message["buttons"][0][0].is_object());
    let card = card.context("a card with a button")?;
    let data = card["buttons"][0][0]["callback_data"]
        .as_str()
        .unwrap_or_default();
    let lead = data.strip_prefix("take:").context("a take button")?;
    Ok((
        lead.to_owned(),
        card["message_id"].as_i64().context("an id")?,
    ))
}
