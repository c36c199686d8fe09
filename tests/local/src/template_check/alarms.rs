//! The alarms: that there is one for everything that must be told, and that each of them tells.

use super::{Template, referred};
use crate::document::{At, Mistakes};
use crate::functions::Function;

/// What the webhook logs for a request without its secret, as a filter of logs names it.
const REFUSED: &str = r#"{ $.message = "webhook.refused" }"#;

pub(super) fn check(template: &Template<'_>, mistakes: &mut Mistakes) {
    let alarms: Vec<_> = template
        .of_type("AWS::CloudWatch::Alarm")
        .into_iter()
        .map(|(_, at)| at.get("Properties"))
        .collect();
    for alarm in &alarms {
        mistakes.expect(&alarm.get("TreatMissingData"), "notBreaching");
        let told = alarm.get("AlarmActions");
        let topic = told.one_or_many().first().and_then(At::value);
        let topic = topic.as_deref().and_then(referred);
        if topic.is_none_or(|name| template.named(name, "AWS::SNS::Topic").is_none()) {
            mistakes.add(&told, "must be a topic of the template");
        }
    }
    for (metric, of) in wanted(template) {
        let watches = |alarm: &At<'_>| {
            let dimensions = alarm.get("Dimensions").one_or_many();
            alarm.get("MetricName").text() == Some(metric)
                && dimensions
                    .iter()
                    .any(|dimension| dimension.get("Value").value().as_deref() == Some(&of))
        };
        if !alarms.iter().any(watches) {
            let what = format!("there is no alarm for {metric} of {of}");
            mistakes.add(&template.resources(), what);
        }
    }
    check_refused(template, &alarms, mistakes);
}

/// The metrics that need an alarm, each with what it is of.
fn wanted(template: &Template<'_>) -> Vec<(&'static str, String)> {
    let mut wanted = Vec::new();
    for function in Function::ALL {
        if let Some((name, _)) = template.function(function) {
            wanted.push(("Errors", format!("${{{name}}}")));
            wanted.push(("Throttles", format!("${{{name}}}")));
        }
    }
    if let Some((name, outbox)) = template.outbox() {
        let oldest = format!("${{{name}.QueueName}}");
        wanted.push(("ApproximateAgeOfOldestMessage", oldest));
        let dead = outbox.way(&["Properties", "RedrivePolicy", "deadLetterTargetArn"]);
        if let Some(dead) = dead.value().as_deref().and_then(referred) {
            let visible = format!("${{{dead}.QueueName}}");
            wanted.push(("ApproximateNumberOfMessagesVisible", visible));
        }
    }
    wanted
}

/// Refused webhooks are counted from the log, by a filter, and an alarm watches that count.
fn check_refused(template: &Template<'_>, alarms: &[At<'_>], mistakes: &mut Mistakes) {
    let Some((_, webhook)) = template.function(Function::Webhook) else {
        return;
    };
    let group = webhook.way(&["Properties", "LoggingConfig", "LogGroup"]);
    let filters = template.of_type("AWS::Logs::MetricFilter").into_iter();
    let mut of_webhook = filters
        .map(|(_, at)| at.get("Properties"))
        .filter(|filter| filter.get("LogGroupName").value() == group.value());
    let Some(filter) = of_webhook.next() else {
        return mistakes.add(
            &template.resources(),
            "no filter counts the webhook's refusals",
        );
    };
    mistakes.expect(&filter.get("FilterPattern"), REFUSED);
    for metric in filter.get("MetricTransformations").one_or_many() {
        let name = metric.get("MetricName");
        let watches = |alarm: &At<'_>| {
            let same = |one: &str, other: &str| alarm.get(one).value() == metric.get(other).value();
            same("MetricName", "MetricName") && same("Namespace", "MetricNamespace")
        };
        if !alarms.iter().any(watches) {
            mistakes.add(&name, "no alarm watches it");
        }
    }
}
