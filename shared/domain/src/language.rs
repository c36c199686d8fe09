//! Languages, and texts that exist in several.

use std::collections::BTreeMap;

/// A language that the desk's own texts exist in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// English.
    En,
    /// Russian.
    Ru,
    /// Japanese.
    Ja,
}

impl Language {
    /// Every language, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::En, Self::Ru, Self::Ja];

    /// Reads an ISO 639-1 code, or a tag that begins with one (`ru-RU`), in either case.
    pub fn parse(tag: &str) -> Option<Self> {
        let code = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// The ISO 639-1 code.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ru => "ru",
            Self::Ja => "ja",
        }
    }
}

/// A text of the business's own, in each of the desk's languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Localized {
    texts: BTreeMap<Language, String>,
    otherwise: String,
}

impl Localized {
    /// A text that reads the same in every language.
    pub fn same(text: &str) -> Self {
        Self {
            texts: BTreeMap::new(),
            otherwise: text.to_owned(),
        }
    }

    /// A text by language; `None` without any.
    pub fn new(texts: BTreeMap<Language, String>) -> Option<Self> {
        let otherwise = texts.values().next()?.clone();
        Some(Self { texts, otherwise })
    }

    /// The text in `language`, or in the first language that there is.
    pub fn get(&self, language: Language) -> &str {
        self.texts.get(&language).unwrap_or(&self.otherwise)
    }
}
