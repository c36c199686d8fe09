//! What the project's shape promises.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::Value;

use crate::harness::project;

/// The only crates of ours that each crate may depend on. An arrow that is not here points the
/// wrong way.
const ARROWS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("settings", &["domain"]),
    ("storage", &["domain"]),
    ("telegram", &[]),
    ("queue", &[]),
    ("texts", &["domain", "settings"]),
    (
        "desk",
        &[
            "domain", "settings", "storage", "telegram", "queue", "texts",
        ],
    ),
    ("lambda", &["desk", "queue", "settings", "storage"]),
    ("intake", &["desk", "domain", "lambda", "settings", "texts"]),
    ("webhook", &["desk", "lambda", "telegram"]),
    (
        "notifier",
        &["desk", "lambda", "queue", "storage", "telegram"],
    ),
    ("clock", &["desk", "lambda", "queue", "storage"]),
];

#[test]
fn dependencies_point_from_functions_to_the_domain_and_never_back() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .no_deps()
        .current_dir(project())
        .exec()
        .unwrap();
    let allowed: BTreeMap<_, _> = ARROWS.iter().copied().collect();
    let mut seen = 0;
    for package in metadata.workspace_packages() {
        let name = package.name.strip_prefix("frontdesk-").unwrap();
        if ["it", "proof", "bench"].contains(&name) || name.starts_with("local") {
            continue;
        }
        seen += 1;
        for dependency in &package.dependencies {
            let Some(ours) = dependency.name.strip_prefix("frontdesk-") else {
                continue;
            };
            let kinds = dependency.kind;
            assert!(
                allowed[name].contains(&ours),
                "{name} must not depend on {ours} ({kinds:?})"
            );
        }
    }
    assert_eq!(seen, ARROWS.len());
}

fn tree_of(function: &str) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "tree",
            "--offline",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .args(["--package", &format!("frontdesk-{function}")])
        .current_dir(project())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_function_links_one_tls_and_one_http_stack_and_only_the_notifier_a_telegram_client() {
    for function in ["intake", "webhook", "notifier", "clock"] {
        let tree = tree_of(function);
        for single in [
            "rustls",
            "hyper",
            "h2",
            "http",
            "rustls-webpki",
            "tokio-rustls",
            "hyper-rustls",
        ] {
            let mut versions: Vec<_> = tree
                .lines()
                .filter_map(|line| line.split_once(' '))
                .filter(|(name, _)| *name == single)
                .map(|(_, rest)| rest.split(' ').next().unwrap_or_default())
                .collect();
            versions.sort_unstable();
            versions.dedup();
            // The SDK's types keep conversions from the former http crate; no stack comes with it.
            let most = if single == "http" { 2 } else { 1 };
            assert!(
                versions.len() <= most,
                "{function} links {single} {versions:?}"
            );
        }
        for unwanted in ["openssl", "native-tls", "ring"] {
            let linked = tree
                .lines()
                .any(|line| line.split(' ').next() == Some(unwanted));
            assert!(!linked, "{function} links {unwanted}");
        }
        let calls_telegram = tree.lines().any(|line| line.starts_with("reqwest "));
        assert_eq!(calls_telegram, function == "notifier", "{function}");
    }
}

/// Has the checker beside the project, where there is one, check requests of the Bot API.
pub(crate) fn check_bot_requests(requests: &[Value]) {
    let checker = project().join("../shared/tools/check-bot-requests");
    if !checker.exists() {
        static TOLD: Mutex<bool> = Mutex::new(false);
        let mut told = TOLD.lock().unwrap();
        if !*told {
            eprintln!(
                "skipped: Bot API requests were not checked, as check-bot-requests is not here"
            );
            *told = true;
        }
        return;
    }
    if requests.is_empty() {
        return;
    }
    let python = Command::new("python3")
        .arg(checker)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut python = python.unwrap();
    let mut input = python.stdin.take().unwrap();
    for request in requests {
        writeln!(input, "{request}").unwrap();
    }
    drop(input);
    let output = python.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}
