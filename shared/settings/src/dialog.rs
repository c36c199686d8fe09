//! The bot's dialog, from the file's shape to steps that hold together.

use frontdesk_domain::dialog::{
    Choice, Dialog, GREATEST_AMOUNT, LONGEST_NAME, MOST_FILES, Step, StepKind,
};
use frontdesk_domain::text::{clean, is_blank, telegram_len};
use frontdesk_domain::{Language, Localized, Name};
use jiff::SignedDuration;
use toml::Spanned;

use crate::check::{NOT_SHORT, at, localized, missing, name, places_of, short, texts, unique};
use crate::file::{self, StepKindName, Texts};
use crate::{BotDialog, Mistake, Place};

/// More would not fit on a preview with their labels.
const MOST_STEPS: usize = 15;
/// More buttons than this nobody looks through.
const MOST_OPTIONS: usize = 20;
/// Telegram's limit of a text is 4096.
const LONGEST_ANSWER: usize = 4000;
/// What a draft waits for its customer where the settings do not say.
const KEEP_DAYS: u16 = 30;
const MOST_KEEP_DAYS: u16 = 365;
/// A question and a greeting stand in one message, together with a remark.
const LONGEST_TEXT: usize = 1000;

pub(crate) fn dialog(
    dialog: &file::Dialog,
    languages: &[Language],
    places: &[Place],
) -> Result<BotDialog, Mistake> {
    let steps = dialog
        .step
        .iter()
        .map(|step| self::step(step, languages))
        .collect::<Result<Vec<_>, _>>()?;
    if steps.is_empty() {
        return Err(missing("a dialog needs a [[dialog.step]]"));
    }
    if let Some(beyond) = dialog.step.get(MOST_STEPS) {
        let message = format!("a dialog has {MOST_STEPS} steps at the most");
        return Err(at(&beyond.name, message));
    }
    unique(
        dialog.step.iter().map(|step| &step.name),
        "two steps have this name",
    )?;
    for (kind, why) in [
        (
            StepKindName::Contact,
            "a dialog has one contact step: it says who the customer is",
        ),
        (
            StepKindName::Brief,
            "a dialog has one brief step: files that come late belong to it",
        ),
    ] {
        let mut of_kind = dialog.step.iter().filter(|step| step.kind == kind);
        if let Some(second) = of_kind.nth(1) {
            return Err(at(&second.name, why));
        }
    }
    let days = match &dialog.keep_days {
        Some(days) if !(1..=MOST_KEEP_DAYS).contains(days.get_ref()) => {
            let message = format!("a count of days from 1 to {MOST_KEEP_DAYS} is needed");
            return Err(at(days, message));
        }
        Some(days) => *days.get_ref(),
        None => KEEP_DAYS,
    };
    Ok(BotDialog {
        dialog: Dialog {
            title: texts(&dialog.title, languages)?,
            greeting: long_texts(&dialog.greeting, languages)?,
            steps,
            keep: SignedDuration::from_hours(24 * i64::from(days)),
        },
        places: places_of(dialog.places.as_ref(), &dialog.title, places)?,
    })
}

fn step(step: &file::Step, languages: &[Language]) -> Result<Step, Mistake> {
    let name = short_name(&step.name)?;
    unsuited(step)?;
    let kind = match step.kind {
        StepKindName::Choice => StepKind::Choice(options(step, languages)?),
        StepKindName::Choices => {
            let options = options(step, languages)?;
            let most = count(step, options.len(), 1..=options.len())?;
            StepKind::Choices { options, most }
        }
        StepKindName::Text => {
            let least = step.min.unwrap_or(1).max(1);
            if least > LONGEST_ANSWER {
                let message = format!("a text has {LONGEST_ANSWER} characters at the most");
                return Err(at(&step.name, message));
            }
            let most = count(step, LONGEST_ANSWER, least..=LONGEST_ANSWER)?;
            StepKind::Text {
                length: (least, most),
            }
        }
        StepKindName::Brief => StepKind::Brief {
            most: count(step, MOST_FILES, 1..=MOST_FILES)?,
        },
        StepKindName::Budget => budget(step)?,
        StepKindName::Contact => StepKind::Contact,
    };
    Ok(Step {
        name,
        label: texts(&step.label, languages)?,
        question: long_texts(&step.question, languages)?,
        required: step.required,
        kind,
    })
}

