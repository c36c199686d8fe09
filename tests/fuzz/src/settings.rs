use std::collections::BTreeMap;

use frontdesk_domain::dialog::{
    Action, Choice, DialogPress, LONGEST_NAME, MOST_FILES, Range, StepKind,
};
use frontdesk_domain::text::{is_blank, telegram_len};
use frontdesk_domain::{Attention, Command, DraftToken, FieldKind, Language};
use frontdesk_settings::{BotDialog, Settings, SiteForm};
use frontdesk_texts::{FormView, form_page};

use crate::sample::now;
use crate::{page, texts};

/// A settings file: what is accepted can be worked with, and what is not is told with its line.
pub fn settings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match Settings::parse(text, "desk.toml") {
        Ok(settings) => usable(&settings),
        Err(error) => {
            assert_eq!(error.file, "desk.toml");
            assert!(!error.message.is_empty());
            match error.line {
                Some(line) => assert!((1..=text.lines().count() + 1).contains(&line), "{error}"),
                // Only of what is not there at all.
                None => assert!(error.message.contains("needed"), "{error}"),
            }
        }
    }
}

fn usable(settings: &Settings) {
    label(&settings.name);
    assert!(!settings.languages.is_empty());
    unique(&settings.languages);
    assert!((1..=500).contains(&settings.places.len()) && !settings.staff.is_empty());
    unique(settings.places.iter().map(|place| &place.name));
    unique(settings.places.iter().map(|place| place.chat_id));
    unique(settings.staff.iter().map(|member| member.id));
    unique(settings.forms.iter().map(|site| &site.form.name));
    for place in &settings.places {
        assert!(place.chat_id != 0);
        label(&place.title);
    }
    for member in &settings.staff {
        assert!(member.id > 0);
        label(&member.name);
    }
    for site in &settings.forms {
        form(settings, site);
    }
    assert!(settings.place(&settings.notices.place).is_some());
    let Attention {
        call_out_after,
        return_after,
    } = settings.attention;
    for after in [call_out_after, return_after].into_iter().flatten() {
        assert!(after.is_positive() && now().checked_add(after).is_ok());
    }
    for name in &settings.administrators_only {
        assert!(Command::NAMES.contains(name));
    }
    if let Some(dialog) = &settings.dialog {
        self::dialog(settings, dialog);
    }
}

fn form(settings: &Settings, site: &SiteForm) {
    let form = &site.form;
    assert!((1..=10).contains(&site.places.len()));
    assert!(
        site.places
            .iter()
            .all(|place| settings.place(place).is_some())
    );
    unique(form.fields.iter().map(|field| &field.name));
    assert!(
        (1..=20).contains(&form.fields.len()),
        "{} fields",
        form.fields.len()
    );
    let phones = form
        .fields
        .iter()
        .filter(|field| field.kind == FieldKind::Phone);
    assert!(phones.count() <= 1);
    for field in &form.fields {
        let (least, most) = field.length;
        assert!(
            least <= most && (1..=10_000).contains(&most),
            "{least} to {most}"
        );
        assert_ne!(field.name.as_str(), "draft_token");
        for language in Language::ALL {
            label(field.label.get(language));
        }
    }
    for origin in &site.allowed_origins {
        assert!(origin.starts_with("http"), "{origin}");
        assert!(
            origin.chars().all(|c| c.is_ascii_graphic()),
            "{origin:?} is in no header"
        );
    }
    let token = DraftToken::from_random([7; 16]);
    for language in &settings.languages {
        page::check(&form_page(&FormView {
            business: &settings.name,
            form,
            language: *language,
            token: &token,
            typed: &BTreeMap::new(),
            faults: &BTreeMap::new(),
            notice: None,
        }));
    }
}

/// Every question can be shown, with buttons whose data read back.
fn dialog(settings: &Settings, bot: &BotDialog) {
    let dialog = &bot.dialog;
    assert!((1..=10).contains(&bot.places.len()));
    assert!(
        bot.places
            .iter()
            .all(|place| settings.place(place).is_some())
    );
    assert!((1..=15).contains(&dialog.steps.len()));
    unique(dialog.steps.iter().map(|step| &step.name));
    assert!(dialog.keep.is_positive() && now().checked_add(dialog.keep).is_ok());
    for language in Language::ALL {
        label(dialog.title.get(language));
        long(dialog.greeting.get(language));
    }
    let token = DraftToken::from_random([7; 16]);
    for step in &dialog.steps {
        for language in Language::ALL {
            label(step.label.get(language));
            long(step.question.get(language));
        }
        match &step.kind {
            StepKind::Choice(options) => choices(options),
            StepKind::Choices { options, most } => {
                choices(options);
                assert!((1..=options.len()).contains(most));
            }
            StepKind::Text {
                length: (least, most),
            } => assert!(least <= most && (1..=4000).contains(most)),
            StepKind::Brief { most } => assert!((1..=MOST_FILES).contains(most)),
            StepKind::Budget { currency, bounds } => {
                label(currency);
                for range in StepKind::ranges(bounds) {
                    assert_eq!(Range::parse(&range.code()), Some(range));
                }
            }
            StepKind::Contact => {}
        }
        for action in [
            Action::Back(step.name.clone()),
            Action::Edit(step.name.clone()),
        ] {
            let press = DialogPress::new(&token, action);
            assert_eq!(DialogPress::parse(&press.data()), Some(press));
        }
    }
}

fn choices(options: &[Choice]) {
    assert!((2..=20).contains(&options.len()));
    unique(options.iter().map(|option| &option.name));
    for option in options {
        assert!(option.name.as_str().len() <= LONGEST_NAME);
        for language in Language::ALL {
            label(option.label.get(language));
        }
    }
}

fn long(text: &str) {
    assert!((1..=1000).contains(&telegram_len(text)), "{text:?}");
    assert!(!text.contains(texts::is_harmful), "{text:?}");
    assert!(!is_blank(text), "nothing to see: {text:?}");
}

/// A text of the business's own, as cards and pages have room for it.
fn label(text: &str) {
    assert!((1..=64).contains(&telegram_len(text)), "{text:?}");
    assert!(
        !text.contains(texts::is_harmful) && !text.contains('\n'),
        "{text:?}"
    );
    assert!(!is_blank(text), "nothing to see: {text:?}");
}

fn unique<T: PartialEq>(values: impl IntoIterator<Item = T>) {
    let mut seen = Vec::new();
    for value in values {
        assert!(!seen.contains(&value));
        seen.push(value);
    }
}
