use std::collections::BTreeSet;
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use frontdesk_domain::dialog::{MOST_FILES, Source};
use frontdesk_domain::text::{clean, clean_line, cut, is_blank, telegram_len};
use frontdesk_domain::{
    Answer, ContentDigest, DraftToken, FromDialog, Language, Name, Request, RequestId, State, fill,
};
use frontdesk_local_clock::Clock;
use frontdesk_local_telegram::{Bot, ChatKind, Telegram, Via};
use frontdesk_settings::Settings;
use frontdesk_texts::{CardView, render_card};
use jiff::Timestamp;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::sample::{REQUEST, STAFF_CHAT};
use crate::texts::seen;

const TOKEN: &str = "1:test";

/// A request's contents: answers to a form's fields by their places.
#[derive(Arbitrary, Debug)]
struct Input {
    form: u8,
    texts: Vec<(u8, String)>,
    /// How often each text is repeated, so that long ones need not be found letter by letter.
    times: u16,
    state: Stands,
    dialog: Option<Talk>,
    earlier: u8,
    repeat: bool,
    created: u32,
}

#[derive(Arbitrary, Debug)]
enum Stands {
    New,
    InWork(String),
    Closed(String, Option<String>),
}

/// What a request of the dialog's has beside its answers; its texts answer the steps.
#[derive(Arbitrary, Debug)]
struct Talk {
    link: Option<String>,
    files: u32,
    unreachable: bool,
    refused: Vec<String>,
}

/// A card of any answers: Telegram takes it, and all that was answered is on it or is said to be cut.
pub fn card(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let settings: &Settings = &WIDE;
    let Some(request) = input.request(settings) else {
        return;
    };
    let view = CardView {
        settings,
        request: &request,
        earlier: u32::from(input.earlier),
        most_earlier: 100,
        may_be_repeat: input.repeat,
    };
    let card = render_card(&view);
    assert_eq!(
        card,
        render_card(&view),
        "the same view gives the same card"
    );
    let buttons: Vec<_> = card
        .buttons
        .iter()
        .map(|(text, data)| json!({"text": text, "callback_data": data}))
        .collect();
    let shown = send(json!({
        "chat_id": STAFF_CHAT, "text": card.html, "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": true},
        "reply_markup": {"inline_keyboard": [buttons]},
    }));
    assert!(telegram_len(&shown) <= 4096);
    let codes: &[&str] = match request.state {
        State::New => &["take"],
        State::InWork { .. } => &["back", "close"],
        State::Closed { .. } => &[],
    };
    let datas = codes.iter().map(|code| format!("{code}:{REQUEST}"));
    assert!(card.buttons.iter().map(|(_, data)| data.clone()).eq(datas));
    let is_cut = shown.contains("… (cut here");
    let on_it = seen(&shown);
    for answer in &request.answers {
        assert!(
            is_cut || answer.picked.is_some() || on_it.contains(&seen(&answer.text)),
            "{} is missing",
            answer.field
        );
        assert!(
            answer
                .e164
                .as_ref()
                .is_none_or(|e164| is_cut || shown.contains(e164))
        );
    }
}

