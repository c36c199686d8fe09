//! One request's whole story, for the staff.

use frontdesk_domain::effect::{Effect, EffectId, State as EffectState};
use frontdesk_domain::text::telegram_len;
use frontdesk_domain::{HistoryEntry, Language, Request, RequestId, State};
use frontdesk_settings::Settings;

use crate::card::{fields, push_dialog, title};
use crate::languages::{date_and_time, text, text_with};
use crate::marked::Marked;
use crate::staff::{Page, standing};
use crate::words;

/// Room, in UTF-16 units, that a story has for changes, for messages and for the names of refused files:
/// with the labels of all fields they stay below a message's length.
const CHANGES_ROOM: usize = 800;
const MESSAGES_ROOM: usize = 700;
const NAMES_ROOM: usize = 300;

/// What a story is told of.
#[derive(Clone, Copy, Debug)]
pub struct StoryView<'a> {
    /// The business's settings.
    pub settings: &'a Settings,
    /// The request, whole.
    pub request: &'a Request,
    /// Its changes, oldest first.
    pub history: &'a [HistoryEntry],
    /// What was to be sent for it.
    pub effects: &'a [Effect],
    /// The contact's last requests before it.
    pub earlier: &'a [RequestId],
}

/// One request's whole story: what was filled in, who did what when, and what was sent.
pub fn render_story(view: &StoryView<'_>) -> Page {
    let StoryView {
        settings, request, ..
    } = *view;
    let language = settings.staff_language;
    let mut head = Marked::default();
    head.marked("b", &title(settings, request))
        .plain(" · ")
        .marked("code", &request.id.grouped())
        .plain("\n")
        .plain(&standing(settings, request));
    if let State::Closed {
        reason: Some(reason),
        ..
    } = &request.state
    {
        head.plain(": ").plain(reason);
    }
    head.plain("\n\n");
    if let Some(dialog) = &request.dialog {
        if dialog.files > 0 {
            let count = [("count", dialog.files.into())];
            head.plain(&text_with(language, "dialog-files", count))
                .plain("\n");
        }
        push_dialog(&mut head, dialog, language, NAMES_ROOM);
        head.plain("\n");
    }
    let mut tail = Marked::default();
    tell_history(view, &mut tail);
    tell_effects(view, &mut tail);
    if !view.earlier.is_empty() {
        let numbers: Vec<_> = view.earlier.iter().map(RequestId::grouped).collect();
        tail.plain("\n")
            .marked("b", text(language, "story-earlier"))
            .plain(&format!("\n{}", numbers.join("\n")));
    }
    let mark = words::card(language).cut;
    head.fields(&fields(settings, request), mark, tail.len);
    head.html += &tail.html;
    Page::of(head)
}

fn tell_history(view: &StoryView<'_>, said: &mut Marked) {
    let settings = view.settings;
    let language = settings.staff_language;
    let time = |at| date_and_time(language, at, &settings.zone);
    said.plain("\n")
        .marked("b", text(language, "story-history"))
        .plain("\n")
        .plain(&time(view.request.created))
        .plain(" · ")
        .plain(text(language, "story-stored"))
        .plain("\n");
    // What is only noted on a request stands in the story's head.
    let changes = view.history.iter().filter(|entry| entry.from != entry.to);
    let line = |entry: &HistoryEntry| {
        let actor = match settings.member(entry.actor) {
            Some(member) => member.name.clone(),
            None if entry.actor == 0 => text(language, "story-by-itself").to_owned(),
            None => entry.actor.to_string(),
        };
        format!(
            "{} · {actor}: {} → {}\n",
            time(entry.at),
            state_name(language, entry.from),
            state_name(language, entry.to)
        )
    };
    // The latest are told where there is no room for all.
    let mut lines: Vec<_> = changes.map(line).collect();
    lines.reverse();
    let left_out = fit(&mut lines, CHANGES_ROOM);
    if left_out > 0 {
        let earlier = [("count", left_out.into())];
        said.plain(&text_with(language, "story-earlier-changes", earlier))
            .plain("\n");
    }
    for line in lines.iter().rev() {
        said.plain(line);
    }
}

/// Keeps the first lines that `room` is enough for, and returns how many it was not.
fn fit(lines: &mut Vec<String>, room: usize) -> usize {
    let mut left = room;
    let fitting = lines.iter().take_while(|line| {
        let len = telegram_len(line);
        let fits = len <= left;
        left = left.saturating_sub(len);
        fits
    });
    let kept = fitting.count();
    let left_out = lines.len() - kept;
    lines.truncate(kept);
    left_out
}

fn state_name(language: Language, state: &str) -> &'static str {
    text(
        language,
        match state {
            "new" => "state-new",
            "in_work" => "state-name-in-work",
            _ => "state-name-closed",
        },
    )
}

fn tell_effects(view: &StoryView<'_>, said: &mut Marked) {
    let language = view.settings.staff_language;
    said.plain("\n")
        .marked("b", text(language, "story-messages"))
        .plain("\n");
    // Those first that staff can have attempted afresh.
    let in_trouble =
        |effect: &&Effect| !matches!(effect.state, EffectState::Failed | EffectState::Unknown);
    let mut effects: Vec<_> = view.effects.iter().collect();
    effects.sort_by_key(in_trouble);
    let line = |effect: &Effect| {
        let what = match &effect.id {
            EffectId::Card { place, .. } => format!("card · {place}"),
            EffectId::Brief { place, .. } => format!("brief · {place}"),
            EffectId::Confirmation { .. } => "confirmation".to_owned(),
            EffectId::Reminder { place, .. } => format!("reminder · {place}"),
            EffectId::Panel { .. }
            | EffectId::Answer { .. }
            | EffectId::Report { .. }
            | EffectId::Warning { .. }
            | EffectId::Webhook { .. }
            | EffectId::WebhookCheck { .. } => return None,
        };
        let state = text(
            language,
            match effect.state {
                EffectState::Pending => "effect-pending",
                EffectState::Sending => "effect-sending",
                EffectState::Done => "effect-done",
                EffectState::Unknown => "effect-unknown",
                EffectState::Failed => "effect-failed",
            },
        );
        let values = [
            ("attempts", effect.attempts.to_string().into()),
            ("unknowns", effect.unknowns.to_string().into()),
        ];
        let counts = text_with(language, "effect-counts", values);
        let error = effect.error.iter().map(|error| format!(", {error}"));
        Some(format!(
            "{what}: {state} ({counts}{})\n",
            error.collect::<String>()
        ))
    };
    let mut lines: Vec<_> = effects.into_iter().filter_map(line).collect();
    let left_out = fit(&mut lines, MESSAGES_ROOM);
    for line in &lines {
        said.plain(line);
    }
    if left_out > 0 {
        let more = [("count", left_out.into())];
        said.plain(&text_with(language, "story-more-messages", more))
            .plain("\n");
    }
}

#[cfg(test)]
mod tests;
