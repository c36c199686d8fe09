//! A real bot's updates, fetched by long polling and delivered as Telegram would deliver them.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::webhook::Webhook;

/// How long the Bot API holds a request for updates open.
const POLL: Duration = Duration::from_secs(50);

/// The pause after a request that failed.
const PAUSE: Duration = Duration::from_secs(5);

/// Attempts at delivering an update; the pauses between them double from one second.
const ATTEMPTS: u32 = 6;

/// Where updates come from and where they go.
pub(crate) struct Source {
    api: String,
    token: String,
    webhook: Webhook,
    secret: String,
    http: reqwest::Client,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    result: Value,
    error_code: Option<u16>,
    #[serde(default)]
    description: String,
}

impl Source {
    pub(crate) fn new(
        api: String,
        token: String,
        webhook: Webhook,
        secret: String,
    ) -> reqwest::Result<Self> {
        let http = reqwest::Client::builder().build()?;
        Ok(Self {
            api,
            token,
            webhook,
            secret,
            http,
        })
    }

    /// Works until it is dropped.
    pub(crate) async fn run(self) {
        let mut offset = 0;
        loop {
            let params =
                json!({"offset": offset, "timeout": POLL.as_secs(), "allowed_updates": []});
            match self.call("getUpdates", &params).await {
                Ok(Answer {
                    error_code: None,
                    result: Value::Array(updates),
                    ..
                }) => {
                    // Asking beyond them confirms them, so only what was delivered is confirmed.
                    let last = updates
                        .iter()
                        .filter_map(|update| update["update_id"].as_i64())
                        .max();
                    self.deliver_all(updates).await;
                    offset = last.map_or(offset, |last| last + 1);
                }
                Ok(Answer {
                    error_code: Some(409),
                    description,
                    ..
                }) => {
                    eprintln!(
                        "Telegram gives no updates to this desk: {description}. A bot delivers either to its webhook or \
                         to one program that asks. Delete the webhook with deleteWebhook, or use a bot of your own for this desk."
                    );
                    tokio::time::sleep(PAUSE).await;
                }
                Ok(answer) => {
                    eprintln!("Telegram gives no updates: {}", answer.description);
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) => {
                    eprintln!("Telegram cannot be reached: {error}");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    async fn call(&self, method: &str, params: &Value) -> reqwest::Result<Answer> {
        let url = format!("{}/bot{}/{method}", self.api, self.token);
        let request = self
            .http
            .post(url)
            .json(params)
            .timeout(POLL + Duration::from_secs(10));
        // The address holds the token; an error must not show it.
        let answer = async { request.send().await?.json().await };
        answer.await.map_err(reqwest::Error::without_url)
    }

    /// One after another within a chat, chats side by side.
    async fn deliver_all(&self, updates: Vec<Value>) {
        let mut chats: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for update in updates {
            chats.entry(chat(&update)).or_default().push(update);
        }
        join_all(chats.into_values().map(async |updates| {
            for update in updates {
                self.deliver(&update).await;
            }
        }))
        .await;
    }

    async fn deliver(&self, update: &Value) {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(Duration::from_secs(1 << (attempt - 1))).await;
            }
            match self.webhook.deliver(update, Some(&self.secret)).await {
                Ok(answer) if answer.status.is_success() => {
                    return self.perform(&answer.body).await;
                }
                Ok(answer) => eprintln!(
                    "update {} was answered {}",
                    update["update_id"], answer.status
                ),
                Err(error) => eprintln!(
                    "update {} cannot be delivered: {error}",
                    update["update_id"]
                ),
            }
        }
        eprintln!("update {} is given up", update["update_id"]);
    }

    /// Performs the method of an answer, as Telegram does with a webhook's.
    async fn perform(&self, body: &[u8]) {
        let Ok(Value::Object(mut fields)) = serde_json::from_slice(body) else {
            return;
        };
        let Some(Value::String(method)) = fields.remove("method") else {
            return;
        };
        match self.call(&method, &Value::Object(fields)).await {
            Ok(Answer {
                error_code: None, ..
            }) => {}
            Ok(answer) => eprintln!("{method} was refused: {}", answer.description),
            Err(error) => eprintln!("{method} failed: {error}"),
        }
    }
}

/// The queue in which Telegram keeps an update: its chat, or the person for a press.
fn chat(update: &Value) -> String {
    let kinds = update.as_object().into_iter().flatten();
    let content = kinds
        .map(|(_, content)| content)
        .find(|content| content.is_object())
        .unwrap_or(&Value::Null);
    if content["chat"]["id"].is_i64() {
        content["chat"]["id"].to_string()
    } else {
        format!("user {}", content["from"]["id"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_queue_by_chat_and_presses_by_person() {
        assert_eq!(
            chat(&json!({"update_id": 1, "message": {"chat": {"id": -5}, "from": {"id": 7}}})),
            "-5"
        );
        assert_eq!(
            chat(&json!({"update_id": 2, "callback_query": {"from": {"id": 7}}})),
            "user 7"
        );
    }
}
