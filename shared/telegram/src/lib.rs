#![doc = include_str!("../README.md")]

#[cfg(feature = "client")]
mod answer;
#[cfg(feature = "client")]
mod client;
mod error;
mod method;
mod secret;
mod update;

#[cfg(feature = "client")]
pub use answer::read_answer;
#[cfg(feature = "client")]
pub use client::{Client, NoTls, Roots, TIMEOUT, Token};
pub use error::Error;
pub use method::{
    AnswerCallbackQuery, EditMessageText, GetWebhookInfo, InlineKeyboard, InlineKeyboardButton,
    LinkPreview, Method, ParseMode, SendMessage, SentMessage, SetWebhook, WebhookInfo, reply_body,
};
pub use secret::Secrets;
pub use update::{Callback, CallbackMessage, Chat, Content, Malformed, Message, Update, User};
