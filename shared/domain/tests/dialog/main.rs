//! The dialog as a whole: the ways that matter one by one, and random people.

mod chat;
mod people;

use frontdesk_domain::RequestId;
use frontdesk_domain::dialog::{
    Action, Command, DialogPress, Event, Given, Phase, Range, Remark, Reply, Source, StepFault,
};
use jiff::SignedDuration;

use chat::{Chat, file, name};

#[test]
fn a_dialog_from_the_first_question_to_its_number() {
    let mut chat = Chat::new();
    chat.fill();
    let draft = chat.draft.clone().expect("a draft");
    assert_eq!(draft.source, Source::parse("ads"));
    assert_eq!(
        draft.answers[&name("contact")],
        Given::Contact {
            text: "8 (812) 123-45-67".to_owned(),
            e164: "+78121234567".to_owned(),
            own: false,
        }
    );
    let Some(Remark::Sent(id)) = chat.presses(Action::Confirm) else {
        panic!("not sent")
    };
    let ids = RequestId::candidates("dialog", &name("desk"), &draft.token);
    assert_eq!(id, ids[0]);
    assert_eq!(chat.presses(Action::Confirm), Some(Remark::AlreadySent(id)));
    assert_eq!(chat.writes("And?"), Some(Remark::AlreadySent(id)));
}

#[test]
fn an_old_confirm_never_confirms_the_next_draft() {
    let mut chat = Chat::new();
    chat.fill();
    let first = chat.draft.as_ref().expect("a draft").token.clone();
    chat.presses(Action::Confirm);
    chat.fill();
    let old = Event::Press(DialogPress::new(&first, Action::Confirm));
    assert_eq!(chat.says(&old), Some(Remark::OldDraft));
    assert_eq!(*chat.phase(), Phase::Preview);
    assert!(matches!(
        chat.presses(Action::Confirm),
        Some(Remark::Sent(_))
    ));
}

#[test]
fn one_field_is_edited_from_the_preview_and_the_others_stay() {
    let mut chat = Chat::new();
    chat.fill();
    chat.presses(Action::Edit(name("about")));
    assert_eq!(chat.asked(), "about");
    chat.presses(Action::Back(name("about")));
    assert_eq!(*chat.phase(), Phase::Preview);
    chat.presses(Action::Edit(name("about")));
    chat.writes("A shop for coffee");
    assert_eq!(*chat.phase(), Phase::Preview);
    let answers = &chat.draft.as_ref().expect("a draft").answers;
    let about = Given::Text("A shop for coffee".to_owned());
    assert_eq!((answers.len(), &answers[&name("about")]), (6, &about));
}

#[test]
fn back_keeps_what_was_answered_and_next_goes_on_with_it() {
    let mut chat = Chat::new();
    chat.says(&Event::Text("hello".to_owned()));
    chat.choose("services", "site");
    chat.choose("services", "shop");
    let full = Remark::Fault(StepFault::TooManyChosen(2));
    assert_eq!(chat.choose("services", "bot"), Some(full));
    chat.presses(Action::Next(name("services")));
    chat.choose("type", "new");
    chat.presses(Action::Back(name("about")));
    assert_eq!(chat.asked(), "type");
    chat.says(&Event::Command(Command::Back));
    assert_eq!(chat.asked(), "services");
    chat.presses(Action::Next(name("services")));
    assert_eq!(chat.asked(), "about");
    let old = chat.choose("type", "redo");
    assert_eq!(old, Some(Remark::OldButton));
    assert_eq!(chat.asked(), "about");
    let required = Some(Remark::Fault(StepFault::Required));
    assert_eq!(chat.says(&Event::Command(Command::Skip)), required);
}

#[test]
fn a_draft_waits_for_weeks_and_its_end_is_told_once() {
    let mut chat = Chat::new();
    chat.says(&Event::Command(Command::Start(None)));
    chat.now += SignedDuration::from_hours(24 * 29);
    let resumed = chat.says(&Event::Command(Command::Start(None)));
    assert_eq!(resumed, Some(Remark::Resumed));
    chat.choose("services", "bot");
    chat.now += SignedDuration::from_hours(24 * 30);
    let anew = chat.says(&Event::Text("hello".to_owned()));
    assert_eq!(anew, Some(Remark::ExpiredAnew));
    let unmarked = matches!(chat.phase(), Phase::Asking { marked, .. } if marked.is_empty());
    assert!(unmarked);
    chat.now += SignedDuration::from_hours(24 * 30);
    assert_eq!(chat.choose("services", "bot"), Some(Remark::Expired));
    assert_eq!(chat.choose("services", "bot"), Some(Remark::OldButton));
    let anew = chat.says(&Event::Text("hello".to_owned()));
    assert_eq!(anew, Some(Remark::Welcome));
    chat.now += SignedDuration::from_hours(24 * 30);
    let help = chat.says(&Event::Command(Command::Help));
    assert_eq!(help, Some(Remark::Help));
    let cancelled = chat.says(&Event::Command(Command::Cancel));
    assert_eq!(cancelled, Some(Remark::Expired));
    assert_eq!(*chat.phase(), Phase::Expired);
}

