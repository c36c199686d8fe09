#![doc = include_str!("../README.md")]

mod attend;
#[cfg(feature = "deliver")]
pub mod deliver_effect;
mod desk;
mod dialog;
pub mod handle_update;
pub mod metrics;
mod press;
pub mod register_webhook;
pub mod run_due;
pub mod run_report;
mod staff;
pub mod submit_lead;
pub mod watch;

pub use desk::{Desk, Registration};
