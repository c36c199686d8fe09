//! One customer's chat, as the table would hold it.

use frontdesk_domain::dialog::{
    Action, BriefFile, Choice, Command, Context, Dialog, DialogPress, Draft, Event, FileKind,
    Phase, Range, Remark, Reply, Source, Step, StepKind, Turn, turn,
};
use frontdesk_domain::{Country, DraftToken, Language, Localized, Name};
use jiff::{SignedDuration, Timestamp};

pub(crate) fn name(text: &str) -> Name {
    Name::parse(text).expect("a name")
}

pub(crate) fn dialog() -> Dialog {
    let options = |names: &[&str]| {
        let option = |text: &&str| Choice {
            name: name(text),
            label: Localized::same(text),
        };
        names.iter().map(option).collect::<Vec<_>>()
    };
    let step = |text: &str, required, kind| Step {
        name: name(text),
        label: Localized::same(text),
        question: Localized::same(text),
        required,
        kind,
    };
    Dialog {
        title: Localized::same("Request"),
        greeting: Localized::same("Hello"),
        keep: SignedDuration::from_hours(24 * 30),
        steps: vec![
            step(
                "services",
                true,
                StepKind::Choices {
                    options: options(&["site", "shop", "bot"]),
                    most: 2,
                },
            ),
            step("type", false, StepKind::Choice(options(&["new", "redo"]))),
            step("about", true, StepKind::Text { length: (3, 4000) }),
            step("brief", false, StepKind::Brief { most: 3 }),
            step(
                "budget",
                true,
                StepKind::Budget {
                    currency: "EUR".to_owned(),
                    bounds: vec![1000, 5000],
                },
            ),
            step("contact", true, StepKind::Contact),
        ],
    }
}

pub(crate) fn token(n: usize) -> DraftToken {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&(n as u64).to_be_bytes());
    // The part that buttons carry differs.
    bytes[2] = bytes[7];
    bytes[3] = bytes[6];
    DraftToken::from_random(bytes)
}

pub(crate) fn file(album: Option<&str>) -> BriefFile {
    BriefFile {
        kind: FileKind::Photo,
        file_id: "id".to_owned(),
        name: None,
        size: Some(1),
        caption: String::new(),
        album: album.map(str::to_owned),
    }
}

/// One chat, as the table would hold it.
pub(crate) struct Chat {
    pub(crate) dialog: Dialog,
    pub(crate) bot: Name,
    pub(crate) now: Timestamp,
    pub(crate) draft: Option<Draft>,
    pub(crate) drafts_begun: usize,
}

impl Chat {
    pub(crate) fn new() -> Self {
        Self {
            dialog: dialog(),
            bot: name("desk"),
            now: Timestamp::from_second(1_800_000_000).expect("a moment"),
            draft: None,
            drafts_begun: 0,
        }
    }

    pub(crate) fn decide(&self, draft: Option<&Draft>, event: &Event) -> Turn {
        let context = Context {
            dialog: &self.dialog,
            country: Country::parse("RU").expect("a country"),
            language: Language::En,
            now: self.now,
            fresh: &token(self.drafts_begun),
            bot: &self.bot,
            candidate: 0,
        };
        turn(draft, event, &context)
    }

    pub(crate) fn does(&mut self, event: &Event) -> Reply {
        let turn = self.decide(self.draft.as_ref(), event);
        if turn.changed {
            self.draft = turn.draft;
            self.drafts_begun += 1;
        }
        turn.reply
    }

    pub(crate) fn says(&mut self, event: &Event) -> Option<Remark> {
        match self.does(event) {
            Reply::Say(remark) => remark,
            Reply::Silent(reason) => panic!("silent: {reason}"),
        }
    }

    pub(crate) fn presses(&mut self, action: Action) -> Option<Remark> {
        let token = self.draft.as_ref().expect("a draft").token.clone();
        self.says(&Event::Press(DialogPress::new(&token, action)))
    }

    pub(crate) fn writes(&mut self, text: &str) -> Option<Remark> {
        self.says(&Event::Text(text.to_owned()))
    }

    pub(crate) fn phase(&self) -> &Phase {
        &self.draft.as_ref().expect("a draft").phase
    }

    pub(crate) fn asked(&self) -> &str {
        match self.phase() {
            Phase::Asking { step, .. } => step.as_str(),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn choose(&mut self, step: &str, option: &str) -> Option<Remark> {
        self.presses(Action::Choose {
            step: name(step),
            option: name(option),
        })
    }

    /// All steps up to the preview.
    pub(crate) fn fill(&mut self) {
        self.says(&Event::Command(Command::Start(Source::parse("ads"))));
        self.choose("services", "site");
        self.presses(Action::Next(name("services")));
        self.choose("type", "new");
        self.writes("A shop for tea");
        self.says(&Event::File(file(None)));
        self.presses(Action::Next(name("brief")));
        let range = Range {
            from: Some(1000),
            to: Some(5000),
        };
        self.presses(Action::Range {
            step: name("budget"),
            range,
        });
        self.writes("8 (812) 123-45-67");
        assert_eq!(*self.phase(), Phase::Preview);
    }
}
