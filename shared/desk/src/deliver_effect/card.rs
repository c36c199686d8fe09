//! A place's card shows its request as it now is.

use frontdesk_domain::Request;
use frontdesk_domain::effect::{Effect, MessageRef, Outcome};
use frontdesk_storage::{Chat, Error};
use frontdesk_telegram::{
    self as telegram, EditMessageText, InlineKeyboard, InlineKeyboardButton, LinkPreview,
    ParseMode, SendMessage,
};
use frontdesk_texts::{Card, CardView, render_card};
use jiff::Timestamp;

use super::Delivery;
use super::outcome::Attempt;

/// Earlier leads are counted up to this.
const MOST_EARLIER: u8 = 100;

/// Strays seen to in one attempt: with the card itself, as many calls as a lease has time for.
const MOST_STRAYS: usize = 3;

/// A card that is about to be shown in a chat.
pub(super) struct CardToShow {
    /// None where the request is gone.
    request: Option<Request>,
    earlier: u32,
    chat_id: i64,
    blocked_until: Option<Timestamp>,
}

impl CardToShow {
    /// Follows the chat if it has become another, and reads what the card shows beside its request.
    pub(super) async fn prepare<C: Fn() -> Timestamp>(
        delivery: &Delivery<'_, C>,
        request: Option<Request>,
        home: i64,
        chat: Chat,
        effect: &mut Effect,
    ) -> Result<Self, Error> {
        let store = &delivery.desk.store;
        let (chat_id, chat) = match chat.migrated_to {
            Some(to) => (to, store.read_chat(delivery.desk.bot(), to).await?),
            None => (home, chat),
        };
        effect.keep_messages_in(chat_id);
        let earlier = match request
            .as_ref()
            .and_then(|r| r.contact.as_ref().zip(Some(r.created)))
        {
            Some((contact, created)) => store.count_earlier(contact, created, MOST_EARLIER).await?,
            None => 0,
        };
        Ok(Self {
            request,
            earlier,
            chat_id,
            blocked_until: chat.blocked_until,
        })
    }

    /// Until when Telegram takes nothing for the chat, if that is still to come.
    pub(super) fn blocked_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.blocked_until.filter(|until| *until > now)
    }

    /// Shows the card, then takes the buttons off strays. Chats that turn out to be blocked or to
    /// have become others are noted on the way.
    pub(super) async fn show<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        effect: &Effect,
    ) -> Attempt {
        let Some(request) = &self.request else {
            return Attempt::rejected("no_such_request");
        };
        let card = render_card(&CardView {
            settings: &delivery.desk.settings,
            request,
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
            Ok(message) => Attempt::done(request.version, Some(message)),
            Err(error) => return self.failed(delivery, error).await,
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
            chat_id: self.chat_id,
            text: card.html.clone(),
            parse_mode: Some(ParseMode::Html),
            link_preview_options: LinkPreview::OFF,
            reply_markup: Some(keyboard(card))
                .filter(|keyboard| !keyboard.inline_keyboard.is_empty()),
        };
        let sent = delivery.telegram.call(&method).await?;
        Ok(MessageRef {
            chat: self.chat_id,
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

    async fn failed<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        error: telegram::Error,
    ) -> Attempt {
        let (store, bot) = (&delivery.desk.store, delivery.desk.bot());
        let attempt = Attempt::of(error, (delivery.clock)());
        let noted = match (&attempt.outcome, error) {
            (Outcome::RateLimited { until }, _) => {
                store.block_chat(bot, self.chat_id, *until).await
            }
            (_, telegram::Error::Migrated(to)) => store.migrate_chat(bot, self.chat_id, to).await,
            _ => Ok(()),
        };
        if let Err(error) = noted {
            // The next attempt is told the same again.
            tracing::warn!(error.kind = error.kind(), "chat.not_noted");
        }
        attempt
    }
}

fn keyboard(card: &Card) -> InlineKeyboard {
    let button = card.button.clone().map(|(text, callback_data)| {
        vec![InlineKeyboardButton {
            text,
            callback_data,
        }]
    });
    InlineKeyboard {
        inline_keyboard: button.into_iter().collect(),
    }
}
