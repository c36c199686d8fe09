//! Metrics in CloudWatch's embedded format: a line of the log from which CloudWatch takes the value, so
//! that recording one is no call
//! (<https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html>).

use std::io::Write;

use jiff::Timestamp;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::optional;

/// Prints the desk's metrics, under the namespace that `METRICS_NAMESPACE` names.
pub(crate) struct Metrics {
    namespace: String,
}

impl Metrics {
    pub(crate) fn from_environment() -> Self {
        Self {
            namespace: optional("METRICS_NAMESPACE").unwrap_or_else(|| "frontdesk".to_owned()),
        }
    }

    fn line(&self, metric: &Recorded, now: Timestamp) -> String {
        let Recorded { name, unit, value } = metric;
        let directive = json!({
            "Namespace": self.namespace,
            "Dimensions": [[]],
            "Metrics": [{"Name": name, "Unit": unit}],
        });
        let about = json!({
            "Timestamp": now.as_millisecond(),
            "CloudWatchMetrics": [directive],
        });
        json!({"_aws": about, name.as_str(): value}).to_string()
    }
}

#[derive(Default)]
struct Recorded {
    name: String,
    unit: String,
    value: u64,
}

impl Visit for Recorded {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "value" {
            self.value = value;
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "metric" => value.clone_into(&mut self.name),
            "unit" => value.clone_into(&mut self.unit),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

impl<S: Subscriber> Layer<S> for Metrics {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut metric = Recorded::default();
        event.record(&mut metric);
        let line = self.line(&metric, Timestamp::now());
        // Nobody is left to tell when standard output is gone.
        let _ = writeln!(std::io::stdout().lock(), "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_the_embedded_format_wants_it() {
        let metrics = Metrics {
            namespace: "desk".to_owned(),
        };
        let metric = Recorded {
            name: "CardDelay".to_owned(),
            unit: "Milliseconds".to_owned(),
            value: 7,
        };
        let line = metrics.line(&metric, Timestamp::UNIX_EPOCH);
        let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(
            read,
            json!({
                "_aws": {
                    "Timestamp": 0,
                    "CloudWatchMetrics": [{
                        "Namespace": "desk",
                        "Dimensions": [[]],
                        "Metrics": [{"Name": "CardDelay", "Unit": "Milliseconds"}],
                    }],
                },
                "CardDelay": 7,
            })
        );
    }
}
