//! From the file's shape to settings that hold together.

use std::collections::{BTreeMap, BTreeSet};

use frontdesk_domain::text::{clean_line, is_blank, telegram_len};
use frontdesk_domain::{
    Attention, Command, Country, Language, Localized, Member, Name, ReportTime, Role,
};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use toml::Spanned;

use crate::dialog;
use crate::file::{self, File, Texts};
use crate::form::site_form;
use crate::{Bot, Mistake, Notices, Place, Settings};

/// A press in a chat that no place has, such as a group's that has become another, looks at the chats
/// of all places.
const MOST_PLACES: usize = 500;
/// A lead is stored with the cards of its form's places in one transaction, and a press reads them in
/// one call.
const MOST_PLACES_OF_A_FORM: usize = 10;

pub(crate) fn check(file: &File) -> Result<Settings, Mistake> {
    let languages = languages(&file.desk)?;
    let places = file
        .place
        .iter()
        .map(place)
        .collect::<Result<Vec<_>, _>>()?;
    let forms = file
        .form
        .iter()
        .map(|form| site_form(form, &languages, &places))
        .collect::<Result<Vec<_>, _>>()?;
    let staff = file
        .staff
        .iter()
        .map(member)
        .collect::<Result<Vec<_>, _>>()?;
    if places.is_empty() {
        return Err(missing(
            "a [[place]] is needed: the chat in which staff are told",
        ));
    }
    if staff.is_empty() {
        return Err(missing(
            "a [[staff]] member is needed: nobody could take a request",
        ));
    }
    if let Some(beyond) = file.place.get(MOST_PLACES) {
        return Err(at(
            &beyond.name,
            format!("there are {MOST_PLACES} places at the most"),
        ));
    }
    unique(
        file.place.iter().map(|place| &place.name),
        "two places have this name",
    )?;
    unique(
        file.place.iter().map(|place| &place.chat_id),
        "two places have this chat",
    )?;
    unique(
        file.staff.iter().map(|member| &member.id),
        "two members of staff have this id",
    )?;
    unique(
        file.form.iter().map(|form| &form.name),
        "two forms have this name",
    )?;
    let zone = TimeZone::get(file.desk.zone.get_ref()).map_err(|_| {
        at(
            &file.desk.zone,
            "not a time zone of the IANA database, such as \"Europe/Moscow\"",
        )
    })?;
    let country = Country::parse(file.desk.country.get_ref()).map_err(|_| {
        let known = Country::codes().collect::<Vec<_>>().join(" ");
        at(
            &file.desk.country,
            format!("not a country whose phone numbers are known here: {known}"),
        )
    })?;
    let dialog = file
        .dialog
        .as_ref()
        .map(|given| dialog::dialog(given, &languages, &places))
        .transpose()?;
    Ok(Settings {
        name: title(&file.desk.name)?,
        administrators_only: administrators_only(&file.desk)?,
        attention: attention(&file.attention)?,
        notices: notices(&file.notices, &places, &zone)?,
        zone,
        staff_language: language(&file.desk.staff_language)?,
        languages,
        country,
        bot: Bot {
            name: name(&file.bot.name)?,
        },
        places,
        staff,
        forms,
        dialog,
    })
}

fn attention(attention: &file::Attention) -> Result<Attention, Mistake> {
    let given = |given: &Option<Spanned<u16>>| match given {
        Some(given) if *given.get_ref() == 0 => {
            Err(at(given, "at least 1; leave the line out for never"))
        }
        given => Ok(given.as_ref().map(|given| i64::from(*given.get_ref()))),
    };
    Ok(Attention {
        call_out_after: given(&attention.call_out_after_minutes)?.map(SignedDuration::from_mins),
        return_after: given(&attention.return_after_hours)?.map(SignedDuration::from_hours),
    })
}

fn administrators_only(desk: &file::Desk) -> Result<Vec<&'static str>, Mistake> {
    let given = &desk.administrators_only;
    unique(given.iter(), "this stands here twice")?;
    let known = |name: &Spanned<String>| {
        let mut commands = Command::NAMES.into_iter();
        commands
            .find(|command| command == name.get_ref())
            .ok_or_else(|| {
                let all = Command::NAMES.join(", ");
                at(name, format!("not something that staff do: {all}"))
            })
    };
    given.iter().map(known).collect()
}

/// Without a word on it, the report comes at nine in the first place.
fn notices(notices: &file::Notices, places: &[Place], zone: &TimeZone) -> Result<Notices, Mistake> {
    let place = match &notices.place {
        None => places[0].name.clone(),
        Some(given) => places
            .iter()
            .find(|place| place.name.as_str() == given.get_ref())
            .map(|place| place.name.clone())
            .ok_or_else(|| at(given, "no [[place]] has this name"))?,
    };
    let hour = notices
        .report_hour
        .as_ref()
        .map_or(9, |hour| *hour.get_ref());
    if let Some(given) = &notices.report_hour
        && !(0..24).contains(&hour)
    {
        return Err(at(given, "an hour of the day is 0 to 23"));
    }
    Ok(Notices {
        place,
        report: ReportTime {
            zone: zone.clone(),
            hour,
        },
    })
}

