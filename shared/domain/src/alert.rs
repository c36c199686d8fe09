//! What is watched, and when the staff are told of it: when it turns bad, not again while it stays so,
//! and once when it is good again.

use jiff::{SignedDuration, Timestamp};

use crate::text::cut;

/// Something that should be well, and is looked at each minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Watched {
    /// Nothing waits for long to be delivered.
    Delay,
    /// Every send's outcome is known, or will be by itself.
    Outcomes,
    /// Nothing has been given up.
    DeadLetters,
    /// Every chat of the staff's can be reached.
    Chats,
    /// Telegram delivers its updates here.
    Webhook,
}

impl Watched {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Delay,
        Self::Outcomes,
        Self::DeadLetters,
        Self::Chats,
        Self::Webhook,
    ];

    /// Its name in storage and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delay => "delay",
            Self::Outcomes => "outcomes",
            Self::DeadLetters => "dead_letters",
            Self::Chats => "chats",
            Self::Webhook => "webhook",
        }
    }

    /// What has this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|watched| watched.name() == name)
    }
}

/// How something that is watched stands, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// What.
    pub watched: Watched,
    /// One more with each turn: odd while it is bad, 0 where it never was.
    pub version: u32,
    /// When it last turned.
    pub since: Timestamp,
    /// What was seen then, for the text: a count, the name of a place, a kind of error.
    pub detail: String,
}

impl Alert {
    /// What never was bad.
    pub fn good(watched: Watched) -> Self {
        Self {
            watched,
            version: 0,
            since: Timestamp::UNIX_EPOCH,
            detail: String::new(),
        }
    }

    /// True while it is bad.
    pub fn is_bad(&self) -> bool {
        self.version % 2 == 1
    }

    /// What it becomes if it turns: it is `bad` now (with what was seen) and was not, or the reverse.
    pub fn turn(&self, bad: Option<&str>, now: Timestamp) -> Option<Self> {
        (bad.is_some() != self.is_bad()).then(|| Self {
            watched: self.watched,
            version: self.version + 1,
            since: now,
            detail: bad.unwrap_or_default().to_owned(),
        })
    }

    /// True where whoever was told of version `told` need not be told of this one: it has turned and
    /// turned back.
    pub fn is_known_at(&self, told: u32) -> bool {
        told % 2 == self.version % 2
    }
}

/// What a look at the webhook can find wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookTrouble {
    /// Updates go to somebody else's address.
    OtherAddress,
    /// Deliveries fail.
    DeliveriesFail,
    /// Updates pile up.
    UpdatesWait,
}

impl WebhookTrouble {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::OtherAddress, Self::DeliveriesFail, Self::UpdatesWait];

    /// Its name in storage.
    pub fn name(self) -> &'static str {
        match self {
            Self::OtherAddress => "other_address",
            Self::DeliveriesFail => "deliveries_fail",
            Self::UpdatesWait => "updates_wait",
        }
    }

    /// What has this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trouble| trouble.name() == name)
    }
}

/// What one look at the desk finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// Since when the oldest effect waits to be delivered.
    pub oldest: Option<Timestamp>,
    /// Sends whose outcome is unknown, and which no rule will settle.
    pub unknown: u32,
    /// Effects that were given up.
    pub failed: u32,
    /// Messages among the dead letters.
    pub dead_letters: u64,
    /// The places whose chats cannot be reached, by title.
    pub unreachable: Vec<String>,
    /// What the webhook is seen to be.
    pub webhook: Seen,
}

/// What is seen of one thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Seen {
    /// It is well.
    #[default]
    Well,
    /// It is bad, and this was seen: a count, names, a kind of error.
    Trouble(String),
    /// It cannot be told just now.
    Unclear,
}

impl Seen {
    /// Whether it is bad; nothing where that cannot be told.
    pub fn is_bad(&self) -> Option<bool> {
        match self {
            Self::Well => Some(false),
            Self::Trouble(_) => Some(true),
            Self::Unclear => None,
        }
    }
}

/// Something that has waited for so long is a sign of trouble: a burst that a group takes at its pace
/// may take this long.
const LONG: SignedDuration = SignedDuration::from_mins(30);

/// Names of places in a warning: with their count, it stays far below a message's length.
const LONGEST_NAMES: usize = 2000;

impl Sight {
    /// What is seen of `watched`.
    pub fn look_at(&self, watched: Watched, now: Timestamp) -> Seen {
        let trouble = |trouble: Option<String>| trouble.map_or(Seen::Well, Seen::Trouble);
        let counted = |count: u64| trouble((count > 0).then(|| count.to_string()));
        match watched {
            Watched::Delay => {
                let oldest = self
                    .oldest
                    .filter(|oldest| now.duration_since(*oldest) >= LONG);
                trouble(oldest.map(|oldest| oldest.to_string()))
            }
            Watched::Outcomes => counted(u64::from(self.unknown)),
            Watched::DeadLetters => counted(self.dead_letters.max(u64::from(self.failed))),
            Watched::Chats => {
                let names = self.unreachable.join(", ");
                let kept = cut(&names, LONGEST_NAMES);
                let more = if kept.len() < names.len() { " …" } else { "" };
                trouble((!names.is_empty()).then(|| format!("{kept}{more}")))
            }
            Watched::Webhook => self.webhook.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minutes * 60).expect("a time")
    }

    #[test]
    fn it_turns_once_each_way_and_who_missed_both_need_not_be_told() {
        let good = Alert::good(Watched::DeadLetters);
        assert_eq!(good.turn(None, at(0)), None);
        let bad = good.turn(Some("2"), at(1)).expect("it turned");
        assert!(bad.is_bad() && !bad.is_known_at(0));
        assert_eq!(bad.turn(Some("3"), at(2)), None, "it stays bad");
        let again = bad.turn(None, at(3)).expect("it turned back");
        assert!(!again.is_bad() && again.is_known_at(0) && !again.is_known_at(1));
    }

    #[test]
    fn each_kind_of_trouble_is_seen_and_has_a_name_of_its_own() {
        let well = Sight {
            oldest: Some(at(-29)),
            ..Sight::default()
        };
        let ill = Sight {
            oldest: Some(at(-30)),
            unknown: 1,
            failed: 2,
            dead_letters: 1,
            unreachable: vec!["Staff".to_owned()],
            webhook: Seen::Trouble(WebhookTrouble::OtherAddress.name().to_owned()),
        };
        for watched in Watched::ALL {
            assert_eq!(well.look_at(watched, at(0)), Seen::Well, "{watched:?}");
            assert_eq!(
                ill.look_at(watched, at(0)).is_bad(),
                Some(true),
                "{watched:?}"
            );
            assert_eq!(Watched::named(watched.name()), Some(watched));
        }
        assert_eq!(
            ill.look_at(Watched::DeadLetters, at(0)),
            Seen::Trouble("2".to_owned())
        );
        for trouble in WebhookTrouble::ALL {
            assert_eq!(WebhookTrouble::named(trouble.name()), Some(trouble));
        }
    }
}
