//! The staff's card of a request.

use std::fmt::Write;

use frontdesk_domain::text::{cut, telegram_len};
use frontdesk_domain::{Answer, Press, Request, State};
use frontdesk_settings::Settings;

use crate::html::escape;
use crate::languages::date_and_time;
use crate::words;

/// Telegram's limit of a text, measured as the stricter of its two measures.
const LONGEST: usize = 4096;

/// What a card is made of.
#[derive(Clone, Copy, Debug)]
pub struct CardView<'a> {
    /// The business's settings.
    pub settings: &'a Settings,
    /// The request as it now is.
    pub request: &'a Request,
    /// Earlier leads of the same contact.
    pub earlier: u32,
    /// The count at which counting ended; from there on it is "or more".
    pub most_earlier: u32,
    /// True where the same card may have arrived before, unknown to the desk.
    pub may_be_repeat: bool,
}

/// A card: the text and its button, while there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Telegram's HTML, at most 4096 UTF-16 units once its marks are taken out.
    pub html: String,
    /// The button's label and callback data.
    pub button: Option<(String, String)>,
}

/// Renders a card. The same view gives the same card, always.
pub fn render_card(view: &CardView<'_>) -> Card {
    let CardView {
        settings, request, ..
    } = *view;
    let language = settings.staff_language;
    let words = words::card(language);
    let form = settings
        .form(request.source.as_str())
        .map(|site| &site.form);
    let title = form.map_or(request.source.as_str(), |form| form.title.get(language));
    let time = |at| date_and_time(language, at, &settings.zone);

    let mut text = Marked::default();
    if view.may_be_repeat && request.state == State::New {
        text.marked("i", words.may_be_repeat).plain("\n");
    }
    text.marked("b", title)
        .plain(" · ")
        .marked("code", &request.id.grouped())
        .plain("\n");
    let mut tail = Marked::default();
    tail.plain("\n");
    if view.earlier > 0 {
        tail.plain(&words::earlier_leads(
            language,
            view.earlier,
            view.most_earlier,
        ))
        .plain("\n");
    }
    tail.plain(words.received)
        .plain(" ")
        .plain(&time(request.created))
        .plain("\n");
    match &request.state {
        State::New => tail.plain(words.not_taken),
        State::InWork { name, .. } => tail.marked(
            "b",
            &words::taken_by(language, name, &time(request.changed)),
        ),
    };

    let fields: Vec<(&str, String)> = in_form_order(request, form)
        .into_iter()
        .map(|answer| {
            let field = form.and_then(|form| form.fields.iter().find(|f| f.name == answer.field));
            let label = field.map_or(answer.field.as_str(), |field| field.label.get(language));
            let value = match &answer.e164 {
                Some(e164) if *e164 != answer.text => {
                    format!("{e164} ({}: {})", words.typed, answer.text)
                }
                Some(e164) => e164.clone(),
                None => answer.text.clone(),
            };
            (label, value)
        })
        .collect();
    // A field's line is its label, ": ", the value, the mark of a cut, and the line's end.
    let around = |label: &str| telegram_len(label) + telegram_len(words.cut) + 3;
    let fixed: usize = fields.iter().map(|(label, _)| around(label)).sum();
    let room = LONGEST.saturating_sub(text.len + tail.len + fixed);
    let lengths: Vec<_> = fields
        .iter()
        .map(|(_, value)| telegram_len(value))
        .collect();
    for ((label, value), share) in fields.iter().zip(shares(&lengths, room)) {
        let kept = cut(value, share);
        text.marked("b", label).plain(": ").plain(kept);
        if kept.len() < value.len() {
            text.plain(words.cut);
        }
        text.plain("\n");
    }
    let button = (request.state == State::New)
        .then(|| (words.take.to_owned(), Press::Take(request.id).data()));
    Card {
        html: text.html + &tail.html,
        button,
    }
}

/// Answers in the form's order, then those of fields that the form no longer has.
fn in_form_order<'a>(
    request: &'a Request,
    form: Option<&frontdesk_domain::Form>,
) -> Vec<&'a Answer> {
    let place = |answer: &&Answer| {
        let fields = form.map(|form| form.fields.as_slice()).unwrap_or_default();
        fields
            .iter()
            .position(|field| field.name == answer.field)
            .unwrap_or(usize::MAX)
    };
    let mut answers: Vec<_> = request.answers.iter().collect();
    answers.sort_by_key(place);
    answers
}

/// Shares `room` out among texts of these lengths: none gets more than it needs, and what short ones
/// leave goes to the long ones in equal parts.
fn shares(lengths: &[usize], room: usize) -> Vec<usize> {
    let mut by_length: Vec<usize> = (0..lengths.len()).collect();
    by_length.sort_by_key(|at| lengths[*at]);
    let mut shares = vec![0; lengths.len()];
    let mut left = room;
    for (taken, at) in by_length.iter().enumerate() {
        let part = left / (lengths.len() - taken);
        shares[*at] = lengths[*at].min(part);
        left -= shares[*at];
    }
    shares
}

/// HTML and the length of its text as Telegram measures it.
#[derive(Default)]
struct Marked {
    html: String,
    len: usize,
}

impl Marked {
    fn plain(&mut self, text: &str) -> &mut Self {
        self.html.push_str(&escape(text));
        self.len += telegram_len(text);
        self
    }

    fn marked(&mut self, tag: &str, text: &str) -> &mut Self {
        let _ = write!(self.html, "<{tag}>");
        self.plain(text);
        let _ = write!(self.html, "</{tag}>");
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_short_texts_leave_goes_to_long_ones() {
        assert_eq!(shares(&[10, 5000, 20], 4000), [10, 3970, 20]);
        assert_eq!(shares(&[5000, 5000], 4000), [2000, 2000]);
        assert_eq!(shares(&[1, 2], 4000), [1, 2]);
        assert_eq!(shares(&[], 4000), [] as [usize; 0]);
    }
}
