//! The functions: what starts them, how long they may take and what they are told.

use super::{Template, VARIABLES, referred};
use crate::document::{At, Mistakes};
use crate::functions::Function;

/// The routes of the site form.
const ROUTES: [(&str, &str); 2] = [("ANY", "/forms/{form}"), ("GET", "/forms/{form}/thanks")];
/// What EventBridge Scheduler puts the scheduled time in place of.
const SCHEDULED_TIME: &str = "<aws.scheduler.scheduled-time>";
/// Its form, as its documentation shows it.
const EXAMPLE_OF_TIME: &str = "2022-03-22T18:59:43Z";
/// The largest batch that needs no waiting for it to fill.
const MOST_IN_BATCH: u64 = 10;

pub(super) fn check(template: &Template<'_>, bot: Option<&str>, mistakes: &mut Mistakes) {
    for function in Function::ALL {
        let Some((_, at)) = template.function(function) else {
            let what = format!(
                "no function is built from the binary frontdesk-{}",
                function.name()
            );
            mistakes.add(&template.resources(), what);
            continue;
        };
        check_build(template, &at, mistakes);
        let timeout = function.timeout().as_secs().to_string();
        mistakes.expect(&template.property(&at, "Timeout"), &timeout);
        check_logs(template, &at, mistakes);
        check_variables(template, function, &at, mistakes);
        check_entrance(template, function, &at, mistakes);
    }
    if let Some(bot) = bot {
        let name = template.top.way(&["Parameters", "BotName", "Default"]);
        mistakes.expect(&name, bot);
    }
}

fn check_build<'a>(template: &Template<'a>, at: &At<'a>, mistakes: &mut Mistakes) {
    mistakes.expect(&at.way(&["Metadata", "BuildMethod"]), "rust-cargolambda");
    mistakes.expect(&template.property(at, "Runtime"), "provided.al2023");
    mistakes.expect(&template.property(at, "Handler"), "bootstrap");
}

/// Logs are kept in a group of the template for a set time.
fn check_logs<'a>(template: &Template<'a>, at: &At<'a>, mistakes: &mut Mistakes) {
    let group = at.way(&["Properties", "LoggingConfig", "LogGroup"]);
    let name = group.value();
    let found = name
        .as_deref()
        .and_then(referred)
        .and_then(|name| template.named(name, "AWS::Logs::LogGroup"));
    match found {
        None => mistakes.add(&group, "must be a log group of the template"),
        Some(found) => {
            let kept = found.way(&["Properties", "RetentionInDays"]);
            if !kept.exists() {
                mistakes.add(&kept, "is missing: logs would be kept for ever");
            }
        }
    }
}

fn check_variables<'a>(
    template: &Template<'a>,
    function: Function,
    at: &At<'a>,
    mistakes: &mut Mistakes,
) {
    let way = ["Environment", "Variables"];
    let own = at.get("Properties").way(&way);
    let of_all = template.top.way(&["Globals", "Function"]).way(&way);
    for variable in VARIABLES {
        let name = variable.name;
        let is_read = variable.functions.contains(&function);
        let given = [own.get(name), of_all.get(name)]
            .into_iter()
            .find(At::exists);
        match (is_read, given) {
            (true, None) => {
                let what = format!("is missing; {} reads it", function.name());
                mistakes.add(&own.get(name), what);
            }
            (false, Some(given)) => {
                let what = format!("{} must not have it", function.name());
                mistakes.add(&given, what);
            }
            (true, Some(given)) => check_value(template, name, &given, mistakes),
            (false, None) => {}
        }
    }
    for (name, given) in own.entries().into_iter().chain(of_all.entries()) {
        if !VARIABLES.iter().any(|variable| variable.name == name) {
            mistakes.add(&given, "no function reads it");
        }
    }
}

/// The variables whose values can be wrong.
fn check_value(template: &Template<'_>, name: &str, given: &At<'_>, mistakes: &mut Mistakes) {
    let resource = match name {
        "TABLE_NAME" => template.table().map(|(table, _)| format!("${{{table}}}")),
        "QUEUE_URL" => template
            .outbox()
            .map(|(outbox, _)| format!("${{{outbox}}}")),
        "METRICS_NAMESPACE" => Some("${AWS::StackName}".to_owned()),
        "DEAD_QUEUE_URL" => template.dead_letters().map(|dead| format!("${{{dead}}}")),
        "WEBHOOK_URL" => template
            .function(Function::Webhook)
            .map(|(webhook, _)| format!("${{{webhook}Url.FunctionUrl}}telegram/${{BotName}}")),
        "WEBHOOK_SECRET" => {
            let is_resolved = given
                .value()
                .is_some_and(|value| value.starts_with("{{resolve:secretsmanager:"));
            if !is_resolved {
                mistakes.add(given, "must be resolved from Secrets Manager");
            }
            None
        }
        _ => None,
    };
    if let Some(resource) = resource {
        mistakes.expect(given, &resource);
    }
}

