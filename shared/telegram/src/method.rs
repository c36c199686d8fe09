//! The methods that the desk uses, with the fields that it sets.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// A method of the Bot API.
pub trait Method: Serialize {
    /// Its name.
    const NAME: &'static str;
    /// What of its result is read.
    type Answer: for<'a> Deserialize<'a>;
}

/// The body of a webhook's answer that has Telegram perform `method`.
pub fn reply_body<M: Method>(method: &M) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Reply<'a, M> {
        method: &'static str,
        #[serde(flatten)]
        fields: &'a M,
    }
    serde_json::to_string(&Reply {
        method: M::NAME,
        fields: method,
    })
}

/// How a text is marked up.
#[derive(Clone, Copy, Debug, Serialize)]
pub enum ParseMode {
    /// Telegram's HTML.
    #[serde(rename = "HTML")]
    Html,
}

/// Whether links are previewed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LinkPreview {
    /// They are not.
    pub is_disabled: bool,
}

impl LinkPreview {
    /// None: a customer's link must not fill a card with a page.
    pub const OFF: Self = Self { is_disabled: true };
}

/// The buttons under a message; without rows, there are none.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InlineKeyboard {
    /// Rows of buttons.
    pub inline_keyboard: Vec<Vec<InlineKeyboardButton>>,
}

impl InlineKeyboard {
    /// The keyboard of these rows: labels and callback data.
    pub fn of(rows: impl IntoIterator<Item = Vec<(String, String)>>) -> Self {
        let button = |(text, callback_data)| InlineKeyboardButton {
            text,
            callback_data,
        };
        let row = |row: Vec<_>| row.into_iter().map(button).collect::<Vec<_>>();
        let rows = rows.into_iter().map(row).filter(|row| !row.is_empty());
        Self {
            inline_keyboard: rows.collect(),
        }
    }

    /// What a new message carries: nothing where there are no buttons.
    pub fn markup(self) -> Option<ReplyMarkup> {
        (!self.inline_keyboard.is_empty()).then_some(ReplyMarkup::Inline(self))
    }
}

/// A button.
#[derive(Clone, Debug, Serialize)]
pub struct InlineKeyboardButton {
    /// What it says.
    pub text: String,
    /// What a press brings back: 1 to 64 bytes.
    pub callback_data: String,
}

/// What is under a message.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ReplyMarkup {
    /// Buttons under the message itself.
    Inline(InlineKeyboard),
    /// Buttons instead of the user's keyboard. The message can never be edited.
    Keyboard(ReplyKeyboard),
    /// Takes such buttons away.
    Remove(RemoveKeyboard),
}

/// Buttons instead of the user's keyboard, in private chats.
#[derive(Clone, Debug, Serialize)]
pub struct ReplyKeyboard {
    /// Rows of buttons.
    pub keyboard: Vec<Vec<KeyboardButton>>,
    /// As small as its buttons allow.
    pub resize_keyboard: bool,
    /// Gone once it was used.
    pub one_time_keyboard: bool,
}

/// A button that types its text for the user.
#[derive(Clone, Debug, Serialize)]
pub struct KeyboardButton {
    /// What it says.
    pub text: String,
    /// Instead of typing, it shares the user's number.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub request_contact: bool,
}

/// Takes away the buttons that stand instead of the user's keyboard.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RemoveKeyboard {
    remove_keyboard: bool,
}

impl RemoveKeyboard {
    /// The only value there is.
    pub const NOW: Self = Self {
        remove_keyboard: true,
    };
}

/// The message that another replies to.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ReplyParameters {
    /// Its id in the same chat.
    pub message_id: i64,
    /// Sent also where that message is gone.
    pub allow_sending_without_reply: bool,
}

impl ReplyParameters {
    /// A reply to this message, or no reply where it is gone.
    pub fn to(message_id: i64) -> Self {
        Self {
            message_id,
            allow_sending_without_reply: true,
        }
    }
}

/// Sends a text.
#[derive(Clone, Debug, Serialize)]
pub struct SendMessage {
    /// Where to.
    pub chat_id: i64,
    /// 1 to 4096 characters once its marks are taken out.
    pub text: String,
    /// Its markup; plain without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parse_mode: Option<ParseMode>,
    /// Its links.
    pub link_preview_options: LinkPreview,
    /// Its buttons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_markup: Option<ReplyMarkup>,
    /// The message that it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_parameters: Option<ReplyParameters>,
}

