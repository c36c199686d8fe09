#![doc = include_str!("../README.md")]

use frontdesk_desk::Desk;
use frontdesk_desk::handle_update::{handle_update, note_unreadable};
use frontdesk_telegram::{Secrets, Update};
use jiff::Timestamp;
use lambda_http::http::header::{self, HeaderValue};
use lambda_http::http::{Method, StatusCode};
use lambda_http::{Body, Request, RequestExt, Response};

const SECRET_HEADER: &str = "x-telegram-bot-api-secret-token";

/// Answers one request. Nothing of it is read before its secret is.
pub async fn handle(
    desk: &Desk,
    secrets: &Secrets,
    request: &Request,
    now: Timestamp,
) -> Response<Body> {
    let mut sent = request.headers().get_all(SECRET_HEADER).iter();
    let secret = sent
        .next()
        .filter(|_| sent.next().is_none())
        .map(HeaderValue::as_bytes);
    if !secrets.accept(secret) {
        tracing::warn!("webhook.refused");
        return status(StatusCode::UNAUTHORIZED);
    }
    if request.method() != Method::POST {
        let mut response = status(StatusCode::METHOD_NOT_ALLOWED);
        response
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static("POST"));
        return response;
    }
    let path = request.raw_http_path();
    let bot = path
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    if bot != desk.settings.bot.name.as_str() {
        return status(StatusCode::NOT_FOUND);
    }
    let Ok(update) = Update::parse(request.body().as_ref()) else {
        // It has no id to be kept under, and would be as unreadable the next time.
        note_unreadable(desk, now).await;
        return status(StatusCode::OK);
    };
    match handle_update(desk, &update, now).await {
        Ok(Some(reply)) => {
            let mut response = Response::new(Body::Text(reply));
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
            response
        }
        Ok(None) => status(StatusCode::OK),
        Err(error) => {
            tracing::error!(
                update.id = update.update_id,
                error.kind = error.kind(),
                "update.failed"
            );
            if error.is_retryable() {
                status(StatusCode::SERVICE_UNAVAILABLE)
            } else {
                status(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }
}

fn status(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = status;
    response
}
