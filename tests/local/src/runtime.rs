//! The Lambda Runtime API, one base path per instance: `/runtime/{instance}/2018-06-01/…`.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::functions::Function;
use crate::instances::Lambda;
use crate::outcome::{Failure, Outcome};

/// The largest payload of an invocation, either way.
pub(crate) const LARGEST_PAYLOAD: usize = 6 * 1024 * 1024 + 100;

/// The routes of the Runtime API.
pub(crate) fn router(lambda: Lambda) -> Router {
    let api = Router::new()
        .route("/invocation/next", get(next))
        .route("/invocation/{id}/response", post(response))
        .route("/invocation/{id}/error", post(error))
        .route("/init/error", post(init_error))
        // Judged by hand: an answer that is too long is the function's error, not a lost request.
        .layer(DefaultBodyLimit::max(4 * LARGEST_PAYLOAD))
        .with_state(lambda);
    Router::new().nest("/runtime/{instance}/2018-06-01/runtime", api)
}

async fn next(State(lambda): State<Lambda>, Path(instance): Path<String>) -> Response {
    let Some(delivery) = lambda.next(&instance) else {
        return unknown();
    };
    let Ok(delivery) = delivery.await else {
        return unknown();
    };
    let headers = [
        ("content-type", "application/json".to_owned()),
        ("lambda-runtime-aws-request-id", delivery.id),
        ("lambda-runtime-deadline-ms", delivery.deadline.to_string()),
        (
            "lambda-runtime-invoked-function-arn",
            delivery.function.arn(),
        ),
        ("lambda-runtime-trace-id", trace_id(delivery.function)),
    ];
    (headers, delivery.event).into_response()
}

async fn response(
    State(lambda): State<Lambda>,
    Path((instance, id)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    if body.len() > LARGEST_PAYLOAD {
        lambda.finish(&instance, &id, Outcome::Failed(Failure::too_large()));
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    accepted(lambda.finish(&instance, &id, Outcome::Answer(body)))
}

async fn error(
    State(lambda): State<Lambda>,
    Path((instance, id)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    accepted(lambda.finish(&instance, &id, Outcome::Failed(Failure::reported(&body))))
}

async fn init_error(
    State(lambda): State<Lambda>,
    Path(instance): Path<String>,
    body: Bytes,
) -> Response {
    lambda.init_failed(&instance, Failure::reported(&body));
    accepted(true)
}

fn accepted(done: bool) -> Response {
    if done {
        (
            StatusCode::ACCEPTED,
            axum::Json(serde_json::json!({"status": "OK"})),
        )
            .into_response()
    } else {
        unknown()
    }
}

fn unknown() -> Response {
    let error = Failure::of("InvalidRequestID", "Invalid request ID".into());
    (StatusCode::BAD_REQUEST, axum::Json(error)).into_response()
}

/// A sampled-out trace of its own for each invocation.
fn trace_id(function: Function) -> String {
    let now = jiff::Timestamp::now().as_second();
    let rest = fastrand::u128(..) >> 32;
    format!(
        "Root=1-{now:08x}-{rest:024x};Parent={:016x};Sampled=0;Lineage={}:0",
        fastrand::u64(..),
        function.name()
    )
}
