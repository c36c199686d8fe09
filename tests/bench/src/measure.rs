//! The functions' own figures.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use frontdesk_local::{Function, Functions};

use crate::builds::Binaries;
use crate::cloud::Cloud;
use crate::instance::Instance;
use crate::runtime::Runtime;
use crate::workload::{self, Workload};

/// What was found out about one binary.
pub(crate) struct Figures {
    pub(crate) name: &'static str,
    pub(crate) runs: Vec<Run>,
    /// Bytes of the binary.
    pub(crate) size: usize,
    /// Bytes of the binary, deflated as by `zip -9`.
    pub(crate) package: usize,
}

/// One process, from its start to its last answer.
pub(crate) struct Run {
    /// From the process's start to its first request for an event.
    pub(crate) init: Duration,
    /// From the first event to its answer.
    pub(crate) first: Duration,
    /// Processor time until the first answer was there.
    pub(crate) cpu_to_first: Duration,
    /// From event to answer, of each later call, in rising order.
    pub(crate) warm: Vec<Duration>,
    /// Processor time of a later call, on average.
    pub(crate) cpu_per_call: Duration,
    /// Kilobytes after the last call.
    pub(crate) peak_memory: u64,
}

/// Measures all binaries. One start of each follows on another, so that what else the machine does
/// meets them all alike.
pub(crate) fn all(binaries: &Binaries, runs: u32, calls: u32) -> anyhow::Result<Vec<Figures>> {
    let empty = (workload::empty(), binaries.empty.as_path());
    let subjects: Vec<_> = [empty]
        .into_iter()
        .chain(of_the_desk(&binaries.functions))
        .collect();
    let mut figures = Vec::new();
    for (workload, program) in &subjects {
        figures.push(weigh(workload.name, program)?);
    }
    for round in play(&subjects, runs, calls)? {
        for (figures, run) in figures.iter_mut().zip(round) {
            figures.runs.push(run);
        }
    }
    Ok(figures)
}

fn of_the_desk(functions: &Functions) -> impl Iterator<Item = (Workload, &Path)> {
    let functions = Function::ALL.map(|function| (function, functions.path(function)));
    functions
        .into_iter()
        .map(|(function, program)| (workload::workload(function), program))
}

/// So many starts of each, one after another; an error where one does not do what it is given to do.
fn play(subjects: &[(Workload, &Path)], runs: u32, calls: u32) -> anyhow::Result<Vec<Vec<Run>>> {
    // One thread for all that is not measured leaves the other processors to what is.
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    tokio.block_on(async {
        let mut stage = Stage {
            runtime: Runtime::start().await?,
            cloud: Cloud::start().await?,
        };
        let mut rounds = Vec::new();
        for run in 1..=runs {
            eprintln!("run {run} of {runs}");
            let mut round = Vec::new();
            for (workload, program) in subjects {
                let run = stage.run(workload, program, calls).await;
                round.push(run.context(workload.name)?);
            }
            rounds.push(round);
        }
        Ok(rounds)
    })
}

fn weigh(name: &'static str, program: &Path) -> anyhow::Result<Figures> {
    let binary = std::fs::read(program)?;
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
    deflated.write_all(&binary)?;
    Ok(Figures {
        name,
        runs: Vec::new(),
        size: binary.len(),
        package: deflated.finish()?.len(),
    })
}

struct Stage {
    runtime: Runtime,
    cloud: Cloud,
}

impl Stage {
    async fn run(
        &mut self,
        workload: &Workload,
        program: &Path,
        calls: u32,
    ) -> anyhow::Result<Run> {
        self.cloud.forget_calls();
        let variables = self.cloud.variables(workload, self.runtime.address);
        let event = Bytes::from(workload.event.clone());

        let start = Instant::now();
        let instance = Instance::start(program, &variables)?;
        let asked = self.runtime.next().await?;
        let init = asked.at - start;

        let given = asked.give(event.clone());
        let answered = self.runtime.answer().await?;
        let cpu_to_first = instance.cpu()?;
        let first = answered.at - given;
        workload.check(&answered.body)?;
        drop(answered);

        let mut warm = Vec::new();
        for _ in 0..calls {
            let given = self.runtime.next().await?.give(event.clone());
            let answered = self.runtime.answer().await?;
            warm.push(answered.at - given);
            workload.check(&answered.body)?;
        }
        warm.sort_unstable();
        let run = Run {
            init,
            first,
            cpu_to_first,
            warm,
            cpu_per_call: instance.cpu()?.saturating_sub(cpu_to_first) / calls,
            peak_memory: instance.peak_memory()?,
        };
        // It ends while it asks for more, so that no call of it is left for the next one.
        let asked = self.runtime.next().await?;
        drop(instance);
        drop(asked);

        let made = self.cloud.calls();
        let wanted = workload.calls_of(u64::from(calls) + 1);
        ensure!(made == wanted, "it made the calls {made:?}, not {wanted:?}");
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_does_what_is_measured() {
        let functions = Functions::build().expect("the functions build");
        let subjects: Vec<_> = of_the_desk(&functions).collect();
        play(&subjects, 1, 3).expect("right answers and calls");
    }
}
