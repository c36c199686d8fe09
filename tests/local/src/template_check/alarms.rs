//! The alarms: that there is one for everything that must be told, and that each of them tells.

use frontdesk_desk::metrics::Metric;

use super::{Template, referred};
use crate::document::{At, Mistakes};
use crate::functions::Function;

/// What the webhook logs for a request without its secret, as a filter of logs names it.
const REFUSED: &str = r#"{ $.message = "webhook.refused" }"#;

/// The desk's own metrics that an alarm must watch, and what their absence means.
const OWN: [(Metric, &str); 3] = [
    (Metric::OldestUndelivered, "notBreaching"),
    (Metric::UnreachableChats, "notBreaching"),
    // Without a run of the clock there is no report either.
    (Metric::ReportOverdue, "breaching"),
];

pub(super) fn check(template: &Template<'_>, mistakes: &mut Mistakes) {
    let named = template.of_type("AWS::CloudWatch::Alarm");
    let composites = template.of_type("AWS::CloudWatch::CompositeAlarm");
    let rules: Vec<_> = composites
        .iter()
        .filter_map(|(_, at)| at.way(&["Properties", "AlarmRule"]).value())
        .collect();
    for (_, composite) in &composites {
        check_told(template, &composite.get("Properties"), mistakes);
    }
    let mut alarms = Vec::new();
    for (name, at) in named {
        let alarm = at.get("Properties");
        let is_part = rules
            .iter()
            .any(|rule| rule.contains(&format!("${{{name}}}")));
        if !is_part {
            check_told(template, &alarm, mistakes);
        }
        let metric = alarm.get("MetricName").text();
        let absence = OWN
            .iter()
            .find(|(own, _)| metric == Some(own.name()))
            .map_or("notBreaching", |(_, absence)| *absence);
        mistakes.expect(&alarm.get("TreatMissingData"), absence);
        alarms.push(alarm);
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
    check_own(template, &alarms, mistakes);
    check_refused(template, &alarms, mistakes);
}

fn check_told(template: &Template<'_>, alarm: &At<'_>, mistakes: &mut Mistakes) {
    let told = alarm.get("AlarmActions");
    let topic = told.one_or_many().first().and_then(At::value);
    let topic = topic.as_deref().and_then(referred);
    if topic.is_none_or(|name| template.named(name, "AWS::SNS::Topic").is_none()) {
        mistakes.add(&told, "must be a topic of the template");
    }
}

/// The desk's own metrics are what the code records, and the ones that matter have an alarm.
fn check_own(template: &Template<'_>, alarms: &[At<'_>], mistakes: &mut Mistakes) {
    let own: Vec<_> = alarms
        .iter()
        .filter(|alarm| alarm.get("Namespace").value().as_deref() == Some("${AWS::StackName}"))
        .map(|alarm| alarm.get("MetricName"))
        .collect();
    for name in &own {
        let is_known = Metric::ALL
            .iter()
            .any(|metric| name.text() == Some(metric.name()));
        if !is_known && name.text() != Some("WebhookRefused") {
            mistakes.add(name, "no function records it");
        }
    }
    for (metric, _) in OWN {
        if !own.iter().any(|name| name.text() == Some(metric.name())) {
            let what = format!("there is no alarm for {}", metric.name());
            mistakes.add(&template.resources(), what);
        }
    }
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
    if let Some((name, _)) = template.outbox() {
        let oldest = format!("${{{name}.QueueName}}");
        wanted.push(("ApproximateAgeOfOldestMessage", oldest));
    }
    if let Some(dead) = template.dead_letters() {
        let visible = format!("${{{dead}.QueueName}}");
        wanted.push(("ApproximateNumberOfMessagesVisible", visible));
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
