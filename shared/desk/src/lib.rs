#![doc = include_str!("../README.md")]

#[cfg(feature = "deliver")]
pub mod deliver_effect;
mod desk;
pub mod handle_update;
mod press;
pub mod register_webhook;
pub mod run_due;
pub mod submit_lead;

pub use desk::{Desk, Registration};
