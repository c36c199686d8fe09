//! The chats as people see them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::{self, ChatKind, Content, FileKind};
use crate::format::Formatted;
use crate::markup::Markup;

/// A chat with all its messages.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Chat {
    /// Telegram's id of the chat.
    pub chat_id: i64,
    /// Private, group or supergroup.
    #[serde(rename = "type")]
    pub kind: ChatKind,
    /// A group's title, or a person's name.
    pub title: String,
    /// Every message, deleted ones too, oldest first.
    pub messages: Vec<Message>,
}

/// A message as it is now.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Message {
    /// Its id, counted per chat.
    pub message_id: i64,
    /// When it was sent, in Unix seconds.
    pub date: i64,
    /// Who sent it.
    pub from_id: i64,
    /// The text or caption as HTML, in one spelling.
    pub html: String,
    /// The text or caption without formatting.
    pub text: String,
    /// Rows of buttons under the message.
    pub buttons: Vec<Vec<Button>>,
    /// Rows of the keyboard that the message brought.
    pub keyboard: Option<Vec<Vec<KeyboardButton>>>,
    /// The file.
    pub attachment: Option<Attachment>,
    /// The message that it replies to.
    pub reply_to: Option<i64>,
    /// How often it was edited.
    pub edits: u32,
    /// Whether it was deleted.
    pub deleted: bool,
}

/// A button under a message.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Button {
    /// What it says.
    pub text: String,
    /// What a press sends to the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback_data: Option<String>,
    /// What a press opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A button of a keyboard.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct KeyboardButton {
    /// What it says, and what a press writes.
    pub text: String,
    /// Whether a press shares the person's phone number instead.
    pub request_contact: bool,
}

/// A file in a message.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Attachment {
    /// Document or photo.
    pub kind: FileKind,
    /// What the bot may send it by; of a photo that of its largest size.
    pub file_id: String,
    /// A document's name.
    pub file_name: Option<String>,
    /// The caption without formatting.
    pub caption: Option<String>,
    /// Equal for all messages of one album.
    pub media_group_id: Option<String>,
}

pub(crate) fn chat(chat: &chat::Chat) -> Chat {
    Chat {
        chat_id: chat.id,
        kind: chat.kind,
        title: chat.title.clone(),
        messages: chat.messages.iter().map(message).collect(),
    }
}

fn message(message: &chat::Message) -> Message {
    let text = message.content.formatted();
    Message {
        message_id: message.id,
        date: message.date,
        from_id: message.from.id,
        html: text.map(Formatted::html).unwrap_or_default(),
        text: text.map(|text| text.text.clone()).unwrap_or_default(),
        buttons: match &message.markup {
            Markup::Inline(rows) => map_rows(rows, button),
            _ => Vec::new(),
        },
        keyboard: match &message.markup {
            Markup::Keyboard(rows) => Some(map_rows(rows, keyboard_button)),
            _ => None,
        },
        attachment: attachment(message),
        reply_to: message.reply_to,
        edits: message.edits,
        deleted: message.deleted,
    }
}

fn attachment(message: &chat::Message) -> Option<Attachment> {
    let Content::File { file, caption } = &message.content else {
        return None;
    };
    Some(Attachment {
        kind: file.kind,
        file_id: file.id.clone(),
        file_name: file.name.clone(),
        caption: Some(caption.text.clone()).filter(|text| !text.is_empty()),
        media_group_id: message.media_group_id.clone(),
    })
}

fn map_rows<T>(rows: &[Value], to: fn(&Value) -> T) -> Vec<Vec<T>> {
    rows.iter()
        .map(|row| row.as_array().into_iter().flatten().map(to).collect())
        .collect()
}

fn button(button: &Value) -> Button {
    let field = |name: &str| button[name].as_str().map(str::to_owned);
    Button {
        text: field("text").unwrap_or_default(),
        callback_data: field("callback_data"),
        url: field("url"),
    }
}

fn keyboard_button(button: &Value) -> KeyboardButton {
    KeyboardButton {
        text: button["text"].as_str().unwrap_or_default().to_owned(),
        request_contact: button["request_contact"].as_bool().unwrap_or(false),
    }
}