/// What is read of a sent message.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SentMessage {
    /// Its id within the chat.
    pub message_id: i64,
}

impl SendMessage {
    /// A text in Telegram's HTML, without buttons and a reply to nothing.
    pub fn html(chat_id: i64, html: String) -> Self {
        Self {
            parse_mode: Some(ParseMode::Html),
            ..Self::plain(chat_id, html)
        }
    }

    /// A text as it stands, without buttons and a reply to nothing.
    pub fn plain(chat_id: i64, text: String) -> Self {
        Self {
            chat_id,
            text,
            parse_mode: None,
            link_preview_options: LinkPreview::OFF,
            reply_markup: None,
            reply_parameters: None,
        }
    }
}

impl Method for SendMessage {
    const NAME: &'static str = "sendMessage";
    type Answer = SentMessage;
}

/// Changes the text and buttons of a message.
#[derive(Clone, Debug, Serialize)]
pub struct EditMessageText {
    /// Where it is.
    pub chat_id: i64,
    /// Its id within the chat.
    pub message_id: i64,
    /// As of [`SendMessage`].
    pub text: String,
    /// Its markup.
    pub parse_mode: ParseMode,
    /// Its links.
    pub link_preview_options: LinkPreview,
    /// Its buttons from now on.
    pub reply_markup: InlineKeyboard,
}

impl Method for EditMessageText {
    const NAME: &'static str = "editMessageText";
    type Answer = IgnoredAny;
}

/// Changes the buttons of a message and leaves its text.
#[derive(Clone, Debug, Serialize)]
pub struct EditMessageReplyMarkup {
    /// Where it is.
    pub chat_id: i64,
    /// Its id within the chat.
    pub message_id: i64,
    /// Its buttons from now on.
    pub reply_markup: InlineKeyboard,
}

impl Method for EditMessageReplyMarkup {
    const NAME: &'static str = "editMessageReplyMarkup";
    type Answer = IgnoredAny;
}

/// Ends the wait that a press shows, with a note to whoever pressed.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerCallbackQuery {
    /// The press's id.
    pub callback_query_id: String,
    /// 0 to 200 characters.
    pub text: String,
    /// In a window that must be closed, instead of a note that passes.
    pub show_alert: bool,
}

impl Method for AnswerCallbackQuery {
    const NAME: &'static str = "answerCallbackQuery";
    type Answer = IgnoredAny;
}

/// Asks how Telegram fares with the webhook.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GetWebhookInfo {}

/// What is read of the webhook's state.
#[derive(Clone, Debug, Deserialize)]
pub struct WebhookInfo {
    /// Where the updates go; empty where they go nowhere.
    pub url: String,
    /// Updates that wait to be delivered.
    #[serde(default)]
    pub pending_update_count: u64,
    /// When a delivery last failed, in seconds since 1970. What Telegram says of it is not read.
    pub last_error_date: Option<i64>,
}

impl Method for GetWebhookInfo {
    const NAME: &'static str = "getWebhookInfo";
    type Answer = WebhookInfo;
}

/// A command as Telegram offers it to people.
#[derive(Clone, Debug, Serialize)]
pub struct BotCommand {
    /// What is typed after "/": 1 to 32 of a-z 0-9 _.
    pub command: &'static str,
    /// What it does, in 1 to 256 characters.
    pub description: String,
}

/// Who is offered commands.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CommandScope {
    /// Whoever writes to the bot.
    AllPrivateChats,
    /// The members of a chat.
    Chat {
        /// The chat.
        chat_id: i64,
    },
}

/// Says which commands people are offered.
#[derive(Clone, Debug, Serialize)]
pub struct SetMyCommands {
    /// The commands, 100 at the most.
    pub commands: Vec<BotCommand>,
    /// To whom.
    pub scope: CommandScope,
    /// Only to people whose app has this language; without, to all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language_code: Option<&'static str>,
}

impl Method for SetMyCommands {
    const NAME: &'static str = "setMyCommands";
    type Answer = IgnoredAny;
}

/// Tells Telegram where the bot's updates go.
#[derive(Clone, Debug, Serialize)]
pub struct SetWebhook {
    /// An HTTPS address.
    pub url: String,
    /// What comes back in each request's header.
    pub secret_token: String,
    /// The kinds of update that are wanted.
    pub allowed_updates: Vec<&'static str>,
}

impl Method for SetWebhook {
    const NAME: &'static str = "setWebhook";
    type Answer = IgnoredAny;
}
