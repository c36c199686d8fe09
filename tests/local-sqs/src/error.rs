use serde_json::{Value, json};

/// Why a request is refused. Each variant has the code that SQS gives for the same mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No queue of that name.
    #[error("The specified queue does not exist.")]
    QueueDoesNotExist,
    /// A queue of that name exists with other attributes.
    #[error("A queue already exists with the same name and a different value for attribute {0}")]
    QueueNameExists(String),
    /// A required member is missing or empty.
    #[error("The request must contain the parameter {0}.")]
    MissingParameter(&'static str),
    /// A member has a value outside of what SQS takes.
    #[error("{0}")]
    InvalidParameterValue(String),
    /// SQS knows no queue attribute of that name.
    #[error("Unknown Attribute {0}.")]
    InvalidAttributeName(String),
    /// A queue attribute has a value outside of what SQS takes.
    #[error("Invalid value for the parameter {name}. Reason: {reason}")]
    InvalidAttributeValue {
        /// The attribute.
        name: String,
        /// What would be accepted.
        reason: String,
    },
    /// The body holds characters that SQS refuses.
    #[error(
        "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF"
    )]
    InvalidMessageContents,
    /// The handle was not issued for this queue.
    #[error("The input receipt handle is invalid.")]
    ReceiptHandleIsInvalid,
    /// The message is waiting in the queue, with no consumer holding it.
    #[error("The message referred to is not in flight.")]
    MessageNotInflight,
    /// A batch without entries.
    #[error("There should be at least one entry in the request.")]
    EmptyBatchRequest,
    /// A batch of more than ten entries.
    #[error("Maximum number of entries per request are 10. You have sent {0}.")]
    TooManyEntriesInBatchRequest(usize),
    /// Two entries of a batch have the same id.
    #[error("Id {0} repeated.")]
    BatchEntryIdsNotDistinct(String),
    /// An entry id that is empty, too long or has other characters than letters, digits, `-`, `_`.
    #[error(
        "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long."
    )]
    InvalidBatchEntryId,
    /// The bodies and attributes of a batch are too large together.
    #[error("Batch requests cannot be longer than 1048576 bytes. You have sent {0} bytes.")]
    BatchRequestTooLong(usize),
    /// The queue of a move task does not exist.
    #[error("The resource that you specified for the {0} parameter doesn't exist.")]
    ResourceNotFound(&'static str),
    /// A dead letter went to its queue directly, or its source queue is gone: it stays where it is.
    #[error("{left} dead letters have no source queue to go back to and stay; {moved} went back")]
    SourceUnknown {
        /// How many went back.
        moved: u64,
        /// How many stay.
        left: u64,
    },
    /// Something that SQS has and this endpoint does not, or another protocol.
    #[error("{0}")]
    UnsupportedOperation(String),
    /// The body is not the JSON that the operation takes.
    #[error("The request cannot be read: {0}")]
    Unreadable(String),
}

impl Error {
    /// The name of the error's shape in the service model, and the code of the older query protocol,
    /// which SDKs show to their callers.
    fn names(&self) -> (&'static str, &'static str) {
        match self {
            Self::QueueDoesNotExist => (
                "QueueDoesNotExist",
                "AWS.SimpleQueueService.NonExistentQueue",
            ),
            Self::QueueNameExists(_) => ("QueueNameExists", "QueueAlreadyExists"),
            Self::MissingParameter(_) => ("MissingParameter", "MissingParameter"),
            Self::InvalidParameterValue(_) | Self::SourceUnknown { .. } => {
                ("InvalidParameterValue", "InvalidParameterValue")
            }
            Self::InvalidAttributeName(_) => ("InvalidAttributeName", "InvalidAttributeName"),
            Self::InvalidAttributeValue { .. } => {
                ("InvalidAttributeValue", "InvalidAttributeValue")
            }
            Self::InvalidMessageContents => ("InvalidMessageContents", "InvalidMessageContents"),
            Self::ReceiptHandleIsInvalid => ("ReceiptHandleIsInvalid", "ReceiptHandleIsInvalid"),
            Self::MessageNotInflight => (
                "MessageNotInflight",
                "AWS.SimpleQueueService.MessageNotInflight",
            ),
            Self::EmptyBatchRequest => (
                "EmptyBatchRequest",
                "AWS.SimpleQueueService.EmptyBatchRequest",
            ),
            Self::TooManyEntriesInBatchRequest(_) => (
                "TooManyEntriesInBatchRequest",
                "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
            ),
            Self::BatchEntryIdsNotDistinct(_) => (
                "BatchEntryIdsNotDistinct",
                "AWS.SimpleQueueService.BatchEntryIdsNotDistinct",
            ),
            Self::InvalidBatchEntryId => (
                "InvalidBatchEntryId",
                "AWS.SimpleQueueService.InvalidBatchEntryId",
            ),
            Self::BatchRequestTooLong(_) => (
                "BatchRequestTooLong",
                "AWS.SimpleQueueService.BatchRequestTooLong",
            ),
            Self::ResourceNotFound(_) => ("ResourceNotFoundException", "ResourceNotFoundException"),
            Self::UnsupportedOperation(_) => (
                "UnsupportedOperation",
                "AWS.SimpleQueueService.UnsupportedOperation",
            ),
            Self::Unreadable(_) => ("SerializationException", "SerializationException"),
        }
    }

    /// The code that SDKs show, such as `AWS.SimpleQueueService.NonExistentQueue`.
    pub fn code(&self) -> &'static str {
        self.names().1
    }

    /// The body of an awsJson error.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "__type": format!("com.amazonaws.sqs#{}", self.names().0),
            "message": self.to_string(),
        })
    }
}
