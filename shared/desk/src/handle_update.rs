//! An update comes from Telegram: what it changes is stored with its receipt, and its reply with both.

use frontdesk_domain::effect::EffectId;
use frontdesk_domain::{Counter, Language, RequestId};
use frontdesk_storage::{Applied, Aside, Error, Receipt, Recorded};
use frontdesk_telegram::{Content, Message, SendMessage, Update, reply_body};
use frontdesk_texts as texts;
use jiff::Timestamp;

use crate::Desk;
use crate::dialog;
use crate::metrics::Metric;
use crate::press::press;
use crate::staff;

/// The webhook's answer: a method for Telegram to perform, or nothing.
pub type Reply = Option<String>;

/// What one look at an update comes to, before it is stored.
#[derive(Debug, Default)]
pub(crate) struct Decision {
    pub(crate) reply: Reply,
    pub(crate) changes: Vec<Applied>,
    pub(crate) aside: Option<&'static str>,
    /// What to log once it is stored.
    pub(crate) event: Option<Event>,
    /// The request that it makes.
    pub(crate) requested: Option<RequestId>,
    /// Why nobody is answered, where somebody could expect it.
    pub(crate) silent: Option<&'static str>,
}

/// What happened, for the log.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) lead: RequestId,
    pub(crate) actor: i64,
}

/// How often a press is decided anew when others keep changing the request.
const TRIES: usize = 8;

/// Handles an update once, however often and however concurrently it comes: every copy gets the
/// first one's reply.
///
/// An error means that the update should come again.
pub async fn handle_update(desk: &Desk, update: &Update, now: Timestamp) -> Result<Reply, Error> {
    let mut taken = 0;
    for _ in 0..TRIES {
        let decision = decide(desk, update, now, taken).await?;
        let receipt = Receipt {
            bot: desk.bot().clone(),
            update_id: update.update_id,
            reply: decision.reply,
            aside: decision.aside.map(|error| aside(update, error)),
            now,
        };
        match desk.store.record(&receipt, &decision.changes).await? {
            Recorded::First => {
                let effects: Vec<_> = decision
                    .changes
                    .iter()
                    .flat_map(|change| effects_of(desk, change))
                    .collect();
                desk.announce_now(effects.iter()).await;
                if let Some(id) = decision.requested {
                    tracing::info!(lead.id = %id, "lead.stored");
                    Metric::LeadsAccepted.record(1);
                }
                if let Some(reason) = decision.silent {
                    tracing::info!(update.id = update.update_id, reason, "update.unanswered");
                }
                if let Some(event) = decision.event {
                    tracing::info!(lead.id = %event.lead, actor.id = event.actor, "{}", event.name);
                }
                if let Some(aside) = receipt.aside {
                    tracing::warn!(
                        update.id = update.update_id,
                        update.kind = aside.kind,
                        error.kind = aside.error,
                        "update.kept_aside"
                    );
                    desk.count(Counter::UpdateKeptAside, now).await;
                }
                return Ok(receipt.reply);
            }
            Recorded::Repeated(reply) => {
                tracing::info!(update.id = update.update_id, "update.repeated");
                Metric::Repeats.record(1);
                desk.count(Counter::UpdateRepeated, now).await;
                return Ok(reply);
            }
            Recorded::Stale => {}
            Recorded::IdTaken => taken += 1,
        }
    }
    Err(Error::Contended {
        operation: "TransactWriteItems",
    })
}

/// Counts an update that could not be read at all, and so has no id to be kept under.
pub async fn note_unreadable(desk: &Desk, now: Timestamp) {
    tracing::error!("update.unreadable");
    desk.count(Counter::UpdateKeptAside, now).await;
}

/// The effects that a stored change has made due. A brief waits for its card, and is announced then.
fn effects_of(desk: &Desk, change: &Applied) -> Vec<EffectId> {
    match change {
        Applied::Wish(wish) => vec![wish.id.clone()],
        Applied::Draft(change) if change.panel.is_some() => vec![EffectId::Panel {
            bot: desk.bot().clone(),
            chat: change.chat,
        }],
        Applied::Request(new) => {
            let ids = new.effects.iter().map(|effect| &effect.id);
            ids.filter(|id| !matches!(id, EffectId::Brief { .. }))
                .cloned()
                .collect()
        }
        Applied::Retry(id) => vec![id.clone()],
        Applied::Answer(effect, _) => vec![effect.id.clone()],
        Applied::Draft(_)
        | Applied::Transition(_)
        | Applied::Activity { .. }
        | Applied::Attended { .. }
        | Applied::Migration { .. }
        | Applied::Reach { .. } => Vec::new(),
    }
}

