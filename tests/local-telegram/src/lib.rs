#![doc = include_str!("../README.md")]

mod acts;
mod answer;
mod chat;
mod delivery;
mod format;
mod html;
mod journal;
mod markup;
mod methods;
mod outcome;
mod person;
mod press;
mod rates;
mod reference;
mod say;
mod schema;
mod state;
mod telegram;
mod text;
mod view;

pub use answer::{ApiAnswer, Via};
pub use chat::{Barred, ChatKind, FileKind};
pub use delivery::{Deliver, WebhookAnswer};
pub use journal::Request;
pub use outcome::{
    Error, PressAnswer, PressResult, Pressed, Results, Said, SayResult, UpdateResult, Updated,
};
pub use person::{AlbumItem, Contact, Other, Press, RawUpdate, Say, Upload, User};
pub use rates::Rates;
pub use telegram::{Bot, Telegram};
pub use view::{Attachment, Button, Chat, KeyboardButton, Message};
