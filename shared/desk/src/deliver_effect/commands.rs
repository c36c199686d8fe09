//! The commands that Telegram offers to people.

use frontdesk_domain::Command;
use frontdesk_settings::Settings;
use frontdesk_telegram::{BotCommand, CommandScope, SetMyCommands};
use frontdesk_texts::{command_text, staff_command_text};

/// The commands of the dialog.
const OF_CUSTOMERS: [&str; 3] = ["start", "help", "cancel"];
/// Places whose members are offered the staff's commands. They work in the others too.
const MOST_PLACES: usize = 10;

/// All that has to be said: to customers in each language, to the staff in their places.
pub(super) fn offered(settings: &Settings) -> Vec<SetMyCommands> {
    let mut offered = Vec::new();
    if settings.dialog.is_some() {
        for (at, language) in settings.languages.iter().enumerate() {
            let commands = OF_CUSTOMERS.map(|command| BotCommand {
                command,
                description: command_text(*language, command).to_owned(),
            });
            let mut codes = vec![Some(language.code())];
            // The first language is everybody else's too.
            codes.extend((at == 0).then_some(None));
            offered.extend(codes.into_iter().map(|language_code| SetMyCommands {
                commands: commands.to_vec(),
                scope: CommandScope::AllPrivateChats,
                language_code,
            }));
        }
    }
    let of_staff = Command::NAMES.map(|command| BotCommand {
        command,
        description: staff_command_text(settings.staff_language, command).to_owned(),
    });
    let places = settings.places.iter().take(MOST_PLACES);
    offered.extend(places.map(|place| SetMyCommands {
        commands: of_staff.to_vec(),
        scope: CommandScope::Chat {
            chat_id: place.chat_id,
        },
        language_code: None,
    }));
    offered
}
