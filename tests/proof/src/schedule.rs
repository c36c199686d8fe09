//! A random schedule: what people, queues and faults do, one step after another, by seed.

use fastrand::Rng;
use frontdesk_local::{Fault, Function, Functions, Kind, Target};
use serde_json::Value;

use crate::case::fault;
use crate::invariants::{self, Outcome};
use crate::people::{ANNA, BORIS, Draft, Press, STAFF};
use crate::story::grouped;
use crate::talk::{CONFIRM, VERA, is_list, is_reminder};
use crate::world::{DEAD_LETTERS, Sort, World};

/// Steps of one schedule.
const STEPS: usize = 28;
/// The longest time that passes at once, in seconds: most of a day, so that reports fall due, and so
/// seldom that receipts do not expire.
const LONGEST_ADVANCE: u64 = 72_000;
/// Drafts that a schedule knows.
const DRAFTS: usize = 5;

/// One step. Numbers that choose among what is there are taken modulo how much there is.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The desk calls out and takes back what nobody works on; from its start, wherever this stands.
    Watchful,
    /// The stand-in's own limits do not count.
    WithoutLimits,
    /// Forms are sent, all at once.
    Submit(Vec<Draft>),
    /// A customer of the bot's answers all questions but the last.
    Answer,
    /// That customer answers the last question or, having done so, confirms so many times at once.
    Confirm(usize),
    /// A card is pressed by each of these people, so many times each, all at once.
    Press(usize, &'static str, Vec<(i64, usize)>),
    /// A member of staff writes a command, about one of the requests.
    Command(i64, &'static str, usize),
    /// A card is pressed by somebody who may not, or with other data.
    Tamper(usize, u8),
    /// A refused form or update.
    Misuse(u8),
    /// Telegram delivers an earlier press again.
    Repeat(usize),
    /// The queue delivers a message again.
    Redeliver(usize),
    /// The queue delivers what is in flight a second time.
    Twice,
    /// A person deletes a card.
    Delete(usize),
    Sweep,
    /// The report schedule runs.
    Report,
    Advance(u64),
    /// All that goes on comes to rest.
    Rest,
    Kill(Function),
    Fault(Fault),
    EndFaults,
    /// The dead letters are redriven.
    Redrive,
    /// The staff's group becomes a supergroup.
    Migrate,
}

/// The steps of a seed.
pub(crate) fn steps(seed: u64) -> Vec<Step> {
    let mut rng = Rng::with_seed(seed);
    let mut steps: Vec<_> = (0..STEPS).map(|_| step(&mut rng)).collect();
    let mut left = 100_000;
    steps.retain(|step| match step {
        Step::Advance(seconds) if *seconds >= 400 => {
            let is_kept = *seconds <= left;
            left = left.saturating_sub(*seconds);
            is_kept
        }
        _ => true,
    });
    // The answers come faster than Telegram takes messages.
    let answers = rng.u8(..3) == 0;
    if answers {
        steps.insert(0, Step::Answer);
    }
    if answers || rng.bool() {
        steps.insert(0, Step::WithoutLimits);
    }
    if rng.u8(..3) == 0 {
        steps.insert(0, Step::Watchful);
    }
    steps
}

fn step(rng: &mut Rng) -> Step {
    // A draft may be sent again, seldom with other content.
    let draft = |rng: &mut Rng| (rng.usize(..DRAFTS), usize::from(rng.u8(..8) == 0));
    match rng.u8(..100) {
        0..20 => Step::Submit(vec![draft(rng)]),
        20..28 => Step::Submit((0..rng.usize(2..5)).map(|_| draft(rng)).collect()),
        28..31 => Step::Confirm(rng.usize(1..4)),
        31..43 => {
            let presses = (0..rng.usize(1..3)).map(|_| {
                let user = if rng.bool() { ANNA } else { BORIS };
                (user, rng.usize(1..4))
            });
            let presses = presses.collect();
            let what = ["take", "take", "take", "back", "close"][rng.usize(..5)];
            Step::Press(rng.usize(..), what, presses)
        }
        43..46 => {
            let user = if rng.bool() { ANNA } else { BORIS };
            let what = ["/list", "/stats", "/show", "/retry"][rng.usize(..4)];
            Step::Command(user, what, rng.usize(..))
        }
        46..48 => Step::Tamper(rng.usize(..), rng.u8(..)),
        48..50 => Step::Misuse(rng.u8(..)),
        50..53 => Step::Repeat(rng.usize(..)),
        53..55 => Step::Redeliver(rng.usize(..)),
        55 => Step::Twice,
        56..59 => Step::Delete(rng.usize(..)),
        59..65 => Step::Sweep,
        65..67 => Step::Report,
        67..75 => Step::Advance(rng.u64(1..400)),
        75 => Step::Advance(rng.u64(400..=LONGEST_ADVANCE)),
        76..80 => Step::Rest,
        80..82 => Step::Kill(Function::ALL[rng.usize(..4)]),
        82..86 => Step::EndFaults,
        86..88 => Step::Redrive,
        88 => Step::Migrate,
        _ => Step::Fault(random_fault(rng)),
    }
}

fn random_fault(rng: &mut Rng) -> Fault {
    let times = if rng.u8(..4) == 0 { -1 } else { rng.i64(1..4) };
    let skip = rng.u64(..4);
    let target = [
        Target::Dynamodb,
        Target::Dynamodb,
        Target::Sqs,
        Target::Telegram,
    ][rng.usize(..4)];
    let base = |kind| Fault {
        skip,
        times,
        ..fault(target, kind)
    };
    let (status, refused) = if rng.bool() {
        (400, "Bad Request: chat not found")
    } else {
        (403, "Forbidden: bot was blocked by the user")
    };
    match (rng.u8(..9), target) {
        (0, _) => Fault {
            times: -1,
            skip: 0,
            ..fault(target, Kind::Refuse)
        },
        (1, _) => base(Kind::Drop),
        (2, _) => base(Kind::LoseAnswer),
        (3, _) => Fault {
            value: Some(500),
            ..base(Kind::Status)
        },
        (4, Target::Telegram) => Fault {
            value: Some(rng.u64(1..2000)),
            ..base(Kind::RetryAfter)
        },
        (5, Target::Telegram) => Fault {
            value: Some(status),
            description: Some(refused.to_owned()),
            ..base(Kind::Status)
        },
        // A little longer than each is waited for. Telegram is slow in the matrix only: here the clock is moved
        // while it is waited for, so that what it does late would be late by minutes.
        (6, Target::Dynamodb) => Fault {
            value: Some(2_200),
            ..base(Kind::Delay)
        },
        (6, Target::Sqs) => Fault {
            value: Some(700),
            ..base(Kind::Delay)
        },
        (4, Target::Dynamodb) => base(Kind::Conflict),
        (4, Target::Sqs) | (5, _) => base(Kind::Throttle),
        (_, _) => Fault {
            after: rng.bool(),
            times: times.abs(),
            ..base(Kind::Kill)
        },
    }
}

/// Plays the steps, lets all become quiet, and checks.
pub(crate) async fn play(
    functions: Functions,
    steps: &[Step],
    told: bool,
) -> anyhow::Result<Outcome> {
    let sort = Sort {
        is_watchful: steps.iter().any(|step| matches!(step, Step::Watchful)),
        has_address: false,
    };
    let mut world = World::new(functions, sort).await?;
    world.told = told;
    for step in steps {
        take(&mut world, step).await?;
    }
    world.heal().await?;
    let outcome = invariants::check(&mut world).await?;
    world.desk.stop().await;
    Ok(outcome)
}

async fn take(world: &mut World, step: &Step) -> anyhow::Result<()> {
    match step {
        Step::Watchful => {}
        Step::WithoutLimits => world.without_limits(),
        Step::Submit(drafts) => world.submit_all(drafts).await?,
        Step::Answer => world.answer_questions(VERA).await?,
        Step::Confirm(copies) => confirm(world, *copies).await?,
        Step::Command(user, what, at) => command(world, *user, what, *at).await?,
        Step::Press(card, what, people) => {
            let presses = people.iter().filter_map(|(user, copies)| {
                let press = press_of(world, *card, what)?;
                Some(Press {
                    user: *user,
                    copies: *copies,
                    ..press
                })
            });
            let presses: Vec<_> = presses.collect();
            if !presses.is_empty() {
                world.press(&presses).await?;
            }
        }
        Step::Tamper(card, how) => {
            if let Some(press) = press_of(world, *card, "take") {
                world.tamper(&press, *how).await?;
            }
        }
        Step::Misuse(how) => world.misuse(*how).await?,
        Step::Repeat(at) => {
            if let Some(at) = at.checked_rem(world.presses.len()) {
                world.repeat(world.presses[at].update_id).await?;
            }
        }
        Step::Twice => world.deliver_twice()?,
        Step::Redeliver(at) => redeliver(world, *at).await?,
        Step::Delete(at) => {
            let cards = world.staff_messages();
            if let Some((chat, card)) = at.checked_rem(cards.len()).map(|at| &cards[at]) {
                world.tell(|| format!("message {} is deleted", card.message_id));
                let telegram = world.desk.telegram();
                telegram.delete_message(*chat, card.message_id);
            }
        }
        Step::Sweep => world.sweep().await,
        Step::Report => world.report().await,
        Step::Advance(seconds) => world.advance(*seconds)?,
        Step::Rest => {
            world.rest().await?;
        }
        Step::Kill(function) => {
            world.tell(|| format!("kill {}", function.name()));
            world.desk.lambda().kill(*function).await;
        }
        Step::Fault(fault) => world.fault(fault.clone()).await?,
        Step::EndFaults => {
            world.tell(|| "faults end".to_owned());
            world.desk.clear_faults().await;
        }
        Step::Redrive => {
            let moved = world.desk.sqs().redrive(DEAD_LETTERS).await?;
            world.tell(|| format!("{moved} redriven"));
        }
        Step::Migrate => {
            if world.former_chats.is_empty() {
                world.migrate(STAFF);
            }
        }
    }
    Ok(())
}

async fn confirm(world: &mut World, copies: usize) -> anyhow::Result<()> {
    if world.messages(VERA).is_empty() {
        return Ok(());
    }
    if !world.customers.contains(&VERA) {
        return world.answer_last(VERA).await;
    }
    let press = world.button(VERA, VERA, CONFIRM);
    let presses: Vec<_> = press
        .into_iter()
        .map(|press| Press { copies, ..press })
        .collect();
    if !presses.is_empty() {
        world.press(&presses).await?;
    }
    Ok(())
}

async fn command(world: &mut World, user: i64, what: &str, at: usize) -> anyhow::Result<()> {
    if what == "/list" {
        let group = world.staff_group();
        return world.ask(user, group, what).await;
    }
    let leads = leads(world);
    let number = at.checked_rem(leads.len()).map(|at| leads[at].as_str());
    let text = match what {
        "/stats" => what.to_owned(),
        _ => format!("{what} {}", number.unwrap_or_default()),
    };
    world.write(user, user, &text).await
}

/// A press of one of the cards or lists, with or without that button by now.
fn press_of(world: &World, at: usize, what: &str) -> Option<Press> {
    let mut cards = world.staff_messages();
    cards.retain(|(_, message)| !is_reminder(&message.text));
    let (chat, card) = &cards[at.checked_rem(cards.len())?];
    let mut leads = leads(world).into_iter();
    let lead = leads.find(|lead| card.text.contains(&grouped(lead)))?;
    let data = if is_list(&card.text) {
        format!("take:{lead}:")
    } else {
        format!("{what}:{lead}")
    };
    Some(Press {
        user: ANNA,
        data,
        lead,
        chat: *chat,
        message: card.message_id,
        copies: 1,
    })
}

/// The numbers that customers were told.
fn leads(world: &World) -> Vec<String> {
    let accepted = world.submissions.iter().filter(|sent| sent.status == 201);
    accepted
        .filter_map(|sent| {
            let body: Value = serde_json::from_str(&sent.body).ok()?;
            Some(body["id"].as_str()?.to_owned())
        })
        .collect()
}

async fn redeliver(world: &World, at: usize) -> anyhow::Result<()> {
    let leads = leads(world);
    match at.checked_rem(leads.len()) {
        Some(at) => world.redeliver(&leads[at]).await,
        None => Ok(()),
    }
}
