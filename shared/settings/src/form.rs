//! The site's forms, from the file's shape to fields that hold together.

use frontdesk_domain::{Field, FieldKind, Form, Language};

use crate::check::{at, name, places_of, texts, unique};
use crate::file::{self, Kind};
use crate::{Mistake, Place, SiteForm};

/// The greatest length of a field that settings may ask for: a form's body is limited to 64 KiB.
const LONGEST_FIELD: usize = 10_000;
/// More would not fit on a card with their labels.
const MOST_FIELDS: usize = 20;
/// Names that a form's body uses for itself.
const RESERVED_FIELDS: [&str; 1] = ["draft_token"];

pub(crate) fn site_form(
    form: &file::Form,
    languages: &[Language],
    places: &[Place],
) -> Result<SiteForm, Mistake> {
    let fields = form
        .field
        .iter()
        .map(|field| self::field(field, languages))
        .collect::<Result<Vec<_>, _>>()?;
    unique(
        form.field.iter().map(|field| &field.name),
        "two fields of this form have this name",
    )?;
    let mut phones = form.field.iter().filter(|field| field.kind == Kind::Phone);
    if let Some(second) = phones.nth(1) {
        return Err(at(
            &second.name,
            "a form has one phone field: it says who the customer is",
        ));
    }
    if fields.is_empty() {
        return Err(at(&form.name, "a form has at least one field"));
    }
    if fields.len() > MOST_FIELDS {
        return Err(at(
            &form.name,
            format!("a form has {MOST_FIELDS} fields at the most"),
        ));
    }
    for origin in &form.allowed_origins {
        let host = origin
            .get_ref()
            .strip_prefix("https://")
            .or(origin.get_ref().strip_prefix("http://"));
        let strange = |c: char| !c.is_ascii_graphic() || matches!(c, '/' | '*');
        if host.is_none_or(|host| host.is_empty() || host.contains(strange)) {
            return Err(at(origin, "not an origin, such as \"https://example.org\""));
        }
    }
    Ok(SiteForm {
        form: Form {
            name: name(&form.name)?,
            title: texts(&form.title, languages)?,
            fields,
        },
        places: places_of(form.places.as_ref(), &form.name, places)?,
        allowed_origins: form
            .allowed_origins
            .iter()
            .map(|origin| origin.get_ref().clone())
            .collect(),
    })
}

fn field(field: &file::Field, languages: &[Language]) -> Result<Field, Mistake> {
    let (kind, longest) = match field.kind {
        Kind::Line => (FieldKind::Line, 200),
        Kind::Text => (FieldKind::Text, 4000),
        Kind::Phone => (FieldKind::Phone, 60),
    };
    if RESERVED_FIELDS.contains(&field.name.get_ref().as_str()) {
        return Err(at(&field.name, "the form's own hidden field has this name"));
    }
    let most = field.max.as_ref().map_or(longest, |max| *max.get_ref());
    let least = field.min.unwrap_or(1);
    if let Some(max) = &field.max
        && !(least.max(1)..=LONGEST_FIELD).contains(&most)
    {
        let message = format!("max is a count of characters from min (or 1) to {LONGEST_FIELD}");
        return Err(at(max, message));
    }
    if least > most {
        let message = format!("min is above {most}, the most that is taken where no max is given");
        return Err(at(&field.name, message));
    }
    Ok(Field {
        name: name(&field.name)?,
        label: texts(&field.label, languages)?,
        kind,
        required: field.required,
        length: (least, most),
    })
}
