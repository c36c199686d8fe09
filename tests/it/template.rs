//! The template and what the code assumes of it.

mod changes;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use frontdesk_local::{
    CALLS, Function, LAMBDA_VARIABLES, LOCAL_VARIABLES, Target, VARIABLES, When, check,
    check_template,
};
use serde_json::{Value, json};

use crate::customer::Customer;
use crate::dialog::fill;
use crate::harness::{ANNA, Desk, eventually, lead, project, token};
use changes::CHANGES;

fn template() -> String {
    std::fs::read_to_string(project().join("template.yaml")).unwrap()
}

fn mistakes(text: &str) -> Vec<String> {
    check_template(Path::new("template.yaml"), text, Some("desk"))
}

#[test]
fn the_project_itself_has_no_mistakes() {
    let none: Vec<String> = Vec::new();
    assert_eq!(check(&project(), &project().join("desk.toml")), none);
}

#[test]
fn each_mistake_is_named_with_its_line_and_path() {
    let good = template();
    for (from, to, path, what) in CHANGES {
        assert!(good.contains(from), "the template no longer has {from}");
        let found = mistakes(&good.replacen(from, to, 1));
        let named = found.iter().any(|mistake| {
            let mut parts = mistake.splitn(3, ':');
            let (file, line) = (parts.next(), parts.next().unwrap_or_default());
            file == Some("template.yaml")
                && line.parse::<usize>().is_ok_and(|line| line > 0)
                && parts.next().is_some_and(|rest| {
                    rest.split_once(": ").is_some_and(|(at, said)| {
                        at.trim_start().ends_with(path) && said.contains(what)
                    })
                })
        });
        assert!(named, "{to}: {found:#?}");
    }
}

#[test]
fn a_mistakes_line_is_the_line_of_what_is_wrong() {
    let good = template();
    let line = 1 + good
        .lines()
        .position(|line| line.contains("maxReceiveCount"))
        .unwrap();
    let found = mistakes(&good.replace("maxReceiveCount: 8", "maxReceiveCount: 5"));
    let wanted = format!(
        "template.yaml:{line}: Resources.Outbox.Properties.RedrivePolicy.maxReceiveCount: must be 8, and is 5"
    );
    assert_eq!(found, [wanted]);
    let broken = mistakes("Resources:\n  Table: [\n");
    assert!(broken[0].starts_with("template.yaml:"), "{broken:?}");
}

/// A call of a function: the operation, and what it is made on, as the table of calls names it.
type Made = (String, String, String);

