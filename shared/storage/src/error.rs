use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use thiserror::Error;

/// Why the table did not do what was asked. No variant carries a value from an item.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// No answer, or one that says "later". The write may have happened.
    #[error("{operation}: the table is not available ({kind})")]
    Unavailable {
        /// The DynamoDB operation.
        operation: &'static str,
        /// The error's code, or how the connection failed.
        kind: String,
    },
    /// Others kept writing the same items for as long as was tried.
    #[error("{operation}: conflicts did not end")]
    Contended {
        /// The DynamoDB operation.
        operation: &'static str,
    },
    /// DynamoDB refuses the request itself: a defect here, or a missing permission.
    #[error("{operation}: refused ({code})")]
    Refused {
        /// The DynamoDB operation.
        operation: &'static str,
        /// The error's code.
        code: String,
    },
    /// An item lacks what it must have.
    #[error("an item's \"{attribute}\" is missing or of another type")]
    Malformed {
        /// The attribute's name.
        attribute: &'static str,
    },
    /// A newer version wrote the item: it is to be left for that version.
    #[error("an item is of a newer version")]
    Newer,
}

impl Error {
    /// True where the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::Unavailable { .. } | Self::Contended { .. } | Self::Newer
        )
    }

    /// The error's kind for logs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unavailable { .. } => "table_unavailable",
            Self::Contended { .. } => "table_contended",
            Self::Refused { .. } => "table_refused",
            Self::Malformed { .. } => "item_malformed",
            Self::Newer => "item_newer",
        }
    }

    pub(crate) fn of<E, R>(operation: &'static str, error: &SdkError<E, R>) -> Self
    where
        E: ProvideErrorMetadata,
    {
        let SdkError::ServiceError(service) = error else {
            let kind = match error {
                SdkError::TimeoutError(_) => "timeout",
                SdkError::DispatchFailure(_) => "no_connection",
                SdkError::ResponseError(_) => "broken_response",
                _ => "not_sent",
            };
            return Self::Unavailable {
                operation,
                kind: kind.to_owned(),
            };
        };
        let code = service.err().code().unwrap_or("none").to_owned();
        match code.as_str() {
            "TransactionConflictException" => Self::Contended { operation },
            "InternalServerError"
            | "ItemCollectionSizeLimitExceededException"
            | "LimitExceededException"
            | "ProvisionedThroughputExceededException"
            | "RequestLimitExceeded"
            | "ServiceUnavailable"
            | "ThrottlingException"
            | "TransactionInProgressException" => Self::Unavailable {
                operation,
                kind: code,
            },
            _ => Self::Refused { operation, code },
        }
    }
}
