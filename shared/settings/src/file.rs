//! The file as it is written; nothing here is checked but the shape.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) desk: Desk,
    pub(crate) bot: Bot,
    #[serde(default)]
    pub(crate) notices: Notices,
    #[serde(default)]
    pub(crate) attention: Attention,
    #[serde(default)]
    pub(crate) place: Vec<Place>,
    #[serde(default)]
    pub(crate) staff: Vec<Member>,
    #[serde(default)]
    pub(crate) form: Vec<Form>,
    pub(crate) dialog: Option<Dialog>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Desk {
    pub(crate) name: Spanned<String>,
    pub(crate) zone: Spanned<String>,
    pub(crate) languages: Spanned<Vec<Spanned<String>>>,
    pub(crate) staff_language: Spanned<String>,
    pub(crate) country: Spanned<String>,
    #[serde(default)]
    pub(crate) administrators_only: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bot {
    pub(crate) name: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Place {
    pub(crate) name: Spanned<String>,
    pub(crate) chat_id: Spanned<i64>,
    pub(crate) title: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Member {
    pub(crate) id: Spanned<i64>,
    pub(crate) name: Spanned<String>,
    #[serde(default)]
    pub(crate) administrator: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Notices {
    pub(crate) place: Option<Spanned<String>>,
    pub(crate) report_hour: Option<Spanned<i8>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Attention {
    pub(crate) call_out_after_minutes: Option<Spanned<u16>>,
    pub(crate) return_after_hours: Option<Spanned<u16>>,
}

/// A text by language code.
pub(crate) type Texts = Spanned<BTreeMap<String, String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    pub(crate) name: Spanned<String>,
    pub(crate) title: Texts,
    pub(crate) places: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub(crate) allowed_origins: Vec<Spanned<String>>,
    pub(crate) field: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Field {
    pub(crate) name: Spanned<String>,
    pub(crate) label: Texts,
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) required: bool,
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<Spanned<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Line,
    Text,
    Phone,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dialog {
    pub(crate) title: Texts,
    pub(crate) greeting: Texts,
    pub(crate) keep_days: Option<Spanned<u16>>,
    pub(crate) places: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub(crate) step: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) name: Spanned<String>,
    pub(crate) kind: StepKindName,
    pub(crate) label: Texts,
    pub(crate) question: Texts,
    #[serde(default)]
    pub(crate) required: bool,
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<Spanned<usize>>,
    pub(crate) currency: Option<Spanned<String>>,
    pub(crate) bounds: Option<Spanned<Vec<u64>>>,
    #[serde(default)]
    pub(crate) option: Vec<ChoiceOption>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChoiceOption {
    pub(crate) name: Spanned<String>,
    pub(crate) label: Texts,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StepKindName {
    Choice,
    Choices,
    Text,
    Brief,
    Budget,
    Contact,
}
