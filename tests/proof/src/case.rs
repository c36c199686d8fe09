//! The use cases: what stands before each, and what is done.

use anyhow::Context;
use frontdesk_local::{Fault, Kind, Target};

use crate::people::{ANNA, BORIS, Press, STAFF};
use crate::world::{DEAD_LETTERS, World};

/// A use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// A form is sent and its card arrives.
    Lead,
    /// The same form is sent twice at the same moment.
    LeadTwice,
    /// A card is pressed and shows who has it.
    Claim,
    /// Two people press at once, and one press comes three times.
    Race,
    /// The button of a copy from an unknown send is pressed.
    Stray,
    /// A lead whose message never reached the queue is found by the sweep.
    Sweep,
    /// A dead letter is redriven.
    Redrive,
    /// The group has become a supergroup and nobody has said so yet.
    Migration,
    /// A card is pressed that stands in a group which has become a supergroup.
    Former,
    /// The report schedule runs, twice.
    Report,
    /// A sweep finds that something was given up, and says so.
    Warning,
}

impl Case {
    pub(crate) const ALL: [Self; 11] = [
        Self::Lead,
        Self::LeadTwice,
        Self::Claim,
        Self::Race,
        Self::Stray,
        Self::Sweep,
        Self::Redrive,
        Self::Migration,
        Self::Former,
        Self::Report,
        Self::Warning,
    ];

    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Brings about what the use case begins with.
    pub(crate) async fn prepare(self, world: &mut World) -> anyhow::Result<()> {
        world.without_limits();
        match self {
            Self::Lead | Self::LeadTwice => {}
            Self::Claim | Self::Race | Self::Report => {
                world.submit(1, 0).await?;
                world.quiet().await?;
            }
            Self::Warning => {
                let refusal = Fault {
                    value: Some(400),
                    description: Some("Bad Request: some reason".to_owned()),
                    ..fault(Target::Telegram, Kind::Status)
                };
                world.fault(refusal).await?;
                world.submit(1, 0).await?;
                world.rest().await?;
                world.desk.clear_faults().await;
            }
            Self::Former => {
                world.submit(1, 0).await?;
                world.quiet().await?;
                world.migrate(STAFF).context("a group")?;
                world.rest().await?;
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
                world.migrate(STAFF).context("a group")?;
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
                world.submit_all(&[(1, 0), (1, 0)]).await?;
            }
            Self::Claim => {
                let update = world.press(&[press(world, ANNA, 1)?]).await?;
                world.rest().await?;
                world.repeat(update).await?;
            }
            Self::Race => {
                let presses = [press(world, ANNA, 3)?, press(world, BORIS, 1)?];
                world.press(&presses).await?;
            }
            Self::Stray => {
                world.press(&[press(world, BORIS, 1)?]).await?;
            }
            Self::Former => {
                let former = press(world, ANNA, 1)?;
                world.press(std::slice::from_ref(&former)).await?;
                world.rest().await?;
                let late = Press {
                    user: BORIS,
                    ..former
                };
                world.press(&[late]).await?;
            }
            Self::Sweep | Self::Warning => world.sweep().await,
            Self::Report => {
                world.report().await;
                world.rest().await?;
                world.report().await;
            }
            Self::Redrive => {
                world.desk.sqs().redrive(DEAD_LETTERS).await?;
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

/// A press of the oldest message with a button.
fn press(world: &World, user: i64, copies: usize) -> anyhow::Result<Press> {
    let button = world
        .staff_messages()
        .into_iter()
        .find_map(|(chat, message)| {
            let data = &message.buttons.first()?.first()?.callback_data;
            let lead = data.as_deref()?.strip_prefix("take:")?.to_owned();
            Some(Press {
                user,
                lead,
                chat,
                message: message.message_id,
                copies,
            })
        });
    button.context("a card with a button")
}
