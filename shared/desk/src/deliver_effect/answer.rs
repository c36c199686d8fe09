//! The answer to a command in a group, or a page that is turned.

use frontdesk_domain::effect::Effect;
use frontdesk_storage::Answer;
use frontdesk_telegram::{InlineKeyboard, ReplyParameters, SendMessage};
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
        let Answer {
            mut html,
            buttons,
            reply_to,
        } = self.answer;
        let keyboard = InlineKeyboard::of(buttons);
        let shown = if let Some(message) = effect.message {
            let edited = delivery.edit(message, html, keyboard).await;
            edited.map(|()| message)
        } else {
            if effect.unknowns > 0 {
                html = marked_as_repeat(&delivery.desk.settings, &html);
            }
            // A card in a group that has become another cannot be replied to.
            let card = reply_to.filter(|card| card.chat == self.target.id);
            let message = SendMessage {
                reply_markup: keyboard.markup(),
                reply_parameters: card.map(|card| ReplyParameters::to(card.message)),
                ..SendMessage::html(self.target.id, html)
            };
            delivery.send(&message).await
        };
        match shown {
            Ok(message) => {
                self.target.reached(delivery).await;
                Attempt::done(effect.want, Some(message))
            }
            Err(error) => self.target.failed(delivery, error).await,
        }
    }
}
