//! What people do: write, press buttons; and raw updates.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::chat::ChatKind;

/// A person.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct User {
    /// Telegram's id of the person.
    pub id: i64,
    /// First name.
    #[serde(default)]
    pub first_name: String,
    /// Last name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// Name without the `@`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// IETF tag of the language of the person's app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language_code: Option<String>,
}

impl User {
    /// A person with an id and a first name.
    pub fn new(id: i64, first_name: &str) -> Self {
        Self {
            id,
            first_name: first_name.to_owned(),
            ..Self::default()
        }
    }

    pub(crate) fn name(&self) -> String {
        match &self.last_name {
            Some(last_name) => format!("{} {last_name}", self.first_name),
            None => self.first_name.clone(),
        }
    }

    pub(crate) fn json(&self, is_bot: bool) -> Value {
        let mut out = json!(self);
        out["is_bot"] = json!(is_bot);
        out
    }
}

/// A person writes. Exactly one kind of content, unless an earlier update is delivered again.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Say {
    /// Delivers this earlier update again; the rest does not matter then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_id: Option<i64>,
    /// Delivers that many copies at once, past the rule of one update in flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<usize>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_id: Option<i64>,
    /// The kind of a chat that is not known yet; without it, told by the sign of its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_type: Option<ChatKind>,
    /// Who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<User>,
    /// A text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Upload>,
    /// A photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub photo: Option<Upload>,
    /// Several documents or photos sent together; a file without a name is a photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album: Option<Vec<AlbumItem>>,
    /// A shared contact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
    /// Something that a bot seldom knows what to do with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<Other>,
    /// The message that this replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_of: Option<i64>,
    /// The message that this replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<i64>,
}

impl Say {
    /// Nothing said yet, by `user` in a chat.
    pub fn by(user: User, chat_id: i64) -> Self {
        Self {
            user: Some(user),
            chat_id: Some(chat_id),
            ..Self::default()
        }
    }

    /// A text by `user` in a chat.
    pub fn text(user: User, chat_id: i64, text: &str) -> Self {
        Self {
            text: Some(text.to_owned()),
            ..Self::by(user, chat_id)
        }
    }

    /// An earlier update once more.
    pub fn again(update_id: i64) -> Self {
        Self {
            update_id: Some(update_id),
            ..Self::default()
        }
    }
}

/// A file that a person sends.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Upload {
    /// A document's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// A document's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Size in bytes.
    pub file_size: u64,
    /// Text under it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
}

/// An item of an album: `{"photo": {…}}`, `{"document": {…}}`, or the file's fields alone, where a
/// name makes it a document.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AlbumItem {
    /// A photo, said to be one.
    Photo {
        /// The file.
        photo: Upload,
    },
    /// A document, said to be one.
    Document {
        /// The file.
        document: Upload,
    },
    /// Either.
    Bare(Upload),
}

/// A shared contact.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Contact {
    /// The phone number, as the person's app gives it.
    pub phone_number: String,
    /// First name.
    pub first_name: String,
    /// Whose contact it is; of somebody outside Telegram there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<i64>,
}

/// Messages without text.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Other {
    /// A sticker.
    Sticker,
    /// A voice message.
    Voice,
    /// A place.
    Location,
}

/// A person presses a button, also one that is no longer there.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Press {
    /// Delivers this earlier update again; the rest does not matter then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_id: Option<i64>,
    /// Delivers that many copies at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<usize>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat_id: Option<i64>,
    /// Who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<User>,
    /// The message with the button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<i64>,
    /// What the button sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callback_data: Option<String>,
}

impl Press {
    /// A press by `user` on a message's button.
    pub fn new(user: User, chat_id: i64, message_id: i64, callback_data: &str) -> Self {
        Self {
            user: Some(user),
            chat_id: Some(chat_id),
            message_id: Some(message_id),
            callback_data: Some(callback_data.to_owned()),
            ..Self::default()
        }
    }

    /// An earlier press once more.
    pub fn again(update_id: i64) -> Self {
        Self {
            update_id: Some(update_id),
            ..Self::default()
        }
    }
}

/// An update as it is; one without `update_id` gets the next.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct RawUpdate {
    /// Delivers this earlier update again; the rest does not matter then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_id: Option<i64>,
    /// Delivers that many copies at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<usize>,
    /// The update.
    pub update: Value,
}
