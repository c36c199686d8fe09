use frontdesk_domain::dialog::Source;
use frontdesk_domain::{Answer, ContentDigest, DraftToken, FromDialog, Name};
use jiff::{SignedDuration, Timestamp};

use super::*;
use crate::{CardView, render_card};

/// The sample with a second form: as many fields as there may be, with the longest labels.
fn settings() -> Settings {
    let label = "Ж".repeat(64);
    let texts = format!("{{ en = \"{label}\", ru = \"{label}\", ja = \"{label}\" }}");
    let form = format!("\n[[form]]\nname = \"wide\"\ntitle = {texts}\n");
    let field = |at| {
        format!(
            "[[form.field]]\nname = \"field-{at}\"\nkind = \"text\"\nmax = 10000\nlabel = {texts}\n"
        )
    };
    let sample = include_str!("../../../../desk.toml").to_owned();
    let text: String = [sample, form]
        .into_iter()
        .chain((0..20).map(field))
        .collect();
    Settings::parse(&text, "wide").expect("right settings")
}

fn request() -> Request {
    let name = |name: &str| Name::parse(name).expect("a name");
    let answer = |at| Answer {
        field: name(&format!("field-{at}")),
        text: "Щ".repeat(4000),
        e164: None,
        picked: None,
    };
    let now = Timestamp::UNIX_EPOCH;
    Request {
        id: RequestId::parse("3f9a22c107bed4").expect("an id"),
        source: name("wide"),
        token: DraftToken::from_random([7; 16]),
        digest: ContentDigest::of([]),
        answers: (0..20).map(answer).collect(),
        contact: None,
        state: State::Closed {
            by: 501,
            name: "N".repeat(64),
            reason: Some("R".repeat(200)),
        },
        version: 90,
        created: now,
        changed: now,
        attention: None,
        called_out: false,
        dialog: Some(FromDialog {
            chat: 77,
            language: Language::Ja,
            link: Source::parse(&"s".repeat(64)),
            began: now,
            files: 20,
            unreachable: true,
            refused: (0..20)
                .map(|at| format!("{at}: {}", "f".repeat(128)))
                .collect(),
        }),
    }
}

fn history(changes: u32) -> Vec<HistoryEntry> {
    let entry = |at: u32| HistoryEntry {
        version: at + 2,
        at: Timestamp::UNIX_EPOCH + SignedDuration::from_hours(at.into()),
        actor: 501,
        from: if at.is_multiple_of(2) {
            "new"
        } else {
            "in_work"
        },
        to: if at.is_multiple_of(2) {
            "in_work"
        } else {
            "new"
        },
    };
    (0..changes).map(entry).collect()
}

fn effects(places: usize) -> Vec<Effect> {
    let id = request().id;
    let effect = |at| Effect {
        error: Some("customer_deactivated".to_owned()),
        ..Effect::new(
            EffectId::Card {
                request: id,
                place: Name::parse(&format!("a-place-with-a-long-name-{at:02}")).expect("a name"),
            },
            Timestamp::UNIX_EPOCH,
        )
    };
    (0..places).map(effect).collect()
}

fn shown(html: &str) -> usize {
    let mut plain = html.to_owned();
    for tag in ["<b>", "</b>", "<i>", "</i>", "<code>", "</code>"] {
        plain = plain.replace(tag, "");
    }
    telegram_len(&plain)
}

#[test]
fn the_longest_story_and_its_card_keep_to_telegrams_limit() {
    let mut settings = settings();
    let (request, history, effects) = (request(), history(90), effects(30));
    for language in Language::ALL {
        settings.staff_language = language;
        let story = render_story(&StoryView {
            settings: &settings,
            request: &request,
            history: &history,
            effects: &effects,
            earlier: &[request.id; 5],
        });
        let card = render_card(&CardView {
            settings: &settings,
            request: &request,
            earlier: 100,
            most_earlier: 100,
            may_be_repeat: true,
        });
        for html in [story.html, card.html] {
            assert!(shown(&html) <= 4096, "{language:?}: {}", shown(&html));
        }
    }
}

#[test]
fn a_story_says_what_it_leaves_out_and_leaves_out_what_is_only_noted() {
    let settings = settings();
    let mut history = history(90);
    history.insert(
        3,
        HistoryEntry {
            version: 500,
            at: Timestamp::UNIX_EPOCH,
            actor: 8502,
            from: "new",
            to: "new",
        },
    );
    let story = |history: &[HistoryEntry], effects: &[Effect]| {
        render_story(&StoryView {
            settings: &settings,
            request: &request(),
            history,
            effects,
            earlier: &[],
        })
        .html
    };
    let all = story(&history, &effects(30));
    let told = all.matches(" → ").count();
    assert!(told > 10, "{all}");
    let earlier = format!("… after {} earlier changes", 90 - told);
    assert!(all.contains(&earlier), "{earlier} in {all}");
    let messages = all.matches("card · ").count();
    assert!(
        all.contains(&format!("… and {} more", 30 - messages)),
        "{all}"
    );
    assert!(!all.contains("8502"), "{all}");
    let short = story(&history[..5], &effects(2));
    assert!(
        !short.contains('…') || !short.contains("earlier change"),
        "{short}"
    );
    assert_eq!(short.matches(" → ").count(), 4);
}
