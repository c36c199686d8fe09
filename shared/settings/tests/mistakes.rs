//! Every mistake in the settings is told with its line.

use frontdesk_settings::Settings;

const SAMPLE: &str = include_str!("../../../desk.toml");

#[test]
fn the_sample_is_right() {
    let settings = Settings::parse(SAMPLE, "desk.toml").expect("the sample");
    assert_eq!(settings.places[0].chat_id, -1_001_000_000_001);
    assert_eq!(
        settings.member(502).map(|member| member.name.as_str()),
        Some("Boris")
    );
    assert!(settings.form("contact").is_some());
}

#[test]
fn a_mistake_names_its_line() {
    for (right, wrong, message) in [
        ("zone = \"Europe/Moscow\"", "zone = \"Moscow\"", "time zone"),
        ("country = \"RU\"", "country = \"Russia\"", "not a country"),
        (
            "languages = [\"en\", \"ru\", \"ja\"]",
            "languages = [\"en\", \"xx\"]",
            "not a language",
        ),
        (
            "languages = [\"en\", \"ru\", \"ja\"]",
            "languages = []",
            "at least one language",
        ),
        ("id = 502", "id = 501", "two members"),
        ("id = 502", "id = -5", "greater than 0"),
        ("id = 502", "id = \"502\"", "expected i64"),
        ("chat_id = -1001000000001", "chat_id = 0", "never 0"),
        ("name = \"phone\"", "name = \"Phone number\"", "a name has"),
        ("name = \"phone\"", "name = \"name\"", "two fields"),
        ("name = \"phone\"", "name = \"draft_token\"", "hidden field"),
        ("kind = \"phone\"", "kind = \"email\"", "unknown variant"),
        ("max = 4000", "max = 0", "count of characters"),
        ("max = 4000", "max = 70000", "count of characters"),
        ("max = 4000", "maximum = 4000", "unknown field"),
        ("[bot]", "[bot", "unclosed"),
    ] {
        let text = SAMPLE.replacen(right, wrong, 1);
        let line = 1 + SAMPLE
            .lines()
            .position(|line| line.contains(right))
            .expect("the sample has it");
        let error = Settings::parse(&text, "desk.toml")
            .expect_err(wrong)
            .to_string();
        assert!(
            error.starts_with(&format!("desk.toml:{line}: ")),
            "{wrong}: {error}"
        );
        assert!(error.contains(message), "{wrong}: {error}");
    }
}
