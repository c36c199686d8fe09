//! The table's access patterns on their own, against the local desk's engine or another one.

use frontdesk_domain::effect::{Effect, MessageRef, Outcome, Start, State as EffectState, Wish};
use frontdesk_domain::{Acted, Action, ContactKey, Member, Request, Role, Transition, act};
use frontdesk_storage::{
    Applied, Finished, Inserted, Loaded, Receipt, Recorded, SHARDS, Store, Subject,
};
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};

use crate::table::{lead, name, now, table};

fn receipt(update_id: i64, reply: &str, now: Timestamp) -> Receipt {
    Receipt {
        bot: name("desk"),
        update_id,
        reply: Some(reply.to_owned()),
        aside: None,
        now,
    }
}

fn claim(request: &Request, by: i64) -> Transition {
    let member = Member {
        id: by,
        name: "Anna".to_owned(),
        role: Role::Member,
    };
    match act(request, &Action::Take, &member, now()) {
        Acted::Changed(transition) => *transition,
        other => panic!("{other:?}"),
    }
}

async fn load(store: &Store, effect: &Effect) -> (Effect, Option<Request>) {
    match store
        .load_effect(&name("desk"), &(&effect.id).into(), Some(-5))
        .await
        .unwrap()
    {
        Loaded::Found(loaded) => match loaded.subject {
            Subject::Request(request) => (loaded.effect, Some(*request)),
            _ => (loaded.effect, None),
        },
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_inserts_of_one_draft_one_stores_and_all_others_meet_it() {
    let table = table().await;
    let new = lead(1, now());
    let outcomes = join_all((0..32).map(|_| table.store.insert_request(&new))).await;
    let stored = outcomes
        .iter()
        .filter(|outcome| **outcome == Ok(Inserted::Stored))
        .count();
    assert_eq!(stored, 1);
    for outcome in outcomes {
        if let Inserted::Exists(found) = outcome.unwrap() {
            assert_eq!(
                (&found.token, &found.digest),
                (&new.request.token, &new.request.digest)
            );
        }
    }
    let (effect, request) = load(&table.store, &new.effects[0]).await;
    assert_eq!(
        request.unwrap(),
        new.request,
        "it reads back as it was, the long text too"
    );
    assert_eq!(effect, new.effects[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_is_kept_once_and_an_expired_one_counts_as_absent() {
    let table = table().await;
    let record = async |reply: &str, at: Timestamp| {
        table
            .store
            .record(&receipt(7, reply, at), &[])
            .await
            .unwrap()
    };
    assert_eq!(record("first", now()).await, Recorded::First);
    assert_eq!(
        record("second", now()).await,
        Recorded::Repeated(Some("first".to_owned()))
    );
    let late = now() + SignedDuration::from_hours(71);
    assert_eq!(
        record("third", late).await,
        Recorded::Repeated(Some("first".to_owned()))
    );
    let expired = now() + SignedDuration::from_hours(73);
    assert_eq!(record("fourth", expired).await, Recorded::First);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_claims_one_is_stored_and_the_other_is_stale_with_nothing_of_it_stored() {
    let table = table().await;
    let new = lead(1, now());
    table.store.insert_request(&new).await.unwrap();
    let claims = (0..16).map(|n| {
        let transition = Applied::Transition(Box::new(claim(&new.request, 500 + n)));
        let wish = Wish {
            id: new.effects[0].id.clone(),
            want: Some(2),
            stray: None,
        };
        let store = table.store.clone();
        async move {
            store
                .record(&receipt(n, "x", now()), &[transition, Applied::Wish(wish)])
                .await
                .unwrap()
        }
    });
    let outcomes = join_all(claims).await;
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == Recorded::First)
            .count(),
        1
    );
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == Recorded::Stale)
            .count(),
        15
    );
    let (effect, request) = load(&table.store, &new.effects[0]).await;
    assert_eq!(
        (effect.want, effect.revision, request.unwrap().version),
        (2, 1, 2)
    );
    // A loser's receipt is free: its next look finds the truth and stores the answer to that.
    let loser = outcomes
        .iter()
        .position(|outcome| *outcome == Recorded::Stale)
        .unwrap();
    let again = table
        .store
        .record(&receipt(i64::try_from(loser).unwrap(), "late", now()), &[])
        .await;
    assert_eq!(again.unwrap(), Recorded::First);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attempt_holds_only_while_the_effect_is_what_was_read_and_counts_once_when_sent_twice() {
    let table = table().await;
    let new = lead(1, now());
    table.store.insert_request(&new).await.unwrap();
    let (read, _) = load(&table.store, &new.effects[0]).await;
    let Start::Lease(mine) = read.start(now(), now(), "mine".to_owned()) else {
        panic!("it is due")
    };
    let Start::Lease(theirs) = read.start(now(), now(), "theirs".to_owned()) else {
        panic!("it is due")
    };
    let Finished::Stored(held) = table.store.write_effect(&read, &mine).await.unwrap() else {
        panic!("it was as read")
    };
    let lost = table.store.write_effect(&read, &theirs).await.unwrap();
    assert!(matches!(lost, Finished::Changed(now) if now.lease.as_ref().unwrap().holder == "mine"));
    let repeated = table.store.write_effect(&read, &mine).await.unwrap();
    assert!(
        matches!(repeated, Finished::Stored(now) if *now == *held),
        "the same write, sent twice"
    );

    let stray = MessageRef {
        chat: -5,
        message: 9,
    };
    let wish = Applied::Wish(Wish {
        id: read.id.clone(),
        want: None,
        stray: Some(stray),
    });
    assert_eq!(
        table
            .store
            .record(&receipt(1, "x", now()), &[wish])
            .await
            .unwrap(),
        Recorded::First
    );
    let message = MessageRef {
        chat: -5,
        message: 8,
    };
    let done = Outcome::Done {
        shown: 1,
        message: Some(message),
        cleared: [].into(),
    };
    let finished = held.finish(&done, None, now(), 0.0);
    let Finished::Changed(current) = table.store.write_effect(&held, &finished).await.unwrap()
    else {
        panic!("a wish came in between")
    };
    assert_eq!(
        (current.state, current.strays.contains(&stray)),
        (EffectState::Sending, true)
    );
    let again = current.finish(&done, None, now(), 0.0);
    let Finished::Stored(stored) = table.store.write_effect(&current, &again).await.unwrap() else {
        panic!("it was as read")
    };
    assert_eq!(
        (stored.state, stored.message),
        (EffectState::Pending, Some(message))
    );
    assert_eq!(load(&table.store, &read).await.0, *stored);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_due_is_found_once_and_moved_only_by_who_saw_it() {
    let table = table().await;
    let later = now() + SignedDuration::from_mins(3);
    for n in 0..12 {
        table.store.insert_request(&lead(n, now())).await.unwrap();
    }
    let due = async |at: Timestamp| {
        let pages = join_all((0..SHARDS).map(|shard| table.store.read_due(shard, 50))).await;
        pages
            .into_iter()
            .flat_map(|page| page.unwrap())
            .filter(|entry| entry.due <= at)
            .collect::<Vec<_>>()
    };
    assert!(due(now()).await.is_empty(), "messages are on their way");
    let entries = due(later).await;
    assert_eq!(entries.len(), 12);
    assert!(
        entries
            .iter()
            .all(|entry| entry.effect().is_some_and(|key| key.id().is_some()))
    );
    let to = later + SignedDuration::from_mins(2);
    assert!(table.store.move_due(&entries[0], to).await.unwrap());
    assert!(
        !table.store.move_due(&entries[0], to).await.unwrap(),
        "it is no longer what was seen"
    );
    assert_eq!(due(later).await.len(), 11);
}

#[tokio::test(flavor = "multi_thread")]
async fn earlier_leads_of_a_contact_are_counted_up_to_a_limit() {
    let table = table().await;
    for n in 0..5 {
        let created = now() + SignedDuration::from_secs(i64::try_from(n).unwrap());
        table.store.insert_request(&lead(n, created)).await.unwrap();
    }
    let contact = ContactKey::of_phone("+78121234567");
    let count = async |seconds: i64, most: u8| {
        let created = now() + SignedDuration::from_secs(seconds);
        table
            .store
            .count_earlier(&contact, created, most)
            .await
            .unwrap()
    };
    assert_eq!(
        (count(0, 100).await, count(3, 100).await, count(9, 4).await),
        (0, 3, 4)
    );
    let nobody = ContactKey::of_phone("+70000000000");
    assert_eq!(
        table
            .store
            .count_earlier(&nobody, now(), 100)
            .await
            .unwrap(),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_remembers_its_wait_and_what_it_has_become() {
    let table = table().await;
    let bot = name("desk");
    let until = now() + SignedDuration::from_secs(70_000);
    table.store.block_chat(&bot, -5, until).await.unwrap();
    let shorter = now() + SignedDuration::from_secs(3);
    table.store.block_chat(&bot, -5, shorter).await.unwrap();
    table.store.migrate_chat(&bot, -5, -1005).await.unwrap();
    let chat = table.store.read_chat(&bot, -5).await.unwrap();
    assert_eq!(
        (chat.blocked_until, chat.migrated_to),
        (Some(until), Some(-1005))
    );
    assert_eq!(
        table.store.read_chat(&bot, -6).await.unwrap(),
        frontdesk_storage::Chat::default()
    );
}
