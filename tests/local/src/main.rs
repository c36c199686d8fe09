//! The `desk` command: a local desk started by hand, one event sent to one function, and a check of
//! the files that people write.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Parser, Subcommand};
use frontdesk_local::{
    Data, Desk, Function, Functions, Options, Outcome, PortTaken, check, link, read_event,
    read_settings,
};
use serde_json::{Value, json};

/// A local desk, on this machine alone.
#[derive(Parser)]
#[command(name = "desk")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Starts a desk and runs it until Ctrl-C.
    Up(Up),
    /// Sends one event to one function and prints its answer.
    Invoke(Invoke),
    /// Checks the settings, the sample events and the template.
    Check(Check),
    /// Measures the release binaries and the way from POST to card.
    Bench(Bench),
    /// Makes a link that opens the bot and says where its customer came from.
    Link(Link),
}

#[derive(clap::Args)]
struct Up {
    /// The port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Keeps the table in this directory [default: target/desk].
    #[arg(long, value_name = "DIR", conflicts_with = "memory")]
    data: Option<PathBuf>,
    /// Forgets everything at the end.
    #[arg(long)]
    memory: bool,
    /// The business's settings [default: desk.toml].
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Runs no schedule by itself.
    #[arg(long)]
    manual: bool,
    /// Talks to the real Bot API, with the token in `TELEGRAM_BOT_TOKEN`.
    #[arg(long)]
    telegram: bool,
}

#[derive(clap::Args)]
struct Invoke {
    /// intake, webhook, notifier or clock.
    #[arg(value_parser = parse_function)]
    function: Function,
    /// The event, as events/FUNCTION/NAME.json.
    file: PathBuf,
    /// The port of a running desk; without it, a fresh one is started in memory.
    #[arg(long)]
    port: Option<u16>,
}

#[derive(clap::Args)]
struct Link {
    /// The bot's name in Telegram, as in t.me/NAME.
    #[arg(long, value_name = "NAME")]
    bot: String,
    /// Where the link stands: 1 to 64 of A-Z a-z 0-9 _ -.
    source: String,
}

#[derive(clap::Args)]
struct Check {
    /// The business's settings [default: desk.toml].
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

#[derive(clap::Args)]
#[command(disable_help_flag = true)]
struct Bench {
    /// What the benchmark itself is given, `--help` for one.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

fn parse_function(name: &str) -> Result<Function, String> {
    Function::named(name).ok_or_else(|| {
        let names = Function::ALL.map(Function::name).join(", ");
        format!("the functions are {names}")
    })
}

/// How a command fails: with a sentence, 1 for what it was asked to do, 2 for how it was asked.
struct Failed {
    code: u8,
    sentence: String,
}

impl Failed {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "errors are handed over by map_err"
    )]
    fn usage(sentence: impl ToString) -> Self {
        Self {
            code: 2,
            sentence: sentence.to_string(),
        }
    }
}

impl From<anyhow::Error> for Failed {
    fn from(error: anyhow::Error) -> Self {
        let code = if error.is::<PortTaken>() { 2 } else { 1 };
        Self {
            code,
            sentence: format!("{error:#}"),
        }
    }
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let done = runtime.block_on(async {
        match command {
            Command::Up(up) => run(up).await,
            Command::Invoke(invoke) => send(invoke).await,
            Command::Check(check) => look(check),
            Command::Bench(bench) => measure(&bench),
            Command::Link(link) => make_link(&link),
        }
    });
    // A build under way is not waited for; it ends when it finds nobody to report to.
    runtime.shutdown_timeout(Duration::from_secs(1));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("{}", failed.sentence);
            ExitCode::from(failed.code)
        }
    }
}

async fn run(up: Up) -> Result<(), Failed> {
    let settings = up.settings.unwrap_or_else(|| in_project("desk.toml"));
    // Mistakes in how it is called come before the build, which may take minutes.
    let business = read_settings(&settings).map_err(Failed::usage)?;
    let telegram = if up.telegram {
        Some(bot_token()?)
    } else {
        None
    };
    if std::net::TcpListener::bind(("127.0.0.1", up.port))
        .is_err_and(|error| error.kind() == std::io::ErrorKind::AddrInUse)
    {
        return Err(Failed::usage(PortTaken(up.port)));
    }
    let data = match up.data {
        _ if up.memory => Data::Memory,
        Some(directory) => Data::Dir(directory),
        None => Data::Dir(in_project("target/desk")),
    };
    let options = Options {
        port: up.port,
        data,
        settings,
        manual: up.manual,
        telegram,
        echo: true,
        ..Options::default()
    };
    let mut stop = std::pin::pin!(stop_signal());
    let desk = tokio::select! {
        desk = start(options) => desk?,
        // Dropping a desk that starts ends its processes.
        stopped = &mut stop => return Ok(stopped?),
    };
    println!("Ready. Ctrl-C stops the desk.");
    println!("  page    {}/", desk.url());
    for form in business.forms {
        println!("  form    {}/forms/{form}", desk.url());
    }
    println!("  health  {}/_local/health", desk.url());
    let stopped = stop.await;
    desk.stop().await;
    Ok(stopped?)
}

