use frontdesk_domain::Language;
use frontdesk_domain::dialog::{Action, Dialog, DialogPress, Draft, Given, Phase, Step, StepKind};
use frontdesk_domain::text::{cut, telegram_len};

use super::{Keyboard, Screen, answer_text, range_text, with_number};
use crate::languages::{text, text_with};
use crate::marked::Marked;

/// What stands before an option that is marked, and before one that is not.
const MARKED: &str = "☑ ";
const UNMARKED: &str = "☐ ";
/// Of an answer that is kept, what fits beside its question.
const LONGEST_ANSWER_SHOWN: usize = 300;

type Rows = Vec<Vec<(String, String)>>;

/// A screen: `said` first, then what the draft's phase asks or shows.
pub(super) fn render(
    dialog: &Dialog,
    draft: Option<&Draft>,
    said: Option<&str>,
    language: Language,
) -> Screen {
    let mut page = Marked::default();
    if let Some(said) = said {
        page.plain(said);
    }
    let Some(draft) = draft else {
        return Screen {
            html: page.html,
            keyboard: Keyboard::Inline(Vec::new()),
        };
    };
    if said.is_some() {
        page.plain("\n\n");
    }
    let keyboard = match (&draft.phase, draft.asked(dialog)) {
        (Phase::Asking { marked, .. }, Some(step)) => {
            ask(&mut page, dialog, draft, step, language);
            keyboard_of(dialog, draft, step, marked, language)
        }
        (Phase::Asking { .. } | Phase::Preview, _) => {
            preview(&mut page, dialog, draft, language);
            Keyboard::Inline(preview_rows(dialog, draft, language))
        }
        (Phase::Sent(id), _) => {
            page.plain(&with_number(language, "dialog-view-sent", *id));
            anew(draft, language)
        }
        (Phase::Cancelled, _) => {
            page.plain(text(language, "dialog-view-closed"));
            anew(draft, language)
        }
        (Phase::Expired, _) => {
            if said.is_none() {
                page.plain(text(language, "dialog-expired")).plain("\n\n");
            }
            page.plain(text(language, "dialog-view-closed"));
            anew(draft, language)
        }
    };
    Screen {
        html: page.html,
        keyboard,
    }
}

fn ask(page: &mut Marked, dialog: &Dialog, draft: &Draft, step: &Step, language: Language) {
    let at = dialog.steps.iter().position(|other| other == step);
    let numbers = [
        ("at", (at.unwrap_or_default() + 1).into()),
        ("count", dialog.steps.len().into()),
    ];
    page.marked("b", step.label.get(language))
        .plain(" · ")
        .plain(&text_with(language, "dialog-step", numbers))
        .plain("\n")
        .plain(step.question.get(language));
    if !step.required {
        page.plain("\n")
            .marked("i", text(language, "dialog-optional"));
    }
    let shows_marks = matches!(step.kind, StepKind::Choices { .. });
    if let Some(given) = draft.answers.get(&step.name)
        && let Some(answer) = answer_text(step, given, language)
        && !shows_marks
    {
        let answer = cut(&answer, LONGEST_ANSWER_SHOWN);
        let values = [("answer", answer.into())];
        page.plain("\n\n")
            .plain(&text_with(language, "dialog-answered", values));
    }
    if matches!(step.kind, StepKind::Brief { .. }) && !draft.files.is_empty() {
        page.plain("\n\n").plain(&files(draft, language));
    }
}

