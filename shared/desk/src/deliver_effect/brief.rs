//! A request's files are passed on to a place, one message after the other, as replies to its card.

use frontdesk_domain::RequestId;
use frontdesk_domain::dialog::{BriefFile, FileKind};
use frontdesk_domain::effect::{Effect, State};
use frontdesk_storage::BriefSubject;
use frontdesk_telegram::{
    self as telegram, InputMedia, ReplyParameters, SendDocument, SendMediaGroup, SendPhoto,
};
use frontdesk_texts::brief_caption;
use jiff::Timestamp;

use super::Delivery;
use super::chat::TargetChat;
use super::outcome::Attempt;
use crate::dialog;

/// The next files of a brief, about to be sent.
pub(super) struct BriefToSend {
    request: RequestId,
    files: Vec<BriefFile>,
    card: Option<Effect>,
    target: TargetChat,
}

/// True where the card that the files reply to is neither there yet nor given up.
pub(super) fn waits(subject: &BriefSubject) -> bool {
    subject
        .card
        .as_ref()
        .is_some_and(|card| card.message.is_none() && card.state != State::Failed)
}

/// How many messages the next send counts for: each part of an album is one.
pub(super) fn next_messages(subject: &BriefSubject, effect: &Effect) -> usize {
    BriefFile::together(&subject.files, shown(effect)).max(1)
}

impl BriefToSend {
    pub(super) fn new(subject: BriefSubject, target: TargetChat) -> Self {
        Self {
            request: subject.request.id,
            files: subject.files,
            card: subject.card,
            target,
        }
    }

    pub(super) async fn send<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        effect: &Effect,
    ) -> Attempt {
        let at = shown(effect);
        let together = BriefFile::together(&self.files, at);
        let (Some(file), Some(album)) = (self.files.get(at), self.files.get(at..at + together))
        else {
            return Attempt::done(effect.want, None);
        };
        let mut outcome = self.pass_on(delivery, effect, album).await;
        let mut count = together;
        if together > 1 && outcome.is_err_and(|error| is_of_the_file(&error)) {
            // One of them is at fault: each is tried by itself.
            count = 1;
            outcome = self
                .pass_on(delivery, effect, std::slice::from_ref(file))
                .await;
        }
        match outcome {
            Ok(()) => self.target.reached(delivery).await,
            Err(error) if is_of_the_file(&error) => {
                let name = file.name.as_deref().unwrap_or(file.kind.name());
                let name = format!("{}: {name}", at + 1);
                let now = (delivery.clock)();
                let refuse = |dialog: &mut frontdesk_domain::FromDialog| {
                    dialog.refused.insert(name.clone());
                };
                if let Err(error) = dialog::note(delivery.desk, self.request, refuse, now).await {
                    tracing::warn!(error.kind = error.kind(), "brief.refusal_not_noted");
                    return Attempt::not_noted();
                }
            }
            Err(error) => return self.target.failed(delivery, error).await,
        }
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Attempt::done(effect.shown.saturating_add(count), None)
    }

    /// Sends files as one message; several as an album.
    async fn pass_on<C: Fn() -> Timestamp>(
        &self,
        delivery: &Delivery<'_, C>,
        effect: &Effect,
        files: &[BriefFile],
    ) -> Result<(), telegram::Error> {
        let chat_id = self.target.id;
        let language = delivery.desk.settings.staff_language;
        let caption = |file: &BriefFile, is_first: bool| {
            brief_caption(language, &file.caption, is_first && effect.is_in_doubt())
        };
        let card = self.card.as_ref().and_then(|card| card.message);
        let reply_parameters =
            card.filter(|card| card.chat == chat_id)
                .map(|card| ReplyParameters {
                    message_id: card.message,
                    allow_sending_without_reply: true,
                });
        match files {
            [file] => match file.kind {
                FileKind::Document => {
                    let method = SendDocument {
                        chat_id,
                        document: file.file_id.clone(),
                        caption: caption(file, true),
                        reply_parameters,
                    };
                    delivery.telegram.call(&method).await.map(|_| ())
                }
                FileKind::Photo => {
                    let method = SendPhoto {
                        chat_id,
                        photo: file.file_id.clone(),
                        caption: caption(file, true),
                        reply_parameters,
                    };
                    delivery.telegram.call(&method).await.map(|_| ())
                }
            },
            files => {
                let media = files.iter().enumerate().map(|(at, file)| InputMedia {
                    kind: file.kind.name(),
                    media: file.file_id.clone(),
                    caption: caption(file, at == 0),
                });
                let method = SendMediaGroup {
                    chat_id,
                    media: media.collect(),
                    reply_parameters,
                };
                delivery.telegram.call(&method).await.map(|_| ())
            }
        }
    }
}

fn shown(effect: &Effect) -> usize {
    usize::try_from(effect.shown).unwrap_or(usize::MAX)
}

/// True where Telegram refuses what was sent and not the chat: other files may still be taken.
fn is_of_the_file(error: &telegram::Error) -> bool {
    matches!(
        error,
        telegram::Error::Rejected("file_refused" | "no_rights_for_files" | "bad_request")
    )
}
