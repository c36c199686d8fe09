//! People who write to the bot and press what it shows: a customer in the dialog, staff with commands.

use anyhow::ensure;
use frontdesk_local_telegram::{Message, RawUpdate, Say, Upload, User};
use serde_json::json;

use crate::people::{Press, Pressed};
use crate::world::World;

/// A customer of the bot's.
pub(crate) const VERA: i64 = 7001;
/// What the customer writes.
pub(crate) const DESCRIPTION: &str = "CANARYTEXT of the dialog";
pub(crate) const PHONE: &str = "8 (812) 777-66-55";
/// The end of a button that confirms.
pub(crate) const CONFIRM: &str = ":y";
/// What a list calls itself, in a line of its own.
const LIST: &str = "The last requests";
/// The same of a request's story, and of the desk's figures.
const STORY: &str = "History";
const FIGURES: &str = "How it stands";
/// What stands before a request's number wherever a customer is told it.
const NUMBER: &str = "Its number: ";
/// So often somebody looks again for what should have come.
const LOOKS: usize = 3;

impl World {
    /// Somebody writes a text in a chat.
    pub(crate) async fn write(&mut self, user: i64, chat: i64, text: &str) -> anyhow::Result<()> {
        self.say(Say::text(User::new(user, "Somebody"), chat, text))
            .await
    }

    async fn say(&mut self, say: Say) -> anyhow::Result<()> {
        let user = say.user.as_ref().map_or(0, |user| user.id);
        for said in self.desk.telegram().say(say).await?.into_vec() {
            self.tell(|| format!("{} is written by {user}: {:?}", said.update_id, said.status));
            self.presses.push(Pressed {
                update_id: said.update_id,
                user,
                lead: String::new(),
                status: said.status,
                body: said.reply,
            });
        }
        Ok(())
    }

    /// A staff member asks for something in the staff's group.
    pub(crate) async fn ask(&mut self, user: i64, chat: i64, command: &str) -> anyhow::Result<()> {
        self.answers_asked += 1;
        self.write(user, chat, command).await
    }

    /// Telegram says that a customer has blocked the bot, or takes its messages again.
    pub(crate) async fn membership(&mut self, customer: i64, status: &str) -> anyhow::Result<()> {
        let membership = json!({"my_chat_member": {
            "chat": {"id": customer, "type": "private"}, "date": 1,
            "from": {"id": customer, "is_bot": false, "first_name": "Somebody"},
            "old_chat_member": {"status": "member"}, "new_chat_member": {"status": status},
        }});
        let update = RawUpdate {
            copies: None,
            update_id: None,
            update: membership,
        };
        self.deliver(vec![(customer, String::new(), update)]).await
    }

    /// A customer begins and presses the first option.
    pub(crate) async fn begin(&mut self, customer: i64) -> anyhow::Result<()> {
        self.write(customer, customer, "/start").await?;
        let first = ":o:services:support";
        if let Some(press) = self.awaited_button(customer, customer, first).await? {
            self.press(&[press]).await?;
        }
        Ok(())
    }

    /// A customer answers all questions but the last, with one document as the brief.
    pub(crate) async fn answer_questions(&mut self, customer: i64) -> anyhow::Result<()> {
        self.write(customer, customer, "/start").await?;
        self.press_each(
            customer,
            &[":o:services:support", ":n:services", ":o:type:"],
        )
        .await?;
        self.write(customer, customer, DESCRIPTION).await?;
        let file = Upload {
            file_name: Some("CANARY.pdf".to_owned()),
            mime_type: Some("application/pdf".to_owned()),
            file_size: 12_345,
            caption: None,
        };
        self.say(Say {
            document: Some(file),
            ..Say::by(User::new(customer, "Somebody"), customer)
        })
        .await?;
        self.press_each(customer, &[":n:brief", ":r:budget:", ":o:urgency:"])
            .await
    }

    async fn press_each(&mut self, customer: i64, buttons: &[&str]) -> anyhow::Result<()> {
        for part in buttons {
            self.rest().await?;
            let press = self.button(customer, customer, part);
            ensure!(press.is_some(), "the dialog shows no button {part}");
            self.press(press.as_slice()).await?;
            self.rest().await?;
        }
        Ok(())
    }

