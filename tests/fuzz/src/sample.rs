//! What the targets share: the sample's settings, a moment, a desk on one thread.

use std::cell::OnceCell;
use std::sync::LazyLock;

use frontdesk_desk::Desk;
use frontdesk_lambda::Clock;
use frontdesk_notifier::{Notifier, TokenSource};
use frontdesk_settings::Settings;
use frontdesk_telegram::{Client, Roots, Token};
use jiff::Timestamp;
use tokio::runtime::Runtime;

use crate::aws::Aws;

/// A request that the table holds where a target says so.
pub(crate) const REQUEST: &str = "3f9a22c107bed4";
/// The staff's chat in the sample.
pub(crate) const STAFF_CHAT: i64 = -1_001_000_000_001;
/// Nobody listens there: no call of Telegram's connects.
const NO_TELEGRAM: &str = "http://127.0.0.1:1";

/// The sample, as it stands in the repository.
pub(crate) fn settings() -> &'static Settings {
    static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
        Settings::parse(include_str!("../../../desk.toml"), "desk.toml").expect("the sample")
    });
    &SETTINGS
}

/// The moment at which every input is handled.
pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_795_968_000).expect("a time")
}

/// Has `work` done with a notifier whose AWS is at hand and as new.
pub(crate) fn with_notifier<T>(work: impl AsyncFnOnce(&Notifier, &Aws) -> T) -> T {
    struct Kept {
        runtime: Runtime,
        aws: Aws,
        notifier: Notifier,
    }
    thread_local! {
        static KEPT: OnceCell<Kept> = const { OnceCell::new() };
    }
    KEPT.with(|kept| {
        let kept = kept.get_or_init(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            let aws = Aws::default();
            let notifier = notifier(aws.desk());
            Kept {
                runtime,
                aws,
                notifier,
            }
        });
        kept.aws.reset();
        // Nonces and jitter are the same each time, so that an input is.
        fastrand::seed(7);
        kept.runtime.block_on(work(&kept.notifier, &kept.aws))
    })
}

/// The same with only the desk.
pub(crate) fn with_desk<T>(work: impl AsyncFnOnce(&Desk, &Aws) -> T) -> T {
    with_notifier(async |notifier, aws| work(&notifier.desk, aws).await)
}

fn notifier(desk: Desk) -> Notifier {
    let token = Token::parse("1:test").expect("a token");
    let telegram = Client::new(NO_TELEGRAM, token.clone(), Roots::CompiledIn);
    Notifier {
        desk,
        telegram: telegram.expect("a client"),
        source: TokenSource::Fixed(token),
        registration: None,
        clock: Clock::from_environment(),
    }
}
