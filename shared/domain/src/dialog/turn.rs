//! What a message or press makes of a draft: a total function of the draft, the event and the moment.

use jiff::Timestamp;

use crate::{Country, DraftToken, Language, Name, RequestId};

use super::step::{Answered, answer, given_to, mark, on_step};
use super::{
    Action, BriefFile, Command, Dialog, DialogPress, Draft, Event, Phase, Source, StepFault,
    StepKind,
};

/// What a turn is decided with, beside the draft and the event.
#[derive(Debug)]
pub struct Context<'a> {
    /// The dialog.
    pub dialog: &'a Dialog,
    /// Whose way of writing phone numbers customers use.
    pub country: Country,
    /// The customer's language.
    pub language: Language,
    /// The moment.
    pub now: Timestamp,
    /// The token of a draft, should one begin.
    pub fresh: &'a DraftToken,
    /// The bot, whose requests they are.
    pub bot: &'a Name,
    /// Which of a draft's request ids is tried: 0, and more where those before belong to others.
    pub candidate: usize,
}

/// What comes of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The draft afterwards; none where there is none and none begins.
    pub draft: Option<Draft>,
    /// True where that is to be stored.
    pub changed: bool,
    /// What the customer is told.
    pub reply: Reply,
}

/// What a customer is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// This, before what is now asked or shown.
    Say(Option<Remark>),
    /// Nothing, for the reason named.
    Silent(&'static str),
}

/// What is said of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A draft has begun.
    Welcome,
    /// The draft goes on where it stopped.
    Resumed,
    /// The former draft's time was over, and a new one has begun.
    ExpiredAnew,
    /// The draft's time is over.
    Expired,
    /// What can be done.
    Help,
    /// There is no such command.
    UnknownCommand,
    /// The draft is given up.
    Cancelled,
    /// There was no draft to give up.
    NothingToCancel,
    /// What was sent is no answer here.
    Fault(StepFault),
    /// A file has been added.
    FileKept,
    /// The files have been taken out.
    FilesCleared,
    /// A changed message changes no answer.
    NotEdited,
    /// The button belongs to what is behind.
    OldButton,
    /// The button belongs to another draft.
    OldDraft,
    /// Everything is answered, and a button is wanted.
    UseButtons,
    /// Before it can be sent, this must be answered.
    StillNeeded,
    /// The draft has become this request.
    Sent(RequestId),
    /// It had become this request already.
    AlreadySent(RequestId),
}

/// Decides what `event` makes of a chat's draft.
pub fn turn(stored: Option<&Draft>, event: &Event, context: &Context<'_>) -> Turn {
    let Some(stored) = stored else {
        return match event {
            Event::Command(Command::Help) => nothing(Some(Remark::Help)),
            Event::Command(Command::Cancel) => nothing(Some(Remark::NothingToCancel)),
            Event::Command(Command::Unknown) => nothing(Some(Remark::UnknownCommand)),
            Event::Edited => Turn {
                draft: None,
                changed: false,
                reply: Reply::Silent("edited_without_draft"),
            },
            // A chat of which nothing is known: a button from before, with nothing behind it.
            Event::Press(_) | Event::OldPress => begin(None, None, Remark::OldDraft, None, context),
            _ => begin(
                None,
                source_of(event),
                Remark::Welcome,
                album_of(event),
                context,
            ),
        };
    };
    let draft = stored.fitted(context.dialog);
    if let Event::File(file) = event
        && file.album.is_some()
        && file.album == draft.told_album
    {
        return album_part(draft, file, context);
    }
    if draft.is_overdue(context.dialog, context.now) {
        return match event {
            Event::Press(_)
            | Event::OldPress
            | Event::Command(Command::Cancel | Command::Unknown) => Turn {
                draft: Some(draft.expired()),
                changed: true,
                reply: Reply::Say(Some(Remark::Expired)),
            },
            // The clock is about to tell that its time is over.
            Event::Command(Command::Help) => unchanged(draft, Remark::Help),
            Event::Edited => unchanged(draft, Remark::NotEdited),
            _ => {
                let (source, album) = (source_of(event), album_of(event));
                begin(Some(&draft), source, Remark::ExpiredAnew, album, context)
            }
        };
    }
    match event {
        Event::Command(command) => on_command(draft, command, context),
        Event::Edited => unchanged(draft, Remark::NotEdited),
        Event::Press(press) => on_press(draft, press, context),
        Event::OldPress => moved(draft, Some(Remark::OldButton), context),
        Event::Text(_) | Event::Contact { .. } | Event::File(_) | Event::Unusable => {
            on_content(draft, event, context)
        }
    }
}

