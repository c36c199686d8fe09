#![doc = include_str!("../README.md")]

mod answers;
mod aws;
mod card;
mod form;
mod items;
mod outbox;
mod page;
mod sample;
mod settings;
mod texts;
mod update;

pub use answers::answers;
pub use card::card;
pub use form::form;
pub use items::items;
pub use outbox::outbox;
pub use settings::settings;
pub use texts::texts;
pub use update::update;

/// Checks one input of a target; it panics where a property does not hold.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const TARGETS: [(&str, Target); 8] = [
    ("answers", answers),
    ("card", card),
    ("form", form),
    ("items", items),
    ("outbox", outbox),
    ("settings", settings),
    ("texts", texts),
    ("update", update),
];