fn bot_token() -> Result<String, Failed> {
    std::env::var("TELEGRAM_BOT_TOKEN").ok().filter(|token| !token.is_empty()).ok_or_else(|| {
        Failed::usage("With --telegram, the environment variable TELEGRAM_BOT_TOKEN must hold the token of your bot.")
    })
}

async fn start(options: Options) -> anyhow::Result<Desk> {
    let functions = tokio::task::spawn_blocking(Functions::build).await??;
    Desk::start(options, functions).await
}

async fn send(invoke: Invoke) -> Result<(), Failed> {
    let event = read_event(&invoke.file).map_err(Failed::usage)?;
    let outcome = match invoke.port {
        Some(port) => send_to_running(port, invoke.function, event).await,
        None => send_to_fresh(invoke.function, event).await,
    };
    let answer = match outcome? {
        Ok(answer) => answer,
        Err(error) => {
            return Err(Failed {
                code: 1,
                sentence: pretty(&error),
            });
        }
    };
    println!("{}", pretty(&answer));
    Ok(())
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

/// A function's answer, or its error.
type Answered = Result<Value, Value>;

async fn send_to_running(port: u16, function: Function, event: Value) -> Result<Answered, Failed> {
    let url = format!("http://127.0.0.1:{port}/_local/invoke");
    let client = reqwest::Client::builder()
        .no_proxy()
        .build()
        .map_err(anyhow::Error::from)?;
    let request = client
        .post(url)
        .json(&json!({"function": function, "event": event}));
    let answer = request
        .send()
        .await
        .map_err(|_| Failed::usage(format!("No desk runs on port {port}.")))?;
    let mut answer: Value = answer
        .json()
        .await
        .context("the desk's answer cannot be read")
        .map_err(Failed::from)?;
    match answer.get_mut("response") {
        Some(response) => Ok(Ok(response.take())),
        None => Ok(Err(answer["error"].take())),
    }
}

async fn send_to_fresh(function: Function, event: Value) -> Result<Answered, Failed> {
    let settings = in_project("desk.toml");
    read_settings(&settings).map_err(Failed::usage)?;
    let options = Options {
        settings,
        manual: true,
        echo: true,
        ..Options::default()
    };
    let desk = start(options).await?;
    let outcome = desk.lambda().invoke(function, desk.fill_in(&event)).await;
    desk.stop().await;
    Ok(match outcome {
        Outcome::Answer(payload) => {
            let text = String::from_utf8_lossy(&payload);
            Ok(serde_json::from_str(&text).unwrap_or_else(|_| json!(text)))
        }
        Outcome::Failed(failure) => Err(json!(failure)),
    })
}

fn make_link(args: &Link) -> Result<(), Failed> {
    let link = link(&args.bot, &args.source).map_err(Failed::usage)?;
    println!("{link}");
    Ok(())
}

fn look(args: Check) -> Result<(), Failed> {
    let settings = args.settings.unwrap_or_else(|| in_project("desk.toml"));
    let mistakes = check(&in_project(""), &settings);
    if mistakes.is_empty() {
        println!("No mistakes found.");
        return Ok(());
    }
    Err(Failed {
        code: 1,
        sentence: mistakes.join("\n"),
    })
}

fn measure(bench: &Bench) -> Result<(), Failed> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // A crate and a build of its own: debug figures would be worth nothing.
    let done = std::process::Command::new(cargo)
        .args([
            "run",
            "--quiet",
            "--release",
            "--package",
            "frontdesk-bench",
        ])
        .arg("--manifest-path")
        .arg(in_project("Cargo.toml"))
        .arg("--")
        .args(&bench.args)
        .status()
        .context("cargo cannot be started")?;
    if done.success() {
        return Ok(());
    }
    Err(Failed {
        code: 1,
        sentence: "Nothing was measured.".to_owned(),
    })
}

/// A path below the project's root, relative to the current directory where that is possible.
fn in_project(path: &str) -> PathBuf {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let here = std::env::current_dir().unwrap_or_default();
    let root = root.strip_prefix(&here).map(Path::to_owned).unwrap_or(root);
    root.join(path)
}

/// Resolves at Ctrl-C or SIGTERM.
async fn stop_signal() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted?,
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await?;
    Ok(())
}
