//! What is done at one step: what answers it, and what its buttons do.

use crate::{Country, Name};

use super::answer::contact;
use super::turn::moved;
use super::{
    Action, BriefFile, Context, Draft, Event, Given, Phase, Range, Remark, Step, StepFault,
    StepKind, Turn,
};

/// What something that was sent is to a step.
pub(super) enum Answered {
    Given(Given),
    File(BriefFile),
    Mark(Name),
}

/// What `event` answers to a step.
pub(super) fn answer(
    draft: &Draft,
    step: &Step,
    event: &Event,
    country: Country,
) -> Result<Answered, StepFault> {
    match (&step.kind, event) {
        (StepKind::Brief { most }, Event::File(_)) if draft.files.len() >= *most => {
            Err(StepFault::TooManyFiles(*most))
        }
        (StepKind::Brief { .. }, Event::File(file)) => Ok(Answered::File(file.clone().cleaned())),
        (_, Event::File(_)) => Err(StepFault::NoFileHere),
        (StepKind::Contact, Event::Contact { phone, own }) => {
            contact(phone, *own, country).map(Answered::Given)
        }
        (StepKind::Choices { .. }, Event::Text(text)) => match step.read(text, country)? {
            Given::Chosen(names) => names
                .into_iter()
                .next()
                .map(Answered::Mark)
                .ok_or(StepFault::NotAChoice),
            given => Ok(Answered::Given(given)),
        },
        (_, Event::Text(text)) => step.read(text, country).map(Answered::Given),
        (StepKind::Text { .. } | StepKind::Contact, _) => Err(StepFault::NotText),
        (StepKind::Brief { .. }, _) => Err(StepFault::NotAFile),
        (StepKind::Choice(_) | StepKind::Choices { .. } | StepKind::Budget { .. }, _) => {
            Err(StepFault::NotAChoice)
        }
    }
}

/// A button under a question.
pub(super) fn on_step(
    mut draft: Draft,
    step: &Step,
    returning: bool,
    marked: &[Name],
    action: &Action,
    context: &Context<'_>,
) -> Turn {
    let old = |draft| moved(draft, Some(Remark::OldButton), context);
    match action {
        Action::Choose { step: of, option } if *of == step.name => match &step.kind {
            StepKind::Choice(options) if options.iter().any(|known| known.name == *option) => {
                given_to(draft, step, Given::Chosen(vec![option.clone()]), context)
            }
            StepKind::Choices { .. } => mark(draft, step, marked, option, context),
            _ => old(draft),
        },
        Action::Range { step: of, range } if *of == step.name => match &step.kind {
            StepKind::Budget { bounds, .. } if is_range_of(bounds, *range) => {
                given_to(draft, step, Given::Range(*range), context)
            }
            _ => old(draft),
        },
        Action::Next(of) if *of == step.name => match &step.kind {
            StepKind::Choices { .. } if marked.is_empty() => {
                moved(draft, Some(Remark::Fault(StepFault::NoneChosen)), context)
            }
            StepKind::Choices { .. } => {
                given_to(draft, step, Given::Chosen(marked.to_vec()), context)
            }
            StepKind::Brief { .. } if !draft.files.is_empty() => {
                given_to(draft, step, Given::Files, context)
            }
            StepKind::Brief { .. } => {
                moved(draft, Some(Remark::Fault(StepFault::NoFiles)), context)
            }
            // What was answered before is kept.
            _ if draft.answers.contains_key(&step.name) => {
                draft.phase = draft.onward(context.dialog);
                moved(draft, None, context)
            }
            _ => old(draft),
        },
        Action::Skip(of) if *of == step.name && step.required => {
            moved(draft, Some(Remark::Fault(StepFault::Required)), context)
        }
        Action::Skip(of) if *of == step.name => {
            if matches!(step.kind, StepKind::Brief { .. }) {
                draft.files.clear();
            }
            given_to(draft, step, Given::Skipped, context)
        }
        Action::Back(of) if *of == step.name => {
            match context.dialog.before(&step.name) {
                _ if returning => draft.phase = draft.onward(context.dialog),
                Some(before) => draft.phase = draft.asking(before, false),
                None => {}
            }
            moved(draft, None, context)
        }
        Action::Clear(of) if *of == step.name && matches!(step.kind, StepKind::Brief { .. }) => {
            draft.files.clear();
            draft.answers.remove(&step.name);
            moved(draft, Some(Remark::FilesCleared), context)
        }
        _ => old(draft),
    }
}

/// Marks an option among several, or takes its mark off.
pub(super) fn mark(
    mut draft: Draft,
    step: &Step,
    marked: &[Name],
    option: &Name,
    context: &Context<'_>,
) -> Turn {
    let StepKind::Choices { options, most } = &step.kind else {
        return moved(draft, Some(Remark::OldButton), context);
    };
    if !options.iter().any(|known| known.name == *option) {
        return moved(draft, Some(Remark::OldButton), context);
    }
    let is_marked = |name: &Name| marked.contains(name) != (name == option);
    let now_marked: Vec<_> = options
        .iter()
        .map(|known| &known.name)
        .filter(|name| is_marked(name))
        .cloned()
        .collect();
    if now_marked.len() > *most {
        let fault = Remark::Fault(StepFault::TooManyChosen(*most));
        return moved(draft, Some(fault), context);
    }
    if let Phase::Asking { marked, .. } = &mut draft.phase {
        *marked = now_marked;
    }
    moved(draft, None, context)
}

/// Keeps an answer and goes on.
pub(super) fn given_to(mut draft: Draft, step: &Step, given: Given, context: &Context<'_>) -> Turn {
    draft.answers.insert(step.name.clone(), given);
    draft.phase = draft.onward(context.dialog);
    moved(draft, None, context)
}

fn is_range_of(bounds: &[u64], range: Range) -> bool {
    StepKind::ranges(bounds).any(|known| known == range)
}
