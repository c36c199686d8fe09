//! Every use case × call × fault, once and lasting.

use std::collections::BTreeMap;

use anyhow::bail;
use frontdesk_local::{Call, Fault, Functions, Kind, Target};
use futures_util::StreamExt;

use crate::case::{Case, fault};
use crate::invariants;
use crate::world::World;

/// Runs at once; the functions are processes of their own.
const AT_ONCE: usize = 24;

/// One cell of the matrix.
#[derive(Clone, Debug)]
struct Cell {
    case: Case,
    call: String,
    fault: Fault,
}

/// What a call goes to: its target, its operation, and how many of them came before it.
type Position = (Target, String, u64);

pub(crate) async fn run(functions: Functions, only: Option<&str>) -> anyhow::Result<()> {
    let mut cells = Vec::new();
    for case in Case::ALL
        .into_iter()
        .filter(|case| only.is_none_or(|only| case.name() == only))
    {
        let calls = record(functions.clone(), case).await?;
        println!("{}: {} calls", case.name(), calls.len());
        cells.extend(
            calls
                .iter()
                .flat_map(|(position, function)| cells_of(case, position, function)),
        );
        for target in [Target::Dynamodb, Target::Sqs, Target::Telegram] {
            let lasting = Fault {
                times: -1,
                ..fault(target, Kind::Refuse)
            };
            cells.push(Cell {
                case,
                call: format!("all of {target:?}"),
                fault: lasting,
            });
        }
    }
    let total = cells.len();
    let mut outcomes: BTreeMap<(String, String), BTreeMap<String, usize>> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut running = futures_util::stream::iter(cells.into_iter().map(|cell| {
        let functions = functions.clone();
        async move {
            let outcome = play(functions, &cell).await;
            (cell, outcome)
        }
    }))
    .buffer_unordered(AT_ONCE);
    while let Some((cell, outcome)) = running.next().await {
        let row = (cell.case.name(), cell.call.clone());
        let outcome = outcome.unwrap_or_else(|error| {
            failures.push(format!(
                "{} {} {}: {error:#}",
                row.0,
                row.1,
                label(&cell.fault)
            ));
            "BROKEN".to_owned()
        });
        *outcomes.entry(row).or_default().entry(outcome).or_default() += 1;
    }
    for ((case, call), counts) in &outcomes {
        let counts: Vec<_> = counts
            .iter()
            .map(|(what, times)| format!("{what} × {times}"))
            .collect();
        println!("{case:10} {call:42} {}", counts.join(", "));
    }
    println!("{total} cells, {} broken", failures.len());
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    Ok(())
}

/// The calls that a use case makes when nothing goes wrong.
async fn record(functions: Functions, case: Case) -> anyhow::Result<Vec<(Position, String)>> {
    let mut world = World::new(functions).await?;
    case.prepare(&mut world).await?;
    let before = world.calls().len();
    case.act(&mut world).await?;
    let calls = world.calls();
    world.heal().await?;
    invariants::check(&world)?;
    world.desk.stop().await;
    let mut seen: BTreeMap<(String, String), u64> = BTreeMap::new();
    let position = |call: &Call| {
        let times = seen
            .entry((format!("{:?}", call.target), call.operation.clone()))
            .or_default();
        *times += 1;
        (
            (call.target, call.operation.clone(), *times - 1),
            call.function.clone(),
        )
    };
    Ok(calls[before..].iter().map(position).collect())
}

fn cells_of(case: Case, position: &Position, function: &str) -> Vec<Cell> {
    let (target, operation, skip) = position;
    let is_write =
        *target == Target::Dynamodb && !matches!(operation.as_str(), "Query" | "BatchGetItem");
    let base = |kind: Kind| Fault {
        operation: Some(operation.clone()),
        skip: *skip,
        ..fault(*target, kind)
    };
    let mut faults = vec![
        base(Kind::Kill),
        Fault {
            after: true,
            ..base(Kind::Kill)
        },
    ];
    let mut both = vec![
        base(Kind::Drop),
        base(Kind::LoseAnswer),
        Fault {
            value: Some(500),
            ..base(Kind::Status)
        },
    ];
    match target {
        Target::Telegram => {
            both.push(Fault {
                value: Some(40),
                ..base(Kind::RetryAfter)
            });
            faults.push(Fault {
                value: Some(10_500),
                ..base(Kind::Delay)
            });
            let gone = "Forbidden: bot was kicked from the supergroup chat".to_owned();
            both.push(Fault {
                value: Some(403),
                description: Some(gone),
                ..base(Kind::Status)
            });
        }
        Target::Sqs => {
            both.push(base(Kind::Throttle));
            faults.push(Fault {
                value: Some(700),
                ..base(Kind::Delay)
            });
        }
        Target::Dynamodb => {
            both.push(base(Kind::Throttle));
            faults.push(Fault {
                value: Some(2_200),
                ..base(Kind::Delay)
            });
            if is_write {
                both.push(base(Kind::Conflict));
            }
        }
    }
    for once in both {
        faults.push(Fault {
            times: -1,
            ..once.clone()
        });
        faults.push(once);
    }
    let call = format!("{function} {operation} {}", skip + 1);
    faults
        .into_iter()
        .map(|fault| Cell {
            case,
            call: call.clone(),
            fault,
        })
        .collect()
}

async fn play(functions: Functions, cell: &Cell) -> anyhow::Result<String> {
    let mut world = World::new(functions).await?;
    cell.case.prepare(&mut world).await?;
    world.fault(cell.fault.clone()).await?;
    let acted = cell.case.act(&mut world).await;
    // What lasts, lasts for a quarter of an hour of retries.
    for _ in 0..5 {
        world.rest().await?;
        world.advance(180)?;
        world.sweep().await;
    }
    world.heal().await?;
    acted?;
    let outcome = invariants::check(&world)?;
    world.desk.stop().await;
    Ok(outcome)
}

fn label(fault: &Fault) -> String {
    let after = if fault.after { " after" } else { "" };
    let lasting = if fault.times < 0 { " lasting" } else { "" };
    format!("{:?}{after}{lasting}", fault.fault)
}
