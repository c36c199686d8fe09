//! The control interface, `/_local/…`, by which tests and people drive a desk.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::control_chats;
use crate::endpoint::Endpoint;
use crate::fault::Fault;
use crate::faults::{Faults, Planned};
use crate::functions::Function;
use crate::journal::Journal;
use crate::outcome::Outcome;
use crate::schedule::Scheduler;
use crate::settle::Settling;

/// How long `settle` waits if it is not told.
const SETTLE_FOR: f64 = 30.0;

/// All that the control interface reaches.
pub(crate) struct Control {
    pub(crate) settling: Settling,
    pub(crate) scheduler: Arc<Scheduler>,
    pub(crate) faults: Arc<Faults>,
    pub(crate) journal: Arc<Journal>,
    pub(crate) endpoints: Vec<Endpoint>,
    pub(crate) secret: String,
    pub(crate) manual: bool,
    pub(crate) is_ready: AtomicBool,
}

pub(crate) type Shared = State<Arc<Control>>;

pub(crate) fn router(control: Arc<Control>) -> Router {
    Router::new()
        .route("/_local/health", get(health))
        .route(
            "/_local/faults",
            get(list_faults).post(add_fault).delete(clear_faults),
        )
        .route("/_local/clock", post(advance_clock))
        .route("/_local/tick", post(tick))
        .route("/_local/settle", post(settle))
        .route("/_local/queues", get(queues))
        .route("/_local/redrive", post(redrive))
        .route("/_local/items", get(items))
        .route("/_local/kill", post(kill))
        .route("/_local/invoke", post(invoke))
        .route("/_local/calls", get(calls))
        .route("/_local/logs", get(logs))
        .merge(control_chats::router())
        .with_state(control)
}

/// A refusal of the control interface.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) StatusCode, pub(crate) String);

#[expect(
    clippy::needless_pass_by_value,
    reason = "errors are handed over by map_err"
)]
impl Refused {
    pub(crate) fn bad(what: impl ToString) -> Self {
        Self(StatusCode::BAD_REQUEST, what.to_string())
    }

    pub(crate) fn unknown(what: impl ToString) -> Self {
        Self(StatusCode::NOT_FOUND, what.to_string())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({"error": self.1}))).into_response()
    }
}

impl From<anyhow::Error> for Refused {
    fn from(error: anyhow::Error) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
    }
}

impl From<QueryRejection> for Refused {
    fn from(rejection: QueryRejection) -> Self {
        Self::bad(rejection.body_text())
    }
}

/// A body that must be JSON, whatever its content type says.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: for<'de> Deserialize<'de>> FromRequest<S> for Body<T> {
    type Rejection = Refused;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Refused> {
        let bytes = axum::body::Bytes::from_request(request, state)
            .await
            .map_err(Refused::bad)?;
        let bytes = if bytes.is_empty() { b"{}" } else { &bytes[..] };
        serde_json::from_slice(bytes)
            .map(Self)
            .map_err(Refused::bad)
    }
}

/// One JSON value in each line.
pub(crate) fn lines<T: Serialize>(values: &[T]) -> Result<Response, Refused> {
    let mut text = String::new();
    for value in values {
        text += &serde_json::to_string(value).map_err(Refused::bad)?;
        text.push('\n');
    }
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}

async fn health(State(control): Shared) -> Response {
    let is_ready = control.is_ready.load(Ordering::Acquire);
    let status = if is_ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let functions = Function::ALL.map(Function::name);
    (
        status,
        Json(json!({"ready": is_ready, "functions": functions})),
    )
        .into_response()
}

async fn list_faults(State(control): Shared) -> Json<Value> {
    Json(json!({"faults": control.faults.list()}))
}

async fn add_fault(
    State(control): Shared,
    Body(fault): Body<Fault>,
) -> Result<Json<Value>, Refused> {
    let id = control.add_fault(fault).await.map_err(Refused::bad)?;
    Ok(Json(json!({"id": id})))
}

async fn clear_faults(State(control): Shared) -> Json<Value> {
    control.clear_faults().await;
    Json(json!({}))
}

impl Control {
    pub(crate) fn fill_in(&self, event: &Value) -> String {
        event.to_string().replace("${WEBHOOK_SECRET}", &self.secret)
    }

    /// Adds a fault; it acts from the return on.
    pub(crate) async fn add_fault(&self, fault: Fault) -> Result<u64, String> {
        let id = self.faults.add(fault)?;
        self.catch_up_with_faults().await;
        Ok(id)
    }

