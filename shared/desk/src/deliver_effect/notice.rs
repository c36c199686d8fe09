//! A report or a warning is sent to its place.

use frontdesk_domain::effect::Effect;
use frontdesk_domain::{Alert, Report};
use frontdesk_telegram::SendMessage;
use frontdesk_texts::{render_report, render_warning};
use jiff::Timestamp;

use super::Delivery;
use super::chat::TargetChat;
use super::outcome::Attempt;

/// A notice that is about to be sent to a chat.
pub(super) struct NoticeToSend {
    /// None where there is nothing to say any more.
    html: Option<String>,
    version: u32,
    target: TargetChat,
}

impl NoticeToSend {
    pub(super) fn report<C>(
        delivery: &Delivery<'_, C>,
        report: &Report,
        target: TargetChat,
    ) -> Self {
        Self {
            html: Some(render_report(&delivery.desk.settings, report)),
            version: 1,
            target,
        }
    }

    /// What has turned and turned back since the place was last told need not be told, unless it may have
    /// been told of the turn.
    pub(super) fn warning<C>(
        delivery: &Delivery<'_, C>,
        alert: &Alert,
        effect: &Effect,
        target: TargetChat,
    ) -> Self {
        let is_known = alert.is_known_at(effect.shown) && !effect.is_in_doubt();
        Self {
            html: (!is_known).then(|| render_warning(&delivery.desk.settings, alert)),
            version: alert.version,
            target,
        }
    }

    pub(super) async fn send<C: Fn() -> Timestamp>(
        self,
        delivery: &Delivery<'_, C>,
        effect: &Effect,
    ) -> Attempt {
        let done = Attempt::done(self.version.max(effect.want), None);
        let Some(mut html) = self.html else {
            return done;
        };
        if effect.is_in_doubt() {
            html = frontdesk_texts::marked_as_repeat(&delivery.desk.settings, &html);
        }
        match delivery
            .send(&SendMessage::html(self.target.id, html))
            .await
        {
            Ok(_) => {
                self.target.reached(delivery).await;
                done
            }
            Err(error) => self.target.failed(delivery, error).await,
        }
    }
}
