//! Random people and faults, by seed. The same seed gives the same schedule; how the processes
//! interleave within it is the machine's.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::bail;
use frontdesk_local::Functions;
use futures_util::StreamExt;

use crate::schedule::{self, Step};

/// A line is printed after so many schedules.
const PROGRESS: u64 = 500;
/// How long a failing schedule is shrunk.
const SHRINK_FOR: Duration = Duration::from_mins(4);
/// How often a shorter schedule is played before it counts as sound: how it interleaves is luck.
const TRIES: usize = 3;

/// How a run goes about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Desks at once; the functions are processes of their own.
    pub(crate) at_once: usize,
    /// Whether the first failure ends it, told and no more.
    pub(crate) stop_at_first: bool,
}

pub(crate) async fn run(
    functions: Functions,
    from: u64,
    count: u64,
    pace: Pace,
) -> anyhow::Result<()> {
    println!(
        "seeds {from} to {}, {} at once",
        from + count - 1,
        pace.at_once
    );
    let begun = Instant::now();
    let mut failures = Vec::new();
    let mut outcomes = BTreeMap::new();
    let mut done = 0;
    let mut running = futures_util::stream::iter((from..from + count).map(|seed| {
        let functions = functions.clone();
        async move {
            let steps = schedule::steps(seed);
            (seed, schedule::play(functions, &steps, false).await)
        }
    }))
    .buffer_unordered(pace.at_once);
    while let Some((seed, outcome)) = running.next().await {
        done += 1;
        match outcome {
            Ok(outcome) => *outcomes.entry(outcome).or_insert(0) += 1,
            Err(error) => {
                println!("seed {seed} BROKEN: {error:#}");
                failures.push(seed);
                if pace.stop_at_first {
                    break;
                }
            }
        }
        if done % PROGRESS == 0 || done == count {
            let told: Vec<_> = outcomes
                .iter()
                .map(|(outcome, times)| format!("{times} {}", outcome.name()))
                .collect();
            println!(
                "{done} schedules in {} s: {}, {} broken",
                begun.elapsed().as_secs(),
                told.join(", "),
                failures.len()
            );
        }
    }
    drop(running);
    let Some(first) = failures.first() else {
        return Ok(());
    };
    if !pace.stop_at_first {
        shrink(functions, *first, pace).await;
    }
    bail!(
        "{} broken, replay with: cargo proof replay {first}",
        failures.len()
    )
}

/// Plays a seed, or only those of its steps that are named, and tells what happens.
pub(crate) async fn replay(
    functions: Functions,
    seed: u64,
    only: &[usize],
    times: usize,
) -> anyhow::Result<()> {
    let steps = schedule::steps(seed);
    let all: Vec<_> = (0..steps.len()).collect();
    let kept = if only.is_empty() { &all } else { only };
    tell(&steps, kept);
    let chosen = pick(&steps, kept);
    for _ in 0..times {
        let outcome = schedule::play(functions.clone(), &chosen, times == 1).await?;
        println!("{}", outcome.name());
    }
    Ok(())
}

/// Finds fewer steps that still fail, and prints them.
pub(crate) async fn shrink(functions: Functions, seed: u64, pace: Pace) {
    let steps = schedule::steps(seed);
    let mut kept: Vec<_> = (0..steps.len()).collect();
    let deadline = Instant::now() + SHRINK_FOR;
    if !fails(&functions, &steps, &kept).await {
        println!("seed {seed} does not fail each time: it is not shrunk");
        return;
    }
    let mut size = kept.len() / 2;
    while size > 0 && Instant::now() < deadline {
        let candidates: Vec<Vec<usize>> = kept
            .chunks(size)
            .map(|without| {
                kept.iter()
                    .filter(|at| !without.contains(at))
                    .copied()
                    .collect()
            })
            .collect();
        let mut tried = futures_util::stream::iter(candidates.into_iter().map(|candidate| {
            let (functions, steps) = (&functions, &steps);
            async move {
                fails(functions, steps, &candidate)
                    .await
                    .then_some(candidate)
            }
        }))
        .buffer_unordered((pace.at_once / TRIES).max(1));
        let mut shorter = None;
        while let Some(tried) = tried.next().await {
            if tried.is_some() {
                shorter = tried;
                break;
            }
        }
        drop(tried);
        match shorter {
            Some(shorter) => {
                kept = shorter;
                size = size.min(kept.len() / 2).max(1);
            }
            None => size /= 2,
        }
    }
    tell(&steps, &kept);
    let kept: Vec<_> = kept.iter().map(ToString::to_string).collect();
    println!(
        "shrunk to {} steps: cargo proof replay {seed} --steps {}",
        kept.len(),
        kept.join(",")
    );
}

async fn fails(functions: &Functions, steps: &[Step], kept: &[usize]) -> bool {
    let chosen = pick(steps, kept);
    let tries = (0..TRIES).map(|_| schedule::play(functions.clone(), &chosen, false));
    let mut tries: futures_util::stream::FuturesUnordered<_> = tries.collect();
    while let Some(outcome) = tries.next().await {
        if outcome.is_err() {
            return true;
        }
    }
    false
}

fn pick(steps: &[Step], kept: &[usize]) -> Vec<Step> {
    let kept = kept.iter().filter_map(|at| steps.get(*at));
    kept.cloned().collect()
}

fn tell(steps: &[Step], kept: &[usize]) {
    for at in kept {
        if let Some(step) = steps.get(*at) {
            println!("step {at}: {step:?}");
        }
    }
}
