//! The desk's own words in each language, in Fluent. Only the languages that are used are parsed.

use std::borrow::Cow;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use frontdesk_domain::Language;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: [OnceLock<Bundle>; Language::ALL.len()] =
    [const { OnceLock::new() }; Language::ALL.len()];

/// The messages of a language as they are written.
pub(crate) fn source(language: Language) -> &'static str {
    match language {
        Language::En => include_str!("languages/en.ftl"),
        Language::Ru => include_str!("languages/ru.ftl"),
        Language::Ja => include_str!("languages/ja.ftl"),
    }
}

fn bundle(language: Language) -> &'static Bundle {
    BUNDLES[language as usize].get_or_init(|| {
        // A test holds that each file is without mistakes; of one with mistakes, the rest would be used.
        let resource = FluentResource::try_new(source(language).to_owned())
            .unwrap_or_else(|(readable, _)| readable);
        let locale = language.code().parse().unwrap_or_default();
        let mut bundle = Bundle::new_concurrent(vec![locale]);
        // The marks that keep directions apart would stand in cards; no language here needs them.
        bundle.set_use_isolating(false);
        bundle.add_resource_overriding(resource);
        bundle
    })
}

/// A message that takes nothing in and stands on one line; its id where there is none.
pub(crate) fn text(language: Language, id: &'static str) -> &'static str {
    match written(language, id, None) {
        Cow::Borrowed(text) => text,
        Cow::Owned(_) => id,
    }
}

/// A message with what it takes in.
pub(crate) fn text_with<const N: usize>(
    language: Language,
    id: &'static str,
    values: [(&'static str, FluentValue<'_>); N],
) -> String {
    let values: FluentArgs<'_> = values.into_iter().collect();
    written(language, id, Some(&values)).into_owned()
}

fn written(
    language: Language,
    id: &'static str,
    values: Option<&FluentArgs<'_>>,
) -> Cow<'static, str> {
    let bundle = bundle(language);
    let Some(pattern) = bundle.get_message(id).and_then(|message| message.value()) else {
        return Cow::Borrowed(id);
    };
    // What cannot be put in shows as its name; the tests put in everything that the messages name.
    bundle.format_pattern(pattern, values, &mut Vec::new())
}

/// A moment in `zone`, as the language's readers write it.
pub(crate) fn date_and_time(language: Language, at: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned(zone.clone());
    let day = date(language, at.date());
    let time = at.strftime("%H:%M");
    match language {
        Language::En | Language::Ru => format!("{day}, {time}"),
        Language::Ja => format!("{day} {time}"),
    }
}

/// A day, as the language's readers write it.
pub(crate) fn date(language: Language, day: Date) -> String {
    let format = match language {
        Language::En => "%-d %b %Y",
        Language::Ru => "%d.%m.%Y",
        Language::Ja => "%Y年%-m月%-d日",
    };
    day.strftime(format).to_string()
}

#[cfg(test)]
mod tests;
