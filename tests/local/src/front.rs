//! The ways in from outside: the form's HTTP API and the webhook's function URL.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::StatusCode;
use axum::routing::any;
use frontdesk_local_clock::Clock;
use http_body_util::BodyExt;
use serde_json::Value;

use crate::answer::{self, Answer};
use crate::functions::Function;
use crate::gateway::{self, Incoming};
use crate::instances::Lambda;
use crate::runtime::LARGEST_PAYLOAD;

/// The largest body that API Gateway takes.
const LARGEST_BODY: usize = 10 * 1024 * 1024;

/// Of a body that is too large, this much is read and thrown away, so that the client has sent it
/// all and sees the answer instead of a broken connection.
const LARGEST_WASTE: usize = 64 * 1024 * 1024;

#[derive(Clone)]
pub(crate) struct Front {
    pub(crate) lambda: Lambda,
    pub(crate) clock: Clock,
}

/// The routes of both.
pub(crate) fn router(front: Front) -> Router {
    Router::new()
        .route("/forms/{*rest}", any(form))
        .route("/telegram/{bot}", any(webhook))
        .fallback(async || answer::message(StatusCode::NOT_FOUND, "Not Found"))
        .with_state(Arc::new(front))
}

async fn form(State(front): State<Arc<Front>>, request: Request) -> Answer {
    front
        .pass(Function::Intake, gateway::http_api_event, request)
        .await
}

async fn webhook(State(front): State<Arc<Front>>, request: Request) -> Answer {
    front
        .pass(Function::Webhook, gateway::function_url_event, request)
        .await
}

impl Front {
    async fn pass(
        &self,
        function: Function,
        event: fn(&Incoming<'_>) -> Value,
        request: Request,
    ) -> Answer {
        let source = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let source = source.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
        let (parts, body) = request.into_parts();
        let Some(body) = read(body).await else {
            return too_large();
        };
        let event = event(&Incoming {
            method: &parts.method,
            uri: &parts.uri,
            headers: &parts.headers,
            body: &body,
            source,
            at: self.clock.now(),
        });
        let event = event.to_string();
        if event.len() > LARGEST_PAYLOAD {
            return too_large();
        }
        answer::answer(&self.lambda.invoke(function, event).await)
    }
}

fn too_large() -> Answer {
    answer::message(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large")
}

/// The body, or none if it is too large.
async fn read(mut body: Body) -> Option<Bytes> {
    let mut kept = Vec::new();
    let mut length = 0;
    while let Some(Ok(frame)) = body.frame().await {
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length <= LARGEST_BODY {
            kept.extend_from_slice(&data);
        } else if length > LARGEST_WASTE {
            break;
        }
    }
    (length <= LARGEST_BODY).then(|| kept.into())
}
