//! A customer who talks to the bot, for tests.

use serde_json::{Value, json};

use crate::harness::Desk;

/// A customer's private chat, which has the customer's id.
pub(crate) struct Customer<'a> {
    desk: &'a Desk,
    pub(crate) chat: i64,
    language: &'a str,
    pub(crate) bot: &'a str,
}

impl<'a> Customer<'a> {
    pub(crate) fn new(desk: &'a Desk, chat: i64, language: &'a str) -> Self {
        Self {
            desk,
            chat,
            language,
            bot: "desk",
        }
    }

    pub(crate) fn user(&self) -> Value {
        json!({"id": self.chat, "first_name": "Vera", "language_code": self.language})
    }

    /// Sends anything that a person can send, and returns what came of it.
    pub(crate) async fn does(&self, what: Value) -> Value {
        let mut say = json!({"chat_id": self.chat, "user": self.user()});
        let fields = what.as_object().unwrap().clone();
        say.as_object_mut().unwrap().extend(fields);
        self.desk.control("say", say).await
    }

    /// Writes a text and returns the text of the reply.
    pub(crate) async fn writes(&self, text: &str) -> String {
        let said = self.does(json!({"text": text})).await;
        assert_eq!(said["status"], 200, "{said}");
        said["reply"]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Telegram says what has become of the bot in the customer's chat: "kicked" or "member".
    pub(crate) async fn membership(&self, status: &str) {
        let update = json!({"update": {"my_chat_member": {
            "chat": {"id": self.chat, "type": "private"}, "from": self.user(), "date": 1,
            "old_chat_member": {"status": "member"}, "new_chat_member": {"status": status},
        }}});
        self.desk.control("update", update).await;
    }

    pub(crate) async fn messages(&self) -> Vec<Value> {
        self.desk.messages(self.chat).await
    }

    /// The bot's last message with buttons.
    pub(crate) async fn panel(&self) -> Value {
        let messages = self.messages().await;
        let with_buttons =
            |message: &&Value| message["from_id"] != self.chat && message["buttons"] != json!([]);
        let last = messages.iter().rev().find(with_buttons);
        last.unwrap_or_else(|| panic!("no buttons: {messages:#?}"))
            .clone()
    }

    /// Presses the button with this label (or a beginning of it) under the last message with buttons,
    /// waits until all is quiet, and returns the note that passes.
    pub(crate) async fn presses(&self, label: &str) -> String {
        let panel = self.panel().await;
        let data = data_of(&panel, label);
        let answer = self.presses_data(&panel, &data).await;
        self.desk.settle().await;
        answer
    }

    /// The same for the button whose data ends so.
    pub(crate) async fn presses_ending(&self, end: &str) -> String {
        let panel = self.panel().await;
        let data = crate::harness::buttons(&panel);
        let data = data.iter().find(|data| data.ends_with(end));
        let data = data.unwrap_or_else(|| panic!("no button {end}: {panel:#}"));
        let answer = self.presses_data(&panel, data).await;
        self.desk.settle().await;
        answer
    }

    pub(crate) async fn presses_data(&self, message: &Value, data: &str) -> String {
        let pressed = self
            .desk
            .control(
                "press",
                json!({
                    "chat_id": self.chat,
                    "user": self.user(),
                    "message_id": message["message_id"],
                    "callback_data": data,
                }),
            )
            .await;
        assert_eq!(pressed["status"], 200, "{pressed}");
        pressed["answer"]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("no answer: {pressed}"))
            .to_owned()
    }

    /// The chat's draft as it is stored.
    pub(crate) async fn draft(&self) -> Value {
        let partition = format!("CHAT#{}#{}", self.bot, self.chat);
        let items = self.desk.items(&partition).await;
        items
            .into_iter()
            .find(|item| item["sk"] == "EFF#panel")
            .unwrap_or(Value::Null)
    }
}

/// The data of the button whose label begins so.
pub(crate) fn data_of(message: &Value, label: &str) -> String {
    let rows = message["buttons"].as_array().cloned().unwrap_or_default();
    let mut buttons = rows.iter().filter_map(Value::as_array).flatten();
    let button = buttons.find(|button| {
        let text = button["text"].as_str().unwrap();
        let text = text.trim_start_matches(['☑', '☐', ' ']);
        text.starts_with(label)
    });
    let button = button.unwrap_or_else(|| panic!("no button {label}: {message:#}"));
    button["callback_data"].as_str().unwrap().to_owned()
}
