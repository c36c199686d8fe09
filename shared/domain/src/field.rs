//! A form's fields, and the check of what was typed into them.

use std::collections::BTreeMap;

use crate::dialog::Range;
use crate::text::{clean, clean_line, is_blank};
use crate::{Country, Localized, Name, Phone, PhoneFault};

/// A form as the settings describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The name in the form's address and in its requests.
    pub name: Name,
    /// The heading that customers and staff see.
    pub title: Localized,
    /// The fields, in the order in which they are shown.
    pub fields: Vec<Field>,
}

/// One field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in bodies and stored requests.
    pub name: Name,
    /// What customers and staff read beside it.
    pub label: Localized,
    /// What it takes.
    pub kind: FieldKind,
    /// Whether it must be filled in.
    pub required: bool,
    /// The least and the greatest length in characters (Unicode scalar values), once cleaned.
    pub length: (usize, usize),
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// One line.
    Line,
    /// Several lines.
    Text,
    /// A phone number.
    Phone,
}

/// A field that was filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The field's name.
    pub field: Name,
    /// The cleaned text; of a phone, what was typed.
    pub text: String,
    /// Of a phone, its E.164 form.
    pub e164: Option<String>,
    /// What the text stands for, where it was picked and not typed.
    pub picked: Option<Picked>,
}

/// What was picked, so that it reads the same in every language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// These options of a step.
    Options(Vec<Name>),
    /// A range of a budget.
    Range(Range),
    /// The customer's own number, as Telegram vouches.
    OwnNumber,
}

/// What is wrong with one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldFault {
    /// It must be filled in.
    Missing,
    /// It has fewer characters than this.
    TooShort(usize),
    /// It has more characters than this.
    TooLong(usize),
    /// It is no phone number.
    Phone(PhoneFault),
    /// The form has no such field.
    Unknown,
    /// It was sent more than once.
    Repeated,
    /// It is not a text.
    NotText,
    /// It is not a draft token, or there are several that differ.
    Token,
}

/// Checks what was typed into `form`: the answers in the form's order, or every fault by the name of
/// its field (a name that the form does not have is kept as it was sent).
pub fn fill<'a>(
    form: &Form,
    typed: impl IntoIterator<Item = (&'a str, &'a str)>,
    country: Country,
) -> Result<Vec<Answer>, BTreeMap<String, FieldFault>> {
    let mut faults = BTreeMap::new();
    let mut given: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, value) in typed {
        if !form.fields.iter().any(|field| field.name.as_str() == name) {
            faults.insert(name.to_owned(), FieldFault::Unknown);
        } else if given.insert(name, value).is_some() {
            faults.insert(name.to_owned(), FieldFault::Repeated);
        }
    }
    let mut answers = Vec::with_capacity(form.fields.len());
    for field in &form.fields {
        match field.read(
            given.get(field.name.as_str()).copied().unwrap_or_default(),
            country,
        ) {
            Ok(answer) => answers.extend(answer),
            Err(fault) => {
                faults.entry(field.name.to_string()).or_insert(fault);
            }
        }
    }
    if faults.is_empty() {
        Ok(answers)
    } else {
        Err(faults)
    }
}

impl Field {
    fn read(&self, typed: &str, country: Country) -> Result<Option<Answer>, FieldFault> {
        let text = match self.kind {
            FieldKind::Text => clean(typed),
            FieldKind::Line | FieldKind::Phone => clean_line(typed),
        };
        if is_blank(&text) {
            return if self.required {
                Err(FieldFault::Missing)
            } else {
                Ok(None)
            };
        }
        let (least, most) = self.length;
        match text.chars().count() {
            length if length < least => return Err(FieldFault::TooShort(least)),
            length if length > most => return Err(FieldFault::TooLong(most)),
            _ => {}
        }
        let e164 = match self.kind {
            FieldKind::Phone => Some(
                Phone::parse(&text, country)
                    .map_err(FieldFault::Phone)?
                    .e164,
            ),
            FieldKind::Line | FieldKind::Text => None,
        };
        Ok(Some(Answer {
            field: self.name.clone(),
            text,
            e164,
            picked: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact() -> Form {
        let field = |name: &str, kind, required, most| Field {
            name: Name::parse(name).expect("a name"),
            label: Localized::same(name),
            kind,
            required,
            length: (1, most),
        };
        Form {
            name: Name::parse("contact").expect("a name"),
            title: Localized::same("Contact"),
            fields: vec![
                field("name", FieldKind::Line, true, 100),
                field("phone", FieldKind::Phone, true, 40),
                field("message", FieldKind::Text, false, 10),
            ],
        }
    }

    fn check(typed: &[(&str, &str)]) -> Result<Vec<Answer>, BTreeMap<String, FieldFault>> {
        let country = Country::parse("RU").expect("a country");
        fill(&contact(), typed.iter().copied(), country)
    }

    #[test]
    fn answers_come_cleaned_and_in_the_forms_order() {
        let answers =
            check(&[("phone", "+7 812 123-45-67 "), ("name", " An\0na\n")]).expect("right");
        assert_eq!(answers.len(), 2);
        assert_eq!(
            (answers[0].text.as_str(), &answers[0].e164),
            ("Anna", &None)
        );
        assert_eq!(answers[1].text, "+7 812 123-45-67");
        assert_eq!(answers[1].e164.as_deref(), Some("+78121234567"));
    }

    #[test]
    fn every_wrong_field_is_named() {
        let faults = check(&[
            ("name", " \u{200b}"),
            ("message", "12345678901"),
            ("phone", "+abc"),
            ("x", ""),
        ])
        .expect_err("wrong");
        let expected = [
            ("message", FieldFault::TooLong(10)),
            ("name", FieldFault::Missing),
            ("phone", FieldFault::Phone(PhoneFault::NoDigits)),
            ("x", FieldFault::Unknown),
        ];
        assert_eq!(
            faults,
            expected
                .map(|(name, fault)| (name.to_owned(), fault))
                .into()
        );
        let repeated = check(&[("name", "a"), ("name", "a"), ("phone", "8121234567")]);
        assert_eq!(repeated.expect_err("twice")["name"], FieldFault::Repeated);
    }
}
