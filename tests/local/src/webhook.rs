//! Delivering Telegram's updates to the webhook function.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use frontdesk_local_clock::Clock;
use frontdesk_local_telegram::{Deliver, Telegram, WebhookAnswer};
use http::{HeaderMap, HeaderValue, Method, Uri, header};
use serde_json::Value;

use crate::answer::{self, Answer};
use crate::functions::Function;
use crate::gateway::{self, Incoming};
use crate::instances::Lambda;

/// The webhook's function URL, as Telegram calls it.
#[derive(Clone)]
pub(crate) struct Webhook {
    pub(crate) lambda: Lambda,
    pub(crate) clock: Clock,
    /// The bot's name in the address.
    pub(crate) bot: String,
}

impl Webhook {
    /// Puts an update to the function.
    pub(crate) async fn deliver(
        &self,
        update: &Value,
        secret: Option<&str>,
    ) -> anyhow::Result<Answer> {
        let uri: Uri = format!("/telegram/{}", self.bot).parse()?;
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        if let Some(secret) = secret {
            headers.insert(
                "x-telegram-bot-api-secret-token",
                HeaderValue::from_str(secret)?,
            );
        }
        let event = gateway::function_url_event(&Incoming {
            method: &Method::POST,
            uri: &uri,
            headers: &headers,
            body: update.to_string().as_bytes(),
            source: IpAddr::V4(Ipv4Addr::LOCALHOST),
            at: self.clock.now(),
        });
        Ok(answer::answer(
            &self
                .lambda
                .invoke(Function::Webhook, event.to_string())
                .await,
        ))
    }

    /// The same for the stand-in, with the secret that its bot has set.
    pub(crate) fn deliver_from(self, telegram: &Telegram) -> Deliver {
        let (webhook, telegram) = (Arc::new(self), telegram.clone());
        Arc::new(move |update| {
            let (webhook, telegram) = (Arc::clone(&webhook), telegram.clone());
            Box::pin(async move {
                match webhook
                    .deliver(&update, telegram.bot().secret.as_deref())
                    .await
                {
                    Ok(answer) => WebhookAnswer {
                        status: answer.status.as_u16(),
                        retry_after: answer
                            .header("retry-after")
                            .and_then(|value| value.parse().ok()),
                        body: answer.body,
                    },
                    Err(_) => WebhookAnswer::default(),
                }
            })
        })
    }
}
