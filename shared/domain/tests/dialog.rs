//! The dialog as a whole: random people, and the ways that matter one by one.

use std::collections::{BTreeMap, BTreeSet};

use frontdesk_domain::dialog::{
    Action, BriefFile, Choice, Command, Context, Dialog, DialogPress, Draft, Event, FileKind,
    Given, Phase, Range, Remark, Reply, Source, Step, StepFault, StepKind, Turn, turn,
};
use frontdesk_domain::{Country, DraftToken, Language, Localized, Name, RequestId};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

fn name(text: &str) -> Name {
    Name::parse(text).expect("a name")
}

fn dialog() -> Dialog {
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

fn token(n: usize) -> DraftToken {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&(n as u64).to_be_bytes());
    // The part that buttons carry differs.
    bytes[2] = bytes[7];
    bytes[3] = bytes[6];
    DraftToken::from_random(bytes)
}

fn file(album: Option<&str>) -> BriefFile {
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
struct Chat {
    dialog: Dialog,
    bot: Name,
    now: Timestamp,
    draft: Option<Draft>,
    drafts_begun: usize,
}

impl Chat {
    fn new() -> Self {
        Self {
            dialog: dialog(),
            bot: name("desk"),
            now: Timestamp::from_second(1_800_000_000).expect("a moment"),
            draft: None,
            drafts_begun: 0,
        }
    }

    fn decide(&self, draft: Option<&Draft>, event: &Event) -> Turn {
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

    fn does(&mut self, event: &Event) -> Reply {
        let turn = self.decide(self.draft.as_ref(), event);
        if turn.changed {
            self.draft = turn.draft;
            self.drafts_begun += 1;
        }
        turn.reply
    }

    fn says(&mut self, event: &Event) -> Option<Remark> {
        match self.does(event) {
            Reply::Say(remark) => remark,
            Reply::Silent(reason) => panic!("silent: {reason}"),
        }
    }

    fn presses(&mut self, action: Action) -> Option<Remark> {
        let token = self.draft.as_ref().expect("a draft").token.clone();
        self.says(&Event::Press(DialogPress::new(&token, action)))
    }

    fn writes(&mut self, text: &str) -> Option<Remark> {
        self.says(&Event::Text(text.to_owned()))
    }

    fn phase(&self) -> &Phase {
        &self.draft.as_ref().expect("a draft").phase
    }

    fn asked(&self) -> &str {
        match self.phase() {
            Phase::Asking { step, .. } => step.as_str(),
            other => panic!("{other:?}"),
        }
    }

    fn choose(&mut self, step: &str, option: &str) -> Option<Remark> {
        self.presses(Action::Choose {
            step: name(step),
            option: name(option),
        })
    }

    /// All steps up to the preview.
    fn fill(&mut self) {
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

#[test]
fn a_dialog_from_the_first_question_to_its_number() {
    let mut chat = Chat::new();
    chat.fill();
    let draft = chat.draft.clone().expect("a draft");
    assert_eq!(draft.source, Source::parse("ads"));
    assert_eq!(
        draft.answers[&name("contact")],
        Given::Contact {
            text: "8 (812) 123-45-67".to_owned(),
            e164: "+78121234567".to_owned(),
            own: false,
        }
    );
    let Some(Remark::Sent(id)) = chat.presses(Action::Confirm) else {
        panic!("not sent")
    };
    let ids = RequestId::candidates("dialog", &name("desk"), &draft.token);
    assert_eq!(id, ids[0]);
    assert_eq!(chat.presses(Action::Confirm), Some(Remark::AlreadySent(id)));
    assert_eq!(chat.writes("And?"), Some(Remark::AlreadySent(id)));
}

#[test]
fn an_old_confirm_never_confirms_the_next_draft() {
    let mut chat = Chat::new();
    chat.fill();
    let first = chat.draft.as_ref().expect("a draft").token.clone();
    chat.presses(Action::Confirm);
    chat.fill();
    let old = Event::Press(DialogPress::new(&first, Action::Confirm));
    assert_eq!(chat.says(&old), Some(Remark::OldDraft));
    assert_eq!(*chat.phase(), Phase::Preview);
    assert!(matches!(
        chat.presses(Action::Confirm),
        Some(Remark::Sent(_))
    ));
}

#[test]
fn one_field_is_edited_from_the_preview_and_the_others_stay() {
    let mut chat = Chat::new();
    chat.fill();
    chat.presses(Action::Edit(name("about")));
    assert_eq!(chat.asked(), "about");
    chat.presses(Action::Back(name("about")));
    assert_eq!(*chat.phase(), Phase::Preview);
    chat.presses(Action::Edit(name("about")));
    chat.writes("A shop for coffee");
    assert_eq!(*chat.phase(), Phase::Preview);
    let answers = &chat.draft.as_ref().expect("a draft").answers;
    let about = Given::Text("A shop for coffee".to_owned());
    assert_eq!((answers.len(), &answers[&name("about")]), (6, &about));
}

#[test]
fn back_keeps_what_was_answered_and_next_goes_on_with_it() {
    let mut chat = Chat::new();
    chat.says(&Event::Text("hello".to_owned()));
    chat.choose("services", "site");
    chat.choose("services", "shop");
    let full = Remark::Fault(StepFault::TooManyChosen(2));
    assert_eq!(chat.choose("services", "bot"), Some(full));
    chat.presses(Action::Next(name("services")));
    chat.choose("type", "new");
    chat.presses(Action::Back(name("about")));
    assert_eq!(chat.asked(), "type");
    chat.says(&Event::Command(Command::Back));
    assert_eq!(chat.asked(), "services");
    chat.presses(Action::Next(name("services")));
    assert_eq!(chat.asked(), "about");
    let old = chat.choose("type", "redo");
    assert_eq!(old, Some(Remark::OldButton));
    assert_eq!(chat.asked(), "about");
    let required = Some(Remark::Fault(StepFault::Required));
    assert_eq!(chat.says(&Event::Command(Command::Skip)), required);
}

#[test]
fn a_draft_waits_for_weeks_and_its_end_is_told_once() {
    let mut chat = Chat::new();
    chat.says(&Event::Command(Command::Start(None)));
    chat.now += SignedDuration::from_hours(24 * 29);
    let resumed = chat.says(&Event::Command(Command::Start(None)));
    assert_eq!(resumed, Some(Remark::Resumed));
    chat.choose("services", "bot");
    chat.now += SignedDuration::from_hours(24 * 30);
    let anew = chat.says(&Event::Text("hello".to_owned()));
    assert_eq!(anew, Some(Remark::ExpiredAnew));
    let unmarked = matches!(chat.phase(), Phase::Asking { marked, .. } if marked.is_empty());
    assert!(unmarked);
    chat.now += SignedDuration::from_hours(24 * 30);
    assert_eq!(chat.choose("services", "bot"), Some(Remark::Expired));
    assert_eq!(chat.choose("services", "bot"), Some(Remark::OldButton));
    let anew = chat.says(&Event::Text("hello".to_owned()));
    assert_eq!(anew, Some(Remark::Welcome));
}

#[test]
fn all_parts_of_an_album_count_with_one_reply_even_after_the_step() {
    let mut chat = Chat::new();
    chat.says(&Event::Command(Command::Start(None)));
    // An album where none is wanted: one reply.
    let early = Event::File(file(Some("0")));
    let fault = Some(Remark::Fault(StepFault::NoFileHere));
    assert_eq!(chat.says(&early), fault);
    assert_eq!(chat.does(&early), Reply::Silent("album_part"));
    chat.choose("services", "site");
    chat.presses(Action::Next(name("services")));
    chat.choose("type", "new");
    chat.writes("A shop for tea");
    let part = Event::File(file(Some("1")));
    assert_eq!(chat.says(&part), Some(Remark::FileKept));
    assert_eq!(chat.does(&part), Reply::Silent("album_part"));
    chat.presses(Action::Next(name("brief")));
    assert_eq!(chat.asked(), "budget");
    assert_eq!(chat.does(&part), Reply::Silent("album_part"));
    assert_eq!(chat.does(&part), Reply::Silent("album_part"));
    assert_eq!(chat.draft.as_ref().expect("a draft").files.len(), 3);
    assert_eq!(chat.asked(), "budget");
}

#[test]
fn an_own_number_is_told_from_one_that_is_only_passed_on() {
    let contact = |phone: &str, own| {
        let mut chat = Chat::new();
        chat.fill();
        chat.presses(Action::Edit(name("contact")));
        chat.says(&Event::Contact {
            phone: phone.to_owned(),
            own,
        });
        match &chat.draft.expect("a draft").answers[&name("contact")] {
            Given::Contact { text, e164, own } => (text.clone(), e164.clone(), *own),
            other => panic!("{other:?}"),
        }
    };
    let typed = |text: &str, e164: &str, own| (text.to_owned(), e164.to_owned(), own);
    assert_eq!(
        contact("4930901820", true),
        typed("+4930901820", "+4930901820", true)
    );
    assert_eq!(
        contact("88121234567", false),
        typed("88121234567", "+78121234567", false)
    );
}

#[test]
fn a_step_that_the_settings_gained_is_asked_before_a_draft_is_sent() {
    let mut chat = Chat::new();
    let all = chat.dialog.steps.clone();
    chat.dialog.steps.retain(|step| step.name != name("type"));
    chat.says(&Event::Command(Command::Start(None)));
    chat.choose("services", "site");
    chat.presses(Action::Next(name("services")));
    chat.writes("A shop for tea");
    chat.presses(Action::Skip(name("brief")));
    let range = Range {
        from: None,
        to: Some(1000),
    };
    chat.presses(Action::Range {
        step: name("budget"),
        range,
    });
    chat.writes("8121234567");
    assert_eq!(*chat.phase(), Phase::Preview);
    chat.dialog.steps = all;
    assert_eq!(chat.presses(Action::Confirm), Some(Remark::StillNeeded));
    assert_eq!(chat.asked(), "type");
    chat.choose("type", "new");
    let sent = chat.presses(Action::Confirm);
    assert!(matches!(sent, Some(Remark::Sent(_))));
}

#[test]
fn a_step_that_the_settings_lost_is_not_asked_any_more() {
    let mut chat = Chat::new();
    chat.says(&Event::Command(Command::Start(None)));
    chat.dialog.steps.remove(0);
    assert_eq!(chat.choose("type", "new"), None);
    assert_eq!(chat.asked(), "about");
}

#[test]
fn no_more_files_are_kept_than_the_step_takes() {
    let mut chat = Chat::new();
    chat.fill();
    chat.presses(Action::Edit(name("brief")));
    for _ in 0..2 {
        assert_eq!(chat.says(&Event::File(file(None))), Some(Remark::FileKept));
    }
    let full = Some(Remark::Fault(StepFault::TooManyFiles(3)));
    assert_eq!(chat.says(&Event::File(file(Some("9")))), full);
    assert_eq!(
        chat.does(&Event::File(file(Some("9")))),
        Reply::Silent("album_part")
    );
    assert_eq!(chat.draft.as_ref().expect("a draft").files.len(), 3);
}

/// What a random person does next.
#[derive(Clone, Debug)]
enum Deed {
    Event(Event),
    /// A press of any button, of the present draft or of any there has been.
    Press {
        draft: Option<prop::sample::Index>,
        action: Action,
    },
    /// What leads on to the end.
    Fitting,
    Pass(i64),
}

fn deeds() -> impl Strategy<Value = Deed> {
    let steps: Vec<Name> = dialog().steps.into_iter().map(|step| step.name).collect();
    let options = ["site", "shop", "bot", "new", "redo", "gone"]
        .map(name)
        .to_vec();
    let step = || prop::sample::select(steps.clone());
    let range = prop::sample::select(vec![
        Range {
            from: None,
            to: Some(1000),
        },
        Range {
            from: Some(1000),
            to: Some(5000),
        },
        Range {
            from: Some(7),
            to: None,
        },
    ]);
    let action = prop_oneof![
        8 => (step(), prop::sample::select(options))
            .prop_map(|(step, option)| Action::Choose { step, option }),
        4 => (step(), range).prop_map(|(step, range)| Action::Range { step, range }),
        6 => step().prop_map(Action::Next),
        3 => step().prop_map(Action::Skip),
        2 => step().prop_map(Action::Back),
        1 => step().prop_map(Action::Clear),
        3 => step().prop_map(Action::Edit),
        8 => Just(Action::Confirm),
        1 => Just(Action::Cancel),
        2 => Just(Action::Anew),
    ];
    let text = prop_oneof![
        Just("site".to_owned()),
        Just("NEW".to_owned()),
        Just("A shop for tea".to_owned()),
        Just("8 (812) 123-45-67".to_owned()),
        Just("я".repeat(10_000)),
        "\\PC{0,20}",
    ];
    let album = prop::option::of(prop::sample::select(vec!["1", "2"]));
    let event = prop_oneof![
        8 => text.prop_map(Event::Text),
        3 => album.prop_map(|album| Event::File(file(album))),
        2 => ("[0-9+]{0,12}", any::<bool>()).prop_map(|(phone, own)| Event::Contact { phone, own }),
        1 => Just(Event::Unusable),
        1 => Just(Event::Edited),
        1 => Just(Event::Command(Command::Start(Source::parse("ads")))),
        1 => Just(Event::Command(Command::Start(None))),
        1 => Just(Event::Command(Command::Help)),
        1 => Just(Event::Command(Command::Cancel)),
        1 => Just(Event::Command(Command::Back)),
        1 => Just(Event::Command(Command::Skip)),
        1 => Just(Event::Command(Command::Unknown)),
    ];
    let any_draft = any::<prop::sample::Index>().prop_map(Some);
    prop_oneof![
        10 => event.prop_map(Deed::Event),
        8 => action.clone().prop_map(|action| Deed::Press { draft: None, action }),
        3 => (any_draft, action).prop_map(|(draft, action)| Deed::Press { draft, action }),
        16 => Just(Deed::Fitting),
        1 => (0_i64..40).prop_map(Deed::Pass),
    ]
}

impl Chat {
    /// What somebody does who wants to come to the end.
    fn fitting(&self) -> Event {
        let Some(draft) = &self.draft else {
            return Event::Command(Command::Start(None));
        };
        let press = |action| Event::Press(DialogPress::new(&draft.token, action));
        let step = match &draft.phase {
            Phase::Preview => return press(Action::Confirm),
            Phase::Sent(_) | Phase::Cancelled | Phase::Expired => return press(Action::Anew),
            Phase::Asking { step, marked, .. } if !marked.is_empty() => {
                return press(Action::Next(step.clone()));
            }
            Phase::Asking { step, .. } => step.clone(),
        };
        let option = |option| Action::Choose {
            step: step.clone(),
            option: name(option),
        };
        match step.as_str() {
            "services" => press(option("site")),
            "type" => press(option("new")),
            "about" => Event::Text("A shop for tea".to_owned()),
            "brief" => press(Action::Skip(step)),
            "budget" => {
                let range = Range {
                    from: None,
                    to: Some(1000),
                };
                press(Action::Range { step, range })
            }
            _ => Event::Text("8121234567".to_owned()),
        }
    }
}

impl Chat {
    /// What must hold after every turn.
    fn check(
        &self,
        before: Option<&Draft>,
        event: &Event,
        turn: &Turn,
        sent: &mut BTreeMap<String, RequestId>,
    ) {
        match &turn.reply {
            Reply::Say(_) => {}
            Reply::Silent(reason) => {
                let file_or_edit = matches!(event, Event::File(_) | Event::Edited);
                assert!(file_or_edit && !reason.is_empty(), "{event:?}");
            }
        }
        if matches!(event, Event::Press(_)) {
            assert!(turn.changed, "a pressed message is brought up to date");
        }
        let version = |draft: Option<&Draft>| draft.map_or(0, |draft| draft.version);
        let raised = u32::from(turn.changed);
        let after = turn.draft.as_ref();
        assert_eq!(version(after), version(before) + raised);
        if let Some(draft) = after {
            assert!(draft.files.len() <= 3);
            if let Phase::Asking { step, marked, .. } = &draft.phase {
                assert!(self.dialog.step(step).is_some() && marked.len() <= 2);
            }
            if let Phase::Sent(id) = draft.phase {
                let first = *sent.entry(draft.token.as_str().to_owned()).or_insert(id);
                assert_eq!(first, id, "one draft, one number");
                assert_eq!(draft.answers.len(), self.dialog.steps.len());
                let same = before.is_some_and(|before| before.token == draft.token);
                assert!(same, "a draft is sent only from its own preview");
            }
        }
        if let (Some(before), Some(after)) = (before, after)
            && before.token == after.token
            && !before.is_open()
        {
            assert_eq!(before.phase, after.phase, "what has ended stays so");
        }
        // Every state can be left.
        let cancelled = self.decide(after, &Event::Command(Command::Cancel));
        let begun = self.decide(
            cancelled.draft.as_ref(),
            &Event::Command(Command::Start(None)),
        );
        assert!(begun.draft.is_some_and(|draft| draft.is_open()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Two devices: the second decides on what it had read before the first one's deed was stored, loses
    /// by its version, and decides again.
    #[test]
    fn whatever_people_do_every_state_holds_and_can_be_left(
        deeds in prop::collection::vec((deeds(), any::<bool>()), 400..600)
    ) {
        let mut chat = Chat::new();
        let mut sent = BTreeMap::new();
        let mut tokens: Vec<DraftToken> = vec![token(999)];
        let mut former: Option<Draft> = None;
        for (deed, late) in deeds {
            let event = match deed {
                Deed::Pass(days) => {
                    chat.now += SignedDuration::from_hours(24 * days);
                    continue;
                }
                Deed::Event(event) => event,
                Deed::Fitting => chat.fitting(),
                Deed::Press { draft, action } => {
                    let present = tokens.last().expect("at least one");
                    let token = draft.map_or(present, |draft| draft.get(&tokens));
                    Event::Press(DialogPress::new(token, action))
                }
            };
            let read = if late { former.clone() } else { chat.draft.clone() };
            let mut turn = chat.decide(read.as_ref(), &event);
            let version = |draft: &Option<Draft>| draft.as_ref().map_or(0, |draft| draft.version);
            let mut before = read;
            if turn.changed && version(&before) != version(&chat.draft) {
                before = chat.draft.clone();
                turn = chat.decide(before.as_ref(), &event);
            }
            chat.check(before.as_ref(), &event, &turn, &mut sent);
            if turn.changed {
                former = chat.draft.take();
                chat.draft = turn.draft;
                chat.drafts_begun += 1;
                let token = &chat.draft.as_ref().expect("a draft").token;
                if tokens.last() != Some(token) {
                    tokens.push(token.clone());
                }
            }
        }
        let ids: BTreeSet<_> = sent.values().collect();
        prop_assert_eq!(ids.len(), sent.len());
        prop_assert!(!sent.is_empty(), "somebody comes to the end");
    }
}
