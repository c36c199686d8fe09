//! Updates as Telegram sends them, as far as the desk reads them.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use thiserror::Error;

/// An update. Kinds keep growing, so one that is not known is a value like any other.
#[derive(Clone, Debug)]
pub struct Update {
    /// The update's id; unique for a bot, but for gaps of a week or more.
    pub update_id: i64,
    /// The update's kind, the name of its field.
    pub kind: String,
    /// What it says.
    pub content: Content,
}

/// What an update says.
#[derive(Clone, Debug)]
pub enum Content {
    /// A new message.
    Message(Box<Message>),
    /// A message that was there already was changed.
    Edited(Box<Message>),
    /// What the bot itself may do in a chat has changed.
    Membership(Box<Membership>),
    /// A button was pressed.
    Callback(Box<Callback>),
    /// A kind that the desk does not read, or one whose content is not what the Bot API says.
    Other {
        /// False where the kind is known and its content is not as it should be.
        well_formed: bool,
        /// The chat that it names, if it names one in the usual place.
        chat: Option<i64>,
        /// The user that it names, if it names one in the usual place.
        user: Option<i64>,
    },
}

/// The text is no update: not JSON, or without an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not an update")]
pub struct Malformed;

/// A message, as far as it is read.
#[derive(Clone, Debug, Deserialize)]
pub struct Message {
    /// Its id within the chat.
    pub message_id: i64,
    /// Where it was sent.
    pub chat: Chat,
    /// Who sent it; none for posts of channels.
    pub from: Option<User>,
    /// Its text.
    pub text: Option<String>,
    /// The file that it carries.
    pub document: Option<Document>,
    /// The picture that it carries, in several sizes.
    pub photo: Option<Vec<PhotoSize>>,
    /// A moving picture; it stands among the documents as well.
    pub animation: Option<IgnoredAny>,
    /// The text under a file or picture.
    pub caption: Option<String>,
    /// The album that it is part of.
    pub media_group_id: Option<String>,
    /// The contact that was shared.
    pub contact: Option<Contact>,
    /// The place that it shows; of a live one, each movement comes as a changed message.
    pub location: Option<IgnoredAny>,
    /// The supergroup that this group has become.
    pub migrate_to_chat_id: Option<i64>,
    /// The group that this supergroup was.
    pub migrate_from_chat_id: Option<i64>,
}

/// A file.
#[derive(Clone, Debug, Deserialize)]
pub struct Document {
    /// By which the same bot can send it again.
    pub file_id: String,
    /// Its name as its sender had it.
    pub file_name: Option<String>,
    /// Its size in bytes.
    pub file_size: Option<u64>,
}

/// One size of a picture.
#[derive(Clone, Debug, Deserialize)]
pub struct PhotoSize {
    /// By which the same bot can send the picture again.
    pub file_id: String,
    /// Its size in bytes.
    pub file_size: Option<u64>,
    /// In pixels.
    #[serde(default)]
    pub width: u32,
    /// In pixels.
    #[serde(default)]
    pub height: u32,
}

/// A contact, of the sender's or from the sender's address book.
#[derive(Clone, Debug, Deserialize)]
pub struct Contact {
    /// Its number, of a user's without the plus.
    pub phone_number: String,
    /// The user that it belongs to, where Telegram says so.
    pub user_id: Option<i64>,
}

/// What the bot itself may do in a chat.
#[derive(Clone, Debug, Deserialize)]
pub struct Membership {
    /// The chat; a private one has the id of its user.
    pub chat: Chat,
    /// Who has changed it.
    pub from: User,
    /// What it is now.
    pub new_chat_member: MemberStatus,
}

/// What a member is.
#[derive(Clone, Debug, Deserialize)]
pub struct MemberStatus {
    /// `member`, `kicked` (which in a private chat means that the user has blocked the bot), and others.
    pub status: String,
}

/// A chat.
#[derive(Clone, Debug, Deserialize)]
pub struct Chat {
    /// Its id, up to 52 bits.
    pub id: i64,
    /// `private`, `group`, `supergroup`, `channel`, or a kind to come.
    #[serde(rename = "type", default)]
    pub kind: String,
}

/// A user or bot.
#[derive(Clone, Debug, Deserialize)]
pub struct User {
    /// The user's id, up to 52 bits.
    pub id: i64,
    /// The language of the user's app, an IETF tag.
    pub language_code: Option<String>,
}

