use crate::text::{clean, clean_line, cut, is_blank};
use crate::{Country, Language, Name, Phone, PhoneFault};

use super::{Choice, Range, Step, StepKind};

/// The longest name of a file that is kept, in UTF-16 units.
const LONGEST_FILE_NAME: usize = 128;
/// Telegram's limit of a caption.
pub const LONGEST_CAPTION: usize = 1024;
/// Telegram's limit of an album.
const MOST_IN_ALBUM: usize = 10;

/// What was answered to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nothing: the customer went on without.
    Skipped,
    /// These choices, in the settings' order.
    Chosen(Vec<Name>),
    /// A range of amounts.
    Range(Range),
    /// A text, cleaned.
    Text(String),
    /// The draft's files.
    Files,
    /// A phone number.
    Contact {
        /// As it was typed or shared.
        text: String,
        /// Its E.164 form.
        e164: String,
        /// True where Telegram vouches that it is the customer's own.
        own: bool,
    },
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepFault {
    /// One of the buttons is wanted.
    NotAChoice,
    /// At least one must be chosen.
    NoneChosen,
    /// No more than this many can be chosen.
    TooManyChosen(usize),
    /// A text is wanted.
    NotText,
    /// It has fewer characters than this.
    TooShort(usize),
    /// It has more characters than this.
    TooLong(usize),
    /// A file is wanted.
    NotAFile,
    /// This step takes no file.
    NoFileHere,
    /// It must have a file.
    NoFiles,
    /// No more than this many files are kept.
    TooManyFiles(usize),
    /// It is no phone number.
    Phone(PhoneFault),
    /// It cannot be skipped.
    Required,
}

/// A file of a brief. Its content stays with Telegram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BriefFile {
    /// What it is to Telegram.
    pub kind: FileKind,
    /// By which the same bot can send it again.
    pub file_id: String,
    /// Its name, of a document that has one.
    pub name: Option<String>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// What was written under it.
    pub caption: String,
    /// The album that it came in.
    pub album: Option<String>,
}

/// How Telegram sends a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file of any kind.
    Document,
    /// A picture that Telegram shows.
    Photo,
}

impl FileKind {
    /// The kind's name in storage.
    pub fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Photo => "photo",
        }
    }

    /// Reads a kind's name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Document, Self::Photo]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

impl BriefFile {
    /// How many of `files` go as one message from `at` on: all of an album that can be sent as one, else a
    /// single one.
    pub fn together(files: &[Self], at: usize) -> usize {
        let Some(first) = files.get(at) else {
            return 0;
        };
        let together = files[at..].iter().take_while(|file| {
            file.album.is_some() && file.album == first.album && file.kind == first.kind
        });
        together.take(MOST_IN_ALBUM).count().max(1)
    }

    /// The file with its texts cleaned and of a length that is kept.
    pub fn cleaned(self) -> Self {
        Self {
            name: self
                .name
                .map(|name| cut(&clean_line(&name), LONGEST_FILE_NAME).to_owned())
                .filter(|name| !is_blank(name)),
            caption: cut(&clean(&self.caption), LONGEST_CAPTION).to_owned(),
            ..self
        }
    }
}

impl Step {
    /// What a typed text answers; a choice may be typed as its label reads in any language. Of several
    /// choices it is the one that is meant.
    pub(crate) fn read(&self, typed: &str, country: Country) -> Result<Given, StepFault> {
        match &self.kind {
            StepKind::Choice(options) | StepKind::Choices { options, .. } => {
                let chosen = by_label(options, typed).ok_or(StepFault::NotAChoice)?;
                Ok(Given::Chosen(vec![chosen.name.clone()]))
            }
            StepKind::Budget { .. } => Err(StepFault::NotAChoice),
            StepKind::Text { length } => text(typed, *length).map(Given::Text),
            StepKind::Brief { .. } => Err(StepFault::NotAFile),
            StepKind::Contact => contact(typed, false, country),
        }
    }
}

/// A phone number as an answer. Of a shared contact Telegram leaves the plus out.
pub(crate) fn contact(typed: &str, own: bool, country: Country) -> Result<Given, StepFault> {
    let text = clean_line(typed);
    let phone = Phone::parse(&text, country).map_err(StepFault::Phone)?;
    Ok(Given::Contact {
        text,
        e164: phone.e164,
        own,
    })
}

fn text(typed: &str, (least, most): (usize, usize)) -> Result<String, StepFault> {
    let text = clean(typed);
    let length = text.chars().count();
    if is_blank(&text) || length < least {
        return Err(StepFault::TooShort(least.max(1)));
    }
    if length > most {
        return Err(StepFault::TooLong(most));
    }
    Ok(text)
}

fn by_label<'a>(options: &'a [Choice], typed: &str) -> Option<&'a Choice> {
    let typed = clean_line(typed).to_lowercase();
    options.iter().find(|option| {
        Language::ALL
            .iter()
            .any(|language| option.label.get(*language).to_lowercase() == typed)
    })
}
