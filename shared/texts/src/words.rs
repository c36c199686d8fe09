//! What the desk says, and when.

use frontdesk_domain::{FieldFault, Language, PhoneFault};

use crate::form_page::Notice;
use crate::languages::{text, text_with};

/// What a press came to, as its answer says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PressResult<'a> {
    /// The request is now with whoever pressed.
    Claimed,
    /// It was already.
    AlreadyYours,
    /// Somebody else has it.
    AlreadyTaken {
        /// Who.
        by: &'a str,
    },
    /// The request is nobody's again.
    Returned,
    /// The request is closed now.
    Closed,
    /// Nobody has it, so nobody can give it back.
    NotTaken,
    /// It was closed already.
    AlreadyClosed {
        /// Who did it.
        by: &'a str,
    },
    /// The settings keep this for administrators.
    OnlyAdministrators,
    /// There is no such request.
    NoSuchRequest,
}

/// Telegram's own users behind which a person hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnonymousPress {
    /// "GroupAnonymousBot": an administrator who shows as the group.
    Administrator,
    /// "Telegram": posts of a linked channel and service messages.
    Service,
}

/// The answer to a press on a request's button; at most 200 characters, as names have 64 at most.
pub fn press_result(language: Language, result: &PressResult<'_>) -> String {
    let id = match result {
        PressResult::AlreadyTaken { by } => {
            return text_with(language, "press-already-taken", [("name", (*by).into())]);
        }
        PressResult::AlreadyClosed { by } => {
            return text_with(language, "press-already-closed", [("name", (*by).into())]);
        }
        PressResult::Returned => "press-returned",
        PressResult::Closed => "press-closed",
        PressResult::NotTaken => "press-not-taken",
        PressResult::OnlyAdministrators => "press-only-administrators",
        PressResult::Claimed => "press-claimed",
        PressResult::AlreadyYours => "press-already-yours",
        PressResult::NoSuchRequest => "press-no-such-request",
    };
    text(language, id).to_owned()
}

/// The answer to a press by somebody who is not on the staff list, or who hides.
pub fn only_staff(language: Language, anonymous: Option<AnonymousPress>) -> &'static str {
    let id = match anonymous {
        None => "only-staff",
        Some(AnonymousPress::Administrator) => "only-staff-anonymous-administrator",
        Some(AnonymousPress::Service) => "only-staff-service",
    };
    text(language, id)
}

/// The answer to a press on a card that is not in a chat of the staff's.
pub fn wrong_chat(language: Language) -> &'static str {
    text(language, "wrong-chat")
}

/// The answer to a press on a button that is not made any more, or was never the desk's.
pub fn press_gone(language: Language) -> &'static str {
    text(language, "press-gone")
}

/// What the bot says to whoever writes to it, where the desk has no dialog.
pub fn use_the_form(language: Language) -> &'static str {
    text(language, "use-the-form")
}

/// What is wrong with a field.
pub fn field_fault(language: Language, fault: FieldFault) -> String {
    let id = match fault {
        FieldFault::TooShort(least) => {
            return text_with(language, "fault-too-short", [("least", least.into())]);
        }
        FieldFault::TooLong(most) => {
            return text_with(language, "fault-too-long", [("most", most.into())]);
        }
        FieldFault::Missing => "fault-missing",
        FieldFault::Phone(fault) => return phone_fault(language, fault).to_owned(),
        FieldFault::Unknown => "fault-unknown",
        FieldFault::Repeated => "fault-repeated",
        FieldFault::NotText => "fault-not-text",
        FieldFault::Token => "fault-token",
    };
    text(language, id).to_owned()
}

pub(crate) fn phone_fault(language: Language, fault: PhoneFault) -> &'static str {
    let id = match fault {
        PhoneFault::NoDigits => "fault-phone-no-digits",
        PhoneFault::Unexpected | PhoneFault::Length => "fault-phone",
    };
    text(language, id)
}

