//! Serves queues on a port, on real time: `cargo run -p frontdesk-local-sqs --example serve -- 9324`.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{AppendHeaders, IntoResponse};
use frontdesk_local_clock::Clock;
use frontdesk_local_sqs::Sqs;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port: u16 = std::env::args()
        .nth(1)
        .ok_or("give the port to listen on")?
        .parse()?;
    let sqs = Sqs::new(Clock::new(), &format!("http://127.0.0.1:{port}"));
    let app = Router::new()
        .fallback(answer)
        .layer(DefaultBodyLimit::max(16 * 1024 * 1024))
        .with_state(sqs);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    axum::serve(listener, app).await?;
    Ok(())
}

async fn answer(State(sqs): State<Sqs>, headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    let target = headers
        .get("x-amz-target")
        .and_then(|target| target.to_str().ok());
    let answer = sqs.handle_target(target, &body).await;
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, AppendHeaders(answer.headers), answer.body)
}
