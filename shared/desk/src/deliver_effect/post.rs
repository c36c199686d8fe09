//! A text goes to a chat as a new message, or takes another's place.

use frontdesk_domain::effect::MessageRef;
use frontdesk_telegram::{
    EditMessageText, Error, InlineKeyboard, LinkPreview, ParseMode, SendMessage,
};

use super::Delivery;

impl<C> Delivery<'_, C> {
    /// Sends a text, and says which message it became.
    pub(super) async fn send(&self, message: &SendMessage) -> Result<MessageRef, Error> {
        let sent = self.telegram.call(message).await?;
        Ok(MessageRef {
            chat: message.chat_id,
            message: sent.message_id,
        })
    }

    /// Has a message show `html` and these buttons. That it does already is success.
    pub(super) async fn edit(
        &self,
        message: MessageRef,
        html: String,
        keyboard: InlineKeyboard,
    ) -> Result<(), Error> {
        let method = EditMessageText {
            chat_id: message.chat,
            message_id: message.message,
            text: html,
            parse_mode: ParseMode::Html,
            link_preview_options: LinkPreview::OFF,
            reply_markup: keyboard,
        };
        match self.telegram.call(&method).await {
            Ok(_) | Err(Error::NotModified) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
