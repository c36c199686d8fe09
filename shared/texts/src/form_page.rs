//! The site form's pages: plain HTML that works without JavaScript.

use std::collections::BTreeMap;
use std::fmt::Write;

use frontdesk_domain::{DraftToken, Field, FieldFault, FieldKind, Form, Language, RequestId};

use crate::html::escape;
use crate::words;

/// Why a submission was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Some fields are wrong.
    Invalid,
    /// The draft was already sent, with other content.
    OtherContent,
    /// The store cannot be reached.
    TryLater,
    /// The body is too long.
    TooLarge,
    /// The body is not what its content type says.
    Unreadable,
    /// There is no form of this name.
    NoSuchForm,
}

/// What a form's page shows.
#[derive(Debug)]
pub struct FormView<'a> {
    /// The business's name.
    pub business: &'a str,
    /// The form.
    pub form: &'a Form,
    /// The customer's language.
    pub language: Language,
    /// The draft token that the page carries.
    pub token: &'a DraftToken,
    /// What was typed already, by field.
    pub typed: &'a BTreeMap<String, String>,
    /// What is wrong with it, by field.
    pub faults: &'a BTreeMap<String, FieldFault>,
    /// Why it was not stored, on a page that answers a submission.
    pub notice: Option<Notice>,
}

/// The form as a page.
pub fn form_page(view: &FormView<'_>) -> String {
    let language = view.language;
    let title = view.form.title.get(language);
    let mut body = format!("<h1>{}</h1>\n", escape(title));
    if let Some(notice) = view.notice {
        let text = escape(words::notice(language, notice));
        let _ = writeln!(body, "<p class=\"notice\" role=\"alert\">{text}</p>");
    }
    let strangers = view.faults.iter().filter(|(name, _)| {
        !view
            .form
            .fields
            .iter()
            .any(|field| field.name.as_str() == name.as_str())
    });
    for (name, fault) in strangers {
        let fault = words::field_fault(language, *fault);
        let _ = writeln!(
            body,
            "<p class=\"fault\">{}: {}</p>",
            escape(name),
            escape(&fault)
        );
    }
    let _ = writeln!(
        body,
        "<form method=\"post\" action=\"/forms/{}\" accept-charset=\"utf-8\" novalidate>\n\
         <input type=\"hidden\" name=\"draft_token\" value=\"{}\">",
        view.form.name,
        view.token.as_str(),
    );
    for field in &view.form.fields {
        let typed = view
            .typed
            .get(field.name.as_str())
            .map(String::as_str)
            .unwrap_or_default();
        push_field(
            &mut body,
            language,
            field,
            typed,
            view.faults.get(field.name.as_str()).copied(),
        );
    }
    let _ = write!(
        body,
        "<p class=\"hint\">{}</p>\n<button>{}</button>\n</form>\n",
        escape(words::required_note(language)),
        escape(words::send_button(language)),
    );
    page(language, view.business, title, &body)
}

/// The page after a submission.
pub fn thanks_page(business: &str, language: Language, id: RequestId) -> String {
    let (title, text) = words::thanks(language);
    let body = format!(
        "<h1>{}</h1>\n<p>{}</p>\n<p class=\"number\">{}</p>\n",
        escape(title),
        escape(text),
        id.grouped(),
    );
    page(language, business, title, &body)
}

/// A page that only says what went wrong.
pub fn message_page(business: &str, language: Language, notice: Notice) -> String {
    let text = words::notice(language, notice);
    let body = format!("<p class=\"notice\" role=\"alert\">{}</p>\n", escape(text));
    page(language, business, business, &body)
}

fn push_field(
    body: &mut String,
    language: Language,
    field: &Field,
    typed: &str,
    fault: Option<FieldFault>,
) {
    let name = &field.name;
    let star = if field.required { " *" } else { "" };
    let mut marks = if field.required { " required" } else { "" }.to_owned();
    if fault.is_some() {
        let _ = write!(
            marks,
            " aria-invalid=\"true\" aria-describedby=\"{name}-fault\""
        );
    }
    let label = escape(field.label.get(language));
    let _ = writeln!(body, "<label for=\"{name}\">{label}{star}</label>");
    let typed = escape(typed);
    let _ = match field.kind {
        FieldKind::Text => writeln!(
            body,
            // A line break right after the tag is not part of the value; typed text may begin with one.
            "<textarea id=\"{name}\" name=\"{name}\" rows=\"6\"{marks}>\n{typed}</textarea>"
        ),
        FieldKind::Line => writeln!(
            body,
            "<input id=\"{name}\" name=\"{name}\" value=\"{typed}\"{marks}>"
        ),
        FieldKind::Phone => writeln!(
            body,
            "<input id=\"{name}\" name=\"{name}\" type=\"tel\" autocomplete=\"tel\" value=\"{typed}\"{marks}>"
        ),
    };
    if let Some(fault) = fault {
        let text = words::field_fault(language, fault);
        let _ = writeln!(
            body,
            "<p class=\"fault\" id=\"{name}-fault\">{}</p>",
            escape(&text)
        );
    }
}

fn page(language: Language, business: &str, title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{} · {}</title>\n<style>{STYLE}</style>\n<main>\n<p class=\"business\">{}</p>\n{body}</main>\n</html>\n",
        language.code(),
        escape(title),
        escape(business),
        escape(business),
    )
}

const STYLE: &str = include_str!("form_page.css");
