//! A place's card shows its request as it now is.

use frontdesk_domain::effect::{Effect, Outcome};
use frontdesk_domain::{Request, State as RequestState};
use frontdesk_storage::Error;
use frontdesk_telegram::{self as telegram, InlineKeyboard, SendMessage};
use frontdesk_texts::{CardView, render_card};
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
            // Whoever has taken it knows which of two it is; a new one never goes without a word.
            may_be_repeat: effect.unknowns > 0
                && (effect.message.is_none() || self.request.state == RequestState::New),
        });
        let keyboard = InlineKeyboard::of([card.buttons]);
        let shown = if let Some(message) = effect.message {
            let edited = delivery.edit(message, card.html.clone(), keyboard).await;
            edited.map(|()| message)
        } else {
            let message = SendMessage {
                reply_markup: keyboard.markup(),
                ..SendMessage::html(self.target.id, card.html.clone())
            };
            delivery.send(&message).await
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
                let without = InlineKeyboard::default();
                match delivery.edit(*stray, card.html.clone(), without).await {
                    Ok(()) | Err(telegram::Error::MessageGone) => {
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
