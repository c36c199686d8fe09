use aws_sdk_dynamodb::types::{AttributeValue, Put, TransactWriteItem, Update};
use frontdesk_domain::Report;
use frontdesk_domain::effect::Effect;
use jiff::civil::Date;

use crate::item::{self, text_of};
use crate::requests::unbuilt;
use crate::transaction::Transacted;
use crate::{Error, Store, keys};

impl Store {
    /// The day of the last report that was made.
    pub async fn last_report(&self) -> Result<Option<Date>, Error> {
        let found = self.read_now(&[keys::reports()]).await?;
        let Some(Some(last)) = found.first() else {
            return Ok(None);
        };
        let day = text_of(last, "last_day")?.parse();
        day.map(Some).map_err(|_| Error::Malformed {
            attribute: "last_day",
        })
    }

    /// Stores a report and the effect that sends it, unless another run was first: `last` must still be
    /// the day of the last one.
    pub async fn insert_report(
        &self,
        report: &Report,
        effect: &Effect,
        last: Option<Date>,
    ) -> Result<bool, Error> {
        let mut sent = item::effect_item(effect);
        let expires = (report.made + item::REPORT_KEPT).as_second();
        sent.insert("expires".to_owned(), item::number(expires));
        let mut writes = Vec::new();
        for item in [item::report_item(report), sent] {
            let put = Put::builder()
                .table_name(&self.table)
                .set_item(Some(item))
                .condition_expression("attribute_not_exists(pk)")
                .build()
                .map_err(|_| unbuilt())?;
            writes.push(TransactWriteItem::builder().put(put).build());
        }
        let day = |day: Date| AttributeValue::S(day.to_string());
        let moved = Update::builder()
            .table_name(&self.table)
            .set_key(Some(keys::key_of(keys::reports())))
            .update_expression("SET v = :v, last_day = :day")
            .expression_attribute_values(":v", item::number(item::FORMAT))
            .expression_attribute_values(":day", day(report.day));
        let moved = match last {
            Some(last) => moved
                .condition_expression("last_day = :last")
                .expression_attribute_values(":last", day(last)),
            None => moved.condition_expression("attribute_not_exists(last_day)"),
        };
        let moved = moved.build().map_err(|_| unbuilt())?;
        writes.push(TransactWriteItem::builder().update(moved).build());
        Ok(matches!(
            self.transact(writes).await?,
            Transacted::Committed
        ))
    }
}
