#![doc = include_str!("../README.md")]

mod action;
mod alert;
mod attention;
mod command;
mod counter;
pub mod dialog;
mod draft_token;
pub mod effect;
mod field;
mod id;
mod language;
mod phone;
mod press;
mod report;
mod request;
mod staff;
pub mod text;

pub use action::{Acted, Action, act};
pub use alert::{Alert, Seen, Sight, Watched, WebhookTrouble};
pub use attention::{Attended, Attention};
pub use command::{Command, NumberGiven};
pub use counter::Counter;
pub use draft_token::{DraftToken, MalformedToken};
pub use field::{Answer, Field, FieldFault, FieldKind, Form, Picked, fill};
pub use id::{ContactKey, ContentDigest, MalformedId, Name, RequestId};
pub use language::{Language, Localized};
pub use phone::{Country, Phone, PhoneFault, UnknownCountry};
pub use press::{PageStart, Press, PressedOn, UnknownPress};
pub use report::{Report, ReportTime};
pub use request::{FromDialog, HistoryEntry, Request, State, Transition};
pub use staff::{Member, Role};
