use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::{
    AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use frontdesk_domain::effect::{Effect, EffectId, HandOver, Wish};
use frontdesk_domain::{Name, Request, RequestId, Transition};
use jiff::{SignedDuration, Timestamp};

use crate::item::{self, Item, Writer, optional, text_of};
use crate::requests::unbuilt;
use crate::store::with_patience;
use crate::transaction::{Condition, Transacted, condition};
use crate::{Answer, Bot, DraftChange, Error, NewRequest, Store, keys};

/// How long a receipt is kept. Telegram repeats an update for 24 hours at most.
const KEPT: SignedDuration = SignedDuration::from_hours(72);

/// What is kept of an update, so that a repeat changes nothing and gets the first reply.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The bot whose update it is.
    pub bot: Bot,
    /// The update's id.
    pub update_id: i64,
    /// The body of the webhook's answer, if it has one.
    pub reply: Option<String>,
    /// Of an update that can never work: why it was kept aside.
    pub aside: Option<Aside>,
    /// When it came.
    pub now: Timestamp,
}

/// Why an update was kept aside; never what it said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The update's kind, a field name of the Bot API.
    pub kind: String,
    /// The chat that it came from, where it names one.
    pub chat: Option<i64>,
    /// The user that it came from, where it names one.
    pub user: Option<i64>,
    /// What is wrong with it.
    pub error: &'static str,
}

/// A change that an update makes, beside its receipt.
#[derive(Clone, Debug)]
pub enum Applied {
    /// A request changes.
    Transition(Box<Transition>),
    /// A card must be brought up to date.
    Wish(Wish),
    /// A draft changes.
    Draft(Box<DraftChange>),
    /// A draft becomes a request.
    Request(Box<NewRequest>),
    /// A customer can be reached, or cannot since then.
    Reach {
        /// The customer's chat.
        chat: i64,
        /// Since when not.
        refused_at: Option<Timestamp>,
    },
    /// A request changes because nobody does anything on it.
    Attended {
        /// The change.
        transition: Box<Transition>,
        /// The time for which the clock had to look at it.
        seen: Timestamp,
    },
    /// Whoever has a request has done something on it: the clock looks at it later.
    Activity {
        /// The request.
        request: RequestId,
        /// Who must still have it.
        assignee: i64,
        /// When the clock is to look at it.
        due: Timestamp,
    },
    /// What was given up, or is unknown, is attempted afresh.
    Retry(EffectId),
    /// What a command or a page comes to, where the webhook's response cannot carry it.
    Answer(Box<Effect>, Answer),
    /// A group has become a supergroup.
    Migration {
        /// The group's former id.
        from: i64,
        /// The supergroup's id.
        to: i64,
    },
}

/// What became of a receipt and its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// All of it is stored.
    First,
    /// The update was here before: this is the first reply, and nothing has changed.
    Repeated(Option<String>),
    /// Somebody else changed the request or draft first, and nothing is stored.
    Stale,
    /// The new request's id belongs to another, and nothing is stored.
    IdTaken,
}

/// What a press is decided on.
#[derive(Clone, Debug)]
pub struct PressView {
    /// The request, without its long texts.
    pub request: Option<Request>,
    /// The effect of each card that there is among those asked for.
    pub cards: Vec<Effect>,
}

