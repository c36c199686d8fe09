//! What the page at `/` reads to follow a desk: what changes, the latest requests, the latest calls.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{delete, get};
use axum::{Json, Router};
use dynoxide::Item;
use dynoxide::actions::query::QueryRequest;
use dynoxide::types::AttributeValue;
use frontdesk_local_telegram::Rates;
use futures_util::{Stream, stream};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::control::{Control, Refused, Shared};
use crate::faults::Planned;
use crate::table::{NAME, Table};

/// How often a follower's view is compared with what is.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The index partitions that hold the requests, by state.
const LEAD_LISTS: [&str; 3] = ["lead#new", "lead#in_work", "lead#closed"];

pub(crate) fn router(control: Arc<Control>) -> Router {
    Router::new()
        .route("/_local/live", get(follow))
        .route("/_local/leads", get(leads))
        .route("/_local/latest", get(latest))
        .route("/_local/faults/{id}", delete(end_fault))
        .with_state(control)
}

/// What a follower is told whenever it changes. Numbers that only grow stand for what is read
/// elsewhere.
#[derive(Clone, PartialEq, Serialize)]
struct News {
    /// Milliseconds that the desk's clock is ahead of the machine's.
    ahead_ms: i64,
    /// Grows with each change of a chat and each Bot API request.
    telegram: u64,
    /// Grows while a function works and when it is done.
    work: u64,
    /// Invocations that run or wait.
    busy: usize,
    queues: Value,
    faults: Value,
    rates: Rates,
}

struct Follower {
    control: Arc<Control>,
    changes: watch::Receiver<u64>,
    told: Option<News>,
    begun: u64,
    busy: usize,
    work: u64,
}

impl Follower {
    /// Waits for something new.
    async fn next(&mut self) -> News {
        loop {
            let news = self.look();
            if self.told.as_ref() != Some(&news) {
                self.told = Some(news.clone());
                return news;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    fn look(&mut self) -> News {
        let settling = &self.control.settling;
        let (begun, busy) = (settling.lambda.begun(), settling.lambda.busy());
        // What worked at the last look may have written since.
        if begun != self.begun || busy > 0 || self.busy > 0 {
            self.work += 1;
        }
        (self.begun, self.busy) = (begun, busy);
        News {
            ahead_ms: ahead_ms(settling.clock.now()),
            telegram: *self.changes.borrow(),
            work: self.work,
            busy,
            queues: json!(settling.sqs.stats()),
            faults: json!(self.control.faults.list()),
            rates: settling.telegram.rates(),
        }
    }
}

/// To the tenth of a second, so that it stands still while nobody moves the clock.
fn ahead_ms(now: Timestamp) -> i64 {
    let ahead = now.as_millisecond() - Timestamp::now().as_millisecond();
    (ahead + 50).div_euclid(100) * 100
}

async fn follow(
    State(control): Shared,
) -> Sse<impl Stream<Item = Result<Event, axum::Error>> + use<>> {
    let follower = Follower {
        changes: control.settling.telegram.changes(),
        control,
        told: None,
        begun: 0,
        busy: 0,
        work: 0,
    };
    let news = stream::unfold(follower, async |mut follower| {
        let event = Event::default().json_data(follower.next().await);
        Some((event, follower))
    });
    Sse::new(news).keep_alive(KeepAlive::default())
}

#[derive(Deserialize)]
struct Count {
    #[serde(default = "some")]
    count: usize,
}

fn some() -> usize {
    30
}

/// The requests that changed last, newest first, each as its item with the states of its effects.
async fn leads(
    State(control): Shared,
    count: Result<Query<Count>, QueryRejection>,
) -> Result<Json<Value>, Refused> {
    let Query(Count { count }) = count?;
    let table = control.settling.table.clone();
    let leads = tokio::task::spawn_blocking(move || latest_leads(&table, count));
    let leads = leads.await.map_err(anyhow::Error::from)??;
    Ok(Json(json!({"leads": leads})))
}

fn latest_leads(table: &Table, count: usize) -> anyhow::Result<Vec<Value>> {
    let mut keys = Vec::new();
    for list in LEAD_LISTS {
        let request = QueryRequest {
            table_name: NAME.to_owned(),
            index_name: Some("list".to_owned()),
            key_condition_expression: Some("list_pk = :list".to_owned()),
            expression_attribute_values: Some(
                [(":list".to_owned(), AttributeValue::S(list.to_owned()))].into(),
            ),
            scan_index_forward: false,
            limit: Some(count),
            ..QueryRequest::default()
        };
        let page = table.database().query(request);
        let page = page.map_err(|error| anyhow!("{error}"))?;
        for item in page.items.unwrap_or_default() {
            keys.push(key(&item).context("an index entry lacks its keys")?);
        }
    }
    keys.sort_unstable_by(|one, other| other.cmp(one));
    keys.truncate(count);
    keys.iter()
        .filter_map(|(_, pk)| lead(table, pk).transpose())
        .collect()
}

/// When the request changed, and its partition.
fn key(item: &Item) -> Option<(i64, String)> {
    let (AttributeValue::N(changed), AttributeValue::S(pk)) =
        (item.get("list_sk")?, item.get("pk")?)
    else {
        return None;
    };
    Some((changed.parse().ok()?, pk.clone()))
}

fn lead(table: &Table, pk: &str) -> anyhow::Result<Option<Value>> {
    let items = table.items(pk)?;
    let effects: Vec<_> = items
        .iter()
        .filter(|item| {
            let sk = item["sk"].as_str();
            sk.is_some_and(|sk| sk.starts_with("EFF#"))
        })
        .map(|item| item["state"].clone())
        .collect();
    let mut lead = items.into_iter().find(|item| item["sk"] == "REQ");
    if let Some(lead) = &mut lead {
        lead["id"] = json!(pk.trim_start_matches("REQ#"));
        lead["effects"] = json!(effects);
    }
    Ok(lead)
}

/// The latest Bot API requests and the latest calls of the functions, newest first.
async fn latest(
    State(control): Shared,
    count: Result<Query<Count>, QueryRejection>,
) -> Result<Json<Value>, Refused> {
    let Query(Count { count }) = count?;
    let (requests, calls) = (
        control.settling.telegram.requests(),
        control.journal.calls(),
    );
    let calls = calls.iter().rev().take(count).collect::<Vec<_>>();
    Ok(Json(json!({
        "total": requests.len(),
        "requests": requests.iter().rev().take(count).collect::<Vec<_>>(),
        "calls": calls,
    })))
}

async fn end_fault(State(control): Shared, Path(id): Path<u64>) -> Result<Json<Planned>, Refused> {
    let ended = control.end_fault(id).await;
    ended
        .map(Json)
        .ok_or_else(|| Refused::unknown("there is no such fault"))
}
