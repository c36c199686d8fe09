//! Breaks the product in known ways, one at a time in a copy of the tree; the proof must catch each,
//! or it proves nothing.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, bail, ensure};
use frontdesk_local::Function;
use tokio::process::Command;

use crate::world::project;

/// A defect: in which file, what is replaced by what, and which part of the proof is to see it.
struct Mutant {
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    proof: &'static [&'static str],
}

const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "a request is put without its condition",
        file: "shared/storage/src/requests.rs",
        from: ".condition_expression(\"attribute_not_exists(pk)\")",
        to: ".condition_expression(\"attribute_not_exists(never)\")",
        proof: &["matrix", "--case", "leadtwice"],
    },
    Mutant {
        name: "a claim does not look at the version",
        file: "shared/storage/src/updates.rs",
        from: ".condition_expression(\"version = :from\")",
        to: ".condition_expression(\"version >= :from OR version < :from\")",
        proof: &["random", "--count", "80", "--from", "1"],
    },
    Mutant {
        name: "a receipt does not keep the first reply",
        file: "shared/storage/src/updates.rs",
        from: "attribute_not_exists(pk) OR expires < :now",
        to: "attribute_not_exists(never) OR expires < :now",
        proof: &["matrix", "--case", "claim"],
    },
    Mutant {
        name: "a lease is taken over while it lasts",
        file: "shared/domain/src/effect/attempt.rs",
        from: "lease.until > now",
        to: "lease.until > now + jiff::SignedDuration::from_hours(24)",
        proof: &["matrix", "--case", "twin"],
    },
    Mutant {
        name: "a message that finds its effect leased is deleted",
        file: "shared/desk/src/deliver_effect/mod.rs",
        from: "Start::Leased => return Ok(Round::Over(Verdict::Keep))",
        to: "Start::Leased => return Ok(Round::Over(Verdict::Delete))",
        proof: &["matrix", "--case", "twin"],
    },
    Mutant {
        name: "an effect is written whatever its revision",
        file: "shared/storage/src/effects.rs",
        from: "revision = :before",
        to: "revision >= :before OR revision < :before",
        proof: &["random", "--count", "80", "--from", "1"],
    },
    Mutant {
        name: "an unknown send counts as not sent",
        file: "shared/desk/src/deliver_effect/outcome.rs",
        from: "Error::NoAnswer(_) => Outcome::Unknown",
        to: "Error::NoAnswer(_) => Outcome::Retryable",
        proof: &["matrix", "--case", "lead"],
    },
    Mutant {
        name: "a wish does not say what it wants",
        file: "shared/desk/src/press.rs",
        from: "id: effect.id.clone(),\n                want,",
        to: "id: effect.id.clone(),\n                want: None,",
        proof: &["matrix", "--case", "claim"],
    },
    Mutant {
        name: "a new effect is never due",
        file: "shared/domain/src/effect/mod.rs",
        from: "due: Some(now + GRACE)",
        to: "due: None",
        proof: &["matrix", "--case", "lead"],
    },
    Mutant {
        name: "a sweep does not move what it hands over",
        file: "shared/storage/src/due.rs",
        from: "SET due = :to",
        to: "SET moved = :to",
        proof: &["matrix", "--case", "sweep"],
    },
    Mutant {
        name: "a failed effect's message is deleted",
        file: "functions/notifier/src/lib.rs",
        from: "Ok(verdict @ (Verdict::DeadLetter | Verdict::Failed)) =>",
        to: "Ok(Verdict::DeadLetter | Verdict::Failed) => Vec::new(),\n            #[allow(unreachable_patterns)]\n            Ok(verdict @ (Verdict::DeadLetter | Verdict::Failed)) =>",
        proof: &["matrix", "--case", "redrive"],
    },
    Mutant {
        name: "a 429 is not waited for",
        file: "shared/desk/src/deliver_effect/chat.rs",
        from: "store.block_chat(bot, self.id, *until).await",
        to: "{ let _ = until; Ok(()) }",
        proof: &["matrix", "--case", "limited"],
    },
    Mutant {
        name: "a stray press is not dealt with",
        file: "shared/desk/src/press.rs",
        from: ".then_some(pressed)",
        to: ".then_some(pressed).filter(|_| false)",
        proof: &["matrix", "--case", "stray"],
    },
    Mutant {
        name: "the lead is told before it is stored",
        file: "shared/desk/src/submit_lead.rs",
        from: "desk.store.insert_request(&new).await?",
        to: "desk.store.insert_request(&new).await.unwrap_or(Inserted::Stored)",
        proof: &["matrix", "--case", "lead"],
    },
    Mutant {
        name: "an effect is marked done before it is sent",
        file: "shared/desk/src/deliver_effect/mod.rs",
        from: "let attempt = Box::pin(task.perform(self, &leased)).await;",
        to: "let early = leased.finish(&Outcome::Done { shown: leased.want, message: None, cleared: std::collections::BTreeSet::new() }, None, now, 0.0);\n        let _ = self.desk.store.write_effect(&leased, &early).await;\n        let attempt = task.perform(self, &leased).await;",
        proof: &["matrix", "--case", "lead"],
    },
    Mutant {
        name: "an update that changes nothing leaves no receipt",
        file: "shared/storage/src/updates.rs",
        from: "return self.put_receipt(receipt).await;",
        to: "let _ = self.put_receipt(receipt);\n            return Ok(Recorded::First);",
        proof: &["matrix", "--case", "race"],
    },
    Mutant {
        name: "a decision is made on what may be old",
        file: "shared/storage/src/store.rs",
        from: ".consistent_read(true)",
        to: ".consistent_read(false)",
        proof: &["matrix", "--case", "claim"],
    },
    Mutant {
        name: "a slot of a chat's pace is taken twice",
        file: "shared/storage/src/pace.rs",
        from: "i64::try_from(pace.interval.as_millis()).unwrap_or(i64::MAX)",
        to: "i64::from(pace.interval.is_zero())",
        proof: &["random", "--count", "80", "--from", "1"],
    },
    Mutant {
        name: "a redriven message counts as an old one",
        file: "shared/domain/src/effect/attempt.rs",
        from: "self.failed_at.is_some_and(|failed_at| sent_at <= failed_at)",
        to: "self.failed_at.is_some_and(|failed_at| sent_at <= failed_at || sent_at > failed_at)",
        proof: &["matrix", "--case", "redrive"],
    },
    Mutant {
        name: "a message is tried twice where its answer is lost",
        file: "shared/queue/src/lib.rs",
        from: "RetryConfig::disabled()",
        to: "RetryConfig::standard()",
        proof: &["matrix", "--case", "lead"],
    },
    Mutant {
        name: "a 429 uses up an attempt",
        file: "shared/domain/src/effect/attempt.rs",
        from: "next.attempts = uncounted;\n                next.wait_until(State::Pending, *until, now);",
        to: "next.wait_until(State::Pending, *until, now);",
        proof: &["matrix", "--case", "lead"],
    },
    Mutant {
        name: "what is wished for in a former group stays due",
        file: "shared/desk/src/deliver_effect/rest.rs",
        from: "if stored.due == until {",
        to: "if stored.due == until || stored.due.is_some() {",
        proof: &["matrix", "--case", "former"],
    },
    Mutant {
        name: "an unknown confirmation is sent again",
        file: "shared/domain/src/effect/id.rs",
        from: "!matches!(self, Self::Confirmation { .. })",
        to: "!matches!(self, Self::Webhook { .. })",
        proof: &["matrix", "--case", "dialog"],
    },
    Mutant {
        name: "a brief does not reply to its card",
        file: "shared/desk/src/deliver_effect/brief.rs",
        from: "card.filter(|card| card.chat == chat_id)",
        to: "card.filter(|card| card.chat != chat_id)",
        proof: &["matrix", "--case", "dialog"],
    },
    Mutant {
        name: "a repeated card does not say so",
        file: "shared/desk/src/deliver_effect/card.rs",
        from: "effect.unknowns > 0",
        to: "effect.unknowns > 8",
        proof: &["matrix", "--case", "lead"],
    },
    Mutant {
        name: "a retry asks for nothing",
        file: "shared/storage/src/answers.rs",
        from: ".condition_expression(\"#state IN (:failed, :unknown)\")",
        to: ".condition_expression(\"#state IN (:failed, :unknown) AND attribute_not_exists(pk)\")",
        proof: &["matrix", "--case", "retry"],
    },
];