/// A line that means nothing for its step's kind is a mistake, not a wish that is passed over.
fn unsuited(step: &file::Step) -> Result<(), Mistake> {
    use StepKindName::{Brief, Budget, Choice, Choices, Text};
    let kind = step.kind;
    let lines = [
        (
            "max",
            step.max.is_some(),
            matches!(kind, Choices | Text | Brief),
        ),
        ("min", step.min.is_some(), matches!(kind, Text)),
        (
            "option",
            !step.option.is_empty(),
            matches!(kind, Choice | Choices),
        ),
        ("currency", step.currency.is_some(), matches!(kind, Budget)),
        ("bounds", step.bounds.is_some(), matches!(kind, Budget)),
    ];
    match lines.iter().find(|(_, given, suits)| *given && !suits) {
        Some((line, ..)) => Err(at(
            &step.name,
            format!("a step of this kind has no \"{line}\""),
        )),
        None => Ok(()),
    }
}

fn options(step: &file::Step, languages: &[Language]) -> Result<Vec<Choice>, Mistake> {
    let option = |option: &file::ChoiceOption| {
        Ok(Choice {
            name: short_name(&option.name)?,
            label: texts(&option.label, languages)?,
        })
    };
    let options = step
        .option
        .iter()
        .map(option)
        .collect::<Result<Vec<_>, _>>()?;
    if !(2..=MOST_OPTIONS).contains(&options.len()) {
        let message = format!("a choice has from 2 to {MOST_OPTIONS} [[dialog.step.option]]");
        return Err(at(&step.name, message));
    }
    unique(
        step.option.iter().map(|option| &option.name),
        "two options of this step have this name",
    )?;
    Ok(options)
}

fn budget(step: &file::Step) -> Result<StepKind, Mistake> {
    let needed = || at(&step.name, "a budget needs its currency and bounds");
    let currency = step.currency.as_ref().ok_or_else(needed)?;
    let bounds = step.bounds.as_ref().ok_or_else(needed)?;
    let rising = bounds.get_ref().is_sorted_by(|one, next| one < next);
    let within = (1..MOST_OPTIONS).contains(&bounds.get_ref().len())
        && bounds
            .get_ref()
            .iter()
            .all(|bound| (1..=GREATEST_AMOUNT).contains(bound));
    if !rising || !within {
        let message =
            format!("the amounts between ranges are needed, rising, from 1 to {GREATEST_AMOUNT}");
        return Err(at(bounds, message));
    }
    let currency = short(currency.get_ref()).ok_or_else(|| at(currency, NOT_SHORT))?;
    Ok(StepKind::Budget {
        currency,
        bounds: bounds.get_ref().clone(),
    })
}

fn count(
    step: &file::Step,
    otherwise: usize,
    allowed: std::ops::RangeInclusive<usize>,
) -> Result<usize, Mistake> {
    match &step.max {
        Some(max) if !allowed.contains(max.get_ref()) => {
            let (least, most) = (allowed.start(), allowed.end());
            Err(at(max, format!("a count from {least} to {most} is needed")))
        }
        Some(max) => Ok(*max.get_ref()),
        None => Ok(otherwise),
    }
}

/// Steps and options stand in their buttons' data, which has room for 64 bytes.
fn short_name(given: &Spanned<String>) -> Result<Name, Mistake> {
    let name = name(given)?;
    if name.as_str().len() > LONGEST_NAME {
        let message = format!("a name in the dialog has {LONGEST_NAME} characters at the most");
        return Err(at(given, message));
    }
    Ok(name)
}

fn long_texts(given: &Texts, languages: &[Language]) -> Result<Localized, Mistake> {
    let message = format!("a text of 1 to {LONGEST_TEXT} characters is needed");
    let read = |text: &str| {
        let cleaned = clean(text);
        (!is_blank(&cleaned) && telegram_len(&cleaned) <= LONGEST_TEXT).then_some(cleaned)
    };
    localized(given, languages, read, &message)
}
