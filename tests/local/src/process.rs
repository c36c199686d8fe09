//! One child process: started with nothing but what it is given, heard, and ended.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::journal::Journal;

/// Starts a program in a clean environment. It is killed when the returned handle is dropped.
pub(crate) fn start(program: &Path, environment: Vec<(String, String)>) -> std::io::Result<Child> {
    let mut command = Command::new(program);
    command
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    // A Ctrl-C in the terminal is for the desk, which then ends its children in order.
    #[cfg(unix)]
    command.process_group(0);
    command.spawn()
}

/// Hears a child out until it ends, by itself or by `kill`; returns how it ended.
pub(crate) async fn watch(
    mut child: Child,
    mut kill: watch::Receiver<bool>,
    name: &str,
    journal: &Arc<Journal>,
) -> String {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let ears = async { tokio::join!(hear(out, name, journal), hear(err, name, journal)) };
    let end = async {
        let ended = tokio::select! {
            ended = child.wait() => Some(ended),
            // Also when the pool is gone, and with it the sender.
            () = async { drop(kill.wait_for(|kill| *kill).await) } => None,
        };
        let ended = match ended {
            Some(ended) => ended,
            None => child
                .kill()
                .await
                .and_then(|()| child.try_wait())
                .map(Option::unwrap_or_default),
        };
        ended.map_or_else(|error| error.to_string(), |status| status.to_string())
    };
    // The pipes close with the process, so that its last words are heard.
    let (_, ending) = tokio::join!(ears, end);
    ending
}

async fn hear(pipe: Option<impl AsyncRead + Unpin>, name: &str, journal: &Journal) {
    let Some(pipe) = pipe else { return };
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    while let Ok(1..) = pipe.read_until(b'\n', &mut line).await {
        journal.line(name, String::from_utf8_lossy(&line).trim_end().to_owned());
        line.clear();
    }
}