pub(crate) async fn run(only: Option<&str>) -> anyhow::Result<()> {
    let project = project().canonicalize()?;
    let copy = project.join("target/mutants/tree");
    let mut missed = Vec::new();
    let is_asked = |mutant: &&Mutant| only.is_none_or(|only| mutant.name.contains(only));
    let mutants: Vec<_> = MUTANTS.iter().filter(is_asked).collect();
    ensure!(!mutants.is_empty(), "no such mutant");
    // What fails without a defect shows nothing.
    copy_tree(&project, &copy).await?;
    build(&copy).await.context("without a defect")?;
    let proofs: BTreeSet<_> = mutants.iter().map(|mutant| mutant.proof).collect();
    for proof in proofs {
        let found = finds_something(&copy, proof).await?;
        ensure!(!found, "without a defect, {} finds one", proof.join(" "));
    }
    for mutant in mutants {
        copy_tree(&project, &copy).await?;
        let file = copy.join(mutant.file);
        let source = std::fs::read_to_string(&file).with_context(|| mutant.file.to_owned())?;
        ensure!(
            source.contains(mutant.from),
            "{}: {} no longer has its place",
            mutant.name,
            mutant.file
        );
        std::fs::write(&file, source.replace(mutant.from, mutant.to))?;
        let begun = std::time::Instant::now();
        build(&copy).await.context(mutant.name)?;
        let caught = finds_something(&copy, mutant.proof).await?;
        println!(
            "{}: {} ({} s)",
            if caught { "caught" } else { "MISSED" },
            mutant.name,
            begun.elapsed().as_secs()
        );
        if !caught {
            missed.push(mutant.name);
        }
    }
    if !missed.is_empty() {
        bail!("not caught: {}", missed.join(", "));
    }
    Ok(())
}

