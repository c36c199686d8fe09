use std::collections::BTreeMap;

use frontdesk_domain::dialog::{BriefFile, FileKind, Phase, StepFault};
use frontdesk_domain::text::telegram_len;
use frontdesk_domain::{DraftToken, Localized, PhoneFault};
use jiff::{SignedDuration, Timestamp};

use super::*;

fn name(text: &str) -> Name {
    Name::parse(text).expect("a name")
}

/// Everything as long as settings and people can make it.
fn longest() -> (Dialog, Draft) {
    let label = || Localized::same(&"Ж".repeat(64));
    let options = || {
        let option = |n| Choice {
            name: name(&format!("option-{n:09}")),
            label: label(),
        };
        (0..20).map(option).collect::<Vec<_>>()
    };
    let bounds: Vec<u64> = (1..20).map(|n| n * 5_000_000_000).collect();
    let kinds = [
        StepKind::Choice(options()),
        StepKind::Choices {
            options: options(),
            most: 20,
        },
        StepKind::Budget {
            currency: "₽".repeat(64),
            bounds,
        },
        StepKind::Brief { most: 20 },
        StepKind::Contact,
    ];
    let texts = (0..10).map(|_| StepKind::Text { length: (1, 4000) });
    let step = |(n, kind)| Step {
        name: name(&format!("step-{n:011}")),
        label: label(),
        question: Localized::same(&"Щ".repeat(1000)),
        required: false,
        kind,
    };
    let steps: Vec<_> = kinds
        .into_iter()
        .chain(texts)
        .enumerate()
        .map(step)
        .collect();
    let given = |step: &Step| match &step.kind {
        StepKind::Choice(options) => Given::Chosen(vec![options[0].name.clone()]),
        StepKind::Choices { options, .. } => {
            Given::Chosen(options.iter().map(|option| option.name.clone()).collect())
        }
        StepKind::Budget { bounds, .. } => {
            Given::Range(StepKind::ranges(bounds).nth(1).expect("a range"))
        }
        StepKind::Brief { .. } => Given::Files,
        StepKind::Contact => Given::Contact {
            text: "8".repeat(60),
            e164: "+123456789012345".to_owned(),
            own: true,
        },
        StepKind::Text { .. } => Given::Text("<&>👨‍👩‍👧".repeat(400)),
    };
    let now = Timestamp::UNIX_EPOCH;
    let file = BriefFile {
        kind: FileKind::Photo,
        file_id: String::new(),
        name: None,
        size: None,
        caption: String::new(),
        album: None,
    };
    let answers: BTreeMap<_, _> = steps
        .iter()
        .map(|step| (step.name.clone(), given(step)))
        .collect();
    let dialog = Dialog {
        title: label(),
        greeting: Localized::same(&"Ю".repeat(1000)),
        steps,
        keep: SignedDuration::from_hours(24),
    };
    let draft = Draft {
        token: DraftToken::from_random([7; 16]),
        version: 1,
        language: Language::En,
        source: None,
        began: now,
        changed: now,
        answers,
        files: vec![file; 20],
        told_album: None,
        cut_album: None,
        former: None,
        phase: Phase::Preview,
    };
    (dialog, draft)
}

fn shown(screen: &Screen) -> usize {
    let plain = screen.html.replace("<b>", "").replace("</b>", "");
    let plain = plain.replace("<i>", "").replace("</i>", "");
    let plain = plain.replace("&lt;", "<").replace("&gt;", ">");
    telegram_len(&plain.replace("&amp;", "&"))
}

#[test]
fn the_longest_screens_keep_to_telegrams_limits_in_each_language() {
    let (dialog, mut draft) = longest();
    let id = RequestId::parse("3f9a22c107bed4").expect("an id");
    let ended = [
        Phase::Preview,
        Phase::Sent(id),
        Phase::Cancelled,
        Phase::Expired,
    ];
    let asking = dialog.steps.iter().map(|step| Phase::Asking {
        step: step.name.clone(),
        returning: true,
        marked: match &step.kind {
            StepKind::Choices { options, .. } => {
                options.iter().map(|option| option.name.clone()).collect()
            }
            _ => Vec::new(),
        },
    });
    let remarks = [
        Remark::Welcome,
        Remark::Help,
        Remark::NotEdited,
        Remark::Sent(id),
    ];
    for phase in ended.into_iter().chain(asking) {
        draft.phase = phase;
        for language in Language::ALL {
            for remark in &remarks {
                let screen = render_reply(&dialog, Some(&draft), Some(remark), language);
                let length = shown(&screen);
                assert!((1..=4096).contains(&length), "{:?}: {length}", draft.phase);
                let Keyboard::Inline(rows) = &screen.keyboard else {
                    continue;
                };
                assert!(!rows.is_empty() && rows.iter().map(Vec::len).sum::<usize>() <= 100);
                for (label, data) in rows.iter().flatten() {
                    assert!(
                        !label.is_empty() && (1..=64).contains(&data.len()),
                        "{data}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_said_of_a_press_has_at_most_200_characters() {
    let id = RequestId::parse("3f9a22c107bed4").expect("an id");
    let faults = [
        StepFault::NotAChoice,
        StepFault::NoneChosen,
        StepFault::TooManyChosen(20),
        StepFault::NotText,
        StepFault::TooShort(4000),
        StepFault::TooLong(4000),
        StepFault::NotAFile,
        StepFault::NoFileHere,
        StepFault::NoFiles,
        StepFault::TooManyFiles(20),
        StepFault::Phone(PhoneFault::NoDigits),
        StepFault::Phone(PhoneFault::Length),
        StepFault::Required,
    ];
    let remarks = [
        Remark::Welcome,
        Remark::Resumed,
        Remark::ExpiredAnew,
        Remark::Expired,
        Remark::Help,
        Remark::UnknownCommand,
        Remark::Cancelled,
        Remark::NothingToCancel,
        Remark::FileKept,
        Remark::FilesCleared,
        Remark::NotEdited,
        Remark::OldButton,
        Remark::OldDraft,
        Remark::UseButtons,
        Remark::StillNeeded,
        Remark::Sent(id),
        Remark::AlreadySent(id),
    ];
    let remarks = remarks.into_iter().chain(faults.map(Remark::Fault));
    for remark in remarks {
        for language in Language::ALL {
            let toast = render_toast(language, Some(&remark));
            assert!(telegram_len(&toast) <= 200, "{toast}");
        }
    }
}

#[test]
fn amounts_and_ranges_read_as_each_language_writes_them() {
    let range = |from, to| Range { from, to };
    let said = |language, range| range_text(language, range, "₽");
    assert_eq!(
        said(Language::Ru, range(Some(50_000), Some(1_500_000))),
        "50\u{a0}000 – 1\u{a0}500\u{a0}000 ₽"
    );
    assert_eq!(said(Language::En, range(None, Some(999))), "up to 999 ₽");
    assert_eq!(
        said(Language::Ja, range(Some(150_000), None)),
        "150,000 ₽ から"
    );
}

#[test]
fn the_typed_buttons_are_known_in_every_language() {
    assert!(is_back("Back") && is_back(" Назад ") && is_back("戻る"));
    assert!(is_skip("Пропустить") && !is_skip("Back"));
}
