//! The staff's card of a request.

use frontdesk_domain::text::{cut, telegram_len};
use frontdesk_domain::{FromDialog, Language, Press, Request, State};
use frontdesk_settings::Settings;

use crate::languages::date_and_time;
use crate::marked::{LONGEST, Marked, shares};
use crate::origin::Origin;
use crate::words;

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
    let origin = Origin::of(settings, request);
    let title = origin.title(language).unwrap_or(request.source.as_str());
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
    if let Some(dialog) = &request.dialog {
        push_dialog(&mut tail, dialog, language);
    }
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

    let fields: Vec<(&str, String)> = origin
        .in_order(&request.answers)
        .into_iter()
        .map(|answer| {
            let label = origin.label(&answer.field, language);
            let label = label.unwrap_or(answer.field.as_str());
            (label, origin.value(answer, language))
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

/// What belongs to a request of the bot's dialog beside its answers.
fn push_dialog(tail: &mut Marked, dialog: &FromDialog, language: Language) {
    let mut line = |line: &str| {
        tail.plain(line).plain("\n");
    };
    if dialog.files > 0 {
        line(&words::files(language, dialog.files));
    }
    if !dialog.refused.is_empty() {
        let names: Vec<_> = dialog.refused.iter().map(String::as_str).collect();
        line(&words::files_refused(language, &names.join(", ")));
    }
    if let Some(link) = &dialog.link {
        line(&words::came_from(language, link.as_str()));
    }
    line(&words::writes_in(language, dialog.language));
    if dialog.unreachable {
        tail.marked("b", words::unreachable(language)).plain("\n");
    }
}