fn on_command(draft: Draft, command: &Command, context: &Context<'_>) -> Turn {
    match command {
        Command::Start(source) if draft.is_open() => match source {
            Some(source) if draft.source.as_ref() != Some(source) => {
                let mut draft = draft;
                draft.source = Some(source.clone());
                moved(draft, Some(Remark::Resumed), context)
            }
            _ => unchanged(draft, Remark::Resumed),
        },
        Command::Start(source) => {
            begin(Some(&draft), source.clone(), Remark::Welcome, None, context)
        }
        Command::Help => unchanged(draft, Remark::Help),
        Command::Unknown => unchanged(draft, Remark::UnknownCommand),
        Command::Back | Command::Skip => {
            let Some(step) = draft.asked(context.dialog) else {
                return unchanged(draft, Remark::UnknownCommand);
            };
            let name = step.name.clone();
            let action = match command {
                Command::Back => Action::Back(name),
                _ => Action::Skip(name),
            };
            on_asked(draft, &action, context)
        }
        Command::Cancel if draft.is_open() => cancelled(draft, context),
        Command::Cancel => unchanged(draft, Remark::NothingToCancel),
    }
}

/// Something that could be an answer.
fn on_content(mut draft: Draft, event: &Event, context: &Context<'_>) -> Turn {
    let album = album_of(event);
    match draft.phase.clone() {
        Phase::Asking { step, marked, .. } => {
            let Some(step) = context.dialog.step(&step) else {
                return unchanged(draft, Remark::UseButtons);
            };
            match answer(&draft, step, event, context.country) {
                Ok(Answered::File(file)) => {
                    draft.told_album = album;
                    draft.files.push(file);
                    moved(draft, Some(Remark::FileKept), context)
                }
                Ok(Answered::Mark(option)) => mark(draft, step, &marked, &option, context),
                Ok(Answered::Given(given)) => given_to(draft, step, given, context),
                Err(fault) => told(draft, album, Remark::Fault(fault), context),
            }
        }
        Phase::Preview => told(draft, album, Remark::UseButtons, context),
        Phase::Sent(id) => told(draft, album, Remark::AlreadySent(id), context),
        Phase::Cancelled | Phase::Expired => {
            begin(Some(&draft), None, Remark::Welcome, album, context)
        }
    }
}

/// A further part of an album that was replied to: it still joins the brief if its first part did, even
/// after the step.
fn album_part(mut draft: Draft, file: &BriefFile, context: &Context<'_>) -> Turn {
    let most = context
        .dialog
        .steps
        .iter()
        .find_map(|step| match step.kind {
            StepKind::Brief { most } => Some(most),
            _ => None,
        });
    let is_of_brief = draft.is_open() && draft.files.iter().any(|kept| kept.album == file.album);
    let reply = Reply::Silent("album_part");
    match most.filter(|_| is_of_brief) {
        Some(most) if draft.files.len() < most => {
            draft.files.push(file.clone().cleaned());
            Turn {
                reply,
                ..moved(draft, None, context)
            }
        }
        Some(most) if draft.cut_album != file.album => {
            draft.cut_album.clone_from(&file.album);
            let fault = Remark::Fault(StepFault::TooManyFiles(most));
            moved(draft, Some(fault), context)
        }
        _ => Turn {
            draft: Some(draft),
            changed: false,
            reply,
        },
    }
}

