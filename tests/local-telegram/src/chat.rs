//! Chats and messages as the stand-in keeps them, and their Bot API objects.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::answer::Refusal;
use crate::format::Formatted;
use crate::markup::Markup;
use crate::person::User;

/// The kinds of chat that the stand-in knows.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChatKind {
    /// A person's chat with the bot.
    Private,
    /// A basic group.
    Group,
    /// A supergroup.
    Supergroup,
}

impl ChatKind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Group => "group",
            Self::Supergroup => "supergroup",
        }
    }
}

/// Why the bot cannot reach a chat that it knows.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Barred {
    /// The person blocked the bot; their next message unblocks it.
    BlockedByUser,
    /// The person's account is gone.
    Deactivated,
    /// The bot was removed from the group.
    Kicked,
}

/// What kind of file a message holds.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// Any file, as it is.
    Document,
    /// A picture in several sizes.
    Photo,
}

#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) kind: FileKind,
    pub(crate) id: String,
    pub(crate) unique_id: String,
    pub(crate) name: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Text(Formatted),
    File {
        file: File,
        caption: Formatted,
    },
    /// Anything else, as the fields that it adds to the message.
    Fields(Map<String, Value>),
}

impl Content {
    pub(crate) fn formatted(&self) -> Option<&Formatted> {
        match self {
            Self::Text(text) | Self::File { caption: text, .. } => Some(text),
            Self::Fields(_) => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) id: i64,
    pub(crate) date: i64,
    pub(crate) from: User,
    pub(crate) from_bot: bool,
    pub(crate) content: Content,
    pub(crate) markup: Markup,
    pub(crate) reply_to: Option<i64>,
    pub(crate) media_group_id: Option<String>,
    pub(crate) edits: u32,
    pub(crate) edit_date: Option<i64>,
    pub(crate) deleted: bool,
}

pub(crate) struct Chat {
    pub(crate) id: i64,
    pub(crate) kind: ChatKind,
    pub(crate) title: String,
    pub(crate) user: Option<User>,
    pub(crate) messages: Vec<Message>,
    pub(crate) barred: Option<Barred>,
    pub(crate) migrated_to: Option<i64>,
    pub(crate) instance: String,
    next_message_id: i64,
}

impl Chat {
    pub(crate) fn new(id: i64, kind: ChatKind, title: &str) -> Self {
        Self {
            id,
            kind,
            title: title.to_owned(),
            user: None,
            messages: Vec::new(),
            barred: None,
            migrated_to: None,
            instance: fastrand::i64(1..).to_string(),
            // Chats do not all start at one, so that an id used in the wrong chat is noticed.
            next_message_id: fastrand::i64(1..10_000),
        }
    }

    /// Adds a message and gives its id.
    pub(crate) fn post(&mut self, date: i64, from: User, content: Content) -> &mut Message {
        let id = self.next_message_id;
        self.next_message_id += 1;
        let message = Message {
            id,
            date,
            from,
            from_bot: false,
            content,
            markup: Markup::None,
            reply_to: None,
            media_group_id: None,
            edits: 0,
            edit_date: None,
            deleted: false,
        };
        let at = self.messages.len();
        self.messages.push(message);
        &mut self.messages[at]
    }

    /// A message that was sent, deleted or not.
    pub(crate) fn message(&self, id: i64) -> Option<&Message> {
        self.messages.iter().find(|message| message.id == id)
    }

    /// A message that is still there.
    pub(crate) fn live(&mut self, id: i64) -> Option<&mut Message> {
        self.messages
            .iter_mut()
            .find(|message| message.id == id && !message.deleted)
    }

    /// Whether the bot may act in this chat.
    pub(crate) fn check_access(&self) -> Result<(), Refusal> {
        if let Some(to) = self.migrated_to {
            return Err(Refusal::migrated(to));
        }
        match (self.barred, self.kind) {
            (None, _) => Ok(()),
            (Some(Barred::BlockedByUser), _) => {
                Err(Refusal::forbidden("bot was blocked by the user"))
            }
            (Some(Barred::Deactivated), _) => Err(Refusal::forbidden("user is deactivated")),
            (Some(Barred::Kicked), ChatKind::Group) => {
                Err(Refusal::forbidden("bot was kicked from the group chat"))
            }
            (Some(Barred::Kicked), _) => Err(Refusal::forbidden(
                "bot was kicked from the supergroup chat",
            )),
        }
    }

    /// The `Chat` object.
    pub(crate) fn json(&self) -> Value {
        let mut chat = json!({"id": self.id, "type": self.kind.as_str()});
        match &self.user {
            Some(user) => {
                chat["first_name"] = json!(user.first_name);
                if let Some(last_name) = &user.last_name {
                    chat["last_name"] = json!(last_name);
                }
                if let Some(username) = &user.username {
                    chat["username"] = json!(username);
                }
            }
            None => chat["title"] = json!(self.title),
        }
        chat
    }

    /// The `Message` object of a message of this chat, with the one that it replies to.
    pub(crate) fn message_json(&self, message: &Message) -> Value {
        let mut out = self.bare_json(message);
        if let Some(original) = message.reply_to.and_then(|id| self.message(id))
            && !original.deleted
        {
            out["reply_to_message"] = self.bare_json(original);
        }
        out
    }

    fn bare_json(&self, message: &Message) -> Value {
        let mut out = json!({
            "message_id": message.id,
            "from": message.from.json(message.from_bot),
            "chat": self.json(),
            "date": message.date,
        });
        match &message.content {
            Content::Text(text) => put_text(&mut out, "text", "entities", text),
            Content::File { file, caption } => {
                put_file(&mut out, file);
                put_text(&mut out, "caption", "caption_entities", caption);
            }
            Content::Fields(fields) => {
                for (name, value) in fields {
                    out[name] = value.clone();
                }
            }
        }
        if let Some(markup) = message.markup.json() {
            out["reply_markup"] = markup;
        }
        if let Some(id) = &message.media_group_id {
            out["media_group_id"] = json!(id);
        }
        if let Some(date) = message.edit_date {
            out["edit_date"] = json!(date);
        }
        out
    }
}

fn put_text(out: &mut Value, name: &str, entities: &str, text: &Formatted) {
    if text.text.is_empty() {
        return;
    }
    out[name] = json!(text.text);
    if !text.entities.is_empty() {
        out[entities] = text.entities_json();
    }
}

fn put_file(out: &mut Value, file: &File) {
    match file.kind {
        FileKind::Document => {
            let mut document = json!({
                "file_id": file.id, "file_unique_id": file.unique_id, "file_size": file.size,
            });
            if let Some(name) = &file.name {
                document["file_name"] = json!(name);
            }
            if let Some(mime_type) = &file.mime_type {
                document["mime_type"] = json!(mime_type);
            }
            out["document"] = document;
        }
        FileKind::Photo => {
            let size = |suffix: &str, width: u32, bytes: u64| {
                json!({
                    "file_id": format!("{}{suffix}", file.id),
                    "file_unique_id": format!("{}{suffix}", file.unique_id),
                    "width": width, "height": width * 3 / 4, "file_size": bytes,
                })
            };
            out["photo"] = json!([
                size("s", 90, file.size.min(1_500)),
                size("", 1280, file.size)
            ]);
        }
    }
}
