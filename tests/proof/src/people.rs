//! The people around a desk: what they do, and what they are told.

use anyhow::{Context, ensure};
use frontdesk_local::{Call, Target};
use frontdesk_local_telegram::RawUpdate;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::world::World;

/// The staff's group.
pub(crate) const STAFF: i64 = -1_001_000_000_001;
pub(crate) const ANNA: i64 = 501;
pub(crate) const BORIS: i64 = 502;
/// Somebody who is in the group and not on the staff.
const STRANGER: i64 = 900;
/// The user behind which Telegram hides an administrator.
const ANONYMOUS: i64 = 1_087_968_824;

/// A draft, and which of its contents.
pub(crate) type Draft = (usize, usize);

/// What a customer was answered.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    pub(crate) draft: Draft,
    pub(crate) token: String,
    pub(crate) content: Value,
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// What a press or a message was answered; every delivery of the same update adds one. `lead` is empty where
/// it is about no request.
#[derive(Clone, Debug)]
pub(crate) struct Pressed {
    pub(crate) update_id: i64,
    pub(crate) user: i64,
    pub(crate) lead: String,
    pub(crate) status: Option<u16>,
    pub(crate) body: Option<Value>,
}

/// A press as somebody makes it.
#[derive(Clone, Debug)]
pub(crate) struct Press {
    pub(crate) user: i64,
    pub(crate) lead: String,
    /// What the button sends.
    pub(crate) data: String,
    pub(crate) chat: i64,
    pub(crate) message: i64,
    /// So many arrive at once.
    pub(crate) copies: usize,
}

impl World {
    /// A customer sends the form of a draft; `variant` is another content under the same token.
    pub(crate) async fn submit(&mut self, draft: usize, variant: usize) -> anyhow::Result<u16> {
        self.submit_all(&[(draft, variant)]).await?;
        let last = self.submissions.last().context("a submission")?;
        Ok(last.status)
    }

    /// Several customers send their forms at once.
    pub(crate) async fn submit_all(&mut self, drafts: &[Draft]) -> anyhow::Result<()> {
        let sent = drafts.iter().map(|draft| send(self, *draft));
        for submission in join_all(sent).await {
            let submission = submission?;
            self.tell(|| {
                let (draft, variant) = submission.draft;
                let Submission { status, body, .. } = &submission;
                format!("submit {draft} variant {variant}: {status} {body}")
            });
            self.submissions.push(submission);
        }
        Ok(())
    }

    /// The drafts whose customers were not told that they are stored, and do not know otherwise.
    pub(crate) fn unconfirmed(&self) -> Vec<Draft> {
        let confirmed = |token: &str| {
            let mut sent = self.submissions.iter();
            sent.any(|sent| sent.token == token && sent.status == 201)
        };
        self.submissions
            .iter()
            .filter(|sent| sent.status >= 500 && !confirmed(&sent.token))
            .map(|sent| sent.draft)
            .collect()
    }

    /// A form or an update that is refused leaves the table as it was, counters apart (7): the clock
    /// stands, so that nothing else happens meanwhile. `how` chooses what is wrong with it.
    pub(crate) async fn misuse(&mut self, how: u8) -> anyhow::Result<()> {
        self.rest().await?;
        let calls = self.calls().len();
        let before = self.stored()?;
        let form = format!("{}/forms/contact", self.desk.url());
        let webhook = format!("{}/telegram/desk", self.desk.url());
        let secret = (
            "x-telegram-bot-api-secret-token",
            self.desk.webhook_secret(),
        );
        let update = json!({"update_id": 5, "message": {"message_id": 1, "date": 0}});
        let request = match how % 8 {
            0 => self.http.post(form).json(&json!({"name": "CANARY"})),
            1 => self
                .http
                .post(form)
                .body("{")
                .header("content-type", "application/json"),
            2 => self
                .http
                .post(form)
                .json(&json!({"name": "C".repeat(300_000), "phone": "1"})),
            3 => self
                .http
                .post(form.replace("contact", "another"))
                .json(&json!({})),
            4 => self.http.put(form),
            5 => self.http.post(webhook).json(&update),
            6 => self.http.get(webhook).header(secret.0, secret.1),
            _ => self
                .http
                .post(webhook.replace("/desk", "/other"))
                .header(secret.0, secret.1)
                .json(&update),
        };
        let status = request.send().await?.status().as_u16();
        self.tell(|| format!("misuse {}: {status}", how % 8));
        ensure!(status >= 400, "7: misuse {} is answered {status}", how % 8);
        // Telegram may deliver again meanwhile what it could not deliver before.
        let of_form = how % 8 < 5;
        let mut calls = self.calls().split_off(calls);
        calls.retain(|call| call.target == Target::Dynamodb && call.done == Some(200));
        let is_other = |call: &Call| (call.function == "intake") != of_form;
        if status < 500 && !calls.iter().any(is_other) {
            let after = self.stored()?;
            ensure!(
                before == after,
                "7: misuse {} was answered {status} and stored",
                how % 8
            );
        }
        Ok(())
    }

