#![doc = include_str!("../README.md")]

mod builds;
mod chat;
mod cloud;
mod instance;
mod measure;
mod report;
mod runtime;
mod server;
mod workload;

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Parser;

use crate::builds::Binaries;
use crate::report::Report;

/// Measures the functions' release binaries beside an empty one, and the way from POST to card.
#[derive(Parser)]
#[command(name = "cargo desk bench")]
struct Cli {
    /// Starts of each binary.
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Warm calls after each start.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    calls: u32,
    /// Leads on their way from POST to card.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    leads: u32,
    /// Writes the figures to this file as Markdown too.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let binaries = Binaries::build()?;
    let figures = measure::all(&binaries, cli.runs, cli.calls)?;
    eprintln!("{} leads from POST to card", cli.leads);
    let ways = chat::measure(binaries.functions, cli.leads)?;
    let report = Report::new(&figures, &ways, (cli.runs, cli.calls));
    println!("{}", report.text());
    if let Some(file) = cli.markdown {
        std::fs::write(&file, report.markdown())
            .with_context(|| format!("{} cannot be written", file.display()))?;
    }
    Ok(())
}

/// A path below the project's root.
fn in_project(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}
