use frontdesk_domain::dialog::{BriefFile, Command, DialogPress, Event, FileKind};
use frontdesk_telegram::{Message, PhotoSize};
use frontdesk_texts as texts;

/// What a customer's message is to the dialog.
pub(crate) fn sent(message: &Message) -> Event {
    if let Some(text) = &message.text {
        // The buttons beside a customer's own keyboard type their labels.
        let command = match text {
            text if texts::is_back(text) => Some(Command::Back),
            text if texts::is_skip(text) => Some(Command::Skip),
            text => Command::parse(text),
        };
        return command.map_or_else(|| Event::Text(text.clone()), Event::Command);
    }
    if let Some(contact) = &message.contact {
        let sender = message.from.as_ref().map(|user| user.id);
        // Telegram leaves the plus out of its users' own numbers; what stands in an address book may be
        // written in any way.
        let given = &contact.phone_number;
        let is_bare = contact.user_id.is_some() && !given.starts_with('+');
        return Event::Contact {
            phone: format!("{}{given}", if is_bare { "+" } else { "" }),
            own: contact.user_id.is_some() && contact.user_id == sender,
        };
    }
    file_of(message).map_or(Event::Unusable, Event::File)
}

fn file_of(message: &Message) -> Option<BriefFile> {
    let (kind, file_id, name, size) = match (&message.document, &message.photo) {
        // It stands among the documents too, but cannot be sent as one.
        _ if message.animation.is_some() => return None,
        (Some(document), _) => (
            FileKind::Document,
            &document.file_id,
            document.file_name.clone(),
            document.file_size,
        ),
        (None, Some(sizes)) => {
            let area = |size: &&PhotoSize| u64::from(size.width) * u64::from(size.height);
            let largest = sizes.iter().max_by_key(area)?;
            (FileKind::Photo, &largest.file_id, None, largest.file_size)
        }
        (None, None) => return None,
    };
    Some(BriefFile {
        kind,
        file_id: file_id.clone(),
        name,
        size,
        caption: message.caption.clone().unwrap_or_default(),
        album: message.media_group_id.clone(),
    })
}

/// A press of a button of the dialog's, if it is one.
pub(crate) fn press_of(data: Option<&str>) -> Option<Event> {
    let data = data.filter(|data| data.starts_with(DialogPress::PREFIX))?;
    Some(DialogPress::parse(data).map_or(Event::OldPress, Event::Press))
}
