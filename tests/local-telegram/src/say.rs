//! A person's message becomes a message of the chat and an update.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::chat::{Barred, Chat, ChatKind, Content, File, FileKind};
use crate::delivery::Key;
use crate::format::{Entity, Formatted, Style, utf16_len};
use crate::outcome::Error;
use crate::person::{AlbumItem, Other, Say, Upload, User};
use crate::state::{State, Update};

/// Writes the message down and gives its updates: one, or one for each item of an album.
pub(crate) fn write(state: &mut State, now: Timestamp, say: &Say) -> Result<Vec<Update>, Error> {
    let chat_id = say.chat_id.ok_or(Error::Malformed("chat_id is missing"))?;
    let user = say
        .user
        .clone()
        .ok_or(Error::Malformed("user is missing"))?;
    let contents = contents(say)?;
    let chat = enter(state, chat_id, say.chat_type, &user)?;
    let date = now.as_second();
    if let Some(edited) = say.edit_of {
        let missing = Error::UnknownMessage {
            chat_id,
            message_id: edited,
        };
        let message = chat
            .live(edited)
            .filter(|message| message.from.id == user.id);
        let (Some(message), Some(content)) = (message, contents.into_iter().next()) else {
            return Err(missing);
        };
        message.content = content;
        message.edits += 1;
        message.edit_date = Some(date);
        let message = message.clone();
        let body = chat.message_json(&message);
        remember(state, &message.content);
        return Ok(vec![state.keep("edited_message", body, Key::Chat(chat_id))]);
    }
    if let Some(message_id) = say.reply_to
        && chat.message(message_id).is_none()
    {
        return Err(Error::UnknownMessage {
            chat_id,
            message_id,
        });
    }
    let album = say.album.is_some().then(|| fastrand::i64(1..).to_string());
    let mut written = Vec::new();
    for content in contents {
        let message = chat.post(date, user.clone(), content);
        message.reply_to = say.reply_to;
        message.media_group_id.clone_from(&album);
        let message = message.clone();
        written.push((chat.message_json(&message), message.content));
    }
    let mut updates = Vec::with_capacity(written.len());
    for (body, content) in written {
        remember(state, &content);
        updates.push(state.keep("message", body, Key::Chat(chat_id)));
    }
    Ok(updates)
}

/// The chat, begun if need be.
fn enter<'a>(
    state: &'a mut State,
    chat_id: i64,
    kind: Option<ChatKind>,
    user: &User,
) -> Result<&'a mut Chat, Error> {
    let kind = kind.unwrap_or(match chat_id {
        1.. => ChatKind::Private,
        ..-1_000_000_000_000 => ChatKind::Supergroup,
        _ => ChatKind::Group,
    });
    let chat = state
        .chats
        .entry(chat_id)
        .or_insert_with(|| Chat::new(chat_id, kind, "Group"));
    if chat.migrated_to.is_some() || chat.barred == Some(Barred::Kicked) {
        return Err(Error::BotNotInChat(chat_id));
    }
    if chat.kind == ChatKind::Private {
        chat.title = user.name();
        chat.user = Some(user.clone());
        // Who writes to the bot has it unblocked.
        chat.barred = None;
    }
    Ok(chat)
}

/// What files a bot has seen it may send by their id.
fn remember(state: &mut State, content: &Content) {
    if let Content::File { file, .. } = content {
        if file.kind == FileKind::Photo {
            state.files.insert(format!("{}s", file.id), file.clone());
        }
        state.files.insert(file.id.clone(), file.clone());
    }
}

