use anyhow::{Context, anyhow};
use frontdesk_lambda::{optional, required};
use frontdesk_telegram::Token;

/// Where the bot's token comes from.
#[derive(Debug)]
pub enum TokenSource {
    /// From the environment, in a local run.
    Fixed(Token),
    /// From a parameter of the Parameter Store, a `SecureString`.
    Parameter {
        /// The Parameter Store.
        client: aws_sdk_ssm::Client,
        /// The parameter's name.
        name: String,
    },
}

impl TokenSource {
    /// `TELEGRAM_BOT_TOKEN` holds it, or `TELEGRAM_BOT_TOKEN_PARAMETER` names the parameter.
    pub fn from_environment(sdk: &aws_config::SdkConfig) -> anyhow::Result<Self> {
        if let Some(token) = optional("TELEGRAM_BOT_TOKEN") {
            let token = Token::parse(&token).context("TELEGRAM_BOT_TOKEN is not a bot's token")?;
            return Ok(Self::Fixed(token));
        }
        let name = required("TELEGRAM_BOT_TOKEN_PARAMETER")?;
        Ok(Self::Parameter {
            client: aws_sdk_ssm::Client::new(sdk),
            name,
        })
    }

    /// Reads the token. No error says what was read.
    pub async fn read(&self) -> anyhow::Result<Token> {
        let (client, name) = match self {
            Self::Fixed(token) => return Ok(token.clone()),
            Self::Parameter { client, name } => (client, name),
        };
        let answer = client
            .get_parameter()
            .name(name)
            .with_decryption(true)
            .send()
            .await;
        let answer =
            answer.map_err(|_| anyhow!("the parameter of the bot's token cannot be read"))?;
        let value = answer
            .parameter
            .and_then(|parameter| parameter.value)
            .unwrap_or_default();
        Token::parse(&value).context("the parameter does not hold a bot's token")
    }
}
