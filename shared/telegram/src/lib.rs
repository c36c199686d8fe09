#![doc = include_str!("../README.md")]

#[cfg(feature = "client")]
mod answer;
#[cfg(feature = "client")]
mod client;
mod error;
mod files;
mod method;
mod secret;
mod update;

#[cfg(feature = "client")]
pub use answer::read_answer;
#[cfg(feature = "client")]
pub use client::{Client, NoTls, Roots, TIMEOUT, Token};
pub use error::Error;
pub use files::{InputMedia, SendDocument, SendMediaGroup, SendPhoto};
pub use method::{
    AnswerCallbackQuery, BotCommand, CommandScope, EditMessageReplyMarkup, EditMessageText,
    GetWebhookInfo, InlineKeyboard, InlineKeyboardButton, KeyboardButton, LinkPreview, Method,
    ParseMode, RemoveKeyboard, ReplyKeyboard, ReplyMarkup, ReplyParameters, SendMessage,
    SentMessage, SetMyCommands, SetWebhook, WebhookInfo, reply_body,
};
pub use secret::Secrets;
pub use update::{
    Callback, CallbackMessage, Chat, Contact, Content, Document, Malformed, MemberStatus,
    Membership, Message, PhotoSize, Update, User,
};
