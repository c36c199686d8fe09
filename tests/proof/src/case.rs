//! The use cases: what stands before each, and what is done.

mod acts;

use anyhow::Context;
use frontdesk_local::{Fault, Kind, Target};

use crate::people::{ANNA, BORIS, Press, STAFF};
use crate::talk::VERA;
use crate::world::{DEAD_LETTERS, Sort, World};
use acts::{a_card, close, forget, migrate_unnoticed, number_told, press, register, turn_pages};

/// A use case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// A form is sent and its card arrives.
    Lead,
    /// The same form is sent twice at the same moment.
    LeadTwice,
    /// A card's message is delivered twice, and another comes, while its end is slow to be stored.
    Twin,
    /// Two forms are sent, and with the first card Telegram says to wait.
    Limited,
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
    /// A sweep finds a request that nobody has taken for long, and calls it out.
    CallOut,
    /// A sweep finds a request on which nothing was done for long, and takes it back.
    Return,
    /// The report schedule runs, twice.
    Report,
    /// A sweep finds that something was given up, and says so.
    Warning,
    /// A customer answers the bot's last question and confirms, twice at once.
    Dialog,
    /// A card is given back, taken by another and closed.
    Close,
    /// The list is asked for in the group; a request is taken on it, and a page turned.
    List,
    /// A member of staff has sent again what was given up.
    Retry,
    /// The figures and a request's story are asked for in the group.
    Show,
    /// A customer begins and answers by a press.
    Begin,
    /// A customer blocks the bot, and comes back.
    Blocked,
    /// A customer's draft is not finished in time.
    Expire,
    /// The desk registers its address with Telegram, and puts it right when somebody has changed it.
    Webhook,
}

impl Case {
    pub(crate) const ALL: [Self; 24] = [
        Self::Lead,
        Self::LeadTwice,
        Self::Twin,
        Self::Limited,
        Self::Claim,
        Self::Race,
        Self::Stray,
        Self::Sweep,
        Self::Redrive,
        Self::Migration,
        Self::Former,
        Self::CallOut,
        Self::Return,
        Self::Report,
        Self::Warning,
        Self::Dialog,
        Self::Close,
        Self::List,
        Self::Retry,
        Self::Show,
        Self::Begin,
        Self::Blocked,
        Self::Expire,
        Self::Webhook,
    ];

    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// What sort of desk it needs.
    pub(crate) fn sort(self) -> Sort {
        Sort {
            is_watchful: matches!(self, Self::CallOut | Self::Return),
            has_address: self == Self::Webhook,
        }
    }

    /// Brings about what the use case begins with.
    pub(crate) async fn prepare(self, world: &mut World) -> anyhow::Result<()> {
        world.without_limits();
        match self {
            Self::Lead
            | Self::LeadTwice
            | Self::Twin
            | Self::Limited
            | Self::Begin
            | Self::Webhook => {}
            Self::Claim | Self::Race | Self::Report | Self::Show => {
                a_card(world).await?;
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
            Self::CallOut => {
                world.submit(1, 0).await?;
                world.rest().await?;
                world.advance(31 * 60)?;
            }
            Self::Return => {
                world.submit(1, 0).await?;
                world.rest().await?;
                world.press(&[press(world, ANNA, 1)?]).await?;
                world.quiet().await?;
                world.advance(25 * 3600)?;
            }
            Self::Former => {
                a_card(world).await?;
                world.migrate(STAFF).context("a group")?;
                world.rest().await?;
            }
            Self::Stray => {
                let mut lost = fault(Target::Telegram, Kind::LoseAnswer);
                lost.operation = Some("sendMessage".to_owned());
                world.fault(lost).await?;
                a_card(world).await?;
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
            Self::Redrive | Self::Retry => {
                let refusal = Fault {
                    value: Some(400),
                    description: Some("Bad Request: chat not found".to_owned()),
                    times: -1,
                    ..fault(Target::Telegram, Kind::Status)
                };
                world.fault(refusal).await?;
                a_card(world).await?;
                world.desk.clear_faults().await;
                world.advance(60)?;
            }
            Self::Dialog => world.answer_questions(VERA).await?,
            Self::Blocked => {
                world.answer_questions(VERA).await?;
                world.confirm_twice(VERA).await?;
                world.quiet().await?;
            }
            Self::Expire => forget(world).await?,
            Self::Close => {
                a_card(world).await?;
                world.press(&[press(world, ANNA, 1)?]).await?;
                world.quiet().await?;
            }
            Self::List => {
                let more_than_a_page: Vec<_> = (1..=6).map(|draft| (draft, 0)).collect();
                world.submit_all(&more_than_a_page).await?;
                world.quiet().await?;
                world.advance(60)?;
            }
            Self::Migration => migrate_unnoticed(world).await?,
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
            Self::Twin => {
                // After the slot in the chat's pace and the lease.
                let slow = Fault {
                    value: Some(1_500),
                    operation: Some("UpdateItem".to_owned()),
                    skip: 2,
                    ..fault(Target::Dynamodb, Kind::Delay)
                };
                world.fault(slow).await?;
                world.submit(1, 0).await?;
                world.leased().await;
                world.deliver_twice()?;
                let sent = world.submissions.first().context("a form")?;
                let told: serde_json::Value = serde_json::from_str(&sent.body).unwrap_or_default();
                if let Some(lead) = told["id"].as_str() {
                    world.redeliver(lead).await?;
                }
            }
            Self::Limited => {
                let wait = Fault {
                    value: Some(600),
                    operation: Some("sendMessage".to_owned()),
                    ..fault(Target::Telegram, Kind::RetryAfter)
                };
                world.fault(wait).await?;
                world.submit_all(&[(1, 0), (2, 0)]).await?;
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
            Self::Sweep | Self::Warning | Self::CallOut | Self::Return | Self::Expire => {
                world.sweep().await;
            }
            Self::Webhook => register(world).await?,
            Self::Report => {
                world.report().await;
                world.rest().await?;
                world.report().await;
            }
            Self::Dialog => world.confirm_twice(VERA).await?,
            Self::Close => close(world).await?,
            Self::List => turn_pages(world).await?,
            Self::Retry => {
                let number = number_told(world)?;
                world.write(ANNA, ANNA, &format!("/retry {number}")).await?;
            }
            Self::Show => {
                let number = number_told(world)?;
                world.ask(ANNA, STAFF, "/stats").await?;
                world.ask(BORIS, STAFF, &format!("/show {number}")).await?;
            }
            Self::Begin => world.begin(VERA).await?,
            Self::Blocked => {
                world.membership(VERA, "kicked").await?;
                world.rest().await?;
                world.write(VERA, VERA, "/start").await?;
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