async fn decide(
    desk: &Desk,
    update: &Update,
    now: Timestamp,
    taken: usize,
) -> Result<Decision, Error> {
    match &update.content {
        Content::Callback(callback) => press(desk, callback, update.update_id, now, taken).await,
        Content::Message(message) => on_message(desk, message, update.update_id, now).await,
        Content::Edited(message) => match &desk.settings.dialog {
            _ if message.location.is_some() => Ok(silent("live_location")),
            Some(dialog) if message.chat.kind == "private" => {
                dialog::message(desk, dialog, message, dialog::Event::Edited, now).await
            }
            _ => Ok(silent("edited_outside_dialog")),
        },
        Content::Membership(membership) if membership.chat.kind == "private" => {
            dialog::membership(desk, membership, now).await
        }
        Content::Membership(_)
        | Content::Other {
            well_formed: true, ..
        } => Ok(put_aside("kind_not_handled")),
        Content::Other {
            well_formed: false, ..
        } => Ok(put_aside("content_malformed")),
    }
}

async fn on_message(
    desk: &Desk,
    message: &Message,
    update_id: i64,
    now: Timestamp,
) -> Result<Decision, Error> {
    let pair = match (message.migrate_to_chat_id, message.migrate_from_chat_id) {
        (Some(to), _) => Some((message.chat.id, to)),
        (None, Some(from)) => Some((from, message.chat.id)),
        (None, None) => None,
    };
    if let Some((from, to)) = pair {
        let ours = desk
            .settings
            .places
            .iter()
            .any(|place| place.chat_id == from);
        let changes = if ours {
            vec![Applied::Migration { from, to }]
        } else {
            Vec::new()
        };
        return Ok(Decision {
            changes,
            ..silent("group_became_supergroup")
        });
    }
    if let Some(decision) = staff::command(desk, message, update_id, now).await? {
        return Ok(decision);
    }
    if message.chat.kind != "private" {
        return Ok(silent("not_for_the_bot"));
    }
    if let Some(dialog) = &desk.settings.dialog {
        return dialog::message(desk, dialog, message, dialog::sent(message), now).await;
    }
    let tag = message
        .from
        .as_ref()
        .and_then(|user| user.language_code.as_deref());
    let language = desk
        .settings
        .language_or_first(tag.and_then(Language::parse));
    let text = texts::use_the_form(language).to_owned();
    Ok(replying(&SendMessage::plain(message.chat.id, text)))
}

pub(crate) fn replying<M: frontdesk_telegram::Method>(method: &M) -> Decision {
    match reply_body(method) {
        Ok(reply) => Decision {
            reply: Some(reply),
            ..Decision::default()
        },
        Err(_) => put_aside("reply_unwritable"),
    }
}

pub(crate) fn silent(reason: &'static str) -> Decision {
    Decision {
        silent: Some(reason),
        ..Decision::default()
    }
}

fn put_aside(error: &'static str) -> Decision {
    Decision {
        aside: Some(error),
        ..Decision::default()
    }
}

/// What is kept of an update that can never work: its kind and ids, nothing that anybody wrote.
fn aside(update: &Update, error: &'static str) -> Aside {
    let (chat, user) = match &update.content {
        Content::Message(message) | Content::Edited(message) => (
            Some(message.chat.id),
            message.from.as_ref().map(|user| user.id),
        ),
        Content::Callback(callback) => (
            callback.message.as_ref().map(|message| message.chat.id),
            Some(callback.from.id),
        ),
        Content::Membership(membership) => (Some(membership.chat.id), Some(membership.from.id)),
        Content::Other { chat, user, .. } => (*chat, *user),
    };
    // A kind is the name of a field that the sender chose; an honest one is short.
    let kind = update
        .kind
        .chars()
        .filter(|c| c.is_ascii_lowercase() || *c == '_')
        .take(40)
        .collect();
    Aside {
        kind,
        chat,
        user,
        error,
    }
}
