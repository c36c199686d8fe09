//! A customer's draft and what answers a command.

use std::collections::BTreeSet;
use std::slice;
use std::time::{Duration, Instant};

use frontdesk_desk::deliver_effect::Delivery;
use frontdesk_domain::effect::EffectId;
use frontdesk_notifier::Notifier;
use frontdesk_storage::{Conversation, DraftChange, EffectKey, Error};
use jiff::{SignedDuration, Timestamp};

use super::change::{change, same};
use super::sample::{answer, draft_file, draft_text, panel};
use super::table::set_by;
use super::{Input, bot, give_slots, is_newer};
use crate::aws::Aws;
use crate::sample::now;

/// The same for a customer's draft with its parts, and for what answers a command.
pub(super) async fn conversation(
    input: &Input,
    notifier: &Notifier,
    aws: &Aws,
    sent_at: Timestamp,
) {
    let mut changed = BTreeSet::new();
    let mut panel = change(panel(), &input.panel, &mut changed);
    if let Some(draft) = panel.pointer_mut("/draft/M") {
        *draft = change(draft.take(), &input.draft, &mut changed);
    }
    let text = change(draft_text(), &input.text, &mut changed);
    let file = change(draft_file(), &input.file, &mut changed);
    let answer = change(answer(), &input.answer, &mut changed);
    aws.reset();
    give_slots(aws);
    aws.hold(slice::from_ref(&answer));
    aws.find("CHAT#desk#77", &[panel.clone(), text.clone(), file.clone()]);
    let may_be_newer = [&panel, &text, &file, &answer].into_iter().any(is_newer);
    let told = |error: &Error| match error {
        Error::Malformed { attribute } => assert!(changed.contains(*attribute), "{attribute}"),
        Error::Newer => assert!(may_be_newer),
        other => panic!("{other}"),
    };
    let desk = &notifier.desk;
    match desk.store.read_conversation(&bot(), 77).await {
        Err(error) => told(&error),
        Ok(Conversation { draft: None, .. }) => assert!(panel["draft"].is_null()),
        Ok(Conversation {
            draft: Some(draft), ..
        }) => {
            assert!(!is_newer(&panel), "what is newer was read");
            let change = DraftChange {
                chat: 77,
                before: Some(draft.clone()),
                after: draft,
                keep: SignedDuration::from_hours(24 * 365),
                panel: None,
            };
            aws.take_calls();
            let stored = desk.store.change_draft(&bot(), &change, now()).await;
            assert!(stored.expect("it is written"));
            let call = &aws.take_calls()[0];
            let written = &call.body["ExpressionAttributeValues"][":draft"]["M"];
            let before = &panel["draft"]["M"];
            let kept = ["token", "source", "began", "changed", "phase", "told_album"];
            for name in kept {
                assert!(same(&before[name], &written[name]), "{name}");
            }
        }
    }
    let bot = bot();
    let ids = [
        EffectId::Panel {
            bot: bot.clone(),
            chat: 77,
        },
        EffectId::Answer {
            bot,
            update: 5,
            chat: 77,
        },
    ];
    for (id, item) in ids.iter().zip([&panel, &answer]) {
        aws.take_calls();
        let delivery = Delivery {
            desk,
            telegram: &notifier.telegram,
            registration: None,
            clock: now,
            deadline: Instant::now() + Duration::from_mins(1),
        };
        let key = EffectKey::from(id);
        if let Err(error) = delivery.deliver(&key, "message", sent_at).await {
            told(&error);
        }
        let calls = aws.take_calls();
        let writes = calls.iter().filter(|call| call.is_write());
        for call in writes.filter(|call| call.body["Key"]["sk"]["S"] == key.sk.as_str()) {
            let written = set_by(call);
            assert!(
                !is_newer(item) || written.keys().eq(["due"]),
                "a newer version's"
            );
        }
    }
}
