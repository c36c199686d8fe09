use std::env;
use std::path::Path;

use anyhow::Context;
use frontdesk_desk::Registration;
use frontdesk_settings::Settings;

/// The settings that the build was made with.
const COMPILED_IN: &str = include_str!("../../../desk.toml");

/// The value of a variable that must be there; an empty one counts as missing.
pub fn required(name: &str) -> anyhow::Result<String> {
    optional(name).with_context(|| format!("{name} is missing or empty in the environment"))
}

/// The value of a variable that may be there; an empty one counts as missing.
pub fn optional(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The business's settings: those of the file that `DESK_SETTINGS` names, else those compiled in.
pub fn settings() -> anyhow::Result<Settings> {
    Ok(match optional("DESK_SETTINGS") {
        Some(path) => Settings::load(Path::new(&path))?,
        None => Settings::parse(COMPILED_IN, "desk.toml")?,
    })
}

/// Where Telegram is to send updates, if this desk has a public address (`WEBHOOK_URL`); the secret
/// is then required.
pub fn registration() -> anyhow::Result<Option<Registration>> {
    optional("WEBHOOK_URL")
        .map(|url| {
            Ok(Registration {
                url,
                secret: required("WEBHOOK_SECRET")?,
            })
        })
        .transpose()
}
