//! The release binaries.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use frontdesk_local::Functions;
use serde_json::Value;

use crate::in_project;

/// The paths of the binaries, each built by itself.
pub(crate) struct Binaries {
    pub(crate) empty: PathBuf,
    pub(crate) functions: Functions,
}

impl Binaries {
    /// Builds each binary alone, as it is built to be deployed: two packages in one command would
    /// get the features of both.
    pub(crate) fn build() -> anyhow::Result<Self> {
        let function = |name: &str| build(&format!("frontdesk-{name}"), &[]);
        Ok(Self {
            functions: Functions {
                intake: function("intake")?,
                webhook: function("webhook")?,
                notifier: function("notifier")?,
                clock: function("clock")?,
            },
            empty: build(
                "frontdesk-bench",
                &["--no-default-features", "--bin", "frontdesk-empty"],
            )?,
        })
    }
}

fn build(package: &str, more: &[&str]) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--package", package])
        .arg("--message-format=json-render-diagnostics")
        .args(more)
        .current_dir(in_project(""))
        .stderr(Stdio::inherit())
        .output()
        .context("cargo cannot be started")?;
    if !output.status.success() {
        bail!("{package} does not build");
    }
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message.get("executable")?.as_str()?))
    };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(executable)
        .next_back()
        .with_context(|| format!("cargo built no binary of {package}"))
}
