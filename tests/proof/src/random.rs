//! Random people and faults, by seed. The same seed gives the same schedule; how the processes
//! interleave within it is the machine's.

use anyhow::bail;
use fastrand::Rng;
use frontdesk_local::{Fault, Functions, Kind, Target};
use futures_util::StreamExt;

use crate::case::fault;
use crate::invariants;
use crate::world::{ANNA, BORIS, World};

const AT_ONCE: usize = 24;
/// Steps of one schedule.
const STEPS: usize = 24;

pub(crate) async fn run(functions: Functions, from: u64, count: u64) -> anyhow::Result<()> {
    println!("seeds {from} to {}", from + count - 1);
    let mut failures = Vec::new();
    let (mut done, mut unknown, mut failed) = (0, 0, 0);
    let mut running = futures_util::stream::iter((from..from + count).map(|seed| {
        let functions = functions.clone();
        async move { (seed, schedule(functions, seed, false).await) }
    }))
    .buffer_unordered(AT_ONCE);
    while let Some((seed, outcome)) = running.next().await {
        match outcome.as_deref() {
            Ok("once") => done += 1,
            Ok("openly unknown") => unknown += 1,
            Ok(_) => failed += 1,
            Err(error) => {
                println!("seed {seed}: {error:#}");
                failures.push(seed);
            }
        }
    }
    println!(
        "{count} schedules: {done} with each card once, {unknown} with openly unknown sends, {failed} with dead letters, {} broken",
        failures.len()
    );
    if !failures.is_empty() {
        bail!("replay with: cargo proof replay {}", failures[0]);
    }
    Ok(())
}

pub(crate) async fn replay(functions: Functions, seed: u64) -> anyhow::Result<()> {
    println!("{}", schedule(functions, seed, true).await?);
    Ok(())
}

async fn schedule(functions: Functions, seed: u64, told: bool) -> anyhow::Result<String> {
    let mut rng = Rng::with_seed(seed);
    let mut world = World::new(functions).await?;
    world.told = told;
    if rng.bool() {
        world.without_limits();
    }
    for _ in 0..STEPS {
        step(&mut world, &mut rng).await?;
    }
    world.heal().await?;
    let outcome = invariants::check(&world)?;
    world.desk.stop().await;
    Ok(outcome)
}

async fn step(world: &mut World, rng: &mut Rng) -> anyhow::Result<()> {
    match rng.u8(..20) {
        0..6 => {
            // A draft may be sent again, seldom with other content.
            let variant = usize::from(rng.u8(..8) == 0);
            world.submit(rng.usize(..4), variant).await?;
        }
        6..10 => {
            let cards: Vec<_> = world.staff_messages();
            let Some(card) = rng.choice(&cards) else {
                return Ok(());
            };
            let Some(lead) = lead_of(card) else {
                return Ok(());
            };
            let message = card["message_id"].as_i64().unwrap_or_default();
            let user = if rng.bool() { ANNA } else { BORIS };
            world
                .press(user, &lead, message, 1 + rng.usize(..3))
                .await?;
        }
        10 => {
            let pressed: Vec<_> = world.presses.iter().map(|press| press.update_id).collect();
            if let Some(update) = rng.choice(pressed) {
                world.repeat(update).await?;
            }
        }
        11..13 => world.sweep().await,
        13..15 => world.advance(rng.u64(1..400))?,
        15 => {
            world.rest().await?;
        }
        16 => world.desk.clear_faults().await,
        17 => {
            let cards = world.staff_messages();
            if let Some(message) = rng
                .choice(cards)
                .and_then(|card| card["message_id"].as_i64())
            {
                world
                    .desk
                    .telegram()
                    .delete_message(crate::world::STAFF, message);
            }
        }
        _ => world.fault(random_fault(rng)).await?,
    }
    Ok(())
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
    match (rng.u8(..7), target) {
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
        (4, Target::Dynamodb) => base(Kind::Conflict),
        (4, Target::Sqs) => base(Kind::Throttle),
        (_, _) => Fault {
            after: rng.bool(),
            times: times.abs(),
            ..base(Kind::Kill)
        },
    }
}

/// The lead that a card is of, by the number that it shows.
fn lead_of(card: &serde_json::Value) -> Option<String> {
    let first_line = card["text"]
        .as_str()?
        .lines()
        .find(|line| line.contains(" · "))?;
    let number = first_line.rsplit(" · ").next()?.replace(' ', "");
    (number.len() == 14).then_some(number)
}
