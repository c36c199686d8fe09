//! Items: the only place that knows the names of attributes.

mod draft;
mod effect;
mod notice;
mod request;

use std::collections::HashMap;
use std::ops::Range;

use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::Name;
use jiff::Timestamp;

use crate::{Error, keys};

pub(crate) use draft::{brief_item, draft_value, file_item, read_brief, read_draft, text_item};
pub(crate) use effect::{
    EFFECT_ATTRIBUTES, effect_item, effect_state_name, read_effect, stray_text,
};
pub(crate) use notice::{REPORT_KEPT, alert_item, read_alert, read_report, report_item};
pub(crate) use request::{
    OF_SOME_STATES, changing, history_item, read_history, read_request, request_items,
};

pub(crate) type Item = HashMap<String, AttributeValue>;

/// The version of the items' format that is written here. Items of a later one are left alone.
pub(crate) const FORMAT: u32 = 1;
/// Builds an item attribute by attribute.
pub(crate) struct Writer(Item);

impl Writer {
    pub(crate) fn new(key: (String, String)) -> Self {
        Self(keys::key_of(key)).number("v", FORMAT)
    }

    fn with(mut self, name: &str, value: AttributeValue) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    pub(crate) fn text(self, name: &str, value: impl Into<String>) -> Self {
        self.with(name, AttributeValue::S(value.into()))
    }

    pub(crate) fn number(self, name: &str, value: impl Into<i64>) -> Self {
        self.with(name, number(value))
    }

    pub(crate) fn time(self, name: &str, value: Timestamp) -> Self {
        self.with(name, time(value))
    }

    pub(crate) fn maybe<T>(self, value: Option<T>, write: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => write(self, value),
            None => self,
        }
    }

    pub(crate) fn finish(self) -> Item {
        self.0
    }
}

pub(crate) fn number(value: impl Into<i64>) -> AttributeValue {
    AttributeValue::N(value.into().to_string())
}

/// Times are stored as milliseconds since 1970.
pub(crate) fn time(value: Timestamp) -> AttributeValue {
    AttributeValue::N(value.as_millisecond().to_string())
}

pub(crate) fn text_of<'a>(item: &'a Item, name: &'static str) -> Result<&'a str, Error> {
    let text = item.get(name).and_then(|value| value.as_s().ok());
    text.map(String::as_str)
        .ok_or(Error::Malformed { attribute: name })
}

pub(crate) fn number_of<N: TryFrom<i64>>(item: &Item, name: &'static str) -> Result<N, Error> {
    let number = item.get(name).and_then(|value| value.as_n().ok());
    let number = number.and_then(|digits| digits.parse::<i64>().ok());
    number
        .and_then(|number| N::try_from(number).ok())
        .ok_or(Error::Malformed { attribute: name })
}

/// A count that has room to rise: nothing counted here comes near two thousand millions.
fn count_of(item: &Item, name: &'static str) -> Result<u32, Error> {
    let count: i32 = number_of(item, name)?;
    u32::try_from(count).map_err(|_| Error::Malformed { attribute: name })
}

/// A time of the years 1970 to 9989, so that waits can be added to it and taken off.
pub(crate) fn time_of(item: &Item, name: &'static str) -> Result<Timestamp, Error> {
    const TIMES: Range<i64> = 0..253_086_768_000_000;
    let millis = number_of(item, name)?;
    let time = Timestamp::from_millisecond(millis).ok();
    time.filter(|_| TIMES.contains(&millis))
        .ok_or(Error::Malformed { attribute: name })
}

/// Refuses an item whose format is a later version's.
fn require_known_format(item: &Item) -> Result<(), Error> {
    let format: u32 = number_of(item, "v")?;
    if format > FORMAT {
        return Err(Error::Newer);
    }
    Ok(())
}

pub(crate) fn optional<T>(
    item: &Item,
    name: &'static str,
    read: impl FnOnce(&Item, &'static str) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    item.contains_key(name)
        .then(|| read(item, name))
        .transpose()
}

fn name_of(item: &Item, name: &'static str) -> Result<Name, Error> {
    Name::parse(text_of(item, name)?).ok_or(Error::Malformed { attribute: name })
}
