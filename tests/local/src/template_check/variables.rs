//! The environment that the code reads.

use crate::functions::Function;

/// A variable that the template gives, and to which functions. To those and no others.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// The functions that read it.
    pub functions: &'static [Function],
}

/// Every variable of the template.
pub const VARIABLES: &[Variable] = {
    use Function::{Clock, Intake, Notifier, Webhook};
    &[
        Variable {
            name: "TABLE_NAME",
            functions: &[Intake, Webhook, Notifier, Clock],
        },
        Variable {
            name: "QUEUE_URL",
            functions: &[Intake, Webhook, Notifier, Clock],
        },
        Variable {
            name: "METRICS_NAMESPACE",
            functions: &[Intake, Webhook, Notifier, Clock],
        },
        Variable {
            name: "DEAD_QUEUE_URL",
            functions: &[Clock],
        },
        Variable {
            name: "WEBHOOK_SECRET",
            functions: &[Webhook, Notifier, Clock],
        },
        Variable {
            name: "WEBHOOK_SECRET_PREVIOUS",
            functions: &[Webhook],
        },
        Variable {
            name: "WEBHOOK_URL",
            functions: &[Notifier, Clock],
        },
        Variable {
            name: "TELEGRAM_BOT_TOKEN_PARAMETER",
            functions: &[Notifier],
        },
    ]
};

/// Variables that the code reads as well, and that only a local run sets.
pub const LOCAL_VARIABLES: &[&str] = &[
    "AWS_ENDPOINT_URL_DYNAMODB",
    "AWS_ENDPOINT_URL_SQS",
    "DESK_CLOCK_OFFSET_FILE",
    "DESK_SETTINGS",
    "SSL_CERT_FILE",
    "TELEGRAM_API_URL",
    "TELEGRAM_BOT_TOKEN",
];

/// Variables that Lambda sets by itself.
pub const LAMBDA_VARIABLES: &[&str] = &["AWS_REGION"];