    /// What forms and updates may write. A message whose delay ends just now may change an effect or a
    /// chat; that an effect is there is all that counts.
    fn stored(&self) -> anyhow::Result<Vec<Value>> {
        let mut items = self.desk.db().all()?;
        items.retain(|item| {
            let pk = item["pk"].as_str().unwrap_or_default();
            !pk.starts_with("COUNT#") && !pk.starts_with("CHAT#")
        });
        for item in &mut items {
            if item["sk"].as_str().is_some_and(|sk| sk.starts_with("EFF")) {
                *item = json!([item["pk"], item["sk"]]);
            }
        }
        Ok(items)
    }

    /// Several people press at once. Returns the first one's update.
    pub(crate) async fn press(&mut self, presses: &[Press]) -> anyhow::Result<i64> {
        let of_cards = presses
            .iter()
            .filter(|press| press.data == format!("take:{}", press.lead));
        let taken: Vec<_> = of_cards
            .map(|press| (press.lead.clone(), press.chat, press.message))
            .collect();
        let first = 700_000_000 + self.next_update;
        let mut updates = Vec::new();
        for press in presses {
            let id = 700_000_000 + self.next_update;
            self.next_update += 1;
            updates.push((press.user, press.lead.clone(), press_update(id, press)));
        }
        self.deliver(updates).await?;
        self.cards_pressed.extend(taken);
        Ok(first)
    }

    /// Somebody presses what is not theirs to press, or what is no button at all.
    pub(crate) async fn tamper(&mut self, press: &Press, how: u8) -> anyhow::Result<()> {
        let id = 700_000_000 + self.next_update;
        self.next_update += 1;
        let mut press = press.clone();
        match how % 5 {
            0 => press.user = STRANGER,
            1 => press.user = ANONYMOUS,
            2 => press.chat = -1_009_999_999_999,
            _ => {}
        }
        let mut update = press_update(id, &press);
        match how % 5 {
            3 => update.update["callback_query"]["data"] = json!("take:00000000000000"),
            4 => update.update["callback_query"]["data"] = json!("take:x; drop"),
            _ => {}
        }
        self.deliver(vec![(press.user, press.lead, update)]).await
    }

    /// Telegram delivers an earlier press again.
    pub(crate) async fn repeat(&mut self, update_id: i64) -> anyhow::Result<()> {
        let mut presses = self.presses.iter();
        let first = presses.find(|press| press.update_id == update_id);
        let (user, lead) = first
            .map(|press| (press.user, press.lead.clone()))
            .context("no such press")?;
        let again = RawUpdate {
            update_id: Some(update_id),
            copies: Some(1),
            update: Value::Null,
        };
        self.deliver(vec![(user, lead, again)]).await
    }

    pub(crate) async fn deliver(
        &mut self,
        updates: Vec<(i64, String, RawUpdate)>,
    ) -> anyhow::Result<()> {
        let telegram = self.desk.telegram();
        let delivered = updates.into_iter().map(async |(user, lead, update)| {
            let results = telegram.update(update).await?.into_vec();
            anyhow::Ok((user, lead, results))
        });
        for delivered in join_all(delivered).await {
            let (user, lead, results) = delivered?;
            for result in results {
                self.tell(|| {
                    let (id, status) = (result.update_id, result.status);
                    format!("press {id} by {user} on {lead}: {status:?}")
                });
                self.presses.push(Pressed {
                    update_id: result.update_id,
                    user,
                    lead: lead.clone(),
                    status: result.status,
                    body: result.body,
                });
            }
        }
        Ok(())
    }
}

async fn send(world: &World, draft: Draft) -> anyhow::Result<Submission> {
    let (number, variant) = draft;
    let token = format!("draft-token-of-proof-{number:04}");
    let content = json!({
        "name": format!("CANARY{number}"),
        "phone": "8 (812) 777-66-55",
        "message": format!("CANARYTEXT {variant}"),
    });
    let request = world
        .http
        .post(format!("{}/forms/contact", world.desk.url()))
        .header("idempotency-key", &token)
        .json(&content);
    let response = request.send().await?;
    let status = response.status().as_u16();
    let body = response.text().await?;
    Ok(Submission {
        draft,
        token,
        content,
        status,
        body,
    })
}

fn press_update(id: i64, press: &Press) -> RawUpdate {
    let chat = if press.chat < 0 {
        json!({"id": press.chat, "type": "supergroup", "title": "Staff"})
    } else {
        json!({"id": press.chat, "type": "private", "first_name": "Somebody"})
    };
    let update = json!({"update_id": id, "callback_query": {
        "id": format!("press-{id}"), "chat_instance": "1", "data": press.data,
        "from": {"id": press.user, "is_bot": false, "first_name": "Somebody"},
        "message": {"message_id": press.message, "date": 1_800_000_000,
                    "chat": chat},
    }});
    RawUpdate {
        update_id: None,
        copies: Some(press.copies),
        update,
    }
}