fn keyboard_of(
    dialog: &Dialog,
    draft: &Draft,
    step: &Step,
    marked: &[frontdesk_domain::Name],
    language: Language,
) -> Keyboard {
    let button = |label: String, action| (label, DialogPress::new(&draft.token, action).data());
    let words = |id| text(language, id).to_owned();
    let name = || step.name.clone();
    let is_first = dialog.steps.first() == Some(step);
    let answered = draft.answers.contains_key(&step.name);
    let returning = matches!(
        draft.phase,
        Phase::Asking {
            returning: true,
            ..
        }
    );
    if step.kind == StepKind::Contact {
        let mut typed = Vec::new();
        if !is_first || returning {
            typed.push(words("dialog-button-back"));
        }
        if !step.required {
            typed.push(words("dialog-button-skip"));
        }
        return Keyboard::Share {
            share: words("dialog-button-share"),
            typed,
        };
    }
    let mut rows: Rows = match &step.kind {
        StepKind::Choice(options) | StepKind::Choices { options, .. } => options
            .iter()
            .map(|option| {
                let mark = match &step.kind {
                    StepKind::Choices { .. } if marked.contains(&option.name) => MARKED,
                    StepKind::Choices { .. } => UNMARKED,
                    _ => "",
                };
                let label = format!("{mark}{}", option.label.get(language));
                let action = Action::Choose {
                    step: name(),
                    option: option.name.clone(),
                };
                vec![button(label, action)]
            })
            .collect(),
        StepKind::Budget { currency, bounds } => StepKind::ranges(bounds)
            .map(|range| {
                let label = range_text(language, range, currency);
                let action = Action::Range {
                    step: name(),
                    range,
                };
                vec![button(label, action)]
            })
            .collect(),
        StepKind::Text { .. } | StepKind::Brief { .. } | StepKind::Contact => Vec::new(),
    };
    let goes_on = match &step.kind {
        StepKind::Choices { .. } => (!marked.is_empty()).then_some("dialog-button-next"),
        StepKind::Brief { .. } => (!draft.files.is_empty()).then_some("dialog-button-next"),
        _ => answered.then_some("dialog-button-keep"),
    };
    if let Some(label) = goes_on {
        rows.push(vec![button(words(label), Action::Next(name()))]);
    }
    if matches!(step.kind, StepKind::Brief { .. }) && !draft.files.is_empty() {
        let clear = button(words("dialog-button-clear"), Action::Clear(name()));
        rows.push(vec![clear]);
    } else if !step.required {
        rows.push(vec![button(
            words("dialog-button-skip"),
            Action::Skip(name()),
        )]);
    }
    let mut last = Vec::new();
    if !is_first || returning {
        last.push(button(words("dialog-button-back"), Action::Back(name())));
    }
    last.push(button(words("dialog-button-cancel"), Action::Cancel));
    rows.push(last);
    Keyboard::Inline(rows)
}

fn preview(page: &mut Marked, dialog: &Dialog, draft: &Draft, language: Language) {
    page.marked("b", text(language, "dialog-preview-title"))
        .plain("\n\n");
    let hint = text(language, "dialog-preview-hint");
    let fields: Vec<(&str, String)> = dialog
        .steps
        .iter()
        .map(|step| (step.label.get(language), value(step, draft, language)))
        .collect();
    page.fields(&fields, "…", telegram_len(hint) + 1);
    page.plain("\n").plain(hint);
}

/// A step's line on the preview.
fn value(step: &Step, draft: &Draft, language: Language) -> String {
    match draft.answers.get(&step.name) {
        Some(Given::Files) => files(draft, language),
        Some(Given::Contact {
            e164, own: true, ..
        }) => format!("{e164} ({})", text(language, "dialog-shared-number")),
        Some(given) => answer_text(step, given, language).unwrap_or_else(|| "—".to_owned()),
        None => "—".to_owned(),
    }
}

fn files(draft: &Draft, language: Language) -> String {
    text_with(
        language,
        "dialog-files",
        [("count", draft.files.len().into())],
    )
}

fn preview_rows(dialog: &Dialog, draft: &Draft, language: Language) -> Rows {
    let button = |label: String, action| (label, DialogPress::new(&draft.token, action).data());
    let words = |id| text(language, id).to_owned();
    let mut rows = vec![vec![button(
        words("dialog-button-confirm"),
        Action::Confirm,
    )]];
    let edits: Vec<_> = dialog
        .steps
        .iter()
        .map(|step| {
            let values = [("label", step.label.get(language).into())];
            let label = text_with(language, "dialog-button-edit", values);
            button(label, Action::Edit(step.name.clone()))
        })
        .collect();
    rows.extend(edits.chunks(2).map(<[_]>::to_vec));
    rows.push(vec![button(words("dialog-button-cancel"), Action::Cancel)]);
    rows
}

fn anew(draft: &Draft, language: Language) -> Keyboard {
    let label = text(language, "dialog-button-anew").to_owned();
    let data = DialogPress::new(&draft.token, Action::Anew).data();
    Keyboard::Inline(vec![vec![(label, data)]])
}
