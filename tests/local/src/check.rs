//! What `desk check` looks at: files that people write by hand.

use std::path::{Path, PathBuf};

use crate::event_check::check_event;
use crate::functions::Function;
use crate::settings;
use crate::template_check::check_template;

/// All mistakes in the settings, the sample events and the template of a project, each with its place.
pub fn check(project: &Path, settings: &Path) -> Vec<String> {
    let settings = settings::read(settings);
    let bot = settings.as_ref().ok().map(|business| business.bot.clone());
    let mut mistakes: Vec<String> = settings.err().into_iter().collect();
    mistakes.extend(check_events(&project.join("events")));
    let template = project.join("template.yaml");
    match read(&template) {
        Ok(text) => mistakes.extend(check_template(&template, &text, bot.as_deref())),
        Err(mistake) => mistakes.push(mistake),
    }
    mistakes
}

/// Every `events/*/*.json` is in a folder that is named for a function, and is what AWS sends to it.
fn check_events(events: &Path) -> Vec<String> {
    let mut mistakes = Vec::new();
    for folder in entries(events).into_iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let function = Function::named(&name);
        if function.is_none() {
            mistakes.push(format!(
                "{}: there is no function of this name",
                folder.display()
            ));
        }
        let is_json = |path: &PathBuf| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        };
        for file in entries(&folder).into_iter().filter(is_json) {
            match (
                read(&file).and_then(|text| parse(&file, &text).map(|_| text)),
                function,
            ) {
                (Err(mistake), _) => mistakes.push(mistake),
                (Ok(text), Some(function)) => mistakes.extend(check_event(&file, &text, function)),
                (Ok(_), None) => {}
            }
        }
    }
    mistakes
}

/// Reads a sample event; an error names the file and the line.
pub fn read_event(file: &Path) -> Result<serde_json::Value, String> {
    parse(file, &read(file)?)
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn parse(file: &Path, text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text)
        .map_err(|error| format!("{}:{}: {error}", file.display(), error.line()))
}

/// A folder's entries by name; a folder that is not there has none.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_event_and_a_wrong_one_are_named_with_their_lines() {
        let project = tempfile::tempdir().expect("a directory");
        let folder = project.path().join("events/intake");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("bad.json"), "{\n\n,}").expect("a file");
        std::fs::write(folder.join("empty.json"), "{}").expect("a file");
        let mistakes = check_events(&project.path().join("events"));
        assert!(mistakes[0].contains("bad.json:3: "), "{mistakes:?}");
        let missing = "empty.json:1: version: is missing";
        assert!(mistakes[1].contains(missing), "{mistakes:?}");
    }

    #[test]
    fn events_of_no_function_are_a_mistake() {
        let project = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(project.path().join("events/intakes")).expect("a folder");
        let mistakes = check_events(&project.path().join("events"));
        assert!(mistakes[0].contains("no function"), "{mistakes:?}");
    }
}
