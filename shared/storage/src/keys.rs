//! Every key of the table is built and read here.

use std::collections::HashMap;
use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;
use frontdesk_domain::effect::EffectId;
use frontdesk_domain::{ContactKey, Counter, Name, RequestId, Watched};
use jiff::civil::Date;

/// Partitions of the index of what is due. Fixed: an entry's partition follows from its key.
pub const SHARDS: u8 = 4;

pub(crate) const PK: &str = "pk";
pub(crate) const SK: &str = "sk";
pub(crate) const DUE_INDEX: &str = "due";
pub(crate) const LIST_INDEX: &str = "list";
pub(crate) const NUMBER_INDEX: &str = "number";
pub(crate) const CONTACT_INDEX: &str = "contact";

/// A bot's name in keys; several bots may share the table.
pub type Bot = Name;

/// The key of one effect, as queue messages and the index carry it. It may be of a kind that only a
/// newer version knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EffectKey {
    /// The item's partition key.
    pub pk: String,
    /// The item's sort key.
    pub sk: String,
}

impl EffectKey {
    /// The effect's id, where its kind is known here and the key is spelt as the table spells it.
    pub fn id(&self) -> Option<EffectId> {
        self.read_id().filter(|id| Self::from(id) == *self)
    }

    fn read_id(&self) -> Option<EffectId> {
        let Self { pk, sk } = self;
        if sk == "EFF" {
            let rest = pk.strip_prefix("EFF#")?;
            let (kind, bot) = rest.split_once('#')?;
            let bot = Name::parse(bot)?;
            return match kind {
                "webhook" => Some(EffectId::Webhook { bot }),
                "webhook_check" => Some(EffectId::WebhookCheck { bot }),
                _ => None,
            };
        }
        let (about, id) = pk.split_once('#')?;
        let sk = sk.strip_prefix("EFF#")?;
        if sk == "panel" {
            let (bot, chat) = id.split_once('#')?;
            let (bot, chat) = (Name::parse(bot)?, chat.parse().ok()?);
            return Some(EffectId::Panel { bot, chat });
        }
        let (kind, place) = sk.split_once('#')?;
        if kind == "confirmation" {
            let (request, chat) = (RequestId::parse(id).ok()?, place.parse().ok()?);
            return Some(EffectId::Confirmation { request, chat });
        }
        if kind == "answer" && about == "UPD" {
            let (bot, update) = id.split_once('#')?;
            return Some(EffectId::Answer {
                bot: Name::parse(bot)?,
                update: update.parse().ok()?,
                chat: place.parse().ok()?,
            });
        }
        if kind == "reminder" && about == "REQ" {
            let (version, place) = place.split_once('#')?;
            return Some(EffectId::Reminder {
                request: RequestId::parse(id).ok()?,
                version: version.parse().ok()?,
                place: Name::parse(place)?,
            });
        }
        let place = Name::parse(place)?;
        match (kind, about) {
            ("card", "REQ") => {
                let request = RequestId::parse(id).ok()?;
                Some(EffectId::Card { request, place })
            }
            ("brief", "REQ") => {
                let request = RequestId::parse(id).ok()?;
                Some(EffectId::Brief { request, place })
            }
            ("report", "REPORT") => {
                let day = id.parse().ok()?;
                Some(EffectId::Report { day, place })
            }
            ("warning", "ALERT") => {
                let watched = Watched::named(id)?;
                Some(EffectId::Warning { watched, place })
            }
            _ => None,
        }
    }
}

impl From<&EffectId> for EffectKey {
    fn from(id: &EffectId) -> Self {
        let (pk, sk) = match id {
            EffectId::Card { request, place } => {
                (format!("REQ#{request}"), format!("EFF#card#{place}"))
            }
            EffectId::Brief { request, place } => {
                (format!("REQ#{request}"), format!("EFF#brief#{place}"))
            }
            EffectId::Reminder {
                request,
                version,
                place,
            } => (
                format!("REQ#{request}"),
                format!("EFF#reminder#{version}#{place}"),
            ),
            EffectId::Confirmation { request, chat } => {
                (format!("REQ#{request}"), format!("EFF#confirmation#{chat}"))
            }
            EffectId::Answer {
                bot,
                update: id,
                chat,
            } => (update(bot, *id).0, format!("EFF#answer#{chat}")),
            EffectId::Panel { bot, chat } => (conversation(bot, *chat), "EFF#panel".to_owned()),
            EffectId::Report { day, place } => {
                (format!("REPORT#{day}"), format!("EFF#report#{place}"))
            }
            EffectId::Warning { watched, place } => (
                format!("ALERT#{}", watched.name()),
                format!("EFF#warning#{place}"),
            ),
            EffectId::Webhook { bot } => (format!("EFF#webhook#{bot}"), "EFF".to_owned()),
            EffectId::WebhookCheck { bot } => {
                (format!("EFF#webhook_check#{bot}"), "EFF".to_owned())
            }
        };
        Self { pk, sk }
    }
}

impl fmt::Display for EffectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.pk, self.sk)
    }
}

pub(crate) fn request(id: RequestId) -> (String, String) {
    (format!("REQ#{id}"), "REQ".to_owned())
}