    /// Ends all faults.
    pub(crate) async fn clear_faults(&self) {
        self.faults.clear();
        self.catch_up_with_faults().await;
    }

    /// Ends and forgets one fault.
    pub(crate) async fn end_fault(&self, id: u64) -> Option<Planned> {
        let ended = self.faults.end(id)?;
        self.catch_up_with_faults().await;
        Some(ended)
    }

    /// Moves the clock and starts what falls due by that.
    pub(crate) fn advance(&self, by: Duration) -> std::io::Result<Timestamp> {
        let now = self.settling.clock.advance(by)?;
        if !self.manual {
            self.scheduler.catch_up();
        }
        Ok(now)
    }

    async fn catch_up_with_faults(&self) {
        for endpoint in &self.endpoints {
            endpoint.caught_up().await;
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    advance_s: f64,
}

async fn advance_clock(
    State(control): Shared,
    Body(advance): Body<Advance>,
) -> Result<Json<Value>, Refused> {
    let by = Duration::try_from_secs_f64(advance.advance_s).map_err(Refused::bad)?;
    let now = control.advance(by).map_err(Refused::bad)?;
    Ok(Json(json!({"now": now})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tick {
    schedule: String,
    at: Option<Timestamp>,
}

async fn tick(State(control): Shared, Body(tick): Body<Tick>) -> Result<Response, Refused> {
    let outcome = control.scheduler.tick(&tick.schedule, tick.at).await;
    let outcome = outcome
        .ok_or_else(|| Refused::unknown(format!("there is no schedule {}", tick.schedule)))?;
    Ok(report(outcome, "result"))
}

/// An outcome under `name`, or as an error.
fn report(outcome: Outcome, name: &str) -> Response {
    match outcome {
        Outcome::Answer(payload) => {
            let payload = String::from_utf8_lossy(&payload);
            let answer = serde_json::from_str(&payload).unwrap_or_else(|_| json!(payload));
            Json(json!({name: answer})).into_response()
        }
        Outcome::Failed(failure) => {
            (StatusCode::BAD_GATEWAY, Json(json!({"error": failure}))).into_response()
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settle {
    timeout_s: Option<f64>,
}

async fn settle(State(control): Shared, Body(settle): Body<Settle>) -> Result<Response, Refused> {
    let longest = Duration::try_from_secs_f64(settle.timeout_s.unwrap_or(SETTLE_FOR))
        .map_err(Refused::bad)?;
    let settled = control.settling.settle(longest).await?;
    let status = if settled.settled {
        StatusCode::OK
    } else {
        StatusCode::GATEWAY_TIMEOUT
    };
    Ok((status, Json(settled)).into_response())
}

async fn queues(State(control): Shared) -> Json<Value> {
    Json(json!({"queues": control.settling.sqs.stats()}))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Redrive {
    queue: String,
}

async fn redrive(
    State(control): Shared,
    Body(redrive): Body<Redrive>,
) -> Result<Json<Value>, Refused> {
    let moved = control
        .settling
        .sqs
        .redrive(&redrive.queue)
        .await
        .map_err(Refused::bad)?;
    Ok(Json(json!({"moved": moved})))
}

#[derive(Deserialize)]
struct Partition {
    pk: String,
}

async fn items(
    State(control): Shared,
    partition: Result<Query<Partition>, QueryRejection>,
) -> Result<Json<Value>, Refused> {
    let Query(partition) = partition?;
    let table = control.settling.table.clone();
    let items = tokio::task::spawn_blocking(move || table.items(&partition.pk));
    let items = items.await.map_err(anyhow::Error::from)??;
    Ok(Json(json!({"items": items})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kill {
    function: Function,
}

async fn kill(State(control): Shared, Body(kill): Body<Kill>) -> Json<Value> {
    let killed = control.settling.lambda.kill(kill.function).await;
    Json(json!({"killed": killed}))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Invoke {
    function: Function,
    event: Value,
}

async fn invoke(State(control): Shared, Body(invoke): Body<Invoke>) -> Response {
    let event = control.fill_in(&invoke.event);
    report(
        control.settling.lambda.invoke(invoke.function, event).await,
        "response",
    )
}

async fn calls(State(control): Shared) -> Result<Response, Refused> {
    lines(&control.journal.calls())
}

async fn logs(State(control): Shared) -> Result<Response, Refused> {
    lines(&control.journal.lines())
}
