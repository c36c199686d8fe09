//! Where a request came from: what its answers are called, and how they read in the staff's language.

use frontdesk_domain::dialog::{Dialog, Given};
use frontdesk_domain::{Answer, Form, Language, Name, Picked, Request};
use frontdesk_settings::Settings;

use crate::dialog::answer_text;
use crate::words;

/// The form or dialog of a request, as the settings now have it.
#[derive(Clone, Copy)]
pub(crate) enum Origin<'a> {
    Form(&'a Form),
    Dialog(&'a Dialog),
    /// The settings no longer have it.
    Gone,
}

impl<'a> Origin<'a> {
    pub(crate) fn of(settings: &'a Settings, request: &Request) -> Self {
        if request.dialog.is_some() {
            let dialog = settings.dialog.as_ref();
            return dialog.map_or(Self::Gone, |dialog| Self::Dialog(&dialog.dialog));
        }
        let site = settings.form(request.source.as_str());
        site.map_or(Self::Gone, |site| Self::Form(&site.form))
    }

    pub(crate) fn title(self, language: Language) -> Option<&'a str> {
        match self {
            Self::Form(form) => Some(form.title.get(language)),
            Self::Dialog(dialog) => Some(dialog.title.get(language)),
            Self::Gone => None,
        }
    }

    pub(crate) fn label(self, name: &Name, language: Language) -> Option<&'a str> {
        match self {
            Self::Form(form) => {
                let field = form.fields.iter().find(|field| field.name == *name)?;
                Some(field.label.get(language))
            }
            Self::Dialog(dialog) => Some(dialog.step(name)?.label.get(language)),
            Self::Gone => None,
        }
    }

    /// Answers in the order of the questions, then those whose question is gone.
    pub(crate) fn in_order(self, answers: &[Answer]) -> Vec<&Answer> {
        let place = |answer: &&Answer| {
            let at = match self {
                Self::Form(form) => {
                    let mut names = form.fields.iter().map(|field| &field.name);
                    names.position(|name| *name == answer.field)
                }
                Self::Dialog(dialog) => {
                    let mut names = dialog.steps.iter().map(|step| &step.name);
                    names.position(|name| *name == answer.field)
                }
                Self::Gone => None,
            };
            at.unwrap_or(usize::MAX)
        };
        let mut answers: Vec<_> = answers.iter().collect();
        answers.sort_by_key(place);
        answers
    }

    /// An answer as the staff read it: what was picked in their language, what was typed as it was, and
    /// a phone as it can be dialled.
    pub(crate) fn value(self, answer: &Answer, language: Language) -> String {
        let given = match &answer.picked {
            Some(Picked::Options(names)) => Some(Given::Chosen(names.clone())),
            Some(Picked::Range(range)) => Some(Given::Range(*range)),
            Some(Picked::OwnNumber) | None => None,
        };
        if let (Self::Dialog(dialog), Some(given)) = (self, given)
            && let Some(step) = dialog.step(&answer.field)
        {
            return answer_text(step, &given, language).unwrap_or_default();
        }
        match (&answer.e164, &answer.picked) {
            (Some(e164), Some(Picked::OwnNumber)) => {
                format!("{e164} ({})", words::shared_number(language))
            }
            (Some(e164), _) if *e164 != answer.text => {
                format!("{e164} ({}: {})", words::card(language).typed, answer.text)
            }
            (Some(e164), _) => e164.clone(),
            (None, _) => answer.text.clone(),
        }
    }
}
