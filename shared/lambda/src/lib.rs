#![doc = include_str!("../README.md")]

mod aws;
mod clock;
mod environment;
mod logs;
mod metrics;

pub use aws::{connect, dead_letters, sdk_config};
pub use clock::Clock;
pub use environment::{optional, registration, required, settings};
pub use logs::set_up_logs;
