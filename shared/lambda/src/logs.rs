use std::panic;

use tracing_subscriber::fmt;

/// Sends logs to standard output as JSON lines, one event each, from `info` on for the desk's own and
/// from `warn` on for libraries. A panic logs where it happened and not what it says: its message can
/// hold a piece of a customer's text. (In a release a panic ends the process there and then, so Lambda is
/// told no more either.)
pub fn set_up_logs() {
    let filter = tracing_subscriber::filter::Targets::new()
        .with_default(tracing::Level::WARN)
        .with_target("frontdesk", tracing::Level::INFO);
    let subscriber = {
        use tracing_subscriber::layer::SubscriberExt;
        tracing_subscriber::registry().with(filter).with(
            fmt::layer()
                .json()
                .flatten_event(true)
                .with_current_span(false)
                .with_span_list(false),
        )
    };
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
