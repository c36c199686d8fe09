//! Stored items.

mod change;
mod conversation;
mod sample;
mod table;

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use frontdesk_domain::effect::EffectId;
use frontdesk_domain::{Name, RequestId};
use frontdesk_storage::EffectKey;
use jiff::Timestamp;
use serde_json::{Value, json};

use self::change::{Change, change, number, read_number};
use self::conversation::conversation;
use self::sample::{body, card, chat, request};
use self::table::Table;
use crate::aws::Aws;
use crate::sample::{REQUEST, now, with_notifier};

/// Items as the table might hold them: right ones with some attributes gone, of other types, of extreme
/// values or of a newer version.
#[derive(Arbitrary, Debug)]
pub(super) struct Input {
    request: Vec<Change>,
    body: Option<Vec<Change>>,
    card: Vec<Change>,
    chat: Option<Vec<Change>>,
    sent_at: u32,
    panel: Vec<Change>,
    draft: Vec<Change>,
    text: Vec<Change>,
    file: Vec<Change>,
    answer: Vec<Change>,
}

/// Stored items: what can be read is written back as it was, what cannot is told by the attribute that is
/// wrong, nothing of a newer version is touched, and no value makes a delivery do what it must not.
pub fn items(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let mut changed = BTreeSet::new();
    let mut changed_by = |item, changes: &[Change]| change(item, changes, &mut changed);
    let request = changed_by(request(), &input.request);
    let card = changed_by(card(), &input.card);
    let body = input
        .body
        .as_ref()
        .map(|changes| changed_by(body(), changes));
    let chat = input
        .chat
        .as_ref()
        .map(|changes| changed_by(chat(), changes));
    let items: Vec<_> = [&request, &card]
        .into_iter()
        .chain(&body)
        .chain(&chat)
        .cloned()
        .collect();
    with_notifier(async |notifier, aws| {
        let table = Table {
            changed,
            request,
            card,
            body,
        };
        table.answer(aws, &items);
        let desk = &notifier.desk;
        table.load(&desk.store, aws).await;
        table.look_at(&desk.store, aws).await;
        table.sweep(&desk.store).await;
        let sent_at = Timestamp::from_second(i64::from(input.sent_at)).expect("a time");
        table.deliver(notifier, aws, sent_at).await;
        conversation(&input, notifier, aws, sent_at).await;
    });
}

pub(super) fn bot() -> Name {
    Name::parse("desk").expect("a name")
}

pub(super) fn key() -> EffectKey {
    EffectKey::from(&EffectId::Card {
        request: RequestId::parse(REQUEST).expect("an id"),
        place: Name::parse("staff").expect("a name"),
    })
}

/// Has each chat's pace grant the slot that it is asked for.
pub(super) fn give_slots(aws: &Aws) {
    let next_free = number(now().as_millisecond() + 3150);
    aws.answer(
        "UpdateItem",
        json!({"Attributes": {"next_free": next_free}}),
    );
}

pub(super) fn is_newer(item: &Value) -> bool {
    read_number(&item["v"]).is_some_and(|format| format > 1)
}
