//! The four functions and their real binaries.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

/// One of the four functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Function {
    /// The site form, behind the HTTP API.
    Intake,
    /// Telegram's updates, behind a function URL.
    Webhook,
    /// Messages of the outbox queue.
    Notifier,
    /// What is due, by schedule.
    Clock,
}

impl Function {
    /// All of them, in the order they are named everywhere.
    pub const ALL: [Self; 4] = [Self::Intake, Self::Webhook, Self::Notifier, Self::Clock];

    /// Its short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Intake => "intake",
            Self::Webhook => "webhook",
            Self::Notifier => "notifier",
            Self::Clock => "clock",
        }
    }

    /// The function of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|function| function.name() == name)
    }

    /// How long an invocation may take, in real time.
    pub fn timeout(self) -> Duration {
        Duration::from_secs(match self {
            Self::Intake | Self::Webhook => 10,
            Self::Notifier | Self::Clock => 60,
        })
    }

    /// Its name on AWS.
    pub fn arn(self) -> String {
        format!(
            "arn:aws:lambda:us-east-1:000000000000:function:{}",
            self.name()
        )
    }
}

/// The paths of the functions' binaries.
#[derive(Clone, Debug)]
pub struct Functions {
    /// The binary of intake.
    pub intake: PathBuf,
    /// The binary of webhook.
    pub webhook: PathBuf,
    /// The binary of notifier.
    pub notifier: PathBuf,
    /// The binary of clock.
    pub clock: PathBuf,
}

impl Functions {
    /// The binary of one function.
    pub fn path(&self, function: Function) -> &Path {
        match function {
            Function::Intake => &self.intake,
            Function::Webhook => &self.webhook,
            Function::Notifier => &self.notifier,
            Function::Clock => &self.clock,
        }
    }

    /// Builds the binaries with cargo, in the profile of the running program, once per process.
    /// Blocks until cargo is done; what cargo says goes to standard error.
    pub fn build() -> anyhow::Result<Self> {
        static BUILT: OnceLock<Result<Functions, String>> = OnceLock::new();
        BUILT
            .get_or_init(|| build().map_err(|error| format!("{error:#}")))
            .clone()
            .map_err(anyhow::Error::msg)
    }
}

fn build() -> anyhow::Result<Functions> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--message-format=json-render-diagnostics",
        "--bins",
    ]);
    // Features are unified over the packages that one command names. Naming this crate beside the
    // functions selects the features that `cargo desk` was built with, so nothing compiles twice.
    command.args(["--package", "frontdesk-local"]);
    for function in Function::ALL {
        command.args(["--package", &package(function)]);
    }
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    command
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());

    let mut cargo = command.spawn().context("cargo cannot be started")?;
    let output = cargo.stdout.take().context("cargo has no output")?;
    let mut found = [const { None::<PathBuf> }; 4];
    for line in std::io::BufReader::new(output).lines() {
        if let Some((function, path)) = executable(&line?) {
            found[function as usize] = Some(path);
        }
    }
    if !cargo.wait()?.success() {
        bail!("the functions do not build");
    }
    let mut take = |function: Function| {
        found[function as usize]
            .take()
            .with_context(|| format!("cargo built no binary of {}", function.name()))
    };
    Ok(Functions {
        intake: take(Function::Intake)?,
        webhook: take(Function::Webhook)?,
        notifier: take(Function::Notifier)?,
        clock: take(Function::Clock)?,
    })
}

fn package(function: Function) -> String {
    format!("frontdesk-{}", function.name())
}

/// Reads one message of cargo: the executable of a function, if it is about one.
fn executable(message: &str) -> Option<(Function, PathBuf)> {
    #[derive(Deserialize)]
    struct Message {
        target: BuildTarget,
        executable: Option<PathBuf>,
    }
    #[derive(Deserialize)]
    struct BuildTarget {
        name: String,
        kind: Vec<String>,
    }
    let message: Message = serde_json::from_str(message).ok()?;
    let name = message.target.name;
    let function = Function::ALL
        .into_iter()
        .find(|function| package(*function) == name || function.name() == name)?;
    let is_binary = message.target.kind.iter().any(|kind| kind == "bin");
    is_binary.then_some((function, message.executable?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_function_is_read_from_cargos_messages() {
        let message = r#"{"reason":"compiler-artifact","target":{"name":"frontdesk-clock","kind":["bin"]},"executable":"/t/frontdesk-clock"}"#;
        assert_eq!(
            executable(message),
            Some((Function::Clock, "/t/frontdesk-clock".into()))
        );
        let library = r#"{"reason":"compiler-artifact","target":{"name":"frontdesk-clock","kind":["lib"]},"executable":null}"#;
        assert_eq!(executable(library), None);
        assert_eq!(
            executable(r#"{"reason":"build-finished","success":true}"#),
            None
        );
    }
}
