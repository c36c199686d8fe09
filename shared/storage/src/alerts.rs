use aws_sdk_dynamodb::operation::put_item::PutItemError;
use frontdesk_domain::effect::{Effect, EffectId};
use frontdesk_domain::{Alert, Name, Watched};

use crate::item;
use crate::store::with_patience;
use crate::transaction::{Condition, condition};
use crate::{Bot, Chat, Error, Store, keys};

impl Store {
    /// What a look at the desk begins with: the staff's chats, and what the last look at the webhook
    /// has found.
    pub async fn read_watched(
        &self,
        bot: &Bot,
        chats: &[i64],
    ) -> Result<(Vec<Chat>, Option<Effect>), Error> {
        let check = EffectId::WebhookCheck { bot: bot.clone() };
        let mut wanted: Vec<_> = chats.iter().map(|chat| keys::chat(bot, *chat)).collect();
        wanted.push(keys::effect(&check));
        let mut found = self.read_now(&wanted).await?;
        let check = found
            .pop()
            .flatten()
            .map(|item| item::read_effect(check, &item))
            .transpose()?;
        let chats = found.iter().map(|item| Chat::read(item.as_ref()));
        Ok((chats.collect::<Result<_, Error>>()?, check))
    }

    /// How everything that is watched stands, each with the effect that tells `place` of it.
    pub async fn read_alerts(
        &self,
        place: &Name,
    ) -> Result<Vec<(Alert, EffectId, Option<Effect>)>, Error> {
        let warnings = Watched::ALL.map(|watched| EffectId::Warning {
            watched,
            place: place.clone(),
        });
        let mut wanted: Vec<_> = Watched::ALL.into_iter().map(keys::alert).collect();
        wanted.extend(warnings.iter().map(keys::effect));
        let found = self.read_now(&wanted).await?;
        let (alerts, effects) = found.split_at(Watched::ALL.len());
        let all = Watched::ALL.into_iter().zip(warnings);
        all.zip(alerts.iter().zip(effects))
            .map(|((watched, warning), (alert, effect))| {
                let alert = match alert {
                    Some(item) => item::read_alert(watched, item)?,
                    None => Alert::good(watched),
                };
                let effect = effect
                    .as_ref()
                    .map(|item| item::read_effect(warning.clone(), item))
                    .transpose()?;
                Ok((alert, warning, effect))
            })
            .collect()
    }

    /// Stores how something that is watched has turned, unless another run was first.
    pub async fn turn_alert(&self, turned: &Alert) -> Result<bool, Error> {
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .set_item(Some(item::alert_item(turned)))
            .condition_expression("attribute_not_exists(pk) OR version < :version")
            .expression_attribute_values(":version", item::number(turned.version));
        let written = with_patience(|| {
            let call = put.clone();
            async move { condition("PutItem", call.send().await, |_: &PutItemError| None) }
        });
        Ok(matches!(written.await?, Condition::Held(_)))
    }
}
