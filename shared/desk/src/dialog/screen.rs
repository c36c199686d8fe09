use frontdesk_domain::dialog::{Dialog, Draft, StepKind};
use frontdesk_telegram::{InlineKeyboard, KeyboardButton, ReplyKeyboard, ReplyMarkup, SendMessage};
use frontdesk_texts::{Keyboard, Screen};

/// True where what the draft shows has buttons beside the customer's own keyboard: a message with those
/// cannot be edited, and none can be edited to have them.
pub(crate) fn is_never_edited(dialog: &Dialog, draft: &Draft) -> bool {
    draft
        .asked(dialog)
        .is_some_and(|step| step.kind == StepKind::Contact)
}

/// The message that shows a screen.
pub(crate) fn send(chat: i64, screen: Screen) -> SendMessage {
    let reply_markup = match screen.keyboard {
        Keyboard::Inline(rows) => InlineKeyboard::of(rows).markup(),
        Keyboard::Share { share, typed } => {
            let share = KeyboardButton {
                text: share,
                request_contact: true,
            };
            let typed = typed.into_iter().map(|text| KeyboardButton {
                text,
                request_contact: false,
            });
            let typed: Vec<_> = typed.collect();
            let rows = [vec![share], typed];
            Some(ReplyMarkup::Keyboard(ReplyKeyboard {
                keyboard: rows.into_iter().filter(|row| !row.is_empty()).collect(),
                resize_keyboard: true,
                one_time_keyboard: true,
            }))
        }
    };
    SendMessage {
        reply_markup,
        ..SendMessage::html(chat, screen.html)
    }
}
