//! What an effect is: its kind, and what it is about.

use jiff::civil::Date;

use crate::{Name, RequestId, Watched};

/// What an effect is, derived from its cause, so that one cause never makes two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EffectId {
    /// A place must show a request as it now is.
    Card {
        /// The request.
        request: RequestId,
        /// The place's name in the settings.
        place: Name,
    },
    /// A place must have the files of a request, one after the other, as replies to its card.
    Brief {
        /// The request.
        request: RequestId,
        /// The place's name in the settings.
        place: Name,
    },
    /// A customer must know that a request was received.
    Confirmation {
        /// The request.
        request: RequestId,
        /// The customer's chat.
        chat: i64,
    },
    /// A message of the dialog's must show the draft as it now is.
    Panel {
        /// The bot's name in the settings.
        bot: Name,
        /// The customer's chat.
        chat: i64,
    },
    /// A place must have the report of a day.
    Report {
        /// The local day on which it is due.
        day: Date,
        /// The place's name in the settings.
        place: Name,
    },
    /// A place must know whether something that is watched is as it should be.
    Warning {
        /// What is watched.
        watched: Watched,
        /// The place's name in the settings.
        place: Name,
    },
    /// A place must be reminded of a request.
    Reminder {
        /// The request.
        request: RequestId,
        /// The request's version that calls for it.
        version: u32,
        /// The place's name in the settings.
        place: Name,
    },
    /// Whoever typed a command in a group, or turned a page, must have the answer.
    Answer {
        /// The bot's name in the settings.
        bot: Name,
        /// The update that asked for it.
        update: i64,
        /// The chat that it goes to.
        chat: i64,
    },
    /// Telegram must be told where the bot's updates go.
    Webhook {
        /// The bot's name in the settings.
        bot: Name,
    },
    /// Telegram must be asked how it fares with the webhook.
    WebhookCheck {
        /// The bot's name in the settings.
        bot: Name,
    },
}

/// Who goes first where a chat takes only so many messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// What customers and staff wait for: the next free slot.
    Message,
    /// Reports and warnings: they take a slot only when nobody else wants it.
    Notice,
}

impl EffectId {
    /// The place in whose chat it shows, if it shows in one.
    pub fn place(&self) -> Option<&Name> {
        match self {
            Self::Card { place, .. }
            | Self::Brief { place, .. }
            | Self::Reminder { place, .. }
            | Self::Report { place, .. }
            | Self::Warning { place, .. } => Some(place),
            Self::Confirmation { .. }
            | Self::Panel { .. }
            | Self::Answer { .. }
            | Self::Webhook { .. }
            | Self::WebhookCheck { .. } => None,
        }
    }

    /// The customer's chat that it goes to, if it goes to one.
    pub fn customer(&self) -> Option<i64> {
        match self {
            Self::Confirmation { chat, .. } | Self::Panel { chat, .. } => Some(*chat),
            _ => None,
        }
    }

    /// True where a new message whose outcome was not learnt is sent again: to the staff it says so, and a
    /// panel only shows once more what is asked. What tells a customer something is not sent again: that
    /// is for the staff to settle.
    pub fn is_sent_again(&self) -> bool {
        !matches!(self, Self::Confirmation { .. })
    }

    /// True where it makes messages.
    pub fn makes_messages(&self) -> bool {
        self.lane().is_some() || matches!(self, Self::Panel { .. })
    }

    /// The lane in which its new messages wait, if they wait for anybody.
    pub fn lane(&self) -> Option<Lane> {
        match self {
            Self::Card { .. }
            | Self::Brief { .. }
            | Self::Confirmation { .. }
            | Self::Reminder { .. }
            | Self::Answer { .. } => Some(Lane::Message),
            Self::Report { .. } | Self::Warning { .. } => Some(Lane::Notice),
            // A panel's new message answers a customer's own press or text, as a reply would.
            Self::Panel { .. } | Self::Webhook { .. } | Self::WebhookCheck { .. } => None,
        }
    }
}
