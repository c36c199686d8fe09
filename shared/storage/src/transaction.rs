//! TransactWriteItems, and what its cancellation means.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{CancellationReason, TransactWriteItem, Update};

use crate::item::Item;
use crate::store::with_patience;
use crate::{Error, Store};

const OPERATION: &str = "TransactWriteItems";

/// What became of a transaction.
pub(crate) enum Transacted {
    /// All of it is stored.
    Committed,
    /// None of it is: some condition did not hold.
    Cancelled(Refusals),
}

/// Which conditions did not hold, by the position of their write.
pub(crate) struct Refusals(Vec<CancellationReason>);

impl Refusals {
    /// The item that was in the way of the write at `position`, if its condition did not hold.
    pub(crate) fn at(&self, position: usize) -> Option<Item> {
        let reason = self.0.get(position)?;
        (reason.code() == Some("ConditionalCheckFailed"))
            .then(|| reason.item.clone().unwrap_or_default())
    }

    /// True where the condition of the write at `position` did not hold, and every other did.
    pub(crate) fn is_only(&self, position: Option<usize>) -> bool {
        let failed = |(at, _): &(usize, _)| self.at(*at).is_some();
        let mut failed = self.0.iter().enumerate().filter(failed).map(|(at, _)| at);
        position.is_some() && failed.next() == position && failed.next().is_none()
    }
}

impl Store {
    /// Stores all of `writes` or nothing. Conflicts and throttles are tried again here: they outrank
    /// conditions, since a condition that was read beside a conflict may hold a moment later.
    pub(crate) async fn transact(
        &self,
        writes: Vec<TransactWriteItem>,
    ) -> Result<Transacted, Error> {
        with_patience(|| {
            let call = self
                .client
                .transact_write_items()
                .set_transact_items(Some(writes.clone()));
            async move {
                let Err(error) = call.send().await else {
                    return Ok(Transacted::Committed);
                };
                match error.as_service_error() {
                    Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                        judge(cancelled.cancellation_reasons().to_vec())
                    }
                    _ => Err(Error::of(OPERATION, &error)),
                }
            }
        })
        .await
    }
}

fn judge(reasons: Vec<CancellationReason>) -> Result<Transacted, Error> {
    let codes = || reasons.iter().filter_map(|reason| reason.code());
    let retryable = |code: &str| {
        matches!(
            code,
            "TransactionConflict" | "ThrottlingError" | "ProvisionedThroughputExceeded"
        )
    };
    if codes().any(retryable) {
        return Err(Error::Contended {
            operation: OPERATION,
        });
    }
    let unexpected = codes().find(|code| !matches!(*code, "None" | "ConditionalCheckFailed"));
    if let Some(code) = unexpected {
        return Err(Error::Refused {
            operation: OPERATION,
            code: code.to_owned(),
        });
    }
    if !codes().any(|code| code == "ConditionalCheckFailed") {
        return Err(Error::Refused {
            operation: OPERATION,
            code: "no_reason".to_owned(),
        });
    }
    Ok(Transacted::Cancelled(Refusals(reasons)))
}

/// The item that a failed condition of a single write ran into.
pub(crate) enum Condition<T> {
    /// It held, and this came of the write.
    Held(T),
    /// It did not hold; this is the item as it is.
    Failed(Item),
}

/// Tells a failed condition from an error.
pub(crate) fn condition<T, E, R>(
    operation: &'static str,
    result: Result<T, aws_sdk_dynamodb::error::SdkError<E, R>>,
    old: impl FnOnce(&E) -> Option<Item>,
) -> Result<Condition<T>, Error>
where
    E: ProvideErrorMetadata,
{
    match result {
        Ok(value) => Ok(Condition::Held(value)),
        Err(error) => match error.as_service_error() {
            Some(service) if service.code() == Some("ConditionalCheckFailedException") => {
                Ok(Condition::Failed(old(service).unwrap_or_default()))
            }
            _ => Err(Error::of(operation, &error)),
        },
    }
}

/// Performs an update whose condition may fail; false where it did not hold.
pub(crate) async fn held(update: UpdateItemFluentBuilder) -> Result<bool, Error> {
    let written = with_patience(|| {
        let call = update.clone();
        async move { condition("UpdateItem", call.send().await, |_: &UpdateItemError| None) }
    });
    Ok(matches!(written.await?, Condition::Held(_)))
}

impl Store {
    /// Performs by itself what is otherwise part of a transaction; false where its condition did not
    /// hold.
    pub(crate) async fn update_alone(&self, update: Update) -> Result<bool, Error> {
        let update = self
            .client
            .update_item()
            .table_name(update.table_name)
            .set_key(Some(update.key))
            .update_expression(update.update_expression)
            .set_condition_expression(update.condition_expression)
            .set_expression_attribute_names(update.expression_attribute_names)
            .set_expression_attribute_values(update.expression_attribute_values);
        held(update).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(codes: &[&str]) -> Vec<CancellationReason> {
        codes
            .iter()
            .map(|code| CancellationReason::builder().code(*code).build())
            .collect()
    }

    #[test]
    fn a_conflict_or_throttle_outranks_a_condition_and_what_else_is_loud() {
        for codes in [
            ["TransactionConflict", "None"],
            ["TransactionConflict", "ConditionalCheckFailed"],
            ["ConditionalCheckFailed", "ThrottlingError"],
            ["ThrottlingError", "TransactionConflict"],
        ] {
            let judged = judge(reasons(&codes));
            assert_eq!(
                judged.err(),
                Some(Error::Contended {
                    operation: OPERATION
                }),
                "{codes:?}"
            );
        }
        for codes in [["ValidationError", "None"], ["None", "None"]] {
            assert!(
                matches!(judge(reasons(&codes)).err(), Some(Error::Refused { .. })),
                "{codes:?}"
            );
        }
        let Ok(Transacted::Cancelled(refusals)) =
            judge(reasons(&["None", "ConditionalCheckFailed"]))
        else {
            panic!("a condition is an outcome");
        };
        assert!(refusals.at(0).is_none() && refusals.at(1).is_some());
    }
}
