//! Many groups: each keeps its own pace, and a quiet one does not wait for a hot one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use frontdesk_local::{group_chat, settings_of_groups};
use futures_util::StreamExt;
use futures_util::future::join;
use serde_json::json;

use crate::harness::{Desk, eventually, token};

const LEADS_OF_A_GROUP: usize = 10;
/// Customers who send at the same moment.
const AT_ONCE: usize = 64;

/// The chat and the lead of each card that was sent, and when it was, on the desk's clock.
async fn cards_sent(desk: &Desk) -> Vec<(i64, String, jiff::Timestamp)> {
    let requests = desk.requests().await;
    let sent = requests
        .iter()
        .filter(|request| request["method"] == "sendMessage" && request["status"] == 200);
    sent.filter_map(|request| {
        let params = &request["params"];
        let take = &params["reply_markup"]["inline_keyboard"][0][0]["callback_data"];
        let lead = take.as_str()?.trim_start_matches("take:");
        Some((
            params["chat_id"].as_i64()?,
            lead.to_owned(),
            request["at"].as_str()?.parse().ok()?,
        ))
    })
    .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_groups_get_their_bursts_each_at_its_own_pace() {
    let groups = std::env::var("FRONTDESK_GROUPS").map_or(12, |groups| groups.parse().unwrap());
    let leads = groups * LEADS_OF_A_GROUP;
    let (desk, _file) = Desk::start_as(&settings_of_groups(groups)).await;
    let (begun, began) = (desk.local.clock().now(), Instant::now());
    let desk_ = &desk;
    let accepted: BTreeMap<String, i64> = futures_util::stream::iter(0..leads)
        .map(|n| async move {
            let group = n % groups;
            let id = desk_.lead_to(&format!("g{group}"), &token(n)).await;
            (id, group_chat(group))
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    desk.run_to_quiet(2 * 3600).await;
    let real = began.elapsed();

    let sent = cards_sent(&desk).await;
    let shown: BTreeMap<_, _> = sent
        .iter()
        .map(|(chat, lead, _)| (lead.clone(), *chat))
        .collect();
    assert_eq!(sent.len(), leads, "none twice");
    assert_eq!(shown, accepted, "each in its own group");
    assert_eq!(desk.dead_letters().await, 0);
    let last = sent.iter().map(|(_, _, at)| *at).max().unwrap();
    let took = Duration::try_from(last.duration_since(begun)).unwrap();
    let refused = desk
        .requests()
        .await
        .iter()
        .filter(|request| request["status"] == 429)
        .count();
    let received = desk.queue("frontdesk-outbox").await["received"]
        .as_u64()
        .unwrap();
    println!(
        "{leads} cards in {groups} groups in {:.1} s of the desk's clock, {:.1} s of them real; \
         {received} receives, {refused} refused with 429",
        took.as_secs_f64(),
        real.as_secs_f64()
    );
    // A group takes one each three seconds, a tenth more is allowed; the bot as a whole thirty a second,
    // and what that limit refuses is sent behind its group's others.
    let own = Duration::from_millis(3300) * u32::try_from(LEADS_OF_A_GROUP).unwrap();
    let bots = Duration::from_millis(50) * u32::try_from(leads).unwrap();
    assert!(took <= own.max(bots) + real, "{took:?}");
    desk.finish().await;
}

/// Sends leads to the first group at once.
async fn burst(desk: &Desk, leads: Range<usize>) {
    futures_util::stream::iter(leads)
        .for_each_concurrent(AT_ONCE, |n| async move {
            desk.lead_to("g0", &token(n)).await;
        })
        .await;
}

/// The outbox's messages that wait, and how many were ever received.
fn outbox(desk: &Desk) -> (u64, u64) {
    let queues = desk.local.sqs().stats();
    let outbox = queues.iter().find(|queue| queue.name == "frontdesk-outbox");
    outbox.map(|queue| (queue.visible, queue.received)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_groups_card_goes_past_the_queue_of_a_hot_one() {
    let (desk, _file) = Desk::start_as(&settings_of_groups(2)).await;
    // As slow as this (some 17 messages a second), the notifier lets the burst make a queue, and each of its
    // calls still stays within its timeout.
    for (operation, millis) in [("BatchGetItem", 1200), ("UpdateItem", 600)] {
        desk.fault(
            json!({"target": "dynamodb", "fault": "delay", "value": millis,
                          "match": operation, "times": -1}),
        )
        .await;
    }
    burst(&desk, 0..300).await;
    let (queued, received) = outbox(&desk);
    desk.lead_to("g1", &token(5000)).await;
    eventually("the quiet card", async || {
        let chats = desk.local.telegram().chats();
        let quiet = chats.iter().find(|chat| chat.chat_id == group_chat(1));
        quiet.is_some_and(|chat| !chat.messages.is_empty())
    })
    .await;
    let went_first = outbox(&desk).1 - received;
    println!(
        "{queued} messages of a hot group in the queue; {went_first} were received while the quiet one waited"
    );
    assert!(queued >= 100, "{queued}");
    // Four batches run at once: its own, and those that end and begin while it runs.
    assert!(went_first < queued, "{went_first} of {queued}");
    desk.finish().await;
}

/// From when each of `quiet` leads of a group came to its card, in order, on the desk's clock: one lead
/// each ten seconds, the first amid `hot` leads at once in another group.
async fn waits_beside(hot: usize, quiet: usize) -> Vec<Duration> {
    let (desk, _file) = Desk::start_as(&settings_of_groups(2)).await;
    burst(&desk, 0..hot / 2).await;
    let token_of_the_first = token(5000);
    let first = desk.lead_to("g1", &token_of_the_first);
    let ((), first) = join(burst(&desk, hot / 2..hot), first).await;
    let mut leads = vec![first];
    for n in 1..quiet {
        desk.run_for(10).await;
        leads.push(desk.lead_to("g1", &token(5000 + n)).await);
    }
    desk.run_for(10).await;

    let sent = cards_sent(&desk).await;
    let mut waits = Vec::new();
    for lead in &leads {
        let created = desk.item(lead, "REQ").await["created"].as_i64().unwrap();
        let mut cards = sent.iter().filter(|(_, shown, _)| shown == lead);
        let (chat, _, at) = cards.next().unwrap();
        assert_eq!((*chat, cards.count()), (group_chat(1), 0));
        let waited = u64::try_from(at.as_millisecond() - created).unwrap();
        waits.push(Duration::from_millis(waited));
    }
    assert_eq!(desk.dead_letters().await, 0);
    desk.finish().await;
    waits.sort();
    waits
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_groups_cards_come_as_soon_beside_a_hot_one() {
    let hot = std::env::var("FRONTDESK_LEADS").map_or(120, |leads| leads.parse().unwrap());
    // For as long as the hot group's cards come.
    let quiet = hot * 3 / 10;
    let (alone, beside) = (waits_beside(0, quiet).await, waits_beside(hot, quiet).await);
    let (p50, p99) = (quiet / 2, (quiet * 99).div_ceil(100) - 1);
    println!(
        "a quiet group's {quiet} cards alone: p50 {:?}, p99 {:?}, longest {:?}; \
         beside {hot} leads at once of another: p50 {:?}, p99 {:?}, longest {:?}",
        alone[p50],
        alone[p99],
        alone[quiet - 1],
        beside[p50],
        beside[p99],
        beside[quiet - 1],
    );
    // Most of what is measured is the machine's; a slot of the other group's pace would be seconds.
    assert!(beside[p50] < Duration::from_secs(3), "{beside:?}");
}