/// What git knows of the tree, and what is new in it.
async fn copy_tree(from: &Path, to: &Path) -> anyhow::Result<()> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ])
        .current_dir(from)
        .output()
        .await?;
    ensure!(listed.status.success(), "git cannot list the tree");
    let listed = String::from_utf8(listed.stdout)?;
    // What was copied last time and is gone would still be compiled.
    let record = to.with_extension("files");
    let before = std::fs::read_to_string(&record).unwrap_or_default();
    let is_listed = |path: &&str| listed.split('\0').any(|there| there == *path);
    for gone in before.split('\0').filter(|path| !is_listed(path)) {
        // It may be a folder by now.
        let _ = std::fs::remove_file(to.join(gone));
    }
    std::fs::create_dir_all(to)?;
    std::fs::write(&record, &listed)?;
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        let (source, copy) = (from.join(path), to.join(path));
        let Ok(content) = std::fs::read(&source) else {
            continue;
        };
        // Unchanged files keep their time, so that only what differs is compiled again.
        if std::fs::read(&copy).is_ok_and(|there| there == content) {
            continue;
        }
        std::fs::create_dir_all(copy.parent().context("a folder")?)?;
        std::fs::write(copy, content)?;
    }
    Ok(())
}

fn cargo(copy: &Path, arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command
        .args(arguments)
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", copy.with_file_name("target"))
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

async fn build(copy: &Path) -> anyhow::Result<()> {
    // As `Functions::build` selects, so that nothing compiles twice.
    let functions = Function::ALL.map(|function| format!("frontdesk-{}", function.name()));
    let mut desk = vec!["build", "--bins", "--package", "frontdesk-local"];
    for function in &functions {
        desk.extend(["--package", function]);
    }
    for build in [&desk[..], &["build", "--package", "frontdesk-proof"]] {
        let built = cargo(copy, build).stdout(Stdio::null()).status().await?;
        ensure!(built.success(), "it does not compile, so nothing is shown");
    }
    Ok(())
}

/// Whether a part of the proof finds something broken; an error where it ends without having looked.
async fn finds_something(copy: &Path, proof: &[&str]) -> anyhow::Result<bool> {
    let run = [
        &["run", "--quiet", "--package", "frontdesk-proof", "--"],
        proof,
        &["--stop-at-first"],
    ]
    .concat();
    let ended = cargo(copy, &run).stdout(Stdio::piped()).output().await?;
    let found = String::from_utf8_lossy(&ended.stdout).contains("BROKEN");
    ensure!(
        found != ended.status.success(),
        "{} ends with {} and says nothing",
        proof.join(" "),
        ended.status
    );
    Ok(found)
}
