//! What an attempt is to do: prepared before the lease is taken, performed under it.

use frontdesk_domain::effect::{Effect, EffectId};
use frontdesk_storage::{Error, Subject};
use jiff::Timestamp;

use super::answer::AnswerToShow;
use super::brief::BriefToSend;
use super::card::CardToShow;
use super::chat::TargetChat;
use super::confirmation::ConfirmationToSend;
use super::notice::NoticeToSend;
use super::outcome::Attempt;
use super::panel::PanelToShow;
use super::{Delivery, webhook};

pub(super) enum Task {
    Card(CardToShow),
    Brief(BriefToSend),
    Confirmation(ConfirmationToSend),
    Panel(PanelToShow),
    Notice(NoticeToSend),
    Answer(AnswerToShow),
    RegisterWebhook,
    CheckWebhook,
    /// There is nothing left to say.
    Nothing,
    /// It can never be done, for want of this.
    Nowhere(&'static str),
}

impl Task {
    /// Reads what is still needed to perform an effect.
    pub(super) async fn prepare<C: Fn() -> Timestamp>(
        delivery: &Delivery<'_, C>,
        effect: &Effect,
        subject: Subject,
        target: Option<TargetChat>,
    ) -> Result<Self, Error> {
        let target = match (&effect.id, target) {
            (EffectId::Webhook { .. }, _) => return Ok(Self::RegisterWebhook),
            (EffectId::WebhookCheck { .. }, _) => return Ok(Self::CheckWebhook),
            (_, None) => return Ok(Self::Nowhere("no_such_place")),
            (_, Some(target)) => target,
        };
        Ok(match (&effect.id, subject) {
            (EffectId::Card { .. }, Subject::Request(request)) => {
                Self::Card(CardToShow::prepare(delivery, *request, target).await?)
            }
            (EffectId::Brief { .. }, Subject::Brief(brief)) => {
                Self::Brief(BriefToSend::new(*brief, target))
            }
            (EffectId::Confirmation { .. }, Subject::Request(request)) => {
                Self::Confirmation(ConfirmationToSend { request, target })
            }
            (EffectId::Panel { .. }, Subject::Draft(draft)) => match &delivery.desk.settings.dialog
            {
                Some(dialog) => Self::Panel(PanelToShow {
                    expires: draft.expires(&dialog.dialog),
                    draft: *draft,
                    target,
                }),
                None => Self::Nowhere("no_such_dialog"),
            },
            (EffectId::Answer { .. } | EffectId::Reminder { .. }, Subject::Answer(answer)) => {
                Self::Answer(AnswerToShow { answer, target })
            }
            (EffectId::Reminder { .. }, Subject::Outdated) => Self::Nothing,
            (EffectId::Report { .. }, Subject::Report(report)) => {
                Self::Notice(NoticeToSend::report(delivery, &report, target))
            }
            (EffectId::Warning { .. }, Subject::Alert(alert)) => {
                Self::Notice(NoticeToSend::warning(delivery, &alert, effect, target))
            }
            _ => Self::Nowhere("no_such_subject"),
        })
    }

    pub(super) async fn perform<C: Fn() -> Timestamp>(
        self,
        delivery: &Delivery<'_, C>,
        effect: &Effect,
    ) -> Attempt {
        match self {
            Self::Card(card) => card.show(delivery, effect).await,
            Self::Brief(brief) => brief.send(delivery, effect).await,
            Self::Confirmation(confirmation) => confirmation.send(delivery, effect.want).await,
            Self::Panel(panel) => match &delivery.desk.settings.dialog {
                Some(dialog) => panel.show(delivery, &dialog.dialog, effect).await,
                None => Attempt::rejected("no_such_dialog"),
            },
            Self::Notice(notice) => notice.send(delivery, effect).await,
            Self::Answer(answer) => answer.show(delivery, effect).await,
            Self::RegisterWebhook => webhook::register(delivery, effect).await,
            Self::CheckWebhook => webhook::check(delivery, effect).await,
            Self::Nothing => Attempt::done(effect.want, None),
            Self::Nowhere(error) => Attempt::rejected(error),
        }
    }
}