/// Every call of an instance that works; Telegram's need no permission.
fn observed(desk: &Desk, seen: &mut BTreeSet<Made>) {
    let calls = desk.local.calls().into_iter();
    let aws = calls.filter(|call| call.target != Target::Telegram);
    seen.extend(aws.map(|call| {
        let request: Value = serde_json::from_slice(&call.request.unwrap()).unwrap();
        let on = match (&request["IndexName"], &request["QueueUrl"]) {
            (Value::String(index), _) => format!("Index({index:?})"),
            (_, Value::String(queue)) if queue.ends_with("-dead") => "DeadLetters".to_owned(),
            (_, Value::String(_)) => "Outbox".to_owned(),
            _ => "Table".to_owned(),
        };
        (call.function, call.operation, on)
    }));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_of_calls_holds_exactly_those_that_a_running_desk_makes() {
    let mut seen = BTreeSet::new();
    let url = "https://example.lambda-url.us-east-1.on.aws/telegram/desk";
    let settings = std::fs::read_to_string(project().join("desk.toml")).unwrap();
    let settings = settings.replace(
        "# call_out_after_minutes = 30",
        "call_out_after_minutes = 1",
    );
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::fs::write(file.path(), settings).unwrap();
    let desk = Desk::start_with(|options| {
        options.webhook_url = Some(url.to_owned());
        options.settings = file.path().to_owned();
        options.keep_requests = true;
    })
    .await;
    // A lead, its card and a claim; the lead once more, and a message whose update comes twice.
    let id = desk.lead(&token(1)).await;
    desk.settle().await;
    desk.submit(&token(1), &lead()).await;
    let card = desk.the_card().await;
    desk.press(ANNA, &card, &format!("take:{id}")).await;
    let said = json!({"chat_id": 77, "user": {"id": 77, "first_name": "Vera"}, "text": "/start"});
    let first = desk.control("say", said.clone()).await;
    let mut repeated = said;
    repeated["update_id"] = first["update_id"].clone();
    desk.control("say", repeated).await;
    // What staff look up.
    for command in ["/list".to_owned(), format!("/show {}", &id[..6])] {
        let said =
            json!({"chat_id": ANNA, "user": {"id": ANNA, "first_name": "Anna"}, "text": command});
        desk.control("say", said).await;
    }
    // Sweeps: one registers the webhook, one finds an effect that the queue never got.
    desk.fault(json!({"target": "sqs", "fault": "refuse", "times": -1}))
        .await;
    desk.lead(&token(2)).await;
    desk.end_faults().await;
    desk.advance(300).await;
    desk.sweep().await;
    // An attempt that is made again, and one that fails for good.
    desk.fault(
        json!({"target": "telegram", "match": "sendMessage", "fault": "status", "value": 500}),
    )
    .await;
    desk.lead(&token(3)).await;
    desk.run_to_quiet(600).await;
    desk.fault(json!({"target": "telegram", "match": "sendMessage", "fault": "status", "value": 400, "description": "Bad Request: chat not found"}))
        .await;
    desk.lead(&token(4)).await;
    eventually("it fails", async || desk.dead_letters().await == 1).await;
    // A customer who has blocked the bot by the time that the request is confirmed.
    let vera = Customer::new(&desk, 7001, "en");
    fill(&vera).await;
    desk.settle().await;
    desk.fault(json!({"target": "telegram", "match": "sendMessage", "chat_id": 7001, "fault": "status", "value": 403, "description": "Forbidden: bot was blocked by the user"}))
        .await;
    vera.presses("Send").await;
    // The clock sees what has failed, and the day's report is due.
    desk.sweep().await;
    desk.tick("report").await;
    observed(&desk, &mut seen);
    desk.finish().await;

    let known = CALLS
        .iter()
        .filter(|call| call.when == When::InUse)
        .map(|call| {
            let (function, operation) = (call.function.name(), call.operation);
            (
                function.to_owned(),
                operation.to_owned(),
                format!("{:?}", call.on),
            )
        });
    assert_eq!(seen, known.collect());
}

/// The names in `required("…")` and `optional("…")` of the files below a folder.
fn variables_read_in(folder: PathBuf, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            variables_read_in(path, names);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for call in ["required(\"", "optional(\""] {
            let calls = text.split(call).skip(1);
            names.extend(calls.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())));
        }
    }
}

#[test]
fn the_code_reads_the_variables_that_the_check_knows_and_no_others() {
    let mut shared = BTreeSet::new();
    variables_read_in(project().join("shared/lambda/src"), &mut shared);
    let mut all = shared.clone();
    for function in Function::ALL {
        let mut own = BTreeSet::new();
        let folder = project().join("functions").join(function.name());
        variables_read_in(folder.join("src"), &mut own);
        for variable in VARIABLES {
            let is_its = variable.functions.contains(&function);
            assert!(
                is_its || !own.contains(variable.name),
                "{} reads {}",
                function.name(),
                variable.name
            );
        }
        all.extend(own);
    }
    let known = VARIABLES.iter().map(|variable| variable.name);
    let known = known
        .chain(LOCAL_VARIABLES.iter().copied())
        .chain(LAMBDA_VARIABLES.iter().copied());
    assert_eq!(all, known.map(ToOwned::to_owned).collect());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_alarm_for_refused_webhooks_counts_the_line_that_the_webhook_writes() {
    let desk = Desk::start().await;
    let sent = desk.post("/telegram/desk").body("{}").send().await.unwrap();
    assert_eq!(sent.status(), 401);
    eventually("the line is there", async || {
        let lines = desk.local.logs();
        lines
            .iter()
            .any(|line| line.contains(r#""message":"webhook.refused""#))
    })
    .await;
    desk.finish().await;
}
