//! A customer is told that the request was received.

use frontdesk_domain::{FromDialog, Request, RequestId};
use frontdesk_telegram::{self as telegram, RemoveKeyboard, ReplyMarkup, SendMessage};
use frontdesk_texts::confirmation;
use jiff::Timestamp;

use super::Delivery;
use super::chat::TargetChat;
use super::outcome::Attempt;
use crate::dialog;

/// A confirmation that is about to be sent.
pub(super) struct ConfirmationToSend {
    pub(super) request: Box<Request>,
    pub(super) target: TargetChat,
}

impl ConfirmationToSend {
    /// Sends it. That a customer cannot be reached is noted on the request, whose card says so.
    pub(super) async fn send<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        want: u32,
    ) -> Attempt {
        let Some(dialog) = &self.request.dialog else {
            return Attempt::rejected("no_such_customer");
        };
        let text = confirmation(dialog.language, self.request.id);
        let message = SendMessage {
            reply_markup: Some(ReplyMarkup::Remove(RemoveKeyboard::NOW)),
            ..SendMessage::plain(self.target.id, text)
        };
        let Err(error) = delivery.send(&message).await else {
            self.target.reached(delivery).await;
            return Attempt::done(want, None);
        };
        refused(delivery, Some(self.request.id), &self.target, error).await
    }
}

/// What it means that Telegram does not take a message to a customer, whose last request says so if it is
/// for the chat's sake.
pub(super) async fn refused<C: Fn() -> Timestamp>(
    delivery: &Delivery<'_, C>,
    request: Option<RequestId>,
    target: &TargetChat,
    error: telegram::Error,
) -> Attempt {
    if let Some(request) = request.filter(|_| error.is_of_the_chat()) {
        let unreachable = |dialog: &mut FromDialog| dialog.unreachable = true;
        let now = (delivery.clock)();
        if let Err(error) = dialog::note(delivery.desk, request, unreachable, now).await {
            tracing::warn!(error.kind = error.kind(), "customer.unreachable_not_noted");
            return Attempt::not_noted();
        }
    }
    target.failed(delivery, error).await
}
