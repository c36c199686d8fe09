//! A message of the dialog's shows the draft as it now is.

use frontdesk_domain::dialog::{Dialog, Draft};
use frontdesk_domain::effect::{Effect, Outcome};
use frontdesk_telegram::{self as telegram, EditMessageReplyMarkup, InlineKeyboard};
use frontdesk_texts::{Keyboard, render_panel};
use jiff::Timestamp;

use super::chat::TargetChat;
use super::confirmation::refused;
use super::outcome::Attempt;
use super::{Delivery, MOST_STRAYS};
use crate::dialog::screen;

/// A draft that is about to be shown to its customer.
pub(super) struct PanelToShow {
    pub(super) draft: Draft,
    /// When the draft's time is over, while it is open.
    pub(super) expires: Option<Timestamp>,
    pub(super) target: TargetChat,
}

impl PanelToShow {
    /// Edits the noted message, or sends a new one; then takes the buttons off messages that are behind.
    pub(super) async fn show<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        dialog: &Dialog,
        effect: &Effect,
    ) -> Attempt {
        let screen = render_panel(dialog, &self.draft);
        let shown = match effect.message {
            Some(message) => {
                let rows = match screen.keyboard {
                    Keyboard::Inline(rows) => rows,
                    // The reply that asked it has them.
                    Keyboard::Share { .. } => Vec::new(),
                };
                let edited = delivery.edit(message, screen.html, InlineKeyboard::of(rows));
                edited.await.map(|()| None)
            }
            None => delivery
                .send(&screen::send(self.target.id, screen))
                .await
                .map(Some),
        };
        let message = match shown {
            Ok(message) => message,
            Err(error) => {
                let request = self.draft.last_request();
                return refused(delivery, request, &self.target, error).await;
            }
        };
        self.target.reached(delivery).await;
        let mut attempt = Attempt::done(self.draft.version, message);
        attempt.rests_until = self.expires;
        if let Outcome::Done { cleared, .. } = &mut attempt.outcome {
            for stray in effect.strays.iter().take(MOST_STRAYS) {
                let method = EditMessageReplyMarkup {
                    chat_id: stray.chat,
                    message_id: stray.message,
                    reply_markup: InlineKeyboard::default(),
                };
                match delivery.telegram.call(&method).await {
                    Ok(_) | Err(telegram::Error::NotModified | telegram::Error::MessageGone) => {
                        cleared.insert(*stray);
                    }
                    Err(error) => {
                        attempt.error = self.target.failed(delivery, error).await.error;
                        break;
                    }
                }
            }
        }
        attempt
    }
}