    /// The customer answers the last question.
    pub(crate) async fn answer_last(&mut self, customer: i64) -> anyhow::Result<()> {
        self.customers.push(customer);
        self.write(customer, customer, PHONE).await
    }

    /// The customer answers the last question and confirms, twice at once.
    pub(crate) async fn confirm_twice(&mut self, customer: i64) -> anyhow::Result<()> {
        self.answer_last(customer).await?;
        if let Some(press) = self.awaited_button(customer, customer, CONFIRM).await? {
            self.press(&[press.clone(), press]).await?;
        }
        Ok(())
    }

    /// Customers who were not told a number look again, and confirm what is not sent.
    pub(crate) async fn confirm_at_last(&mut self) -> anyhow::Result<()> {
        for customer in self.customers.clone() {
            for _ in 0..LOOKS {
                if !self.numbers_told(customer).is_empty() {
                    break;
                }
                match self.button(customer, customer, CONFIRM) {
                    Some(press) => {
                        self.press(&[press]).await?;
                    }
                    None => self.write(customer, customer, "/start").await?,
                }
                self.rest().await?;
            }
            ensure!(
                !self.numbers_told(customer).is_empty(),
                "the desk is well, and yet the customer gets no number"
            );
        }
        Ok(())
    }

    /// Every number that a customer was told, in answers to presses and in messages.
    pub(crate) fn numbers_told(&self, customer: i64) -> Vec<String> {
        let answers = self.presses.iter().filter(|press| press.user == customer);
        let answers = answers.filter_map(|press| press.body.as_ref()?["text"].as_str());
        let messages = self.messages(customer);
        let messages = messages.iter().map(|message| message.text.as_str());
        let number = |text: &str| {
            let (_, number) = text.split_once(NUMBER)?;
            let digits = number.chars().filter(char::is_ascii_hexdigit);
            Some(digits.collect())
        };
        answers.chain(messages).filter_map(number).collect()
    }

    /// What a chat shows, deleted messages too.
    pub(crate) fn messages(&self, chat: i64) -> Vec<Message> {
        let chats = self.desk.telegram().chats();
        let chat = chats.into_iter().find(|shown| shown.chat_id == chat);
        chat.map(|chat| chat.messages).unwrap_or_default()
    }

    /// A press of the button whose data has this part, under the last message that has one.
    pub(crate) fn button(&self, user: i64, chat: i64, part: &str) -> Option<Press> {
        let messages = self.messages(chat);
        let buttons = messages.iter().rev().flat_map(|message| {
            let buttons = message.buttons.iter().flatten();
            buttons.map(|button| (message.message_id, button.callback_data.as_deref()))
        });
        let (message, data) = buttons
            .filter_map(|(message, data)| Some((message, data?)))
            .find(|(_, data)| data.contains(part))?;
        let request = data.split(':').nth(1).filter(|id| id.len() == 14);
        Some(Press {
            user,
            lead: request.unwrap_or_default().to_owned(),
            data: data.to_owned(),
            chat,
            message,
            copies: 1,
        })
    }

    /// The same, for whoever waits a few minutes for it.
    pub(crate) async fn awaited_button(
        &mut self,
        user: i64,
        chat: i64,
        part: &str,
    ) -> anyhow::Result<Option<Press>> {
        for _ in 0..LOOKS {
            self.rest().await?;
            let press = self.button(user, chat, part);
            if press.is_some() {
                return Ok(press);
            }
            self.advance(60)?;
            self.sweep().await;
        }
        Ok(None)
    }
}

/// True for what tells a customer that a request was received.
pub(crate) fn is_confirmation(text: &str) -> bool {
    text.starts_with("Thank you!")
}

/// True for what calls a request out or takes it back, as a reply to its card.
pub(crate) fn is_reminder(text: &str) -> bool {
    text.contains('🔔')
}

/// True for a list, which names requests but is none's card. A repeat's mark may stand before it.
pub(crate) fn is_list(text: &str) -> bool {
    has_line(text, LIST)
}

/// True for what answers a command in a group.
pub(crate) fn is_answer(text: &str) -> bool {
    is_list(text) || has_line(text, STORY) || has_line(text, FIGURES)
}

fn has_line(text: &str, beginning: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| line.trim_start_matches("<b>").starts_with(beginning))
}
