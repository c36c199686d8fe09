//! The Lambda Runtime API for one instance, which tells when the instance calls.

use std::net::SocketAddr;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{Request, Response};
use tokio::sync::{mpsc, oneshot};

use crate::server::{self, Answer};

/// How long a function may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// An instance's call, held until its sender is used.
enum Said {
    /// It asks for an event.
    Next(Instant, oneshot::Sender<Bytes>),
    /// It answers, and waits for the receipt.
    Answer(Instant, Bytes, oneshot::Sender<Bytes>),
    /// It reports an error.
    Error(Bytes),
}

/// An event that an instance waits for.
pub(crate) struct Asked {
    /// When it asked.
    pub(crate) at: Instant,
    give: oneshot::Sender<Bytes>,
}

impl Asked {
    /// Hands the event over.
    pub(crate) fn give(self, event: Bytes) -> Instant {
        let at = Instant::now();
        // If the instance is gone, the wait for its answer says so.
        let _ = self.give.send(event);
        at
    }
}

/// An instance's answer. The instance does nothing until this is dropped.
pub(crate) struct Answered {
    /// When it was there.
    pub(crate) at: Instant,
    pub(crate) body: Bytes,
    _receipt: oneshot::Sender<Bytes>,
}

pub(crate) struct Runtime {
    pub(crate) address: SocketAddr,
    calls: mpsc::UnboundedReceiver<Said>,
}

impl Runtime {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let listener = server::bind().await?;
        let address = listener.local_addr()?;
        let (say, calls) = mpsc::unbounded_channel();
        let handle = move |request| answer(say.clone(), request);
        tokio::spawn(server::serve(listener, None, handle));
        Ok(Self { address, calls })
    }

    /// Waits until the instance asks for an event.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Asked> {
        match self.heard().await? {
            Said::Next(at, give) => Ok(Asked { at, give }),
            Said::Answer(..) => bail!("it answered without having been asked"),
            Said::Error(error) => bail!("it failed: {}", String::from_utf8_lossy(&error)),
        }
    }

    /// Waits until the instance has answered.
    pub(crate) async fn answer(&mut self) -> anyhow::Result<Answered> {
        match self.heard().await? {
            Said::Answer(at, body, receipt) => Ok(Answered {
                at,
                body,
                _receipt: receipt,
            }),
            Said::Next(..) => bail!("it asked again without having answered"),
            Said::Error(error) => bail!("it failed: {}", String::from_utf8_lossy(&error)),
        }
    }

    async fn heard(&mut self) -> anyhow::Result<Said> {
        let said = tokio::time::timeout(PATIENCE, self.calls.recv()).await;
        said.context("it says nothing for too long")?
            .context("the Runtime API has ended")
    }
}

async fn answer(say: mpsc::UnboundedSender<Said>, request: Request<Incoming>) -> Answer {
    let at = Instant::now();
    let path = request.uri().path().to_owned();
    let (reply, replied) = oneshot::channel();
    if path.ends_with("/invocation/next") {
        let _ = say.send(Said::Next(at, reply));
        let event = replied.await.unwrap_or_default();
        let deadline = SystemTime::now() + Duration::from_mins(1);
        let deadline = deadline.duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut response = Response::new(Full::new(event));
        for (name, value) in [
            ("content-type", "application/json"),
            (
                "lambda-runtime-aws-request-id",
                "8476a536-e9f4-11e8-9739-2dfe598c3fcd",
            ),
            (
                "lambda-runtime-deadline-ms",
                &deadline.as_millis().to_string(),
            ),
            (
                "lambda-runtime-invoked-function-arn",
                "arn:aws:lambda:us-east-1:000000000000:function:bench",
            ),
            (
                "lambda-runtime-trace-id",
                "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=0",
            ),
        ] {
            if let Ok(value) = value.parse() {
                response.headers_mut().insert(name, value);
            }
        }
        return Ok(response);
    }
    let body = request.into_body().collect().await?.to_bytes();
    let _ = say.send(if path.ends_with("/response") {
        Said::Answer(Instant::now(), body, reply)
    } else {
        Said::Error(body)
    });
    // Dropping the sender is the receipt.
    let _ = replied.await;
    let mut response = Response::new(Full::new(Bytes::from_static(b"{\"status\":\"OK\"}")));
    *response.status_mut() = hyper::StatusCode::ACCEPTED;
    Ok(response)
}