fn contents(say: &Say) -> Result<Vec<Content>, Error> {
    let mut all = Vec::new();
    if let Some(text) = &say.text {
        all.push(vec![Content::Text(typed(text, 4_096)?)]);
    }
    if let Some(upload) = &say.document {
        all.push(vec![file(upload, FileKind::Document)?]);
    }
    if let Some(upload) = &say.photo {
        all.push(vec![file(upload, FileKind::Photo)?]);
    }
    if let Some(items) = &say.album {
        if !(2..=10).contains(&items.len()) {
            return Err(Error::Malformed("an album has 2-10 items"));
        }
        all.push(items.iter().map(album_item).collect::<Result<_, _>>()?);
    }
    if let Some(contact) = &say.contact {
        all.push(vec![fields(json!({"contact": contact}))]);
    }
    if let Some(other) = say.other {
        all.push(vec![fields(other_json(other))]);
    }
    match (all.pop(), all.is_empty()) {
        (Some(contents), true) => Ok(contents),
        (None, _) => Err(Error::Malformed("nothing is said")),
        (Some(_), false) => Err(Error::Malformed("more than one thing is said")),
    }
}

fn album_item(item: &AlbumItem) -> Result<Content, Error> {
    match item {
        AlbumItem::Photo { photo } => file(photo, FileKind::Photo),
        AlbumItem::Document { document } => file(document, FileKind::Document),
        AlbumItem::Bare(upload) if upload.file_name.is_none() && upload.mime_type.is_none() => {
            file(upload, FileKind::Photo)
        }
        AlbumItem::Bare(upload) => file(upload, FileKind::Document),
    }
}

/// What a person types: trimmed, as the apps do, with its commands marked.
fn typed(text: &str, limit: usize) -> Result<Formatted, Error> {
    let text = Formatted::plain(text).trimmed().text;
    if text.is_empty() {
        return Err(Error::Malformed("an empty text cannot be sent"));
    }
    if utf16_len(&text) > limit {
        return Err(Error::Malformed("longer than a message or caption can be"));
    }
    Ok(Formatted {
        entities: commands(&text),
        text,
    })
}

fn commands(text: &str) -> Vec<Entity> {
    let mut entities = Vec::new();
    let mut units = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let part_of = |text: &str| {
            text.chars()
                .take_while(|character| is_part(*character))
                .count()
        };
        if let Some(rest) = word.strip_prefix('/') {
            let name = part_of(rest);
            let mention = rest[name..]
                .strip_prefix('@')
                .map_or(0, |bot| 1 + part_of(bot));
            if (1..=64).contains(&name) {
                let length = 1 + name + mention;
                entities.push(Entity {
                    style: Style::Command,
                    offset: units,
                    length,
                });
            }
        }
        units += utf16_len(word);
    }
    entities
}

fn file(upload: &Upload, kind: FileKind) -> Result<Content, Error> {
    let caption = match upload.caption.as_deref() {
        Some(caption) if !caption.trim().is_empty() => typed(caption, 1_024)?,
        _ => Formatted::default(),
    };
    let prefix = if kind == FileKind::Photo {
        "AgACAgIAAxk"
    } else {
        "BQACAgIAAxk"
    };
    let file = File {
        kind,
        id: format!("{prefix}{}", random_letters(40)),
        unique_id: format!("AgAD{}", random_letters(11)),
        name: upload
            .file_name
            .clone()
            .filter(|_| kind == FileKind::Document),
        mime_type: upload
            .mime_type
            .clone()
            .filter(|_| kind == FileKind::Document),
        size: upload.file_size,
    };
    Ok(Content::File { file, caption })
}

fn random_letters(count: usize) -> String {
    std::iter::repeat_with(fastrand::alphanumeric)
        .take(count)
        .collect()
}

fn fields(value: Value) -> Content {
    match value {
        Value::Object(fields) => Content::Fields(fields),
        _ => Content::Fields(Map::new()),
    }
}

fn other_json(other: Other) -> Value {
    let id = random_letters(40);
    let unique = random_letters(15);
    match other {
        Other::Sticker => json!({"sticker": {
            "file_id": id, "file_unique_id": unique, "type": "regular", "width": 512,
            "height": 512, "is_animated": false, "is_video": false, "emoji": "👍",
        }}),
        Other::Voice => json!({"voice": {
            "file_id": id, "file_unique_id": unique, "duration": 3, "mime_type": "audio/ogg",
        }}),
        Other::Location => json!({"location": {"latitude": 55.75, "longitude": 37.62}}),
    }
}
