//! What staff get for their commands.

use frontdesk_domain::text::cut;
use frontdesk_domain::{Language, PageStart, Press, PressedOn, Request, RequestId, State};
use frontdesk_settings::Settings;
use jiff::Timestamp;

use crate::card::{actions, label};
use crate::languages::{date_and_time, text, text_with};
use crate::marked::Marked;
use crate::notice::{counted_line, since};

/// A text with its rows of buttons: labels and callback data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Telegram's HTML, at most 4096 UTF-16 units once its marks are taken out.
    pub html: String,
    /// The rows.
    pub buttons: Vec<Vec<(String, String)>>,
}

impl Page {
    pub(crate) fn of(text: Marked) -> Self {
        Self {
            html: text.html,
            buttons: Vec::new(),
        }
    }
}

/// The longest name of a customer in a list.
const LONGEST_NAME: usize = 40;
/// The last requests, those of the page that begins at `start`; `next` is where the next one begins.
pub fn render_list(
    settings: &Settings,
    requests: &[Request],
    start: Option<PageStart>,
    next: Option<PageStart>,
) -> Page {
    let language = settings.staff_language;
    let mut said = Marked::default();
    let heading = if requests.is_empty() {
        "list-empty"
    } else {
        "list-title"
    };
    said.marked("b", text(language, heading));
    let mut buttons = Vec::new();
    for (at, request) in requests.iter().enumerate() {
        let number = at + 1;
        said.plain(&format!("\n{number}. "))
            .marked("code", &request.id.grouped())
            .plain(" · ")
            .plain(&standing(settings, request))
            .plain(" · ")
            .plain(&date_and_time(language, request.created, &settings.zone));
        if let Some(first) = request.answers.first() {
            let name = cut(&first.text, LONGEST_NAME).replace('\n', " ");
            said.plain(" · ").plain(&name);
        }
        let row: Vec<_> = actions(request, PressedOn::List(start))
            .into_iter()
            .map(|(action, press)| {
                (
                    format!("{} {number}", label(language, &action)),
                    press.data(),
                )
            })
            .collect();
        if !row.is_empty() {
            buttons.push(row);
        }
    }
    let mut turn = Vec::new();
    if start.is_some() {
        turn.push((
            text(language, "list-latest").to_owned(),
            Press::Page(None).data(),
        ));
    }
    if next.is_some() {
        let older = Press::Page(next);
        turn.push((text(language, "list-older").to_owned(), older.data()));
    }
    buttons.extend((!turn.is_empty()).then_some(turn));
    Page {
        html: said.html,
        buttons,
    }
}

/// Where a request stands, in a word or two.
pub(crate) fn standing(settings: &Settings, request: &Request) -> String {
    let language = settings.staff_language;
    let named = |id, name: &str| text_with(language, id, [("name", name.into())]);
    match &request.state {
        State::New => text(language, "state-new").to_owned(),
        State::InWork { name, .. } => named("state-in-work", name),
        State::Closed { name, .. } => named("state-closed", name),
    }
}

/// The figures of the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Requests that nobody has taken.
    pub new: u32,
    /// Requests in work.
    pub in_work: u32,
    /// Requests that were closed today.
    pub closed_today: u32,
    /// Requests that were closed in the last 30 days.
    pub closed_lately: u32,
    /// Since when the oldest request waits to be taken.
    pub oldest: Option<Timestamp>,
    /// Sends whose outcome is unknown.
    pub unknown: u32,
    /// What was given up.
    pub failed: u32,
    /// The count at which counting ended; from there on it is "or more".
    pub most: u32,
}

/// How many requests stand where.
pub fn render_stats(settings: &Settings, stats: &Stats) -> Page {
    let language = settings.staff_language;
    let oldest = stats.oldest.map(|at| since(settings, at));
    let line = |id, count, rest: &str| counted_line(language, id, (count, stats.most), rest);
    let mut said = Marked::default();
    said.marked("b", text(language, "stats-title"));
    for line in [
        line(
            "report-new",
            stats.new,
            oldest.as_deref().unwrap_or_default(),
        ),
        line("report-in-work", stats.in_work, ""),
        line("stats-closed-today", stats.closed_today, ""),
        line("stats-closed-lately", stats.closed_lately, ""),
        line("stats-unknown", stats.unknown, ""),
        line("stats-failed", stats.failed, ""),
    ] {
        said.plain("\n").plain(&line);
    }
    Page::of(said)
}

/// What is said where a number leads to no single request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberProblem<'a> {
    /// It is none.
    Unreadable,
    /// No request begins so.
    Unknown,
    /// Several do, among them these.
    Several(&'a [RequestId]),
}

/// The answer to a command whose number leads to no single request.
pub fn number_problem(language: Language, problem: &NumberProblem<'_>) -> Page {
    let mut said = Marked::default();
    match problem {
        NumberProblem::Unreadable => said.plain(text(language, "number-unreadable")),
        NumberProblem::Unknown => said.plain(text(language, "number-unknown")),
        NumberProblem::Several(ids) => {
            said.plain(text(language, "number-several"));
            for id in *ids {
                said.plain("\n").marked("code", &id.grouped());
            }
            &mut said
        }
    };
    Page::of(said)
}

/// The answer to a retry of so many effects.
pub fn retried(language: Language, count: usize) -> Page {
    let mut said = Marked::default();
    if count == 0 {
        said.plain(text(language, "retry-nothing"));
    } else {
        said.plain(&text_with(
            language,
            "retry-begun",
            [("count", count.into())],
        ));
    }
    Page::of(said)
}

/// An answer that is a plain text.
pub fn said(text: &str) -> Page {
    let mut said = Marked::default();
    said.plain(text);
    Page::of(said)
}

/// That nobody has taken a request for so long.
pub fn called_out(settings: &Settings, request: &Request) -> Page {
    let language = settings.staff_language;
    let mut said = Marked::default();
    let at = date_and_time(language, request.created, &settings.zone);
    said.plain("🔔 ")
        .plain(&text_with(
            language,
            "reminder-unclaimed",
            [("at", at.into())],
        ))
        .plain(" ")
        .marked("code", &request.id.grouped());
    Page::of(said)
}

/// That whoever had a request has done nothing on it for so long; they are told by being named.
pub fn returned(settings: &Settings, request: &Request, assignee: i64, name: &str) -> Page {
    let language = settings.staff_language;
    let mut said = Marked::default();
    said.plain("🔔 ")
        .plain(text(language, "reminder-returned"))
        .plain(" ")
        .marked("code", &request.id.grouped())
        .plain(" · ");
    said.link(&format!("tg://user?id={assignee}"), name);
    Page::of(said)
}
