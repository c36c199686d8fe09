//! The environment of the functions' processes; they get nothing else.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::functions::Function;
use crate::table;

/// What the functions are told.
pub(crate) struct Environment {
    pub(crate) runtime: SocketAddr,
    pub(crate) dynamodb: SocketAddr,
    pub(crate) sqs: SocketAddr,
    /// The stand-in; none if the real Bot API is used.
    pub(crate) telegram: Option<SocketAddr>,
    pub(crate) bot_token: String,
    pub(crate) secret: Option<String>,
    pub(crate) queue_url: String,
    pub(crate) dead_queue_url: String,
    pub(crate) settings: PathBuf,
    pub(crate) clock_file: PathBuf,
    pub(crate) webhook_url: Option<String>,
}

impl Environment {
    /// The variables of one instance. Paths below the services' addresses name it, so that a call
    /// shows whose it is.
    pub(crate) fn of(&self, function: Function, instance: &str) -> Vec<(String, String)> {
        // On AWS the Runtime API is a bare host and port; a path after it needs the scheme too.
        let mut variables = vec![
            (
                "AWS_LAMBDA_RUNTIME_API",
                format!("http://{}/runtime/{instance}", self.runtime),
            ),
            ("AWS_LAMBDA_FUNCTION_NAME", function.name().to_owned()),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256".to_owned()),
            ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST".to_owned()),
            (
                "AWS_LAMBDA_LOG_GROUP_NAME",
                format!("/aws/lambda/{}", function.name()),
            ),
            ("AWS_LAMBDA_LOG_STREAM_NAME", instance.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "local".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "local".to_owned()),
            (
                "AWS_ENDPOINT_URL_DYNAMODB",
                format!("http://{}/{instance}", self.dynamodb),
            ),
            (
                "AWS_ENDPOINT_URL_SQS",
                format!("http://{}/{instance}", self.sqs),
            ),
            ("TABLE_NAME", table::NAME.to_owned()),
            ("QUEUE_URL", self.queue_url.clone()),
            ("DESK_SETTINGS", self.settings.display().to_string()),
            (
                "DESK_CLOCK_OFFSET_FILE",
                self.clock_file.display().to_string(),
            ),
            ("DESK_LOCAL", "1".to_owned()),
        ];
        if let Some(telegram) = self.telegram {
            variables.push(("TELEGRAM_API_URL", format!("http://{telegram}/{instance}")));
        }
        if function != Function::Intake
            && let Some(secret) = &self.secret
        {
            variables.push(("WEBHOOK_SECRET", secret.clone()));
        }
        if matches!(function, Function::Notifier | Function::Clock)
            && let Some(url) = &self.webhook_url
        {
            variables.push(("WEBHOOK_URL", url.clone()));
        }
        if function == Function::Clock {
            variables.push(("DEAD_QUEUE_URL", self.dead_queue_url.clone()));
        }
        if function == Function::Notifier {
            variables.push(("TELEGRAM_BOT_TOKEN", self.bot_token.clone()));
        }
        variables
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_notifier_knows_the_bots_token() {
        let address: SocketAddr = "127.0.0.1:1".parse().expect("an address");
        let environment = Environment {
            runtime: address,
            dynamodb: address,
            sqs: address,
            telegram: Some(address),
            bot_token: "1:token".into(),
            secret: Some("secret".into()),
            queue_url: "http://127.0.0.1:1/queue".into(),
            dead_queue_url: "http://127.0.0.1:1/dead".into(),
            settings: "/desk.toml".into(),
            clock_file: "/clock".into(),
            webhook_url: None,
        };
        for function in Function::ALL {
            let variables = environment.of(function, "x-1");
            let knows = |value: &str| variables.iter().any(|(_, known)| known == value);
            assert_eq!(knows("1:token"), function == Function::Notifier);
            assert_eq!(knows("secret"), function != Function::Intake);
            assert!(knows("http://127.0.0.1:1/runtime/x-1"));
        }
    }
}
