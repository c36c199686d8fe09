#![doc = include_str!("../README.md")]

mod check;
mod dialog;
mod file;
mod form;

use std::collections::BTreeSet;
use std::path::Path;

use frontdesk_domain::dialog::Dialog;
use frontdesk_domain::{Attention, Country, Form, Language, Member, Name, ReportTime, Role};
use jiff::tz::TimeZone;
use thiserror::Error;

/// A business's settings, checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The business's name, as customers see it.
    pub name: String,
    /// The zone of its days and times.
    pub zone: TimeZone,
    /// The languages of its customers, the first being the one for everybody else.
    pub languages: Vec<Language>,
    /// The language of cards.
    pub staff_language: Language,
    /// The country whose way of writing phone numbers its customers use.
    pub country: Country,
    /// The bot.
    pub bot: Bot,
    /// How long a request may wait, and its assignee do nothing on it.
    pub attention: Attention,
    /// Where reports and warnings go, and when.
    pub notices: Notices,
    /// The chats in which staff are told.
    pub places: Vec<Place>,
    /// Who works here.
    pub staff: Vec<Member>,
    /// What only administrators may do: names of commands, which hold for buttons too.
    pub administrators_only: Vec<&'static str>,
    /// The site's forms.
    pub forms: Vec<SiteForm>,
    /// What the bot asks customers, if it does.
    pub dialog: Option<BotDialog>,
}

/// The desk's bot.
#[derive(Clone, Debug)]
pub struct Bot {
    /// The name that stands in keys and in the webhook's path.
    pub name: Name,
}

/// What the desk tells of itself.
#[derive(Clone, Debug)]
pub struct Notices {
    /// The place that reports and warnings go to.
    pub place: Name,
    /// When the daily report is due.
    pub report: ReportTime,
}

/// A chat in which staff are told, by the name that effects use.
#[derive(Clone, Debug)]
pub struct Place {
    /// The place's name.
    pub name: Name,
    /// The chat's id in Telegram.
    pub chat_id: i64,
    /// What people call it.
    pub title: String,
}

/// A form and where it may be used.
#[derive(Clone, Debug)]
pub struct SiteForm {
    /// The fields and their rules.
    pub form: Form,
    /// The places in which its requests are shown, as their names in [`Settings::places`].
    pub places: Vec<Name>,
    /// Origins (`https://example.org`) whose scripts may send it.
    pub allowed_origins: Vec<String>,
}

/// The bot's dialog and who is told of what it brings.
#[derive(Clone, Debug)]
pub struct BotDialog {
    /// The steps and their rules.
    pub dialog: Dialog,
    /// The places in which its requests are shown, as their names in [`Settings::places`].
    pub places: Vec<Name>,
}

impl Settings {
    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| Error {
            file: name.clone(),
            line: None,
            message: error.to_string(),
        })?;
        Self::parse(&text, &name)
    }

    /// Reads and checks a text; `file` is its name in errors.
    pub fn parse(text: &str, file: &str) -> Result<Self, Error> {
        let parsed = toml::from_str(text).map_err(|error| Mistake {
            at: error.span().map(|span| span.start),
            message: error.message().to_owned(),
        });
        parsed
            .and_then(|file| check::check(&file))
            .map_err(|mistake| Error {
                file: file.to_owned(),
                line: mistake.at.map(|at| line_of(text, at)),
                message: mistake.message,
            })
    }

    /// The form of this name.
    pub fn form(&self, name: &str) -> Option<&SiteForm> {
        self.forms
            .iter()
            .find(|site| site.form.name.as_str() == name)
    }

    /// The member of staff with this Telegram user id.
    pub fn member(&self, user_id: i64) -> Option<&Member> {
        self.staff.iter().find(|member| member.id == user_id)
    }

    /// True if `member` may do what the command of this name does.
    pub fn may(&self, member: &Member, command: &str) -> bool {
        member.role == Role::Administrator || !self.administrators_only.contains(&command)
    }

    /// The place of this name.
    pub fn place(&self, name: &Name) -> Option<&Place> {
        self.places.iter().find(|place| place.name == *name)
    }

    /// The places whose cards a card in `place` can stand beside, itself among them: all those to which
    /// some form, or the dialog, sends that sends to it as well.
    pub fn places_beside(&self, place: &Place) -> Vec<&Place> {
        let beside: BTreeSet<_> = self
            .forms
            .iter()
            .map(|site| &site.places)
            .chain(self.dialog.iter().map(|dialog| &dialog.places))
            .filter(|places| places.contains(&place.name))
            .flatten()
            .chain([&place.name])
            .collect();
        self.places
            .iter()
            .filter(|place| beside.contains(&place.name))
            .collect()
    }

    /// The language to use for somebody whose own is `wanted`.
    pub fn language_or_first(&self, wanted: Option<Language>) -> Language {
        wanted
            .filter(|wanted| self.languages.contains(wanted))
            .unwrap_or(self.languages[0])
    }
}

/// The settings cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}{}: {message}", line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct Error {
    /// The file's name.
    pub file: String,
    /// The line of the mistake, from 1, where it has one.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A mistake and its place in the text, in bytes.
#[derive(Debug)]
struct Mistake {
    at: Option<usize>,
    message: String,
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}
