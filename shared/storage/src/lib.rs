#![doc = include_str!("../README.md")]

mod alerts;
mod answers;
mod chats;
mod counters;
mod dialogs;
mod due;
mod effects;
mod error;
mod item;
mod keys;
mod lists;
mod pace;
mod reports;
mod requests;
mod store;
mod stories;
mod transaction;
mod updates;
mod wishes;

pub use answers::Answer;
pub use chats::Chat;
pub use dialogs::{Conversation, DraftChange, Panel};
pub use due::DueEntry;
pub use effects::{BriefSubject, Finished, Loaded, LoadedEffect, Subject};
pub use error::Error;
pub use keys::{Bot, EffectKey, SHARDS};
pub use lists::Listed;
pub use pace::Pace;
pub use requests::{Inserted, NewRequest};
pub use store::Store;
pub use stories::Story;
pub use updates::{Applied, Aside, PressView, Receipt, Recorded};