impl Store {
    /// Reads what a press on a card of `request` is decided on: the request, and its cards in `places`.
    pub async fn read_for_press<'a>(
        &self,
        request: RequestId,
        places: impl IntoIterator<Item = &'a Name>,
    ) -> Result<PressView, Error> {
        let card = |place: &Name| EffectId::Card {
            request,
            place: place.clone(),
        };
        let cards: Vec<_> = places.into_iter().map(card).collect();
        let mut wanted = vec![keys::request(request)];
        wanted.extend(cards.iter().map(keys::effect));
        let mut found = self.read_now(&wanted).await?.into_iter();
        let request = found.next().flatten();
        let cards = cards
            .into_iter()
            .zip(found)
            .filter_map(|(id, item)| Some(item::read_effect(id, &item?)));
        Ok(PressView {
            request: request
                .map(|item| item::read_request(&item, None))
                .transpose()?,
            cards: cards.collect::<Result<_, Error>>()?,
        })
    }

    /// Stores a receipt and all of `changes`, or nothing. An expired receipt counts as absent, since
    /// DynamoDB may take days to delete it.
    pub async fn record(&self, receipt: &Receipt, changes: &[Applied]) -> Result<Recorded, Error> {
        if changes.is_empty() {
            return self.put_receipt(receipt).await;
        }
        let mut writes = vec![
            TransactWriteItem::builder()
                .put(self.receipt(receipt)?)
                .build(),
        ];
        let mut request_at = None;
        for change in changes {
            if let Applied::Request(_) = change {
                request_at = Some(writes.len());
            }
            writes.extend(self.writes_of(change, &receipt.bot, receipt.now)?);
        }
        match self.transact(writes).await? {
            Transacted::Committed => Ok(Recorded::First),
            Transacted::Cancelled(refusals) => match refusals.at(0) {
                Some(first) => Ok(Recorded::Repeated(reply_of(&first)?)),
                None if refusals.is_only(request_at) => Ok(Recorded::IdTaken),
                None => Ok(Recorded::Stale),
            },
        }
    }

    /// Stores changes that no update asked for, all or nothing; false where somebody else changed
    /// something first.
    pub async fn apply(
        &self,
        bot: &Bot,
        changes: &[Applied],
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut writes = Vec::new();
        for change in changes {
            writes.extend(self.writes_of(change, bot, now)?);
        }
        let transacted = self.transact(writes).await?;
        Ok(matches!(transacted, Transacted::Committed))
    }

    fn writes_of(
        &self,
        change: &Applied,
        bot: &Bot,
        now: Timestamp,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let update = |update| vec![TransactWriteItem::builder().update(update).build()];
        Ok(match change {
            Applied::Transition(transition) => {
                let entry = item::history_item(transition.after.id, &transition.entry);
                let entry = TransactWriteItem::builder().put(self.put(entry)?).build();
                vec![self.transition(transition, None)?, entry]
            }
            Applied::Attended { transition, seen } => {
                let entry = item::history_item(transition.after.id, &transition.entry);
                let entry = TransactWriteItem::builder().put(self.put(entry)?).build();
                vec![self.transition(transition, Some(*seen))?, entry]
            }
            Applied::Wish(wish) => vec![self.wish(wish, now)?],
            Applied::Activity {
                request,
                assignee,
                due,
            } => update(self.activity(*request, *assignee, *due)?),
            Applied::Retry(effect) => update(self.retry(effect, now)?),
            Applied::Answer(effect, answer) => vec![self.answer_put(effect, answer, now)?],
            Applied::Migration { from, to } => update(self.migration(bot, *from, *to)?),
            Applied::Draft(change) => self.draft_writes(bot, change, now)?,
            Applied::Request(new) => self.request_writes(new)?,
            Applied::Reach { chat, refused_at } => {
                update(self.reach_update(bot, *chat, *refused_at)?)
            }
        })
    }

    async fn put_receipt(&self, receipt: &Receipt) -> Result<Recorded, Error> {
        let put = self.receipt(receipt)?;
        let put = self
            .client
            .put_item()
            .table_name(put.table_name)
            .set_item(Some(put.item))
            .set_condition_expression(put.condition_expression)
            .set_expression_attribute_values(put.expression_attribute_values)
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let nonce = put
            .get_item()
            .as_ref()
            .and_then(|item| item.get("nonce"))
            .cloned();
        let stored = with_patience(|| {
            let call = put.clone();
            async move {
                condition("PutItem", call.send().await, |error| match error {
                    PutItemError::ConditionalCheckFailedException(failed) => failed.item.clone(),
                    _ => None,
                })
            }
        });
        match stored.await? {
            Condition::Held(_) => Ok(Recorded::First),
            // Our own write, whose answer was lost and which the SDK therefore sent again.
            Condition::Failed(first) if first.get("nonce") == nonce.as_ref() => Ok(Recorded::First),
            Condition::Failed(first) => Ok(Recorded::Repeated(reply_of(&first)?)),
        }
    }

    fn receipt(&self, receipt: &Receipt) -> Result<Put, Error> {
        let item = Writer::new(keys::update(&receipt.bot, receipt.update_id))
            .maybe(receipt.reply.as_ref(), |item, reply| {
                item.text("reply", reply)
            })
            .maybe(receipt.aside.as_ref(), |item, aside| {
                item.text("aside_kind", &aside.kind)
                    .text("aside_error", aside.error)
                    .maybe(aside.chat, |item, chat| item.number("aside_chat", chat))
                    .maybe(aside.user, |item, user| item.number("aside_user", user))
            })
            .text("nonce", format!("{:016x}", fastrand::u64(..)))
            // DynamoDB's own expiry wants seconds.
            .number("expires", (receipt.now + KEPT).as_second())
            .finish();
        Put::builder()
            .table_name(&self.table)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk) OR expires < :now")
            .expression_attribute_values(":now", item::number(receipt.now.as_second()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
            .build()
            .map_err(|_| unbuilt())
    }

    /// With `seen`, it holds only while the request is due then: its assignee has done nothing since.
    fn transition(
        &self,
        transition: &Transition,
        seen: Option<Timestamp>,
    ) -> Result<TransactWriteItem, Error> {
        let mut update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::request(transition.after.id))))
            .expression_attribute_values(":from", item::number(transition.from_version()));
        update = match seen {
            None => update.condition_expression("version = :from"),
            Some(seen) => update
                .condition_expression("version = :from AND due = :seen")
                .expression_attribute_values(":seen", item::time(seen)),
        };
        let mut assignments = vec!["version = :to".to_owned()];
        for (at, (name, value)) in item::changing(&transition.after).into_iter().enumerate() {
            assignments.push(format!("#{at} = :{at}"));
            update = update
                .expression_attribute_names(format!("#{at}"), name)
                .expression_attribute_values(format!(":{at}"), value);
        }
        let changing = item::changing(&transition.after);
        let gone: Vec<_> = item::OF_SOME_STATES
            .into_iter()
            .filter(|name| !changing.contains_key(*name))
            .collect();
        let expression = format!("SET {} REMOVE {}", assignments.join(", "), gone.join(", "));
        let update = update
            .update_expression(expression)
            .expression_attribute_values(":to", item::number(transition.after.version))
            .build()
            .map_err(|_| unbuilt())?;
        Ok(TransactWriteItem::builder().update(update).build())
    }

    fn activity(&self, request: RequestId, assignee: i64, due: Timestamp) -> Result<Update, Error> {
        let key = keys::request(request);
        let partition = keys::ATTENTION_PARTITION.to_owned();
        Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(key)))
            .condition_expression("assignee = :assignee")
            .update_expression("SET due_shard = :shard, due = :due")
            .expression_attribute_values(":assignee", item::number(assignee))
            .expression_attribute_values(":shard", AttributeValue::S(partition))
            .expression_attribute_values(":due", item::time(due))
            .build()
            .map_err(|_| unbuilt())
    }

    /// A wish never touches an effect's state, lease or message: whoever holds it sees the revision.
    fn wish(&self, wish: &Wish, now: Timestamp) -> Result<TransactWriteItem, Error> {
        let key = keys::effect(&wish.id);
        let shard = keys::due_partition_of(&key.0);
        let mut update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(key)))
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":due", item::time(HandOver::at(now, now).due))
            .expression_attribute_values(":now", item::time(now))
            .expression_attribute_values(":shard", AttributeValue::S(shard))
            .expression_attribute_values(":one", item::number(1));
        let mut expression =
            "SET due_shard = :shard, due = :due, since = if_not_exists(since, :now)".to_owned();
        if let Some(want) = wish.want {
            expression += ", want = :want";
            update = update.expression_attribute_values(":want", item::number(want));
        }
        expression += " ADD revision :one";
        if let Some(stray) = &wish.stray {
            expression += ", strays :stray";
            let stray = AttributeValue::Ss(vec![item::stray_text(stray)]);
            update = update.expression_attribute_values(":stray", stray);
        }
        let update = update
            .update_expression(expression)
            .build()
            .map_err(|_| unbuilt())?;
        Ok(TransactWriteItem::builder().update(update).build())
    }
}

fn reply_of(receipt: &Item) -> Result<Option<String>, Error> {
    optional(receipt, "reply", |item, name| {
        Ok(text_of(item, name)?.to_owned())
    })
}
