//! What a button of the staff's means: its callback data.

use jiff::Timestamp;
use thiserror::Error;

use crate::{Action, RequestId};

/// A button of the staff's. Its data holds only short codes and ids, so it is far below Telegram's 64
/// bytes whatever a label says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Press {
    /// Does something to a request, from its card or from a list.
    Act {
        /// What.
        action: Action,
        /// The request.
        request: RequestId,
        /// From which kind of message.
        from: PressedOn,
    },
    /// Turns to the page of the list that begins here, or to the first.
    Page(Option<PageStart>),
}

/// Where a page of the list begins: behind this request, the last of the page before, which had changed
/// then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageStart {
    /// When it had changed.
    pub changed: Timestamp,
    /// The request, which tells it from others that changed in the same millisecond.
    pub request: RequestId,
}

/// The kind of message that a button stands under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressedOn {
    /// The request's card.
    Card,
    /// A list of requests, on the page that begins here.
    List(Option<PageStart>),
}

/// Callback data of no button of the desk's, or of one that is no longer made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a button of this desk's")]
pub struct UnknownPress;

impl Press {
    /// Reads callback data. Anyone can make up any.
    pub fn parse(data: &str) -> Result<Self, UnknownPress> {
        let (code, rest) = data.split_once(':').ok_or(UnknownPress)?;
        if code == "list" {
            let page = page_of(rest).map(Self::Page)?;
            return (page.data() == data).then_some(page).ok_or(UnknownPress);
        }
        let (id, from) = match rest.split_once(':') {
            Some((id, page)) => (id, PressedOn::List(page_of(page)?)),
            None => (rest, PressedOn::Card),
        };
        let action = match code {
            "take" => Action::Take,
            "back" => Action::Return,
            "close" => Action::Close { reason: None },
            _ => return Err(UnknownPress),
        };
        let request = RequestId::parse(id).map_err(|_| UnknownPress)?;
        let press = Self::Act {
            action,
            request,
            from,
        };
        // An id also reads as people write it; a button's data has one spelling.
        (press.data() == data).then_some(press).ok_or(UnknownPress)
    }

    /// The callback data; that of a card's first button is `take:` and the id, 19 bytes.
    pub fn data(&self) -> String {
        match self {
            Self::Act {
                action,
                request,
                from,
            } => {
                let code = match action {
                    Action::Take => "take",
                    Action::Return => "back",
                    Action::Close { .. } => "close",
                };
                match from {
                    PressedOn::Card => format!("{code}:{request}"),
                    PressedOn::List(page) => format!("{code}:{request}:{}", code_of(*page)),
                }
            }
            Self::Page(page) => format!("list:{}", code_of(*page)),
        }
    }
}

/// The milliseconds since 1970 and the id behind which a page begins; nothing for the first.
fn code_of(page: Option<PageStart>) -> String {
    let code = |start: PageStart| format!("{}:{}", start.changed.as_millisecond(), start.request);
    page.map(code).unwrap_or_default()
}

fn page_of(code: &str) -> Result<Option<PageStart>, UnknownPress> {
    if code.is_empty() {
        return Ok(None);
    }
    let (millis, id) = code.split_once(':').ok_or(UnknownPress)?;
    let millis = millis.parse().map_err(|_| UnknownPress)?;
    Ok(Some(PageStart {
        changed: Timestamp::from_millisecond(millis).map_err(|_| UnknownPress)?,
        request: RequestId::parse(id).map_err(|_| UnknownPress)?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_reads_back_and_a_cards_first_is_19_bytes() {
        let request = RequestId::parse("3f9a22c107bed4").expect("an id");
        let act = |action, from| Press::Act {
            action,
            request,
            from,
        };
        let take = act(Action::Take, PressedOn::Card);
        assert_eq!(take.data(), "take:3f9a22c107bed4");
        assert_eq!(take.data().len(), 19);
        let start = PageStart {
            changed: Timestamp::from_millisecond(1_800_000_000_123).expect("a time"),
            request,
        };
        for press in [
            take,
            act(Action::Return, PressedOn::List(None)),
            act(Action::Return, PressedOn::List(Some(start))),
            act(Action::Close { reason: None }, PressedOn::Card),
            Press::Page(None),
            Press::Page(Some(start)),
        ] {
            assert_eq!(Press::parse(&press.data()), Ok(press.clone()));
            assert!(press.data().len() <= 64);
        }
        for wrong in [
            "",
            "take:",
            "take:3f9a",
            "TAKE:3f9a22c107bed4",
            "drop:3f9a22c107bed4",
            "list:soon",
            "list:1",
            "list:+1:3f9a22c107bed4",
            "take:3f9a22c107bed4:x",
            "take:3F9A22C107BED4",
            "take:3f9a 22c1 07be d4",
        ] {
            assert_eq!(Press::parse(wrong), Err(UnknownPress), "{wrong}");
        }
    }
}
