//! Random people: whatever they do, the dialog holds together.

use std::collections::{BTreeMap, BTreeSet};

use frontdesk_domain::dialog::{
    Action, Command, DialogPress, Draft, Event, Phase, Range, Reply, Source, Turn,
};
use frontdesk_domain::{DraftToken, Name, RequestId};
use jiff::SignedDuration;
use proptest::prelude::*;

use crate::chat::{Chat, dialog, file, name, token};

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
