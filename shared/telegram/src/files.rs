//! The methods that pass files on, by the ids under which Telegram keeps them.

use serde::Serialize;

use crate::method::{Method, ReplyParameters, SentMessage};

/// Sends a file again.
#[derive(Clone, Debug, Serialize)]
pub struct SendDocument {
    /// Where to.
    pub chat_id: i64,
    /// The file's id.
    pub document: String,
    /// The text under it, at most 1024 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub caption: String,
    /// The message that it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_parameters: Option<ReplyParameters>,
}

impl Method for SendDocument {
    const NAME: &'static str = "sendDocument";
    type Answer = SentMessage;
}

/// Sends a picture again.
#[derive(Clone, Debug, Serialize)]
pub struct SendPhoto {
    /// Where to.
    pub chat_id: i64,
    /// The picture's id.
    pub photo: String,
    /// The text under it, at most 1024 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub caption: String,
    /// The message that it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_parameters: Option<ReplyParameters>,
}

impl Method for SendPhoto {
    const NAME: &'static str = "sendPhoto";
    type Answer = SentMessage;
}

/// Sends 2 to 10 files, or as many pictures, as one album.
#[derive(Clone, Debug, Serialize)]
pub struct SendMediaGroup {
    /// Where to.
    pub chat_id: i64,
    /// What is in it, all of one kind.
    pub media: Vec<InputMedia>,
    /// The message that it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_parameters: Option<ReplyParameters>,
}

/// One part of an album.
#[derive(Clone, Debug, Serialize)]
pub struct InputMedia {
    /// `document` or `photo`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The file's id.
    pub media: String,
    /// The text under it, at most 1024 characters.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub caption: String,
}

impl Method for SendMediaGroup {
    const NAME: &'static str = "sendMediaGroup";
    type Answer = Vec<SentMessage>;
}