fn on_press(mut draft: Draft, press: &DialogPress, context: &Context<'_>) -> Turn {
    if !press.belongs_to(&draft.token) {
        return moved(draft, Some(Remark::OldDraft), context);
    }
    match (&draft.phase, &press.action) {
        (Phase::Sent(id), Action::Confirm) => {
            let id = *id;
            moved(draft, Some(Remark::AlreadySent(id)), context)
        }
        (Phase::Sent(_) | Phase::Cancelled | Phase::Expired, Action::Anew) => {
            begin(Some(&draft), None, Remark::Welcome, None, context)
        }
        (Phase::Asking { .. } | Phase::Preview, Action::Cancel) => cancelled(draft, context),
        (Phase::Preview, Action::Edit(step)) => match context.dialog.step(step) {
            Some(step) => {
                draft.phase = draft.asking(step, true);
                moved(draft, None, context)
            }
            None => moved(draft, Some(Remark::OldButton), context),
        },
        (Phase::Preview, Action::Confirm) => confirmed(draft, context),
        (Phase::Asking { .. }, action) => on_asked(draft, action, context),
        _ => moved(draft, Some(Remark::OldButton), context),
    }
}

/// A button under the question that is asked.
fn on_asked(draft: Draft, action: &Action, context: &Context<'_>) -> Turn {
    if let Phase::Asking {
        step,
        returning,
        marked,
    } = &draft.phase
        && let Some(step) = context.dialog.step(step)
    {
        let (returning, marked) = (*returning, marked.clone());
        return on_step(draft, step, returning, &marked, action, context);
    }
    moved(draft, Some(Remark::OldButton), context)
}

fn confirmed(mut draft: Draft, context: &Context<'_>) -> Turn {
    // The settings may have got a step since.
    draft.phase = draft.onward(context.dialog);
    if draft.phase != Phase::Preview {
        return moved(draft, Some(Remark::StillNeeded), context);
    }
    let ids = RequestId::candidates("dialog", context.bot, &draft.token);
    let id = ids[context.candidate.min(ids.len() - 1)];
    draft.phase = Phase::Sent(id);
    moved(draft, Some(Remark::Sent(id)), context)
}

fn cancelled(mut draft: Draft, context: &Context<'_>) -> Turn {
    draft.phase = Phase::Cancelled;
    moved(draft, Some(Remark::Cancelled), context)
}

/// A new draft at its first question.
fn begin(
    former: Option<&Draft>,
    source: Option<Source>,
    remark: Remark,
    album: Option<String>,
    context: &Context<'_>,
) -> Turn {
    let mut draft = Draft {
        token: context.fresh.clone(),
        version: former.map_or(0, |former| former.version),
        language: context.language,
        source,
        began: context.now,
        changed: context.now,
        answers: std::collections::BTreeMap::new(),
        files: Vec::new(),
        told_album: album,
        cut_album: None,
        former: former.and_then(Draft::last_request),
        phase: Phase::Preview,
    };
    draft.phase = draft.onward(context.dialog);
    moved(draft, Some(remark), context)
}

/// A remark on something that may be the first part of an album, of which the others need none.
fn told(mut draft: Draft, album: Option<String>, remark: Remark, context: &Context<'_>) -> Turn {
    if album.is_none() {
        return unchanged(draft, remark);
    }
    draft.told_album = album;
    moved(draft, Some(remark), context)
}

pub(super) fn moved(mut draft: Draft, remark: Option<Remark>, context: &Context<'_>) -> Turn {
    draft.version += 1;
    draft.changed = context.now;
    draft.language = context.language;
    Turn {
        draft: Some(draft),
        changed: true,
        reply: Reply::Say(remark),
    }
}

fn unchanged(draft: Draft, remark: Remark) -> Turn {
    Turn {
        draft: Some(draft),
        changed: false,
        reply: Reply::Say(Some(remark)),
    }
}

fn nothing(remark: Option<Remark>) -> Turn {
    Turn {
        draft: None,
        changed: false,
        reply: Reply::Say(remark),
    }
}

fn source_of(event: &Event) -> Option<Source> {
    match event {
        Event::Command(Command::Start(source)) => source.clone(),
        _ => None,
    }
}

fn album_of(event: &Event) -> Option<String> {
    match event {
        Event::File(file) => file.album.clone(),
        _ => None,
    }
}