fn languages(desk: &file::Desk) -> Result<Vec<Language>, Mistake> {
    let given = desk.languages.get_ref();
    let languages = given.iter().map(language).collect::<Result<Vec<_>, _>>()?;
    if languages.is_empty() {
        return Err(at(&desk.languages, "at least one language is needed"));
    }
    unique(given.iter(), "this language stands here twice")?;
    Ok(languages)
}

fn language(code: &Spanned<String>) -> Result<Language, Mistake> {
    Language::ALL
        .into_iter()
        .find(|language| language.code() == code.get_ref())
        .ok_or_else(|| {
            let known = Language::ALL.map(Language::code).join(", ");
            at(code, format!("not a language of the desk's texts: {known}"))
        })
}

fn place(place: &file::Place) -> Result<Place, Mistake> {
    if *place.chat_id.get_ref() == 0 {
        return Err(at(&place.chat_id, "a chat's id is never 0"));
    }
    Ok(Place {
        name: name(&place.name)?,
        chat_id: *place.chat_id.get_ref(),
        title: title(&place.title)?,
    })
}

fn member(member: &file::Member) -> Result<Member, Mistake> {
    if *member.id.get_ref() <= 0 {
        return Err(at(
            &member.id,
            "a person's id in Telegram is greater than 0",
        ));
    }
    let role = if member.administrator {
        Role::Administrator
    } else {
        Role::Member
    };
    Ok(Member {
        id: *member.id.get_ref(),
        name: title(&member.name)?,
        role,
    })
}

/// The places that a form or the dialog names; all of the desk's where it names none.
pub(crate) fn places_of<T>(
    given: Option<&Spanned<Vec<Spanned<String>>>>,
    whose: &Spanned<T>,
    places: &[Place],
) -> Result<Vec<Name>, Mistake> {
    let Some(given) = given else {
        if places.len() > MOST_PLACES_OF_A_FORM {
            let message = format!(
                "a form goes to {MOST_PLACES_OF_A_FORM} places at the most: name them, as in places = [\"{}\"]",
                places[0].name
            );
            return Err(at(whose, message));
        }
        return Ok(places.iter().map(|place| place.name.clone()).collect());
    };
    let names = given.get_ref();
    if names.is_empty() {
        return Err(at(
            given,
            "a form without places would tell nobody; leave the line out for all places",
        ));
    }
    if let Some(beyond) = names.get(MOST_PLACES_OF_A_FORM) {
        return Err(at(
            beyond,
            format!("a form goes to {MOST_PLACES_OF_A_FORM} places at the most"),
        ));
    }
    unique(names.iter(), "this place stands here twice")?;
    let known = |given: &Spanned<String>| {
        places
            .iter()
            .find(|place| place.name.as_str() == given.get_ref())
            .map(|place| place.name.clone())
            .ok_or_else(|| at(given, "no [[place]] has this name"))
    };
    names.iter().map(known).collect()
}

pub(crate) fn texts(given: &Texts, languages: &[Language]) -> Result<Localized, Mistake> {
    localized(given, languages, short, NOT_SHORT)
}

/// A text in each of the desk's languages and no other; `message` says what `read` is content with.
pub(crate) fn localized(
    given: &Texts,
    languages: &[Language],
    read: impl Fn(&str) -> Option<String>,
    message: &str,
) -> Result<Localized, Mistake> {
    let mut by_language = BTreeMap::new();
    for (code, text) in given.get_ref() {
        let language = Language::ALL
            .into_iter()
            .find(|language| language.code() == code && languages.contains(language))
            .ok_or_else(|| at(given, format!("\"{code}\" is not one of desk.languages")))?;
        by_language.insert(language, read(text).ok_or_else(|| at(given, message))?);
    }
    if let Some(absent) = languages
        .iter()
        .find(|language| !by_language.contains_key(language))
    {
        return Err(at(
            given,
            format!("the text is missing in \"{}\"", absent.code()),
        ));
    }
    Localized::new(by_language).ok_or_else(|| at(given, message))
}

pub(crate) const NOT_SHORT: &str =
    "a text of 1 to 64 characters that can be seen, on one line, is needed";

fn title(text: &Spanned<String>) -> Result<String, Mistake> {
    short(text.get_ref()).ok_or_else(|| at(text, NOT_SHORT))
}

pub(crate) fn short(text: &str) -> Option<String> {
    let cleaned = clean_line(text);
    (!is_blank(&cleaned) && telegram_len(&cleaned) <= 64).then_some(cleaned)
}

pub(crate) fn name(text: &Spanned<String>) -> Result<Name, Mistake> {
    Name::parse(text.get_ref()).ok_or_else(|| {
        at(
            text,
            "a name has 1 to 32 of a-z 0-9 _ - and begins with a letter",
        )
    })
}

pub(crate) fn unique<'a, T: Ord + 'a>(
    values: impl Iterator<Item = &'a Spanned<T>>,
    message: &str,
) -> Result<(), Mistake> {
    let mut seen = BTreeSet::new();
    for value in values {
        if !seen.insert(value.get_ref()) {
            return Err(at(value, message));
        }
    }
    Ok(())
}

pub(crate) fn at<T>(value: &Spanned<T>, message: impl Into<String>) -> Mistake {
    Mistake {
        at: Some(value.span().start),
        message: message.into(),
    }
}

pub(crate) fn missing(message: &str) -> Mistake {
    Mistake {
        at: None,
        message: message.to_owned(),
    }
}
