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
        (
            "title = \"Staff\"",
            "title = \"\\u200b\"",
            "that can be seen",
        ),
        (
            "allowed_origins = []",
            "allowed_origins = [\"https://bücher.example\"]",
            "not an origin",
        ),
        ("max = 4000", "max = 0", "count of characters"),
        ("max = 4000", "max = 70000", "count of characters"),
        ("max = 4000", "maximum = 4000", "unknown field"),
        ("[bot]", "[bot", "unclosed"),
        (
            "places = [\"staff\"]",
            "places = [\"staf\"]",
            "no [[place]] has this name",
        ),
        ("places = [\"staff\"]", "places = []", "would tell nobody"),
        (
            "places = [\"staff\"]",
            "places = [\"staff\", \"staff\"]",
            "twice",
        ),
        ("keep_days = 30", "keep_days = 0", "count of days"),
        ("name = \"type\"", "name = \"services\"", "two steps"),
        (
            "name = \"type\"",
            "name = \"the-type-of-the-site\"",
            "16 characters",
        ),
        ("name = \"company\"", "name = \"landing\"", "two options"),
        ("kind = \"brief\"", "kind = \"files\"", "unknown variant"),
        ("max = 20", "max = 21", "from 1 to 20"),
        ("max = 3000", "max = 5000", "from 3 to 4000"),
        (
            "bounds = [50000, 150000, 500000]",
            "bounds = [50000, 50000]",
            "rising",
        ),
        (
            "bounds = [50000, 150000, 500000]",
            "bounds = []",
            "amounts between",
        ),
    ] {
        let text = SAMPLE.replacen(right, wrong, 1);
        assert_mistake(&text, line_of(SAMPLE, right), message);
    }
}

#[test]
fn a_line_that_means_nothing_for_its_step_is_named_with_the_step() {
    for (right, wrong, at, message) in [
        (
            "max = 20",
            "bounds = [1]",
            "name = \"brief\"",
            "no \"bounds\"",
        ),
        ("max = 20", "min = 2", "name = \"brief\"", "no \"min\""),
        (
            "min = 3\nmax = 3000",
            "min = 4001",
            "name = \"description\"",
            "4000 characters at the most",
        ),
        (
            "What kind of site is it?",
            "\u{200b}",
            "question = { en = \"What kind",
            "a text of 1 to 1000",
        ),
        (
            "currency = \"₽\"",
            "",
            "name = \"budget\"",
            "needs its currency",
        ),
        (
            "kind = \"brief\"",
            "kind = \"contact\"",
            "name = \"brief\"",
            "no \"max\"",
        ),
    ] {
        let text = SAMPLE.replacen(right, wrong, 1);
        assert_mistake(&text, line_of(SAMPLE, at), message);
    }
    let second = format!(
        "{SAMPLE}\n[[dialog.step]]\nname = \"other\"\nkind = \"contact\"\n\
         label = {{ en = \"A\", ru = \"A\", ja = \"A\" }}\nquestion = {{ en = \"A\", ru = \"A\", ja = \"A\" }}\n"
    );
    let line = SAMPLE.lines().count() + 3;
    assert_mistake(&second, line, "one contact step");
}

#[test]
fn another_business_changes_only_the_file() {
    let file = include_str!("../../../tests/it/settings/car-repair.toml");
    let settings = Settings::parse(file, "car-repair.toml").expect("the second sample");
    let dialog = settings.dialog.expect("a dialog").dialog;
    assert_eq!(dialog.steps.len(), 4);
    assert!(settings.forms.is_empty());
}

/// The sample with `count` places more and a form more, which names `named`.
fn with_places(count: usize, named: &str) -> String {
    let places: Vec<_> = (1..=count)
        .map(|n| format!("[[place]]\nname = \"p{n}\"\nchat_id = {n}\ntitle = \"Place {n}\"\n"))
        .collect();
    let places = places.join("\n");
    let form = format!(
        "[[form]]\nname = \"second\"\n{named}\ntitle = {{ en = \"Second\", ru = \"Second\", ja = \"Second\" }}\n\
         [[form.field]]\nname = \"phone\"\nlabel = {{ en = \"Phone\", ru = \"Phone\", ja = \"Phone\" }}\nkind = \"phone\"\n"
    );
    format!("{SAMPLE}\n{places}\n{form}")
}

fn line_of(text: &str, what: &str) -> usize {
    1 + text
        .lines()
        .position(|line| line.contains(what))
        .expect("the text has it")
}

fn assert_mistake(text: &str, line: usize, message: &str) {
    let error = Settings::parse(text, "desk.toml")
        .expect_err(message)
        .to_string();
    assert!(error.starts_with(&format!("desk.toml:{line}: ")), "{error}");
    assert!(error.contains(message), "{error}");
}

#[test]
fn a_form_without_places_goes_to_all_while_there_are_ten_at_the_most() {
    let few = with_places(9, "");
    let settings = Settings::parse(&few, "desk.toml").expect("ten places");
    assert_eq!(
        settings.form("second").map(|site| site.places.len()),
        Some(10)
    );
    let many = with_places(10, "");
    assert_mistake(&many, line_of(&many, "name = \"second\""), "name them");
}

#[test]
fn a_form_names_ten_places_at_the_most_and_a_desk_has_500() {
    let names: Vec<_> = (1..=11).map(|n| format!("  \"p{n}\",\n")).collect();
    let eleven = with_places(499, &format!("places = [\n{}]", names.concat()));
    let eleventh = eleven.lines().position(|line| line == "  \"p11\",");
    assert_mistake(&eleven, 1 + eleventh.expect("a line"), "10 places");
    let ten = with_places(499, &format!("places = [\n{}]", names[..10].concat()));
    let settings = Settings::parse(&ten, "desk.toml").expect("500 places");
    assert_eq!(settings.places.len(), 500);
    let one_more = with_places(500, "places = [\"p1\"]");
    assert_mistake(
        &one_more,
        line_of(&one_more, "name = \"p500\""),
        "500 places",
    );
}

#[test]
fn a_place_stands_beside_those_of_all_its_forms() {
    let settings = Settings::parse(&with_places(3, "places = [\"p1\", \"staff\"]"), "desk.toml")
        .expect("right settings");
    let beside = |at: usize| {
        let beside = settings.places_beside(&settings.places[at]);
        beside
            .iter()
            .map(|place| place.name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(beside(0), ["staff", "p1"]);
    assert_eq!(beside(1), ["staff", "p1"]);
    assert_eq!(beside(2), ["p2"], "one to which no form sends any more");
}

#[test]
fn a_form_that_nobody_could_fill_in_is_a_mistake() {
    let field = "name = \"phone\"";
    let text = SAMPLE.replacen(field, &format!("{field}\nmin = 61"), 1);
    assert_mistake(&text, line_of(&text, field), "min is above 60");

    let (before, _) = SAMPLE.split_once("[[form.field]]").expect("fields");
    let text = format!("{before}field = []");
    assert_mistake(
        &text,
        line_of(&text, "name = \"contact\""),
        "at least one field",
    );
}