/// The id of a request whose key this is.
pub(crate) fn request_of(pk: &str, sk: &str) -> Option<RequestId> {
    let id = pk.strip_prefix("REQ#").filter(|_| sk == "REQ")?;
    RequestId::parse(id).ok()
}

pub(crate) fn body(id: RequestId) -> (String, String) {
    (format!("REQ#{id}"), "BODY".to_owned())
}

pub(crate) fn history(id: RequestId, version: u32) -> (String, String) {
    (format!("REQ#{id}"), format!("LOG#{version:010}"))
}

pub(crate) fn effect(id: &EffectId) -> (String, String) {
    let key = EffectKey::from(id);
    (key.pk, key.sk)
}

pub(crate) fn update(bot: &Bot, update_id: i64) -> (String, String) {
    (format!("UPD#{bot}#{update_id}"), "UPD".to_owned())
}

/// The partition of a chat: what is known of it, and the draft of its customer with all its parts.
pub(crate) fn conversation(bot: &Bot, chat: i64) -> String {
    format!("CHAT#{bot}#{chat}")
}

pub(crate) const CHAT: &str = "CHAT";
/// The draft stands in the item of its panel's effect, so that one write changes both.
pub(crate) const DRAFT: &str = "EFF#panel";

pub(crate) fn chat(bot: &Bot, chat: i64) -> (String, String) {
    (conversation(bot, chat), CHAT.to_owned())
}

/// A long text of a draft.
pub(crate) fn draft_text(step: &Name) -> String {
    format!("DRAFT#text#{step}")
}

/// A file of a draft, by its place in the brief.
pub(crate) fn draft_file(at: usize) -> String {
    format!("DRAFT#file#{at:02}")
}

/// A request's files.
pub(crate) fn brief(id: RequestId) -> (String, String) {
    (format!("REQ#{id}"), "BRIEF".to_owned())
}

pub(crate) fn alert(watched: Watched) -> (String, String) {
    (format!("ALERT#{}", watched.name()), "ALERT".to_owned())
}

pub(crate) fn report(day: Date) -> (String, String) {
    (format!("REPORT#{day}"), "REPORT".to_owned())
}

/// The day of the last report.
pub(crate) fn reports() -> (String, String) {
    ("REPORTS".to_owned(), "REPORTS".to_owned())
}

pub(crate) fn counter(counter: Counter, day: Date, shard: u8) -> (String, String) {
    (format!("COUNT#{}#{day}", counter.name()), shard.to_string())
}

/// The partition of the index of what is due.
pub(crate) fn due_partition(shard: u8) -> String {
    format!("DUE#{shard}")
}

/// The partition of that index with the requests that need attention: apart, so that they never stand
/// before effects.
pub(crate) const ATTENTION_PARTITION: &str = "ATTENTION";

/// The partition of that index with this item's entries.
pub(crate) fn due_partition_of(pk: &str) -> String {
    due_partition(shard_of(pk))
}

/// The shard of an item: an FNV-1a hash, so that it never changes with a library.
fn shard_of(pk: &str) -> u8 {
    let hash = pk.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    u8::try_from(hash % u32::from(SHARDS)).unwrap_or_default()
}

/// The partition of the index of requests, or of effects in trouble, by where they stand.
pub(crate) fn list_partition(kind: &str, state: &str) -> String {
    format!("{kind}#{state}")
}

/// The partition of the index of numbers: their first four digits.
pub(crate) fn number_partition(number: &str) -> String {
    format!("NUMBER#{}", &number[..4])
}

pub(crate) fn contact_partition(contact: &ContactKey) -> String {
    format!("CONTACT#{}", contact.as_str())
}

pub(crate) fn key_of((pk, sk): (String, String)) -> HashMap<String, AttributeValue> {
    HashMap::from([
        (PK.to_owned(), AttributeValue::S(pk)),
        (SK.to_owned(), AttributeValue::S(sk)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effects_key_reads_back_and_no_other_spelling_or_kind_is_taken_for_one() {
        let request = RequestId::parse("3f9a22c107bed4").expect("an id");
        let place = Name::parse("staff").expect("a name");
        let bot = || Name::parse("desk").expect("a name");
        for id in [
            EffectId::Card {
                request,
                place: place.clone(),
            },
            EffectId::Brief {
                request,
                place: place.clone(),
            },
            EffectId::Confirmation { request, chat: 77 },
            EffectId::Panel {
                bot: bot(),
                chat: 77,
            },
            EffectId::Report {
                day: jiff::civil::date(2026, 3, 29),
                place: place.clone(),
            },
            EffectId::Warning {
                watched: Watched::DeadLetters,
                place,
            },
            EffectId::Webhook { bot: bot() },
            EffectId::WebhookCheck { bot: bot() },
        ] {
            assert_eq!(EffectKey::from(&id).id(), Some(id));
        }
        for (pk, sk) in [
            ("REQ#3f9a22c107bed4", "EFF#mail#customer"),
            ("REQ#3F9A22C107BED4", "EFF#card#staff"),
            ("REQ#3f9a 22c1 07be d4", "EFF#card#staff"),
        ] {
            let (pk, sk) = (pk.to_owned(), sk.to_owned());
            assert_eq!(EffectKey { pk, sk }.id(), None);
        }
    }
}
