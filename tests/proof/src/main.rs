#![doc = include_str!("../README.md")]

mod case;
mod invariants;
mod load;
mod matrix;
mod mutants;
mod random;
mod world;

use clap::{Parser, Subcommand};
use frontdesk_local::Functions;

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
        /// Only the use case of this name
        #[arg(long)]
        case: Option<String>,
    },
    /// Random people and faults, by seed
    Random {
        /// How many schedules
        #[arg(long, default_value_t = 300)]
        count: u64,
        /// The first seed; a random one is chosen and printed without
        #[arg(long)]
        from: Option<u64>,
    },
    /// One random schedule again, told step by step
    Replay {
        /// Its seed
        seed: u64,
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

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let functions = || tokio::task::spawn_blocking(Functions::build);
    match Arguments::parse().command {
        Command::Matrix { case } => matrix::run(functions().await??, case.as_deref()).await,
        Command::Random { count, from } => {
            let from = from.unwrap_or_else(|| fastrand::u64(..1_000_000_000));
            random::run(functions().await??, from, count).await
        }
        Command::Replay { seed } => random::replay(functions().await??, seed).await,
        Command::Load(arguments) => load::run(functions().await??, arguments).await,
        Command::Mutants { only } => mutants::run(only.as_deref()).await,
    }
}
