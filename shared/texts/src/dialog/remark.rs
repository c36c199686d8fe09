use frontdesk_domain::Language;
use frontdesk_domain::dialog::{Dialog, Remark, StepFault};

use super::with_number;
use crate::languages::{text, text_with};
use crate::words::phone_fault;

/// What is said of a press, in the note that passes: at most 200 characters, nothing where what is shown
/// says enough.
pub fn render_toast(language: Language, remark: Option<&Remark>) -> String {
    remark.map_or_else(String::new, |remark| short(remark, language))
}

/// What is said of a message, before what is asked now.
pub(super) fn said(dialog: &Dialog, remark: &Remark, language: Language) -> Option<String> {
    Some(match remark {
        Remark::Welcome => dialog.greeting.get(language).to_owned(),
        Remark::Help => text_with(language, "dialog-help", []),
        // What is shown says the same.
        Remark::AlreadySent(_) => return None,
        remark => short(remark, language),
    })
}

fn short(remark: &Remark, language: Language) -> String {
    let id = match remark {
        // The first question says it.
        Remark::Welcome => return String::new(),
        Remark::Fault(fault) => return step_fault(language, *fault),
        Remark::Sent(id) => return with_number(language, "dialog-sent", *id),
        Remark::AlreadySent(id) => return with_number(language, "dialog-already-sent", *id),
        Remark::Resumed => "dialog-resumed",
        Remark::ExpiredAnew => "dialog-expired-anew",
        Remark::Expired => "dialog-expired",
        Remark::Help | Remark::UnknownCommand => "dialog-unknown-command",
        Remark::Cancelled => "dialog-cancelled",
        Remark::NothingToCancel => "dialog-nothing-to-cancel",
        Remark::FileKept => "dialog-file-kept",
        Remark::FilesCleared => "dialog-files-cleared",
        Remark::NotEdited => "dialog-not-edited",
        Remark::OldButton => "dialog-old-button",
        Remark::OldDraft => "dialog-old-draft",
        Remark::UseButtons => "dialog-use-buttons",
        Remark::StillNeeded => "dialog-still-needed",
    };
    text(language, id).to_owned()
}

fn step_fault(language: Language, fault: StepFault) -> String {
    let most = |id, most: usize| text_with(language, id, [("most", most.into())]);
    let id = match fault {
        StepFault::TooManyChosen(count) => return most("dialog-fault-too-many-chosen", count),
        StepFault::TooManyFiles(count) => return most("dialog-fault-too-many-files", count),
        StepFault::TooLong(length) => return most("dialog-fault-too-long", length),
        StepFault::TooShort(length) => {
            let values = [("least", length.into())];
            return text_with(language, "dialog-fault-too-short", values);
        }
        StepFault::Phone(fault) => return phone_fault(language, fault).to_owned(),
        StepFault::NotAChoice => "dialog-fault-choice",
        StepFault::NoneChosen => "dialog-fault-none-chosen",
        StepFault::NotText => "dialog-fault-not-text",
        StepFault::NotAFile => "dialog-fault-not-file",
        StepFault::NoFileHere => "dialog-fault-no-file-here",
        StepFault::NoFiles => "dialog-fault-no-files",
        StepFault::Required => "dialog-fault-required",
    };
    text(language, id).to_owned()
}
