use std::panic;

use frontdesk_desk::metrics;
use tracing::{Level, level_filters::LevelFilter};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::metrics::Metrics;

/// Sends logs to standard output as JSON lines, one event each, from `info` on for the desk's own and
/// from `warn` on for libraries. A panic logs where it happened and not what it says: its message can
/// hold a piece of a customer's text. (In a release a panic ends the process there and then, so Lambda is
/// told no more either.) Metrics go there too, as lines of their own.
pub fn set_up_logs() {
    let lines = fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_filter(
            Targets::new()
                .with_default(Level::WARN)
                .with_target("frontdesk", Level::INFO)
                .with_target(metrics::TARGET, LevelFilter::OFF),
        );
    let measured = Metrics::from_environment()
        .with_filter(Targets::new().with_target(metrics::TARGET, Level::INFO));
    let subscriber = registry().with(lines).with(measured);
    // A second call changes nothing.
    let _ = tracing::subscriber::set_global_default(subscriber);
    panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(place, "panic");
    }));
}
