//! The bot's dialog: a customer's message or press moves the draft on, and at its end makes a request.

mod event;
mod new_request;
mod reach;
pub(crate) mod screen;

pub(crate) use frontdesk_domain::dialog::Event;
use frontdesk_domain::dialog::{Context, Draft, Phase, Remark, Reply, Turn, turn};
use frontdesk_domain::{DraftToken, Language, RequestId};
use frontdesk_settings::BotDialog;
use frontdesk_storage::{Applied, Conversation, DraftChange, Error, Panel};
use frontdesk_telegram::{
    AnswerCallbackQuery, Callback, Membership, Message, RemoveKeyboard, ReplyMarkup, SendMessage,
    User,
};
use frontdesk_texts::{self as texts, Screen};
use jiff::Timestamp;

use crate::Desk;
use crate::handle_update::{Decision, replying, silent};

pub(crate) use event::{press_of, sent};
#[cfg(feature = "deliver")]
pub(crate) use reach::note;

/// What a turn is decided on, beside what happened.
struct Moment<'a> {
    desk: &'a Desk,
    bot_dialog: &'a BotDialog,
    /// The customer's chat, whose id is the customer's own.
    chat: i64,
    language: Language,
    now: Timestamp,
    /// How many of the draft's request ids belong to others.
    taken: usize,
}

/// Decides a message of a customer's.
pub(crate) async fn message(
    desk: &Desk,
    bot_dialog: &BotDialog,
    message: &Message,
    event: Event,
    now: Timestamp,
) -> Result<Decision, Error> {
    let moment = Moment {
        desk,
        bot_dialog,
        chat: message.chat.id,
        language: language_of(desk, message.from.as_ref()),
        now,
        taken: 0,
    };
    let read = desk
        .store
        .read_conversation(desk.bot(), moment.chat)
        .await?;
    let turn = moment.turn(&read, &event);
    let mut decision = match &turn.reply {
        Reply::Silent(reason) => silent(reason),
        Reply::Say(remark) => moment.reply(&read, &turn, remark.as_ref()),
    };
    let panel = if preview_follows(&turn) {
        Some(Panel::Anew(None))
    } else {
        // A file that joins without a word shows where the preview stands.
        let joins = turn.changed && is_preview(&turn);
        read.shown_in.filter(|_| joins).map(Panel::At)
    };
    moment.store(&read, turn, panel, &mut decision).await?;
    Ok(decision)
}

/// Decides a press of a button of the dialog's, of which only the first part is known to be right. It
/// counts for the chat of whoever pressed.
pub(crate) async fn press(
    desk: &Desk,
    bot_dialog: &BotDialog,
    callback: &Callback,
    event: Event,
    now: Timestamp,
    taken: usize,
) -> Result<Decision, Error> {
    let moment = Moment {
        desk,
        bot_dialog,
        chat: callback.from.id,
        language: language_of(desk, Some(&callback.from)),
        now,
        taken,
    };
    let read = desk
        .store
        .read_conversation(desk.bot(), moment.chat)
        .await?;
    let mut turn = moment.turn(&read, &event);
    let remark = match &turn.reply {
        Reply::Say(remark) => remark.as_ref(),
        Reply::Silent(_) => None,
    };
    let mut decision = replying(&AnswerCallbackQuery {
        callback_query_id: callback.id.clone(),
        text: texts::render_toast(moment.language, remark),
        show_alert: false,
    });
    let pressed = callback.message.as_ref().map(|message| message.message_id);
    let mut panel = Some(match pressed {
        Some(message) if moment.stays(&read, &turn) => Panel::At(message),
        pressed => Panel::Anew(pressed),
    });
    if matches!(remark, Some(Remark::AlreadySent(_))) && read.shown_in == pressed {
        // The same button once more: what it shows is right, so any number of them may come at once.
        panel = None;
        turn.changed = false;
    }
    moment.store(&read, turn, panel, &mut decision).await?;
    Ok(decision)
}

/// Decides what a change of the bot's own membership says: whether a customer has blocked it.
pub(crate) async fn membership(
    desk: &Desk,
    membership: &Membership,
    now: Timestamp,
) -> Result<Decision, Error> {
    let chat = membership.chat.id;
    let refused_at = match membership.new_chat_member.status.as_str() {
        "kicked" => Some(now),
        "member" => None,
        _ => return Ok(silent("membership_of_another_kind")),
    };
    let read = desk.store.read_conversation(desk.bot(), chat).await?;
    Ok(Decision {
        changes: reach::changes(desk, chat, &read, refused_at, now).await?,
        ..silent("membership_noted")
    })
}

