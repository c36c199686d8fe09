use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use frontdesk_domain::effect::{Effect, EffectId, State};
use frontdesk_domain::{Alert, Report, Request};
use jiff::Timestamp;

use crate::item::{self, optional, time_of};
use crate::store::with_patience;
use crate::transaction::{Condition, condition};
use crate::{Bot, Chat, EffectKey, Error, Store, keys};

/// What a queue message's effect key leads to.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// The effect, and what is needed to act on it.
    Found(Box<LoadedEffect>),
    /// A newer version wrote it: it is to be left for that version.
    Newer {
        /// When the clock steps in, as it is stored.
        due: Option<Timestamp>,
    },
    /// There is no such effect.
    Missing,
}

/// What an effect is about, as it now is.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A card's request, whole.
    Request(Box<Request>),
    /// A report's figures.
    Report(Report),
    /// A warning's reason.
    Alert(Alert),
    /// Nothing that is stored, or it is gone.
    None,
}

/// An effect and what is needed to act on it, read at one moment.
#[derive(Clone, Debug)]
pub struct LoadedEffect {
    /// The effect.
    pub effect: Effect,
    /// What it is about.
    pub subject: Subject,
    /// The chat of its place.
    pub chat: Chat,
}

/// What became of a write to an effect.
#[derive(Clone, Debug)]
pub enum Finished {
    /// It is stored so.
    Stored(Box<Effect>),
    /// The effect had changed meanwhile; this is what it is now.
    Changed(Box<Effect>),
}

impl Store {
    /// Reads an effect as it is now, with what it is about; `chat` is that of its place, if it has one.
    pub async fn load_effect(
        &self,
        bot: &Bot,
        key: &EffectKey,
        chat: Option<i64>,
    ) -> Result<Loaded, Error> {
        let id = key.id();
        let mut wanted = vec![(key.pk.clone(), key.sk.clone())];
        match &id {
            Some(EffectId::Card { request, .. }) => {
                wanted.extend([keys::request(*request), keys::body(*request)]);
            }
            Some(EffectId::Report { day, .. }) => wanted.push(keys::report(*day)),
            Some(EffectId::Warning { watched, .. }) => wanted.push(keys::alert(*watched)),
            Some(EffectId::Webhook { .. } | EffectId::WebhookCheck { .. }) | None => {}
        }
        let chat_at = wanted.len();
        wanted.extend(chat.map(|chat| keys::chat(bot, chat)));
        let found = self.read_now(&wanted).await?;
        let Some(effect) = &found[0] else {
            return Ok(Loaded::Missing);
        };
        let newer = || {
            let due = optional(effect, "due", time_of)?;
            Ok(Loaded::Newer { due })
        };
        let Some(id) = id else {
            return newer();
        };
        let subject = match (&id, found[1..chat_at].first()) {
            (EffectId::Card { .. }, Some(Some(request))) => {
                item::read_request(request, found[2].as_ref())
                    .map(|request| Subject::Request(Box::new(request)))
            }
            (EffectId::Report { day, .. }, Some(Some(report))) => {
                item::read_report(*day, report).map(Subject::Report)
            }
            (EffectId::Warning { watched, .. }, Some(Some(alert))) => {
                item::read_alert(*watched, alert).map(Subject::Alert)
            }
            (_, Some(None) | None)
            | (EffectId::Webhook { .. } | EffectId::WebhookCheck { .. }, _) => Ok(Subject::None),
        };
        let (effect, subject) = match (item::read_effect(id, effect), subject) {
            (Err(Error::Newer), _) | (_, Err(Error::Newer)) => return newer(),
            (effect, subject) => (effect?, subject?),
        };
        let chat = Chat::read(found.get(chat_at).and_then(Option::as_ref))?;
        Ok(Loaded::Found(Box::new(LoadedEffect {
            effect,
            subject,
            chat,
        })))
    }

    /// An effect alone, as it now is.
    pub async fn read_effect(&self, id: &EffectId) -> Result<Option<Effect>, Error> {
        let found = self.read_now(&[keys::effect(id)]).await?;
        let effect = found.into_iter().flatten().next();
        effect
            .map(|item| item::read_effect(id.clone(), &item))
            .transpose()
    }

    /// Writes `after` over `before`, if the effect still has the revision of `before`. A write whose
    /// answer was lost, and which is therefore sent twice, counts once.
    pub async fn write_effect(&self, before: &Effect, after: &Effect) -> Result<Finished, Error> {
        const OPERATION: &str = "UpdateItem";
        let after = Effect {
            revision: before.revision + 1,
            ..after.clone()
        };
        let mut values = item::effect_item(&after);
        let mut update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::effect(&after.id))))
            .condition_expression("revision = :before")
            .expression_attribute_values(":before", item::number(before.revision))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let (mut set, mut remove) = (Vec::new(), Vec::new());
        for (at, name) in item::EFFECT_ATTRIBUTES.into_iter().enumerate() {
            update = update.expression_attribute_names(format!("#{at}"), name);
            if let Some(value) = values.remove(name) {
                set.push(format!("#{at} = :{at}"));
                update = update.expression_attribute_values(format!(":{at}"), value);
            } else {
                remove.push(format!("#{at}"));
            }
        }
        let expression = format!("SET {} REMOVE {}", set.join(", "), remove.join(", "));
        let update = update.update_expression(expression);
        let written = with_patience(|| {
            let call = update.clone();
            async move {
                condition(OPERATION, call.send().await, |error| match error {
                    UpdateItemError::ConditionalCheckFailedException(failed) => failed.item.clone(),
                    _ => None,
                })
            }
        });
        match written.await? {
            Condition::Held(_) => Ok(Finished::Stored(Box::new(after))),
            Condition::Failed(item) => {
                let now = item::read_effect(after.id.clone(), &item)?;
                Ok(if is_same_write(&now, &after) {
                    Finished::Stored(Box::new(now))
                } else {
                    Finished::Changed(Box::new(now))
                })
            }
        }
    }
}

/// True where `now` shows that `after` had been written: only an attempt itself takes and ends its
/// own lease, so its nonce in the right state is proof.
fn is_same_write(now: &Effect, after: &Effect) -> bool {
    let holder = |effect: &Effect| effect.lease.as_ref().map(|lease| lease.holder.clone());
    holder(now) == holder(after) && (now.state != State::Sending || after.state == State::Sending)
}
