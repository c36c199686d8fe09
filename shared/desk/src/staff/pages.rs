//! What staff see: the list, one request's story, the figures.

use frontdesk_domain::effect::State as EffectState;
use frontdesk_domain::{PageStart, Request};
use frontdesk_storage::{Error, Listed, Story};
use frontdesk_texts::{self as texts, Page, Stats, StoryView};
use jiff::{SignedDuration, Timestamp};

use super::MOST_NAMED;
use crate::Desk;

/// Requests on one page of the list.
const PAGE: u8 = 5;
/// Counting ends here.
const MOST: u32 = 1000;

/// The page of the list that begins at `start`; `changed` is a request that changes
/// with this very update, and stays where it stands on the page.
pub(crate) async fn list(
    desk: &Desk,
    start: Option<PageStart>,
    changed: Option<&Request>,
) -> Result<Page, Error> {
    let (mut requests, next) = desk.store.read_latest(start, PAGE).await?;
    if let Some(changed) = changed
        && let Some(listed) = requests.iter_mut().find(|listed| listed.id == changed.id)
    {
        *listed = changed.clone();
    }
    Ok(texts::render_list(&desk.settings, &requests, start, next))
}

pub(super) async fn show(desk: &Desk, story: &Story) -> Result<Page, Error> {
    let request = &story.request;
    let earlier = match &request.contact {
        Some(contact) => {
            desk.store
                .earlier_requests(contact, request.created, MOST_NAMED)
                .await?
        }
        None => Vec::new(),
    };
    Ok(texts::render_story(&StoryView {
        settings: &desk.settings,
        request,
        history: &story.history,
        effects: &story.effects,
        earlier: &earlier,
    }))
}

pub(super) async fn stats(desk: &Desk, now: Timestamp) -> Result<Page, Error> {
    let store = &desk.store;
    let count = |listed| store.count_listed(listed, Timestamp::MAX, MOST);
    let zone = &desk.settings.zone;
    let today = now.to_zoned(zone.clone()).start_of_day();
    let today = today.map_or(now, |start| start.timestamp());
    let month = now - SignedDuration::from_hours(30 * 24);
    let [new, in_work, closed] = frontdesk_domain::State::NAMES.map(Listed::Requests);
    let stats = Stats {
        new: count(new).await?,
        in_work: count(in_work).await?,
        closed_today: store.count_listed_since(closed, today, MOST).await?,
        closed_lately: store.count_listed_since(closed, month, MOST).await?,
        oldest: store.oldest_listed(new).await?,
        unknown: count(Listed::Effects(EffectState::Unknown)).await?,
        failed: count(Listed::Effects(EffectState::Failed)).await?,
        most: MOST,
    };
    Ok(texts::render_stats(&desk.settings, &stats))
}
