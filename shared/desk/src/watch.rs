//! The clock looks at what should be well. What has turned bad, or good again, is told in the notices'
//! place; what cannot be told there goes by mail, which CloudWatch sends on the metrics.

use frontdesk_domain::effect::{Effect, State};
use frontdesk_domain::{Seen, Sight, WebhookTrouble};
use frontdesk_storage::{Error, Listed};
use jiff::{SignedDuration, Timestamp};

use crate::Desk;
use crate::metrics::Metric;

/// An unknown outcome that has been left alone for so long is one that no rule settles.
const UNSETTLED: SignedDuration = SignedDuration::from_mins(5);
/// Counting ends here.
const MOST: u32 = 1000;

/// Looks at the desk. `oldest` and `dead_letters` are what the sweep and the queue have shown.
pub async fn watch(
    desk: &Desk,
    oldest: Option<Timestamp>,
    dead_letters: u64,
    now: Timestamp,
) -> Result<(), Error> {
    let (sight, can_tell) = look(desk, oldest, dead_letters, now).await?;
    record(&sight, now);
    tell(desk, &sight, can_tell, now).await
}

async fn look(
    desk: &Desk,
    oldest: Option<Timestamp>,
    dead_letters: u64,
    now: Timestamp,
) -> Result<(Sight, bool), Error> {
    let places = &desk.settings.places;
    let chats: Vec<_> = places.iter().map(|place| place.chat_id).collect();
    let store = &desk.store;
    let (chats, check) = store.read_watched(desk.bot(), &chats).await?;
    let unsettled = Listed::Effects(State::Unknown);
    let unknown = store.count_listed(unsettled, now - UNSETTLED, MOST).await?;
    let given_up = Listed::Effects(State::Failed);
    let failed = store.count_listed(given_up, Timestamp::MAX, MOST).await?;
    let unreachable: Vec<_> = places
        .iter()
        .zip(&chats)
        .filter(|(_, chat)| chat.unreachable_since.is_some())
        .map(|(place, _)| place)
        .collect();
    let can_tell = unreachable
        .iter()
        .all(|place| place.name != desk.settings.notices.place);
    let sight = Sight {
        oldest,
        unknown,
        failed,
        dead_letters,
        unreachable: unreachable
            .into_iter()
            .map(|place| place.title.clone())
            .collect(),
        webhook: check.map_or(Seen::Well, |check| seen_by(&check)),
    };
    Ok((sight, can_tell))
}

/// What the last look at the webhook has found. While another is under way, or has failed, what the last
/// one found is not known any more unless it was trouble.
fn seen_by(check: &Effect) -> Seen {
    let trouble = check
        .error
        .as_deref()
        .filter(|kind| WebhookTrouble::named(kind).is_some());
    match (trouble, check.state) {
        (Some(kind), _) => Seen::Trouble(kind.to_owned()),
        (None, State::Done) => Seen::Well,
        (None, _) => Seen::Unclear,
    }
}

fn record(sight: &Sight, now: Timestamp) {
    let waits = sight.oldest.map_or(0, |oldest| {
        u64::try_from(now.duration_since(oldest).as_secs()).unwrap_or_default()
    });
    Metric::OldestUndelivered.record(waits);
    Metric::UnknownOutcomes.record(u64::from(sight.unknown));
    Metric::FailedEffects.record(u64::from(sight.failed));
    Metric::UnreachableChats.record(sight.unreachable.len() as u64);
}

/// Stores what has turned, and wishes that the place is told. The next look finds what was left undone, so
/// no step needs the other's transaction.
async fn tell(desk: &Desk, sight: &Sight, can_tell: bool, now: Timestamp) -> Result<(), Error> {
    let place = &desk.settings.notices.place;
    let mut wished = Vec::new();
    for (mut alert, warning, effect) in desk.store.read_alerts(place).await? {
        let trouble = match sight.look_at(alert.watched, now) {
            Seen::Unclear => continue,
            Seen::Well => None,
            Seen::Trouble(trouble) => Some(trouble),
        };
        if let Some(turned) = alert.turn(trouble.as_deref(), now) {
            if !desk.store.turn_alert(&turned).await? {
                // Another look was first, or it was this one and the answer was lost.
                continue;
            }
            let watched = turned.watched.name();
            if turned.is_bad() {
                tracing::warn!(watched, "watch.turned_bad");
            } else {
                tracing::info!(watched, "watch.turned_good");
            }
            alert = turned;
        }
        let wanted = effect.as_ref().map_or(0, |effect: &Effect| effect.want);
        if can_tell
            && !alert.is_known_at(wanted)
            && desk
                .store
                .want_warning(&warning, alert.version, now)
                .await?
        {
            wished.push(warning);
        }
    }
    desk.announce_now(wished.iter()).await;
    Ok(())
}
