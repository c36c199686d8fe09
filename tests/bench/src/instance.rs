//! One process of a function, and what the system knows of it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context;

/// A running process; dropping it kills it.
pub(crate) struct Instance {
    child: Child,
}

impl Instance {
    pub(crate) fn start(program: &Path, variables: &[(&str, String)]) -> anyhow::Result<Self> {
        let child = Command::new(program)
            .env_clear()
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", program.display()))?;
        Ok(Self { child })
    }

    /// The processor time of its threads so far, in user and in kernel mode. `/proc/PID/stat` counts
    /// in hundredths of a second, the scheduler in nanoseconds.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        let mut nanos = 0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let told = std::fs::read_to_string(task?.path().join("schedstat"))?;
            let running = told.split(' ').next().unwrap_or_default();
            nanos += running.parse::<u64>().context("/proc tells no run time")?;
        }
        Ok(Duration::from_nanos(nanos))
    }

    /// The most memory that it ever had resident, in kilobytes.
    pub(crate) fn peak_memory(&self) -> anyhow::Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        Ok(peak.context("/proc tells no peak memory")?.parse()?)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
