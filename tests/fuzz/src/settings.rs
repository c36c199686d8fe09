use std::collections::BTreeMap;

use frontdesk_domain::text::telegram_len;
use frontdesk_domain::{DraftToken, FieldKind, Language};
use frontdesk_settings::{Settings, SiteForm};
use frontdesk_texts::{FormView, form_page};

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

/// A text of the business's own, as cards and pages have room for it.
fn label(text: &str) {
    assert!((1..=64).contains(&telegram_len(text)), "{text:?}");
    assert!(
        !text.contains(texts::is_harmful) && !text.contains('\n'),
        "{text:?}"
    );
    assert!(
        !frontdesk_domain::text::is_blank(text),
        "nothing to see: {text:?}"
    );
}

fn unique<T: PartialEq>(values: impl IntoIterator<Item = T>) {
    let mut seen = Vec::new();
    for value in values {
        assert!(!seen.contains(&value));
        seen.push(value);
    }
}