impl Input {
    /// The request that comes of filling in the form, or of a form that there is no more.
    fn request(&self, settings: &Settings) -> Option<Request> {
        let times = usize::from(self.times % 2000) + 1;
        let site = settings
            .forms
            .get(usize::from(self.form) % (settings.forms.len() + 1));
        let mut seen = BTreeSet::new();
        let places = self
            .texts
            .iter()
            .filter(|(place, _)| seen.insert(place % 20))
            .take(20);
        let texts = places.map(|(place, text)| (usize::from(place % 20), text.repeat(times)));
        let answers = match site {
            Some(site) => {
                let fields = &site.form.fields;
                let typed: Vec<_> = texts
                    .filter_map(|(place, text)| Some((fields.get(place)?, text)))
                    .map(|(field, text)| (field.name.as_str(), first(&text, field.length.1)))
                    .collect();
                let typed = typed.iter().map(|(name, text)| (*name, text.as_str()));
                fill(&site.form, typed, settings.country).ok()?
            }
            None => texts
                .filter_map(|(place, text)| answer_of_old(place, &text))
                .collect(),
        };
        let name = |name: &str| first(&clean_line(name), 32);
        let state = match &self.state {
            Stands::New => State::New,
            Stands::InWork(by) => State::InWork {
                assignee: 501,
                name: name(by),
            },
            Stands::Closed(by, reason) => State::Closed {
                by: 501,
                name: name(by),
                reason: reason.as_deref().map(|reason| {
                    let reason = clean_line(reason);
                    cut(&reason, 200).to_owned()
                }),
            },
        };
        let dialog = self.dialog.as_ref().map(|talk| FromDialog {
            chat: 77,
            language: Language::ALL[usize::from(self.form) % Language::ALL.len()],
            link: talk.link.as_deref().and_then(Source::parse),
            began: Timestamp::UNIX_EPOCH,
            files: talk.files,
            unreachable: talk.unreachable,
            // At most as many files as a brief has, with names as they are kept.
            refused: talk
                .refused
                .iter()
                .take(MOST_FILES)
                .map(|name| first(&clean_line(name), 132))
                .collect(),
        });
        let created = Timestamp::from_second(i64::from(self.created)).ok()?;
        Some(Request {
            id: RequestId::parse(REQUEST).ok()?,
            source: site
                .map_or_else(|| Name::parse("gone"), |site| Some(site.form.name.clone()))?,
            token: DraftToken::from_random([7; 16]),
            digest: ContentDigest::of([]),
            answers,
            contact: None,
            state,
            version: 1,
            created,
            changed: created,
            attention: None,
            called_out: false,
            dialog,
        })
    }
}

fn answer_of_old(place: usize, text: &str) -> Option<Answer> {
    let text = first(&clean(text), 10_000);
    (!is_blank(&text)).then_some(Answer {
        field: Name::parse(&format!("{}{place}", "f".repeat(30)))?,
        text,
        e164: (place == 0).then(|| "+78121234567".to_owned()),
        picked: None,
    })
}

fn first(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// The sample with a second form: as many fields as there may be, with the longest labels.
static WIDE: LazyLock<Settings> = LazyLock::new(|| {
    let label = "&<>\"".repeat(16);
    let label = label.replace('"', "\\\"");
    let texts = ["en", "ru", "ja"]
        .map(|code| format!("{code} = \"{label}\""))
        .join(", ");
    let form = format!("\n[[form]]\nname = \"wide\"\ntitle = {{ {texts} }}\n");
    let fields = (0..20).map(|at| {
        format!(
            "[[form.field]]\nname = \"field-{at}\"\nkind = \"text\"\nmax = 10000\n\
             label = {{ {texts} }}\n"
        )
    });
    let sample = include_str!("../../../desk.toml").to_owned();
    let text: String = [sample, form].into_iter().chain(fields).collect();
    Settings::parse(&text, "wide").expect("right settings")
});

/// Sends it to a Telegram as strict as the real one, and returns the text that the chat shows.
fn send(message: serde_json::Value) -> String {
    thread_local! {
        static RUNTIME: Runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    }
    let bot = Bot {
        name: "Desk".into(),
        username: "desk_bot".into(),
        token: TOKEN.into(),
        id: 1,
        secret: None,
    };
    let telegram = Telegram::new(Clock::new(), bot);
    telegram.add_chat(STAFF_CHAT, ChatKind::Supergroup, "Staff");
    let answer = telegram.call(TOKEN, "sendMessage", message, Via::Api);
    let answer = RUNTIME.with(|runtime| runtime.block_on(answer));
    assert!(answer.is_ok(), "{:?}", answer.description());
    let chat = telegram.chat(STAFF_CHAT).expect("the chat");
    chat.messages.last().expect("a message").text.clone()
}
