//! The staff's card of a request.

use frontdesk_domain::text::cut;
use frontdesk_domain::{Action, FromDialog, Language, Press, PressedOn, Request, State};
use frontdesk_settings::Settings;

use crate::languages::date_and_time;
use crate::marked::Marked;
use crate::origin::Origin;
use crate::words;

/// Room for the names of refused files on a card: twenty of some thirty letters.
const NAMES_ON_CARD: usize = 640;

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

/// A card: the text and its buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Telegram's HTML, at most 4096 UTF-16 units once its marks are taken out.
    pub html: String,
    /// The buttons' labels and callback data; they stand in one row.
    pub buttons: Vec<(String, String)>,
}

/// Renders a card. The same view gives the same card, always.
pub fn render_card(view: &CardView<'_>) -> Card {
    let CardView {
        settings, request, ..
    } = *view;
    let language = settings.staff_language;
    let words = words::card(language);
    let time = |at| date_and_time(language, at, &settings.zone);

    let mut text = Marked::default();
    if view.may_be_repeat {
        text.marked("i", words.may_be_repeat).plain("\n");
    }
    text.marked("b", &title(settings, request))
        .plain(" · ")
        .marked("code", &request.id.grouped())
        .plain("\n");
    let mut tail = Marked::default();
    tail.plain("\n");
    if let Some(dialog) = &request.dialog {
        if dialog.files > 0 {
            tail.plain(&words::files(language, dialog.files))
                .plain("\n");
        }
        push_dialog(&mut tail, dialog, language, NAMES_ON_CARD);
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
        State::Closed { name, reason, .. } => {
            let at = time(request.changed);
            tail.plain(&words::closed_by(language, name, &at, reason.as_deref()))
        }
    };

    text.fields(&fields(settings, request), words.cut, tail.len);
    Card {
        html: text.html + &tail.html,
        buttons: actions(request, PressedOn::Card)
            .into_iter()
            .map(|(action, press)| (label(language, &action).to_owned(), press.data()))
            .collect(),
    }
}

/// The title of what a request came from.
pub(crate) fn title(settings: &Settings, request: &Request) -> String {
    let origin = Origin::of(settings, request);
    origin
        .title(settings.staff_language)
        .unwrap_or(request.source.as_str())
        .to_owned()
}

/// What was filled in: labels and values.
pub(crate) fn fields(settings: &Settings, request: &Request) -> Vec<(String, String)> {
    let language = settings.staff_language;
    let origin = Origin::of(settings, request);
    let field = |answer: &frontdesk_domain::Answer| {
        let label = origin.label(&answer.field, language);
        let label = label.unwrap_or(answer.field.as_str()).to_owned();
        (label, origin.value(answer, language))
    };
    let answers = origin.in_order(&request.answers);
    answers.into_iter().map(field).collect()
}

/// What can be done to a request as it stands, with the buttons that do it.
pub(crate) fn actions(request: &Request, from: PressedOn) -> Vec<(Action, Press)> {
    let actions = match &request.state {
        State::New => vec![Action::Take],
        State::InWork { .. } => vec![Action::Return, Action::Close { reason: None }],
        State::Closed { .. } => Vec::new(),
    };
    let press = |action: Action| {
        let press = Press::Act {
            action: action.clone(),
            request: request.id,
            from,
        };
        (action, press)
    };
    actions.into_iter().map(press).collect()
}

pub(crate) fn label(language: Language, action: &Action) -> &'static str {
    let words = words::card(language);
    match action {
        Action::Take => words.take,
        Action::Return => words.give_back,
        Action::Close { .. } => words.close,
    }
}

/// What belongs to a request of the bot's dialog beside its answers and files; the names of refused files have `room`
/// UTF-16 units.
pub(crate) fn push_dialog(tail: &mut Marked, dialog: &FromDialog, language: Language, room: usize) {
    let mut line = |line: &str| {
        tail.plain(line).plain("\n");
    };
    if !dialog.refused.is_empty() {
        let names: Vec<_> = dialog.refused.iter().map(String::as_str).collect();
        let names = names.join(", ");
        let kept = cut(&names, room);
        let more = if kept.len() < names.len() { " …" } else { "" };
        line(&words::files_refused(language, &format!("{kept}{more}")));
    }
    if let Some(link) = &dialog.link {
        line(&words::came_from(language, link.as_str()));
    }
    line(&words::writes_in(language, dialog.language));
    if dialog.unreachable {
        tail.marked("b", words::unreachable(language)).plain("\n");
    }
}
