//! The `desk` command as a person uses it.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use frontdesk_local::Functions;
use serde_json::{Value, json};

use crate::harness::{STAFF, eventually, lead, project, token};

async fn desk(arguments: &[&str]) -> Command {
    let functions = tokio::task::spawn_blocking(Functions::build)
        .await
        .unwrap()
        .unwrap();
    let mut command = Command::new(functions.intake.with_file_name("desk"));
    command
        .args(arguments)
        .current_dir(project())
        .stdin(Stdio::null());
    command
}

async fn run(arguments: &[&str]) -> Output {
    let mut command = desk(arguments).await;
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// A running `desk up`; what is left of it ends with the test.
struct Up {
    process: Child,
    url: String,
}

impl Up {
    async fn start(arguments: &[&str]) -> Self {
        let mut command = desk(&[&["up", "--port", "0"], arguments].concat()).await;
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let url = tokio::task::spawn_blocking(move || {
            let line = lines.find_map(|line| {
                let line = line.unwrap();
                line.find("http://127.0.0.1:")
                    .map(|at| line[at..].to_owned())
            });
            // The rest is read too, or the desk would block on a full pipe.
            std::thread::spawn(move || lines.for_each(drop));
            line.expect("an address")
        });
        let url = url.await.unwrap();
        let end = url.find(|c: char| c.is_whitespace()).unwrap_or(url.len());
        let url = url[..end].trim_end_matches('/').to_owned();
        let origin: Vec<_> = url.splitn(4, '/').take(3).collect();
        Self {
            process,
            url: origin.join("/"),
        }
    }

    fn children(&self) -> Vec<PathBuf> {
        let tasks = format!("/proc/{}/task", self.process.id());
        let tasks = std::fs::read_dir(tasks)
            .unwrap()
            .map(|task| task.unwrap().path().join("children"));
        let lists = tasks.filter_map(|list| std::fs::read_to_string(list).ok());
        let pids: Vec<_> = lists
            .flat_map(|list| {
                list.split_whitespace()
                    .map(|pid| Path::new("/proc").join(pid))
                    .collect::<Vec<_>>()
            })
            .collect();
        assert!(pids.len() >= 4, "the four functions run");
        pids
    }

    fn signal(&self, signal: &str) {
        let killed = Command::new("kill")
            .args([signal, &self.process.id().to_string()])
            .status()
            .unwrap();
        assert!(killed.success());
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_and_settings_that_are_wrong_are_told_and_exit_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = run(&["up", "--memory", "--port", &port]).await;
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
    assert!(
        said(&refused).contains(&format!("Port {port} is taken")),
        "{}",
        said(&refused)
    );

    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("wrong.toml");
    let sample = std::fs::read_to_string(project().join("desk.toml")).unwrap();
    std::fs::write(&settings, sample.replace("Europe/Moscow", "Moscow")).unwrap();
    let path = settings.to_str().unwrap();
    let wrong = run(&["up", "--memory", "--port", "0", "--settings", path]).await;
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        said(&wrong).contains("wrong.toml:6: not a time zone"),
        "{}",
        said(&wrong)
    );
    let missing = run(&[
        "up",
        "--memory",
        "--port",
        "0",
        "--settings",
        "nowhere.toml",
    ])
    .await;
    assert_eq!(missing.status.code(), Some(2), "{}", said(&missing));
    let check = run(&["check"]).await;
    assert_eq!(check.status.code(), Some(0), "{}", said(&check));
}

#[tokio::test(flavor = "multi_thread")]
async fn invoke_prints_the_answer_and_exits_1_only_when_the_function_errs() {
    let folder = tempfile::tempdir().unwrap();
    let event = |name: &str, event: Value| {
        let file = folder.path().join(name);
        std::fs::write(&file, event.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let sweep = event(
        "sweep.json",
        json!({"schedule": "sweep", "time": "2026-11-29T12:00:00Z"}),
    );
    let done = run(&["invoke", "clock", &sweep]).await;
    assert_eq!(done.status.code(), Some(0), "{}", said(&done));
    assert!(said(&done).contains("handed_over"), "{}", said(&done));
    let unknown = event(
        "unknown.json",
        json!({"schedule": "harvest", "time": "2026-11-29T12:00:00Z"}),
    );
    assert_eq!(
        run(&["invoke", "clock", &unknown]).await.status.code(),
        Some(1)
    );
    let refused = run(&["invoke", "harvester", &sweep]).await;
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_is_told_to_stop_leaves_no_child_behind() {
    let mut up = Up::start(&["--memory"]).await;
    let children = up.children();
    up.signal("-TERM");
    let status = up.process.wait().unwrap();
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(children.iter().all(|child| !child.exists()));

    let mut killed = Up::start(&["--memory"]).await;
    let children = killed.children();
    killed.signal("-KILL");
    killed.process.wait().unwrap();
    eventually("the functions end by themselves", async || {
        children.iter().all(|child| !child.exists())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_killed_before_it_delivered_heals_from_its_outbox_when_it_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let http = reqwest::Client::new();
    let post = async |url: String, body: Value| {
        let response = http.post(url).json(&body).send().await.unwrap();
        response.json::<Value>().await.unwrap()
    };
    let mut first = Up::start(&["--data", data]).await;
    post(
        format!("{}/_local/faults", first.url),
        json!({"target": "sqs", "fault": "refuse", "times": -1}),
    )
    .await;
    let sent = http
        .post(format!("{}/forms/contact", first.url))
        .header("idempotency-key", token(1))
        .json(&lead());
    let sent: Value = sent.send().await.unwrap().json().await.unwrap();
    first.signal("-KILL");
    first.process.wait().unwrap();

    let second = Up::start(&["--data", data]).await;
    post(
        format!("{}/_local/clock", second.url),
        json!({"advance_s": 180}),
    )
    .await;
    let take = format!("take:{}", sent["id"].as_str().unwrap());
    eventually("the card arrives", async || {
        let chats: Value = http
            .get(format!("{}/_local/chats", second.url))
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        let staff = chats["chats"]
            .as_array()
            .unwrap()
            .iter()
            .find(|chat| chat["chat_id"] == STAFF)
            .unwrap();
        staff["messages"].to_string().contains(&take)
    })
    .await;
}
