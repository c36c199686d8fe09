//! A place's card shows its request as it now is.

use frontdesk_domain::Request;
use frontdesk_domain::effect::{Effect, MessageRef, Outcome};
use frontdesk_storage::Error;
use frontdesk_telegram::{
    self as telegram, EditMessageText, InlineKeyboard, InlineKeyboardButton, LinkPreview,
    ParseMode, ReplyMarkup, SendMessage,
};
use frontdesk_texts::{Card, CardView, render_card};
use jiff::Timestamp;

use super::chat::TargetChat;
use super::outcome::Attempt;
use super::{Delivery, MOST_STRAYS};

/// Earlier leads are counted up to this.
const MOST_EARLIER: u8 = 100;

/// A card that is about to be shown in a chat.
pub(super) struct CardToShow {
    request: Request,
    earlier: u32,
    target: TargetChat,
}

impl CardToShow {
    /// Reads what the card shows beside its request.
    pub(super) async fn prepare<C: Fn() -> Timestamp>(
        delivery: &Delivery<'_, C>,
        request: Request,
        target: TargetChat,
    ) -> Result<Self, Error> {
        let earlier = match &request.contact {
            Some(contact) => {
                delivery
                    .desk
                    .store
                    .count_earlier(contact, request.created, MOST_EARLIER)
                    .await?
            }
            None => 0,
        };
        Ok(Self {
            request,
            earlier,
            target,
        })
    }

    /// Shows the card, then takes the buttons off strays. Chats that turn out to be blocked or to
    /// have become others are noted on the way.
    pub(super) async fn show<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        effect: &Effect,
    ) -> Attempt {
        let card = render_card(&CardView {
            settings: &delivery.desk.settings,
            request: &self.request,
            earlier: self.earlier,
            most_earlier: u32::from(MOST_EARLIER),
            may_be_repeat: effect.unknowns > 0,
        });
        let shown = match effect.message {
            Some(message) => self
                .edit(delivery, message, &card, true)
                .await
                .map(|()| message),
            None => self.send(delivery, &card).await,
        };
        let mut attempt = match shown {
            Ok(message) => {
                self.target.reached(delivery).await;
                Attempt::done(self.request.version, Some(message))
            }
            Err(error) => return self.target.failed(delivery, error).await,
        };
        if let Outcome::Done {
            cleared, message, ..
        } = &mut attempt.outcome
        {
            let strays = effect
                .strays
                .iter()
                .filter(|stray| Some(**stray) != *message);
            for stray in strays.take(MOST_STRAYS) {
                match self.edit(delivery, *stray, &card, false).await {
                    Ok(()) | Err(telegram::Error::MessageGone) => {
                        cleared.insert(*stray);
                    }
                    Err(error) => {
                        attempt.error = Some(error.kind());
                        break;
                    }
                }
            }
        }
        attempt
    }

    async fn send<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        card: &Card,
    ) -> Result<MessageRef, telegram::Error> {
        let method = SendMessage {
            reply_parameters: None,
            chat_id: self.target.id,
            text: card.html.clone(),
            parse_mode: Some(ParseMode::Html),
            link_preview_options: LinkPreview::OFF,
            reply_markup: Some(keyboard(card))
                .filter(|keyboard| !keyboard.inline_keyboard.is_empty())
                .map(ReplyMarkup::Inline),
        };
        let sent = delivery.telegram.call(&method).await?;
        Ok(MessageRef {
            chat: self.target.id,
            message: sent.message_id,
        })
    }

    async fn edit<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        message: MessageRef,
        card: &Card,
        with_button: bool,
    ) -> Result<(), telegram::Error> {
        let method = EditMessageText {
            chat_id: message.chat,
            message_id: message.message,
            text: card.html.clone(),
            parse_mode: ParseMode::Html,
            link_preview_options: LinkPreview::OFF,
            reply_markup: if with_button {
                keyboard(card)
            } else {
                InlineKeyboard::default()
            },
        };
        match delivery.telegram.call(&method).await {
            Ok(_) | Err(telegram::Error::NotModified) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

fn keyboard(card: &Card) -> InlineKeyboard {
    let button = |(text, callback_data): &(String, String)| InlineKeyboardButton {
        text: text.clone(),
        callback_data: callback_data.clone(),
    };
    let row: Vec<_> = card.buttons.iter().map(button).collect();
    InlineKeyboard {
        inline_keyboard: if row.is_empty() {
            Vec::new()
        } else {
            vec![row]
        },
    }
}