#[test]
fn a_command_that_begins_nothing_leaves_a_strangers_chat_without_a_draft() {
    let mut chat = Chat::new();
    for (command, said) in [
        (Command::Cancel, Remark::NothingToCancel),
        (Command::Unknown, Remark::UnknownCommand),
        (Command::Help, Remark::Help),
    ] {
        assert_eq!(chat.says(&Event::Command(command)), Some(said));
        assert_eq!(chat.draft, None);
    }
}

#[test]
fn all_parts_of_an_album_count_with_one_reply_even_after_the_step() {
    let mut chat = Chat::new();
    chat.says(&Event::Command(Command::Start(None)));
    // An album where none is wanted: one reply.
    let early = Event::File(file(Some("0")));
    let fault = Some(Remark::Fault(StepFault::NoFileHere));
    assert_eq!(chat.says(&early), fault);
    assert_eq!(chat.does(&early), Reply::Silent("album_part"));
    chat.choose("services", "site");
    chat.presses(Action::Next(name("services")));
    chat.choose("type", "new");
    chat.writes("A shop for tea");
    let part = Event::File(file(Some("1")));
    assert_eq!(chat.says(&part), Some(Remark::FileKept));
    assert_eq!(chat.does(&part), Reply::Silent("album_part"));
    chat.presses(Action::Next(name("brief")));
    assert_eq!(chat.asked(), "budget");
    assert_eq!(chat.does(&part), Reply::Silent("album_part"));
    assert_eq!(chat.draft.as_ref().expect("a draft").files.len(), 3);
    // What is beyond the limit is said once, however many there are.
    let cut = Some(Remark::Fault(StepFault::TooManyFiles(3)));
    assert_eq!(chat.says(&part), cut);
    assert_eq!(chat.does(&part), Reply::Silent("album_part"));
    assert_eq!(chat.draft.as_ref().expect("a draft").files.len(), 3);
    assert_eq!(chat.asked(), "budget");
}

#[test]
fn an_own_number_is_told_from_one_that_is_only_passed_on() {
    let contact = |phone: &str, own| {
        let mut chat = Chat::new();
        chat.fill();
        chat.presses(Action::Edit(name("contact")));
        chat.says(&Event::Contact {
            phone: phone.to_owned(),
            own,
        });
        match &chat.draft.expect("a draft").answers[&name("contact")] {
            Given::Contact { text, e164, own } => (text.clone(), e164.clone(), *own),
            other => panic!("{other:?}"),
        }
    };
    let typed = |text: &str, e164: &str, own| (text.to_owned(), e164.to_owned(), own);
    assert_eq!(
        contact("+4930901820", true),
        typed("+4930901820", "+4930901820", true)
    );
    assert_eq!(
        contact("88121234567", false),
        typed("88121234567", "+78121234567", false)
    );
}

#[test]
fn a_step_that_the_settings_gained_is_asked_before_a_draft_is_sent() {
    let mut chat = Chat::new();
    let all = chat.dialog.steps.clone();
    chat.dialog.steps.retain(|step| step.name != name("type"));
    chat.says(&Event::Command(Command::Start(None)));
    chat.choose("services", "site");
    chat.presses(Action::Next(name("services")));
    chat.writes("A shop for tea");
    chat.presses(Action::Skip(name("brief")));
    let range = Range {
        from: None,
        to: Some(1000),
    };
    chat.presses(Action::Range {
        step: name("budget"),
        range,
    });
    chat.writes("8121234567");
    assert_eq!(*chat.phase(), Phase::Preview);
    chat.dialog.steps = all;
    assert_eq!(chat.presses(Action::Confirm), Some(Remark::StillNeeded));
    assert_eq!(chat.asked(), "type");
    chat.choose("type", "new");
    let sent = chat.presses(Action::Confirm);
    assert!(matches!(sent, Some(Remark::Sent(_))));
}

#[test]
fn a_step_that_the_settings_lost_is_not_asked_any_more() {
    let mut chat = Chat::new();
    chat.says(&Event::Command(Command::Start(None)));
    chat.dialog.steps.remove(0);
    assert_eq!(chat.choose("type", "new"), None);
    assert_eq!(chat.asked(), "about");
}

#[test]
fn no_more_files_are_kept_than_the_step_takes() {
    let mut chat = Chat::new();
    chat.fill();
    chat.presses(Action::Edit(name("brief")));
    for _ in 0..2 {
        assert_eq!(chat.says(&Event::File(file(None))), Some(Remark::FileKept));
    }
    let full = Some(Remark::Fault(StepFault::TooManyFiles(3)));
    assert_eq!(chat.says(&Event::File(file(Some("9")))), full);
    assert_eq!(
        chat.does(&Event::File(file(Some("9")))),
        Reply::Silent("album_part")
    );
    assert_eq!(chat.draft.as_ref().expect("a draft").files.len(), 3);
}
