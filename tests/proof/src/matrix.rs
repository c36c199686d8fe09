//! Every use case × call × fault, once and lasting.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{bail, ensure};
use frontdesk_local::{Call, Fault, Functions, Kind, Target};
use futures_util::StreamExt;

use crate::case::{Case, fault};
use crate::invariants::{self, Outcome};
use crate::random::Pace;
use crate::world::World;

/// One cell of the matrix.
#[derive(Clone, Debug)]
struct Cell {
    case: Case,
    call: String,
    fault: Fault,
}

/// What a call goes to: its target, its operation, and how many of them came before it.
type Position = (Target, String, u64);

/// What became of a cell.
type Played = Result<Outcome, anyhow::Error>;

pub(crate) async fn run(
    functions: Functions,
    only: &[String],
    calls: &[String],
    pace: Pace,
) -> anyhow::Result<()> {
    let is_asked = |case: &Case| only.is_empty() || only.contains(&case.name());
    let cases: Vec<_> = Case::ALL.into_iter().filter(is_asked).collect();
    ensure!(!cases.is_empty(), "no such use case");
    let begun = Instant::now();
    let mut cells = Vec::new();
    for case in &cases {
        cells.extend(cells_of_case(functions.clone(), *case).await?);
    }
    cells.retain(|cell| calls.is_empty() || calls.contains(&cell.call));
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for cell in &cells {
        *left.entry(cell.case.name()).or_default() += 1;
    }
    let total = cells.len();
    println!(
        "{total} cells of {} use cases, {} at once",
        cases.len(),
        pace.at_once
    );
    let mut table = Table::default();
    let mut running = futures_util::stream::iter(cells.into_iter().map(|cell| {
        let functions = functions.clone();
        async move {
            let outcome = play(functions, &cell).await;
            (cell, outcome)
        }
    }))
    .buffer_unordered(pace.at_once);
    while let Some((cell, outcome)) = running.next().await {
        let case = cell.case.name();
        table.note(&cell, outcome);
        if pace.stop_at_first && !table.broken.is_empty() {
            break;
        }
        let left = left.entry(case.clone()).or_default();
        *left -= 1;
        if *left == 0 {
            println!("{case} is through after {} s", begun.elapsed().as_secs());
        }
    }
    drop(running);
    table.print(total);
    match table.broken.len() {
        0 => Ok(()),
        broken => bail!("{broken} cells are broken"),
    }
}

/// The outcomes by use case and call.
#[derive(Default)]
struct Table {
    rows: BTreeMap<(String, String), BTreeMap<&'static str, Vec<String>>>,
    counts: BTreeMap<&'static str, usize>,
    broken: Vec<String>,
}

impl Table {
    fn note(&mut self, cell: &Cell, outcome: Played) {
        let (case, fault) = (cell.case.name(), label(&cell.fault));
        let name = match outcome {
            Ok(outcome) => outcome.name(),
            Err(error) => {
                let broken = format!("{case} {} {fault}: {error:#}", cell.call);
                println!("BROKEN {broken}");
                self.broken.push(broken);
                "BROKEN"
            }
        };
        let row = self.rows.entry((case, cell.call.clone())).or_default();
        row.entry(name).or_default().push(fault);
        *self.counts.entry(name).or_default() += 1;
    }

    fn print(&mut self, total: usize) {
        println!("\n{:10} {:34} {:14} faults", "use case", "call", "outcome");
        for ((case, call), outcomes) in &mut self.rows {
            for (outcome, faults) in outcomes {
                faults.sort();
                println!("{case:10} {call:34} {outcome:14} {}", faults.join(", "));
            }
        }
        let counts: Vec<_> = self
            .counts
            .iter()
            .map(|(outcome, times)| format!("{times} {outcome}"))
            .collect();
        println!(
            "\n{total} cells: {}; {} broken",
            counts.join(", "),
            self.broken.len()
        );
    }
}

async fn cells_of_case(functions: Functions, case: Case) -> anyhow::Result<Vec<Cell>> {
    let calls = record(functions, case).await?;
    let mut cells: Vec<_> = calls
        .iter()
        .flat_map(|(position, function)| cells_of(case, position, function))
        .collect();
    for target in [Target::Dynamodb, Target::Sqs, Target::Telegram] {
        for times in [1, -1] {
            cells.push(Cell {
                case,
                call: format!("connections to {target:?}"),
                fault: Fault {
                    times,
                    ..fault(target, Kind::Refuse)
                },
            });
        }
    }
    Ok(cells)
}

/// The calls that a use case makes when nothing goes wrong.
async fn record(functions: Functions, case: Case) -> anyhow::Result<Vec<(Position, String)>> {
    let mut world = World::new(functions, case.sort()).await?;
    case.prepare(&mut world).await?;
    let before = world.calls().len();
    case.act(&mut world).await?;
    let calls = world.calls();
    world.heal().await?;
    let outcome = invariants::check(&mut world).await?;
    // What a warning tells of has failed before.
    let name = case.name();
    ensure!(
        outcome != Outcome::Failed || case == Case::Warning,
        "{name} fails when nothing goes wrong"
    );
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
    let mut faults = vec![Fault {
        after: true,
        ..base(Kind::Kill)
    }];
    let mut both = vec![
        base(Kind::Kill),
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
                value: Some(400),
                ..base(Kind::RetryAfter)
            });
            both.push(Fault {
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
            both.push(Fault {
                value: Some(700),
                ..base(Kind::Delay)
            });
        }
        Target::Dynamodb => {
            both.push(base(Kind::Throttle));
            both.push(Fault {
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

async fn play(functions: Functions, cell: &Cell) -> Played {
    let mut world = World::new(functions, cell.case.sort()).await?;
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
    let outcome = invariants::check(&mut world).await?;
    world.desk.stop().await;
    Ok(outcome)
}

fn label(fault: &Fault) -> String {
    let kind = match fault.fault {
        Kind::Refuse => "refused",
        Kind::Drop => "dropped",
        Kind::LoseAnswer => "answer lost",
        Kind::Delay => "too slow",
        Kind::Status => return format!("{}{}", fault.value.unwrap_or_default(), lasting(fault)),
        Kind::RetryAfter => "429",
        Kind::Throttle => "throttled",
        Kind::Conflict => "conflict",
        Kind::Kill if fault.after => "killed after",
        Kind::Kill => "killed before",
    };
    format!("{kind}{}", lasting(fault))
}

fn lasting(fault: &Fault) -> &'static str {
    if fault.times < 0 { " lasting" } else { "" }
}
