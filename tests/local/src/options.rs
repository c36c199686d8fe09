//! How a desk is started.

use std::path::PathBuf;

use crate::settings::StaffChat;

/// Where the table lives.
#[derive(Clone, Debug)]
pub enum Data {
    /// In memory, for as long as the desk.
    Memory,
    /// In a directory, as `table.db`.
    Dir(PathBuf),
}

/// What the functions are told as the webhook's secret.
#[derive(Clone, Debug)]
pub enum WebhookSecret {
    /// A fresh one, which the stand-in knows too.
    Fresh,
    /// This, whatever the stand-in sends.
    Other(String),
    /// Nothing.
    Missing,
}

/// How a desk is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// The public port; 0 takes a free one.
    pub port: u16,
    /// Where the table lives.
    pub data: Data,
    /// The business's settings.
    pub settings: PathBuf,
    /// No schedule runs by itself.
    pub manual: bool,
    /// The token of a real bot, whose Bot API is used instead of the stand-in.
    pub telegram: Option<String>,
    /// The chats that the stand-in has from the start; those of the settings if not given.
    pub staff_chats: Option<Vec<StaffChat>>,
    /// The address that the webhook is to be set to, if functions are to know one.
    pub webhook_url: Option<String>,
    /// What the functions are told as the webhook's secret.
    pub webhook_secret: WebhookSecret,
    /// Whether the functions' lines go to standard error as they come.
    pub echo: bool,
    /// Whether the bodies of the functions' calls are kept with them; for the proof.
    pub keep_requests: bool,
    /// Where a real bot's updates are fetched; for tests.
    pub telegram_api: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 0,
            data: Data::Memory,
            settings: "desk.toml".into(),
            manual: false,
            telegram: None,
            staff_chats: None,
            webhook_url: None,
            webhook_secret: WebhookSecret::Fresh,
            echo: false,
            keep_requests: false,
            telegram_api: "https://api.telegram.org".to_owned(),
        }
    }
}

/// The public port is another program's.
#[derive(Debug)]
pub struct PortTaken(pub u16);

impl std::fmt::Display for PortTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Port {} is taken by another program; choose another with --port, or 0 for any free one.",
            self.0
        )
    }
}

impl std::error::Error for PortTaken {}