/// What starts a function. Only the form and the webhook have a public entrance.
fn check_entrance<'a>(
    template: &Template<'a>,
    function: Function,
    at: &At<'a>,
    mistakes: &mut Mistakes,
) {
    let url = template.property(at, "FunctionUrlConfig");
    if function == Function::Webhook {
        let authentication = url.get("AuthType");
        if authentication.text() != Some("NONE") {
            mistakes.add(
                &authentication,
                "must be the word NONE itself, or SAM leaves out a permission that a public URL needs",
            );
        }
    } else if url.exists() {
        mistakes.add(&url, format_args!("{} has no public URL", function.name()));
    }
    let all = at.way(&["Properties", "Events"]);
    let kind = match function {
        Function::Intake => "HttpApi",
        Function::Notifier => "SQS",
        Function::Clock => "ScheduleV2",
        Function::Webhook => "",
    };
    let mut events = Vec::new();
    for (_, event) in all.entries() {
        if event.get("Type").text() == Some(kind) {
            events.push(event.get("Properties"));
        } else {
            mistakes.add(&event, format_args!("must not start {}", function.name()));
        }
    }
    match function {
        Function::Intake => check_routes(&events, &all, mistakes),
        Function::Notifier => check_queue(template, &events, &all, mistakes),
        Function::Clock => check_schedules(&events, &all, mistakes),
        Function::Webhook => {}
    }
}

fn check_routes(events: &[At<'_>], all: &At<'_>, mistakes: &mut Mistakes) {
    for (method, path) in ROUTES {
        let is_there = events.iter().any(|event| {
            let same = |name, wanted| event.get(name).text() == Some(wanted);
            same("Method", method) && same("Path", path)
        });
        if !is_there {
            mistakes.add(all, format_args!("the route {method} {path} is missing"));
        }
    }
}

fn check_queue(template: &Template<'_>, events: &[At<'_>], all: &At<'_>, mistakes: &mut Mistakes) {
    let [event] = events else {
        return mistakes.add(all, "there must be one, of the outbox");
    };
    if let Some((outbox, _)) = template.outbox() {
        mistakes.expect(&event.get("Queue"), &format!("${{{outbox}.Arn}}"));
    }
    let types = event.get("FunctionResponseTypes");
    let partial = types
        .one_or_many()
        .iter()
        .any(|kind| kind.text() == Some("ReportBatchItemFailures"));
    if !partial {
        mistakes.add(
            &types,
            "must name ReportBatchItemFailures, or what the notifier answers is ignored",
        );
    }
    let most = event.way(&["ScalingConfig", "MaximumConcurrency"]);
    if !most.number().is_some_and(|most| (2..=1000).contains(&most)) {
        mistakes.add(&most, "must be from 2 to 1000");
    }
    let batch = event.get("BatchSize");
    if batch.exists()
        && !batch
            .number()
            .is_some_and(|size| (1..=MOST_IN_BATCH).contains(&size))
    {
        mistakes.add(&batch, format_args!("must be from 1 to {MOST_IN_BATCH}"));
    }
}

/// The clock's schedules: the name in the event, and how often.
const SCHEDULES: [(&str, &str); 2] = [("sweep", "rate(1 minute)"), ("report", "cron(0 * * * ? *)")];

fn check_schedules(events: &[At<'_>], all: &At<'_>, mistakes: &mut Mistakes) {
    let mut missing = SCHEDULES.to_vec();
    for event in events {
        let input = event.get("Input");
        let sent = input.text().unwrap_or_default();
        if !sent.contains(SCHEDULED_TIME) {
            mistakes.add(&input, format_args!("must hold {SCHEDULED_TIME}"));
        }
        let sent = sent.replace(SCHEDULED_TIME, EXAMPLE_OF_TIME);
        if let Err(error) = serde_json::from_str::<frontdesk_clock::Tick>(&sent) {
            mistakes.add(&input, format_args!("the clock cannot read it: {error}"));
        }
        for bound in ["MaximumRetryAttempts", "MaximumEventAgeInSeconds"] {
            let bound = event.way(&["RetryPolicy", bound]);
            if bound.number().is_none() {
                mistakes.add(
                    &bound,
                    "is missing: a tick that is late would still be tried for a day",
                );
            }
        }
        let named = missing
            .iter()
            .position(|(name, _)| sent.contains(&format!("\"{name}\"")));
        if let Some(at) = named {
            let (_, rate) = missing.remove(at);
            mistakes.expect(&event.get("ScheduleExpression"), rate);
        }
    }
    for (name, rate) in missing {
        mistakes.add(
            all,
            format_args!("the schedule \"{name}\", {rate}, is missing"),
        );
    }
}