/// What a page says of a submission that was not stored.
pub fn notice(language: Language, notice: Notice) -> &'static str {
    let id = match notice {
        Notice::Invalid => "notice-invalid",
        Notice::OtherContent => "notice-other-content",
        Notice::TryLater => "notice-try-later",
        Notice::TooLarge => "notice-too-large",
        Notice::Unreadable => "notice-unreadable",
        Notice::NoSuchForm => "notice-no-such-form",
    };
    text(language, id)
}

pub(crate) fn send_button(language: Language) -> &'static str {
    text(language, "send-button")
}

pub(crate) fn required_note(language: Language) -> &'static str {
    text(language, "required-note")
}

pub(crate) fn thanks(language: Language) -> (&'static str, &'static str) {
    (
        text(language, "thanks-title"),
        text(language, "thanks-text"),
    )
}

pub(crate) struct CardWords {
    pub(crate) take: &'static str,
    pub(crate) give_back: &'static str,
    pub(crate) close: &'static str,
    pub(crate) may_be_repeat: &'static str,
    pub(crate) typed: &'static str,
    pub(crate) cut: &'static str,
    pub(crate) not_taken: &'static str,
    pub(crate) received: &'static str,
}

pub(crate) fn card(language: Language) -> CardWords {
    let text = |id| text(language, id);
    CardWords {
        take: text("card-take"),
        give_back: text("card-return"),
        close: text("card-close"),
        may_be_repeat: text("card-may-be-repeat"),
        typed: text("card-typed"),
        cut: text("card-cut"),
        not_taken: text("card-not-taken"),
        received: text("card-received"),
    }
}

pub(crate) fn taken_by(language: Language, name: &str, at: &str) -> String {
    let values = [("name", name.into()), ("at", at.into())];
    text_with(language, "card-taken-by", values)
}

pub(crate) fn closed_by(language: Language, name: &str, at: &str, reason: Option<&str>) -> String {
    match reason {
        None => text_with(
            language,
            "card-closed-by",
            [("name", name.into()), ("at", at.into())],
        ),
        Some(reason) => {
            let values = [
                ("name", name.into()),
                ("at", at.into()),
                ("reason", reason.into()),
            ];
            text_with(language, "card-closed-because", values)
        }
    }
}

/// `most` is the count from which on it is "or more".
pub(crate) fn earlier_leads(language: Language, count: u32, most: u32) -> String {
    let more = if count >= most { "+" } else { "" };
    let values = [("count", count.into()), ("more", more.into())];
    text_with(language, "card-earlier-leads", values)
}

pub(crate) fn shared_number(language: Language) -> &'static str {
    text(language, "dialog-shared-number")
}

pub(crate) fn files(language: Language, count: u32) -> String {
    text_with(language, "card-files", [("count", count.into())])
}

pub(crate) fn files_refused(language: Language, names: &str) -> String {
    text_with(language, "card-files-refused", [("names", names.into())])
}

pub(crate) fn came_from(language: Language, source: &str) -> String {
    text_with(language, "card-from", [("source", source.into())])
}

pub(crate) fn writes_in(language: Language, theirs: Language) -> String {
    text_with(language, "card-language", [("code", theirs.code().into())])
}

pub(crate) fn unreachable(language: Language) -> &'static str {
    text(language, "card-unreachable")
}

/// What a command does, of the dialog's or the staff's, in a few words; none where it has no text.
pub fn command_text(language: Language, command: &str) -> Option<&'static str> {
    let id = match command {
        "start" => "command-start",
        "help" => "command-help",
        "cancel" => "command-cancel",
        "list" => "command-list",
        "stats" => "command-stats",
        "show" => "command-show",
        "retry" => "command-retry",
        "take" => "command-take",
        "return" => "command-return",
        "close" => "command-close",
        _ => return None,
    };
    Some(text(language, id))
}
