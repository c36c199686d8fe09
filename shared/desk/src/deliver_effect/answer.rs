//! The answer to a command in a group, or a page that is turned.

use frontdesk_domain::effect::{Effect, MessageRef};
use frontdesk_storage::Answer;
use frontdesk_telegram::{
    EditMessageText, Error, InlineKeyboard, InlineKeyboardButton, LinkPreview, ParseMode,
    ReplyMarkup, ReplyParameters, SendMessage,
};
use frontdesk_texts::marked_as_repeat;
use jiff::Timestamp;

use super::Delivery;
use super::chat::TargetChat;
use super::outcome::Attempt;

/// An answer that is about to be shown in a chat.
pub(super) struct AnswerToShow {
    pub(super) answer: Answer,
    pub(super) target: TargetChat,
}

impl AnswerToShow {
    pub(super) async fn show<C: Fn() -> Timestamp>(
        self,
        delivery: &Delivery<'_, C>,
        effect: &Effect,
    ) -> Attempt {
        let shown = match effect.message {
            Some(message) => self.edit(delivery, message).await.map(|()| message),
            None => self.send(delivery, effect.unknowns > 0).await,
        };
        match shown {
            Ok(message) => {
                self.target.reached(delivery).await;
                Attempt::done(effect.want, Some(message))
            }
            Err(error) => self.target.failed(delivery, error).await,
        }
    }

    async fn send<C>(
        &self,
        delivery: &Delivery<'_, C>,
        may_be_repeat: bool,
    ) -> Result<MessageRef, Error> {
        let keyboard = self.keyboard();
        let html = &self.answer.html;
        let html = if may_be_repeat {
            marked_as_repeat(&delivery.desk.settings, html)
        } else {
            html.clone()
        };
        // A card in a group that has become another cannot be replied to.
        let card = self
            .answer
            .reply_to
            .filter(|card| card.chat == self.target.id);
        let method = SendMessage {
            chat_id: self.target.id,
            text: html,
            parse_mode: Some(ParseMode::Html),
            link_preview_options: LinkPreview::OFF,
            reply_parameters: card.map(|card| ReplyParameters::to(card.message)),
            reply_markup: Some(keyboard)
                .filter(|keyboard| !keyboard.inline_keyboard.is_empty())
                .map(ReplyMarkup::Inline),
        };
        let sent = delivery.telegram.call(&method).await?;
        Ok(MessageRef {
            chat: self.target.id,
            message: sent.message_id,
        })
    }

    async fn edit<C>(&self, delivery: &Delivery<'_, C>, message: MessageRef) -> Result<(), Error> {
        let method = EditMessageText {
            chat_id: message.chat,
            message_id: message.message,
            text: self.answer.html.clone(),
            parse_mode: ParseMode::Html,
            link_preview_options: LinkPreview::OFF,
            reply_markup: self.keyboard(),
        };
        match delivery.telegram.call(&method).await {
            Ok(_) | Err(Error::NotModified) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn keyboard(&self) -> InlineKeyboard {
        let button = |(text, callback_data): &(String, String)| InlineKeyboardButton {
            text: text.clone(),
            callback_data: callback_data.clone(),
        };
        let rows = self.answer.buttons.iter();
        InlineKeyboard {
            inline_keyboard: rows.map(|row| row.iter().map(button).collect()).collect(),
        }
    }
}
