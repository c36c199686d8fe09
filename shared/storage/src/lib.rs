#![doc = include_str!("../README.md")]

mod chats;
mod counters;
mod due;
mod effects;
mod error;
mod item;
mod keys;
mod requests;
mod store;
mod transaction;
mod updates;
mod webhook;

pub use chats::Chat;
pub use due::DueEntry;
pub use effects::{Finished, Loaded, LoadedEffect};
pub use error::Error;
pub use keys::{Bot, EffectKey, SHARDS};
pub use requests::{Inserted, NewRequest};
pub use store::Store;
pub use updates::{Applied, Aside, PressView, Receipt, Recorded};
