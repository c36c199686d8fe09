//! Settings of businesses that differ in their places and forms, for tests and loads.

use std::fmt::Write;

/// A business with two of staff.
const HEAD: &str = r#"[desk]
name = "Sample desk"
zone = "Europe/Moscow"
languages = ["en"]
staff_language = "en"
country = "RU"

[bot]
name = "desk"

[[staff]]
id = 501
name = "Anna"

[[staff]]
id = 502
name = "Boris"
"#;

const FIELDS: &str = r#"
[[form.field]]
name = "name"
label = { en = "Name" }
kind = "line"
required = true

[[form.field]]
name = "phone"
label = { en = "Phone" }
kind = "phone"
required = true

[[form.field]]
name = "message"
label = { en = "Message" }
kind = "text"
"#;

/// The text of a settings file with these places, by name and chat, and forms, each with the names of its
/// places or none for all.
pub fn sample_settings(places: &[(String, i64)], forms: &[(String, Vec<String>)]) -> String {
    let mut text = HEAD.to_owned();
    for (name, chat_id) in places {
        let _ = write!(
            text,
            "\n[[place]]\nname = \"{name}\"\nchat_id = {chat_id}\ntitle = \"{name}\"\n"
        );
    }
    for (name, places) in forms {
        let _ = write!(
            text,
            "\n[[form]]\nname = \"{name}\"\ntitle = {{ en = \"{name}\" }}\n"
        );
        if !places.is_empty() {
            let _ = writeln!(text, "places = {places:?}");
        }
        text += FIELDS;
    }
    text
}

/// The same with `count` supergroups, each with a form of its own of the same name: `g0`, `g1`, …
pub fn settings_of_groups(count: usize) -> String {
    let groups = (0..count).map(|n| (format!("g{n}"), group_chat(n)));
    let forms = (0..count).map(|n| (format!("g{n}"), vec![format!("g{n}")]));
    sample_settings(&groups.collect::<Vec<_>>(), &forms.collect::<Vec<_>>())
}

/// The chat of the group `g<n>`.
pub fn group_chat(n: usize) -> i64 {
    -1_001_000_001_000 - i64::try_from(n).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontdesk_settings::Settings;

    #[test]
    fn each_group_has_a_form_of_its_own() {
        let settings = Settings::parse(&settings_of_groups(200), "groups").expect("right settings");
        let last = settings.form("g199").expect("a form");
        assert_eq!(last.places.len(), 1);
        let place = settings.place(&last.places[0]).expect("a place");
        assert_eq!(place.chat_id, group_chat(199));
    }
}