fn language_of(desk: &Desk, user: Option<&User>) -> Language {
    let tag = user.and_then(|user| user.language_code.as_deref());
    desk.settings
        .language_or_first(tag.and_then(Language::parse))
}

impl Moment<'_> {
    fn turn(&self, read: &Conversation, event: &Event) -> Turn {
        let mut bytes = [0; 16];
        bytes.fill_with(|| fastrand::u8(..));
        turn(
            read.draft.as_ref(),
            event,
            &Context {
                dialog: &self.bot_dialog.dialog,
                country: self.desk.settings.country,
                language: self.language,
                now: self.now,
                fresh: &DraftToken::from_random(bytes),
                bot: self.desk.bot(),
                candidate: self.taken,
            },
        )
    }

    /// True where a pressed message goes on to show the draft: not where it belongs to an earlier one, whose
    /// end it tells, nor where what comes next cannot be shown by an edit.
    fn stays(&self, read: &Conversation, turn: &Turn) -> bool {
        let Some(draft) = &turn.draft else {
            return false;
        };
        let is_same = read
            .draft
            .as_ref()
            .is_some_and(|before| before.token == draft.token);
        is_same
            && turn.reply != Reply::Say(Some(Remark::OldDraft))
            && !screen::is_never_edited(&self.bot_dialog.dialog, draft)
    }

    fn reply(&self, read: &Conversation, turn: &Turn, remark: Option<&Remark>) -> Decision {
        let draft = turn.draft.as_ref();
        let dialog = &self.bot_dialog.dialog;
        if preview_follows(turn) {
            return match remark {
                None => self.acknowledge(read, turn),
                remark => self.say(texts::render_reply(dialog, None, remark, self.language)),
            };
        }
        self.say(texts::render_reply(dialog, draft, remark, self.language))
    }

    fn say(&self, screen: Screen) -> Decision {
        replying(&screen::send(self.chat, screen))
    }

    fn acknowledge(&self, read: &Conversation, turn: &Turn) -> Decision {
        let asked = read.draft.as_ref();
        let asked = asked.and_then(|draft| draft.asked(&self.bot_dialog.dialog));
        let answer = asked.and_then(|step| {
            let given = turn.draft.as_ref()?.answers.get(&step.name)?;
            texts::answer_text(step, given, self.language)
        });
        let text = texts::acknowledgement(self.language, answer.as_deref().unwrap_or("—"));
        replying(&SendMessage {
            reply_markup: Some(ReplyMarkup::Remove(RemoveKeyboard::NOW)),
            ..SendMessage::plain(self.chat, text)
        })
    }

    /// Adds what the turn changes to the decision.
    async fn store(
        &self,
        read: &Conversation,
        turn: Turn,
        panel: Option<Panel>,
        decision: &mut Decision,
    ) -> Result<(), Error> {
        if read.chat.unreachable_since.is_some() {
            let reached = reach::changes(self.desk, self.chat, read, None, self.now).await?;
            decision.changes.extend(reached);
        }
        let Some(mut after) = turn.draft.filter(|_| turn.changed || panel.is_some()) else {
            return Ok(());
        };
        if !turn.changed {
            // What is to be shown anew is another version.
            after.version += 1;
        }
        if let Some(id) = became_request(read.draft.as_ref(), &after) {
            let new = new_request::of(self.desk, self.bot_dialog, id, self.chat, &after, self.now);
            decision.changes.push(Applied::Request(Box::new(new)));
            decision.requested = Some(id);
        }
        decision.changes.push(Applied::Draft(Box::new(DraftChange {
            chat: self.chat,
            before: read.draft.clone(),
            after,
            keep: self.bot_dialog.dialog.keep,
            panel,
        })));
        Ok(())
    }
}

/// The request that a draft has become by this change.
fn became_request(before: Option<&Draft>, after: &Draft) -> Option<RequestId> {
    match after.phase {
        Phase::Sent(id) if before.is_none_or(|before| before.phase != after.phase) => Some(id),
        _ => None,
    }
}

/// True where a text is replied to and the preview is shown next: it comes as a message of its own, since
/// a reply is kept with the update's receipt and a preview is long, and so that the keyboard of the step
/// before can go with the reply.
fn preview_follows(turn: &Turn) -> bool {
    is_preview(turn) && matches!(turn.reply, Reply::Say(_))
}

fn is_preview(turn: &Turn) -> bool {
    let draft = turn.draft.as_ref();
    draft.is_some_and(|draft| draft.phase == Phase::Preview)
}
