//! What the desk needs to know of desk.toml before any function reads it.

use std::path::Path;

/// The bot and the chats of the business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Business {
    /// The bot's name in webhook addresses.
    pub bot: String,
    /// Chats of staff that the stand-in has from the start.
    pub staff_chats: Vec<StaffChat>,
    /// The names of the site's forms.
    pub forms: Vec<String>,
}

/// A chat of staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaffChat {
    /// Telegram's id of the chat.
    pub chat_id: i64,
    /// Its title.
    pub title: String,
}

/// Reads a settings file; an error is a sentence that names the file and the line.
pub fn read(path: &Path) -> Result<Business, String> {
    let settings = frontdesk_settings::Settings::load(path).map_err(|error| error.to_string())?;
    let staff_chats = settings.places.iter().map(|place| StaffChat {
        chat_id: place.chat_id,
        title: place.title.clone(),
    });
    Ok(Business {
        bot: settings.bot.name.to_string(),
        staff_chats: staff_chats.collect(),
        forms: settings
            .forms
            .iter()
            .map(|site| site.form.name.to_string())
            .collect(),
    })
}
