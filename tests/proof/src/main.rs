#![doc = include_str!("../README.md")]

mod case;
mod invariants;
mod load;
mod matrix;
mod mutants;
mod notices;
mod people;
mod random;
mod schedule;
mod story;
mod talk;
mod world;

use clap::{Parser, Subcommand};
use frontdesk_local::Functions;
use random::Pace;

#[derive(Parser)]
#[command(about = "Proves that nothing is lost and nothing doubled")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every use case under every fault at every call
    Matrix {
        /// Only the use cases of these names
        #[arg(long, value_delimiter = ',')]
        case: Vec<String>,
        /// Only these calls, as the table names them, such as "notifier sendMessage 2"
        #[arg(long, value_delimiter = ',')]
        call: Vec<String>,
        #[command(flatten)]
        pace: PaceArguments,
    },
    /// Random people and faults, by seed
    Random {
        /// How many schedules
        #[arg(long, default_value_t = 300)]
        count: u64,
        /// The first seed; a random one is chosen and printed without
        #[arg(long)]
        from: Option<u64>,
        #[command(flatten)]
        pace: PaceArguments,
    },
    /// One random schedule again, told step by step
    Replay {
        /// Its seed
        seed: u64,
        /// Only these of its steps, by number
        #[arg(long, value_delimiter = ',')]
        steps: Vec<usize>,
        /// So often, which tells less of each time
        #[arg(long, default_value_t = 1)]
        times: usize,
    },
    /// Finds fewer steps of a failing schedule that still fail
    Shrink {
        /// Its seed
        seed: u64,
        #[command(flatten)]
        pace: PaceArguments,
    },
    /// Customers at a steady rate, with real limits and some faults; prints what became of it
    Load(load::Arguments),
    /// Breaks the product in known ways; each must be caught
    Mutants {
        /// Only those whose name contains this
        #[arg(long)]
        only: Option<String>,
    },
}

#[derive(clap::Args)]
struct PaceArguments {
    /// Desks at once; twelve for each processor if not given
    #[arg(long)]
    at_once: Option<usize>,
    /// The first failure ends it
    #[arg(long)]
    stop_at_first: bool,
}

impl From<PaceArguments> for Pace {
    fn from(arguments: PaceArguments) -> Self {
        // A desk mostly waits: for timeouts and retries in real time.
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            at_once: arguments.at_once.unwrap_or(12 * processors).max(1),
            stop_at_first: arguments.stop_at_first,
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let functions = || tokio::task::spawn_blocking(Functions::build);
    match Arguments::parse().command {
        Command::Matrix { case, call, pace } => {
            matrix::run(functions().await??, &case, &call, pace.into()).await
        }
        Command::Random { count, from, pace } => {
            let from = from.unwrap_or_else(|| fastrand::u64(..1_000_000_000));
            random::run(functions().await??, from, count, pace.into()).await
        }
        Command::Replay { seed, steps, times } => {
            random::replay(functions().await??, seed, &steps, times).await
        }
        Command::Shrink { seed, pace } => {
            random::shrink(functions().await??, seed, pace.into()).await;
            Ok(())
        }
        Command::Load(arguments) => load::run(functions().await??, arguments).await,
        Command::Mutants { only } => mutants::run(only.as_deref()).await,
    }
}
