#![doc = include_str!("../README.md")]

mod aws;
mod clock;
mod environment;
mod logs;

pub use aws::{connect, sdk_config};
pub use clock::Clock;
pub use environment::{optional, registration, required, settings};
pub use logs::set_up_logs;
