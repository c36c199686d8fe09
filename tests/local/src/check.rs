//! What `desk check` looks at: files that people write by hand.

use std::path::{Path, PathBuf};

use crate::functions::Function;
use crate::settings;

/// All mistakes in the settings, the sample events and the template of a project, each with its place.
pub fn check(project: &Path, settings: &Path) -> Vec<String> {
    let mut mistakes: Vec<String> = settings::read(settings).err().into_iter().collect();
    mistakes.extend(check_events(&project.join("events")));
    mistakes.extend(check_template(&project.join("template.yaml")));
    mistakes
}

/// Every `events/*/*.json` is JSON, in a folder that is named for a function.
fn check_events(events: &Path) -> Vec<String> {
    let mut mistakes = Vec::new();
    for folder in entries(events).into_iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if Function::named(&name).is_none() {
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
            if let Err(mistake) = read_event(&file) {
                mistakes.push(mistake);
            }
        }
    }
    mistakes
}

/// Reads a sample event; an error names the file and the line.
pub fn read_event(file: &Path) -> Result<serde_json::Value, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text)
        .map_err(|error| format!("{}:{}: {error}", file.display(), error.line()))
}

/// The template has no checks of its own yet; `sam validate` reads it.
fn check_template(_template: &Path) -> Vec<String> {
    Vec::new()
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
    fn a_broken_event_is_named_with_its_line() {
        let project = tempfile::tempdir().expect("a directory");
        let folder = project.path().join("events/intake");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("good.json"), "{}").expect("a file");
        std::fs::write(folder.join("bad.json"), "{\n\n,}").expect("a file");
        let mistakes = check_events(&project.path().join("events"));
        assert_eq!(mistakes.len(), 1);
        assert!(mistakes[0].contains("bad.json:3: "), "{mistakes:?}");
    }

    #[test]
    fn events_of_no_function_are_a_mistake() {
        let project = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(project.path().join("events/intakes")).expect("a folder");
        let mistakes = check_events(&project.path().join("events"));
        assert!(mistakes[0].contains("no function"), "{mistakes:?}");
    }
}
