//! What each function asks of AWS, and what it must be allowed for that. A test holds the table
//! against the calls that a running desk makes.

use crate::functions::Function;
use crate::functions::Function::{Clock, Intake, Notifier, Webhook};

/// What a call is made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum On {
    /// The table.
    Table,
    /// An index of the table.
    Index(&'static str),
    /// The outbox's queue.
    Outbox,
    /// The queue of its dead letters.
    DeadLetters,
    /// The parameter that holds the bot's token.
    BotToken,
    /// The function's own log group.
    Logs,
}

/// When a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In some use case.
    InUse,
    /// While the function starts, which the local cloud does not note.
    AtStart,
    /// On AWS alone: by Lambda itself, or where a local run takes another way.
    OnAws,
}

/// A call that a function makes.
#[derive(Clone, Copy, Debug)]
pub struct Permitted {
    /// Whose call it is.
    pub function: Function,
    /// The operation.
    pub operation: &'static str,
    /// The verbs that IAM wants for it.
    pub actions: &'static [&'static str],
    /// What it is made on.
    pub on: On,
    /// When it is made.
    pub when: When,
}

const fn call(
    function: Function,
    operation: &'static str,
    actions: &'static [&'static str],
    on: On,
    when: When,
) -> Permitted {
    Permitted {
        function,
        operation,
        actions,
        on,
        when,
    }
}

const GET: &[&str] = &["dynamodb:GetItem"];
const BATCH_GET: &[&str] = &["dynamodb:BatchGetItem"];
const QUERY: &[&str] = &["dynamodb:Query"];
const PUT: &[&str] = &["dynamodb:PutItem"];
const UPDATE: &[&str] = &["dynamodb:UpdateItem"];
/// A transaction needs the verbs of its parts.
const PUT_AND_UPDATE: &[&str] = &["dynamodb:PutItem", "dynamodb:UpdateItem"];
/// A batch needs the verb of its messages.
const SEND: &[&str] = &["sqs:SendMessage"];
const ASK: &[&str] = &["sqs:GetQueueAttributes"];
/// The mapping from the queue works under the function's role.
const POLL: &[&str] = &[
    "sqs:DeleteMessage",
    "sqs:GetQueueAttributes",
    "sqs:ReceiveMessage",
];
const LOG: &[&str] = &["logs:CreateLogStream", "logs:PutLogEvents"];

/// All calls of all functions.
#[rustfmt::skip]
pub const CALLS: &[Permitted] = &[
    call(Intake, "GetItem", GET, On::Table, When::AtStart),
    call(Intake, "GetQueueAttributes", ASK, On::Outbox, When::AtStart),
    call(Intake, "TransactWriteItems", PUT, On::Table, When::InUse),
    call(Intake, "UpdateItem", UPDATE, On::Table, When::InUse),
    call(Intake, "SendMessageBatch", SEND, On::Outbox, When::InUse),
    call(Intake, "PutLogEvents", LOG, On::Logs, When::OnAws),

    call(Webhook, "GetItem", GET, On::Table, When::AtStart),
    call(Webhook, "GetQueueAttributes", ASK, On::Outbox, When::AtStart),
    call(Webhook, "BatchGetItem", BATCH_GET, On::Table, When::InUse),
    call(Webhook, "Query", QUERY, On::Table, When::InUse),
    call(Webhook, "Query", QUERY, On::Index("list"), When::InUse),
    call(Webhook, "Query", QUERY, On::Index("number"), When::InUse),
    call(Webhook, "Query", QUERY, On::Index("contact"), When::InUse),
    call(Webhook, "TransactWriteItems", PUT_AND_UPDATE, On::Table, When::InUse),
    call(Webhook, "PutItem", PUT, On::Table, When::InUse),
    call(Webhook, "UpdateItem", UPDATE, On::Table, When::InUse),
    call(Webhook, "SendMessageBatch", SEND, On::Outbox, When::InUse),
    call(Webhook, "PutLogEvents", LOG, On::Logs, When::OnAws),

    call(Notifier, "GetItem", GET, On::Table, When::AtStart),
    call(Notifier, "GetQueueAttributes", ASK, On::Outbox, When::AtStart),
    call(Notifier, "GetParameter", &["ssm:GetParameter"], On::BotToken, When::OnAws),
    call(Notifier, "ReceiveMessage", POLL, On::Outbox, When::OnAws),
    call(Notifier, "BatchGetItem", BATCH_GET, On::Table, When::InUse),
    call(Notifier, "Query", QUERY, On::Index("contact"), When::InUse),
    call(Notifier, "Query", QUERY, On::Table, When::InUse),
    call(Notifier, "TransactWriteItems", PUT_AND_UPDATE, On::Table, When::InUse),
    call(Notifier, "UpdateItem", UPDATE, On::Table, When::InUse),
    call(Notifier, "SendMessageBatch", SEND, On::Outbox, When::InUse),
    call(Notifier, "ChangeMessageVisibility", &["sqs:ChangeMessageVisibility"], On::Outbox, When::InUse),
    call(Notifier, "PutLogEvents", LOG, On::Logs, When::OnAws),

    call(Clock, "GetItem", GET, On::Table, When::AtStart),
    call(Clock, "GetQueueAttributes", ASK, On::Outbox, When::AtStart),
    call(Clock, "Query", QUERY, On::Table, When::InUse),
    call(Clock, "Query", QUERY, On::Index("due"), When::InUse),
    call(Clock, "Query", QUERY, On::Index("list"), When::InUse),
    call(Clock, "BatchGetItem", BATCH_GET, On::Table, When::InUse),
    call(Clock, "UpdateItem", UPDATE, On::Table, When::InUse),
    call(Clock, "PutItem", PUT, On::Table, When::InUse),
    call(Clock, "TransactWriteItems", PUT_AND_UPDATE, On::Table, When::InUse),
    call(Clock, "GetQueueAttributes", ASK, On::DeadLetters, When::InUse),
    call(Clock, "SendMessageBatch", SEND, On::Outbox, When::InUse),
    call(Clock, "PutLogEvents", LOG, On::Logs, When::OnAws),
];
