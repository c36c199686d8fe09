//! The commands that Telegram offers to people.

use frontdesk_domain::{Command, Language};
use frontdesk_settings::Settings;
use frontdesk_telegram::{BotCommand, CommandScope, SetMyCommands};
use frontdesk_texts::command_text;

/// The commands of the dialog.
const OF_CUSTOMERS: [&str; 3] = ["start", "help", "cancel"];
/// Places whose members are offered the staff's commands. They work in the others too.
const MOST_PLACES: usize = 10;

/// All that has to be said: to customers in each language, to the staff in their places.
pub(super) fn offered(settings: &Settings) -> Vec<SetMyCommands> {
    let mut offered = Vec::new();
    if settings.dialog.is_some() {
        for (at, language) in settings.languages.iter().enumerate() {
            let commands = described(&OF_CUSTOMERS, *language);
            let mut codes = vec![Some(language.code())];
            // The first language is everybody else's too.
            codes.extend((at == 0).then_some(None));
            offered.extend(codes.into_iter().map(|language_code| SetMyCommands {
                commands: commands.clone(),
                scope: CommandScope::AllPrivateChats,
                language_code,
            }));
        }
    }
    let of_staff = described(&Command::NAMES, settings.staff_language);
    let places = settings.places.iter().take(MOST_PLACES);
    offered.extend(places.map(|place| SetMyCommands {
        commands: of_staff.clone(),
        scope: CommandScope::Chat {
            chat_id: place.chat_id,
        },
        language_code: None,
    }));
    offered
}

/// The commands with what they do: a test holds that each has its text.
fn described(commands: &[&'static str], language: Language) -> Vec<BotCommand> {
    let described = commands.iter().filter_map(|command| {
        Some(BotCommand {
            command,
            description: command_text(language, command)?.to_owned(),
        })
    });
    described.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_has_a_text_of_its_own() {
        let commands = [&OF_CUSTOMERS[..], &Command::NAMES[..]].concat();
        for language in Language::ALL {
            let described = described(&commands, language);
            let texts: BTreeSet<_> = described.iter().map(|told| &told.description).collect();
            assert_eq!(texts.len(), commands.len(), "{}", language.code());
        }
    }
}
