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
            Self::Card { place, .. } | Self::Report { place, .. } | Self::Warning { place, .. } => {
                Some(place)
            }
            Self::Webhook { .. } | Self::WebhookCheck { .. } => None,
        }
    }

    /// The lane of its new messages, if it makes any.
    pub fn lane(&self) -> Option<Lane> {
        match self {
            Self::Card { .. } => Some(Lane::Message),
            Self::Report { .. } | Self::Warning { .. } => Some(Lane::Notice),
            Self::Webhook { .. } | Self::WebhookCheck { .. } => None,
        }
    }
}
