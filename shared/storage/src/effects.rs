use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;
use frontdesk_domain::dialog::{BriefFile, Draft};
use frontdesk_domain::effect::{Effect, EffectId, State};
use frontdesk_domain::{Alert, Name, Report, Request, RequestId, State as RequestState};
use jiff::Timestamp;

use crate::dialogs::conversation_of;
use crate::item::{self, Item, optional, time_of};
use crate::store::with_patience;
use crate::transaction::{Condition, condition};
use crate::{Answer, Bot, Chat, EffectKey, Error, Store, answers, keys};

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
    /// A brief's files, and the card that they follow.
    Brief(Box<BriefSubject>),
    /// A panel's draft, whole.
    Draft(Box<Draft>),
    /// A report's figures.
    Report(Report),
    /// What a command came to.
    Answer(Answer),
    /// A warning's reason.
    Alert(Alert),
    /// A reminder of something that has changed since.
    Outdated,
    /// Nothing that is stored, or it is gone.
    None,
}

/// The files of a request, and the card that they follow.
#[derive(Clone, Debug)]
pub struct BriefSubject {
    /// The request, without its long texts.
    pub request: Request,
    /// Its files, in order.
    pub files: Vec<BriefFile>,
    /// The card in the same place.
    pub card: Option<Effect>,
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
        if let Some(EffectId::Panel { chat, .. }) = &id {
            return self.load_panel(bot, id.clone(), *chat).await;
        }
        let mut wanted = vec![(key.pk.clone(), key.sk.clone())];
        match &id {
            Some(EffectId::Card { request, .. }) => {
                wanted.extend([keys::request(*request), keys::body(*request)]);
            }
            Some(EffectId::Confirmation { request, .. } | EffectId::Reminder { request, .. }) => {
                wanted.push(keys::request(*request));
            }
            Some(EffectId::Brief { request, place }) => {
                let card = card_of(*request, place);
                let keys = [
                    keys::request(*request),
                    keys::brief(*request),
                    keys::effect(&card),
                ];
                wanted.extend(keys);
            }
            Some(EffectId::Report { day, .. }) => wanted.push(keys::report(*day)),
            Some(EffectId::Warning { watched, .. }) => wanted.push(keys::alert(*watched)),
            Some(
                EffectId::Panel { .. }
                | EffectId::Answer { .. }
                | EffectId::Webhook { .. }
                | EffectId::WebhookCheck { .. },
            )
            | None => {}
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
            (EffectId::Confirmation { .. }, Some(Some(request))) => {
                item::read_request(request, None).map(|request| Subject::Request(Box::new(request)))
            }
            (EffectId::Brief { request: id, place }, Some(Some(request))) => {
                read_brief_subject(*id, place, request, &found[2..])
            }
            (EffectId::Report { day, .. }, Some(Some(report))) => {
                item::read_report(*day, report).map(Subject::Report)
            }
            (EffectId::Warning { watched, .. }, Some(Some(alert))) => {
                item::read_alert(*watched, alert).map(Subject::Alert)
            }
            // Its own item holds what it sends.
            (EffectId::Answer { .. }, _) => answers::read_answer(effect).map(Subject::Answer),
            (EffectId::Reminder { version, .. }, Some(Some(request))) => {
                let made = optional(effect, "since", time_of)?;
                let now = item::read_request(request, None);
                now.and_then(|now| {
                    // What is only noted on it, as that its customer cannot be reached, is no change.
                    let stands = now.version == *version
                        || now.state == RequestState::New
                            && made.is_some_and(|made| now.changed <= made);
                    if stands {
                        answers::read_answer(effect).map(Subject::Answer)
                    } else {
                        Ok(Subject::Outdated)
                    }
                })
            }
            (_, Some(None) | None)
            | (
                EffectId::Panel { .. } | EffectId::Webhook { .. } | EffectId::WebhookCheck { .. },
                _,
            ) => Ok(Subject::None),
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

    /// A panel stands with its draft, which has parts: one query reads them all.
    async fn load_panel(
        &self,
        bot: &Bot,
        id: Option<EffectId>,
        chat: i64,
    ) -> Result<Loaded, Error> {
        let items = self.conversation_items(bot, chat).await?;
        let Some((id, item)) = id.zip(items.get(keys::DRAFT).cloned()) else {
            return Ok(Loaded::Missing);
        };
        let (effect, found) = match (item::read_effect(id, &item), conversation_of(items)) {
            (Err(Error::Newer), _) | (_, Err(Error::Newer)) => {
                return Ok(Loaded::Newer {
                    due: optional(&item, "due", time_of)?,
                });
            }
            (effect, found) => (effect?, found?),
        };
        Ok(Loaded::Found(Box::new(LoadedEffect {
            effect,
            subject: found
                .draft
                .map_or(Subject::None, |draft| Subject::Draft(Box::new(draft))),
            chat: found.chat,
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

fn card_of(request: RequestId, place: &Name) -> EffectId {
    EffectId::Card {
        request,
        place: place.clone(),
    }
}

/// What a brief is sent of; `found` is its files and the card that it waits for.
fn read_brief_subject(
    id: RequestId,
    place: &Name,
    request: &Item,
    found: &[Option<Item>],
) -> Result<Subject, Error> {
    let [files, card, ..] = found else {
        return Ok(Subject::None);
    };
    let files = files.as_ref().map(item::read_brief).transpose()?;
    let card = card
        .as_ref()
        .map(|item| item::read_effect(card_of(id, place), item));
    Ok(Subject::Brief(Box::new(BriefSubject {
        request: item::read_request(request, None)?,
        files: files.unwrap_or_default(),
        card: card.transpose()?,
    })))
}

/// True where `now` shows that `after` had been written: only an attempt itself takes and ends its
/// own lease, so its nonce in the right state is proof.
fn is_same_write(now: &Effect, after: &Effect) -> bool {
    let holder = |effect: &Effect| effect.lease.as_ref().map(|lease| lease.holder.clone());
    holder(now) == holder(after) && (now.state != State::Sending || after.state == State::Sending)
}
