//! A local desk, started as anybody starts it.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long the desk may take until it is ready; the first time, it builds the functions.
const PATIENCE: Duration = Duration::from_mins(20);

pub(crate) struct Desk {
    pub(crate) url: String,
    process: Child,
}

impl Desk {
    /// A desk in memory on a free port, whose schedules run only when told.
    pub(crate) async fn start() -> Self {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut process = Command::new("cargo")
            .args(["desk", "up", "--memory", "--manual", "--port", "0"])
            .current_dir(project)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = async {
            let mut url = None;
            while let Some(line) = lines.next_line().await.unwrap() {
                match line.trim().split_once(' ') {
                    Some(("page", address)) => url = Some(address.trim().to_owned()),
                    // The last line.
                    Some(("health", _)) => break,
                    _ => {}
                }
            }
            url.expect("the desk says where its page is")
        };
        let url = tokio::time::timeout(PATIENCE, url).await.unwrap();
        Self { url, process }
    }

    /// Ends the desk as Ctrl-C does; it leaves cleanly though a page was open.
    pub(crate) async fn stop(mut self) {
        let id = self.process.id().unwrap().to_string();
        let killed = Command::new("kill").args(["-TERM", &id]).status().await;
        assert!(killed.unwrap().success());
        let ended = tokio::time::timeout(Duration::from_secs(20), self.process.wait());
        let status = ended.await.expect("the desk ends").unwrap();
        assert!(status.success(), "{status}");
    }
}