/// A press of a button.
#[derive(Clone, Debug, Deserialize)]
pub struct Callback {
    /// What an answer must name.
    pub id: String,
    /// Who pressed.
    pub from: User,
    /// The message with the button; absent for a message sent in inline mode.
    pub message: Option<CallbackMessage>,
    /// The button's data, or whatever a client has put there.
    pub data: Option<String>,
}

/// The message with the button, which may no longer be accessible.
#[derive(Clone, Debug, Deserialize)]
pub struct CallbackMessage {
    /// Its id within the chat.
    pub message_id: i64,
    /// Where it is.
    pub chat: Chat,
}

impl Update {
    /// Reads the body of a webhook request.
    pub fn parse(body: &[u8]) -> Result<Self, Malformed> {
        let mut fields: Map<String, Value> = serde_json::from_slice(body).map_err(|_| Malformed)?;
        let update_id = fields
            .remove("update_id")
            .and_then(|id| id.as_i64())
            .ok_or(Malformed)?;
        let (kind, content) = fields.into_iter().next().unwrap_or_default();
        let content = match kind.as_str() {
            "message" => read(&content, Content::Message),
            "edited_message" => read(&content, Content::Edited),
            "my_chat_member" => read(&content, Content::Membership),
            "callback_query" => read(&content, Content::Callback),
            _ => other(&content, true),
        };
        Ok(Self {
            update_id,
            kind,
            content,
        })
    }
}

fn read<T: for<'a> Deserialize<'a>>(content: &Value, known: fn(Box<T>) -> Content) -> Content {
    // An array of the fields' values would do for serde.
    match content.is_object().then(|| T::deserialize(content)) {
        Some(Ok(content)) => known(Box::new(content)),
        Some(Err(_)) | None => other(content, false),
    }
}

fn other(content: &Value, well_formed: bool) -> Content {
    let id = |path: &str| content.pointer(path).and_then(Value::as_i64);
    let chat = id("/chat/id").or_else(|| id("/message/chat/id"));
    Content::Other {
        well_formed,
        chat,
        user: id("/from/id"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Update {
        Update::parse(text.as_bytes()).expect("an update")
    }

    #[test]
    fn a_kind_that_does_not_exist_yet_is_an_update_like_any_other() {
        let update =
            parse(r#"{"update_id": 7, "hologram": {"chat": {"id": -5}, "from": {"id": 9}}}"#);
        assert_eq!((update.update_id, update.kind.as_str()), (7, "hologram"));
        let expected = (true, Some(-5), Some(9));
        let Content::Other {
            well_formed,
            chat,
            user,
        } = update.content
        else {
            panic!("a known kind")
        };
        assert_eq!((well_formed, chat, user), expected);
    }

    #[test]
    fn a_press_on_an_inaccessible_message_or_on_none_is_read() {
        let from =
            r#""from": {"id": 501, "is_bot": false, "first_name": "A"}, "chat_instance": "1""#;
        let gone = parse(&format!(
            r#"{{"update_id": 1, "callback_query": {{"id": "q", {from}, "data": "x",
            "message": {{"chat": {{"id": -1, "type": "group"}}, "message_id": 5, "date": 0}}}}}}"#
        ));
        let Content::Callback(press) = gone.content else {
            panic!("a press")
        };
        assert_eq!(press.message.expect("a message").message_id, 5);
        let none = parse(&format!(
            r#"{{"update_id": 1, "callback_query": {{"id": "q", {from}}}}}"#
        ));
        let Content::Callback(press) = none.content else {
            panic!("a press")
        };
        assert!(press.message.is_none() && press.data.is_none());
    }

    #[test]
    fn what_lacks_an_id_is_no_update_and_wrong_content_is_kept_with_its_ids() {
        for wrong in [
            "",
            "[]",
            "{}",
            r#"{"update_id": "7"}"#,
            r#"{"update_id": 1e30}"#,
        ] {
            assert_eq!(
                Update::parse(wrong.as_bytes()).err(),
                Some(Malformed),
                "{wrong}"
            );
        }
        let list = parse(r#"{"update_id": 1, "message": [5, {"id": 4}, null, null, null, null]}"#);
        assert!(matches!(
            list.content,
            Content::Other {
                well_formed: false,
                ..
            }
        ));
        let wrong = parse(r#"{"update_id": 1, "message": {"chat": {"id": 4}, "message_id": "x"}}"#);
        assert!(matches!(
            wrong.content,
            Content::Other {
                well_formed: false,
                chat: Some(4),
                user: None
            }
        ));
        assert!(matches!(
            parse(r#"{"update_id": 1}"#).content,
            Content::Other { .. }
        ));
    }
}
