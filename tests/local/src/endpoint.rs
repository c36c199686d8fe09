//! The listeners that the functions call instead of AWS and Telegram, one per service.
//!
//! They speak HTTP/1 through hyper directly, because a fault must be able to close a connection
//! without an answer, or the listener itself. The first segment of a path names the caller.

use std::fmt;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::calls::Calls;
use crate::fault::Target;
use crate::service::{Reply, Request, Service};
use crate::tasks::Tasks;

/// How often refused connections are counted.
const COUNT_EVERY: Duration = Duration::from_millis(2);

/// How long a refusal waits for the requests that were under way before it.
const LONGEST_DRAIN: Duration = Duration::from_secs(1);

/// A listener of one service.
pub(crate) struct Endpoint {
    target: Target,
    address: SocketAddr,
    calls: Arc<Calls>,
    open: watch::Receiver<bool>,
}

struct Door {
    service: Arc<Service>,
    calls: Arc<Calls>,
    address: SocketAddr,
}

impl Endpoint {
    /// Takes a free port on loopback.
    pub(crate) async fn bind() -> std::io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await
    }

    /// Serves a service on that listener until the tasks end.
    pub(crate) fn start(
        listener: TcpListener,
        service: Service,
        calls: &Arc<Calls>,
        tasks: &mut Tasks,
    ) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let target = service.target();
        let door = Door {
            service: Arc::new(service),
            calls: Arc::clone(calls),
            address,
        };
        let (opened, open) = watch::channel(true);
        tasks.spawn(async move {
            if let Err(error) = door.run(listener, opened).await {
                eprintln!("{address} is lost: {error}");
            }
        });
        Ok(Self {
            target,
            address,
            calls: Arc::clone(calls),
            open,
        })
    }

    /// Waits until connections are refused, or not, as the faults say.
    pub(crate) async fn caught_up(&self) {
        let mut open = self.open.clone();
        let _ = open
            .wait_for(|open| *open != self.calls.faults.refuses(self.target))
            .await;
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn target(&self) -> Target {
        self.target
    }
}

impl Door {
    async fn run(
        &self,
        mut listener: TcpListener,
        open: watch::Sender<bool>,
    ) -> std::io::Result<()> {
        let target = self.service.target();
        let mut changed = self.calls.faults.subscribe();
        loop {
            open.send_replace(true);
            let (closing, closed) = watch::channel(());
            let mut connections = JoinSet::new();
            while !self.calls.faults.refuses(target) {
                tokio::select! {
                    accepted = listener.accept() => {
                        let (service, calls) = (Arc::clone(&self.service), Arc::clone(&self.calls));
                        connections.spawn(serve(accepted?.0, service, calls, closed.clone()));
                    }
                    Some(_) = connections.join_next() => {}
                    _ = changed.changed() => {}
                }
            }
            drop(listener);
            let held = hold(self.address).await?;
            closing.send_replace(());
            let finished = async { while connections.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(LONGEST_DRAIN, finished).await;
            // What is still under way goes on without being waited for.
            connections.detach_all();
            self.refuse(&open, &mut changed).await;
            listener = held.listen(1024)?;
        }
    }

    /// Nothing arrives here while connections are refused, so that they can be counted only by what
    /// the kernel says of failed attempts: Linux does, of all processes that share its network. Where
    /// it says nothing, and for a fault without end, refusing lasts until the fault is taken back.
    async fn refuse(&self, open: &watch::Sender<bool>, changed: &mut watch::Receiver<()>) {
        let (target, faults) = (self.service.target(), &self.calls.faults);
        let mut counted = failed_attempts().await;
        open.send_replace(false);
        while faults.refuses(target) {
            let Some(before) = counted.filter(|_| !faults.refuses_without_end(target)) else {
                let _ = changed.changed().await;
                continue;
            };
            tokio::select! {
                () = tokio::time::sleep(COUNT_EVERY) => {}
                _ = changed.changed() => {}
            }
            counted = failed_attempts().await;
            faults.refused(target, counted.unwrap_or(before).saturating_sub(before));
        }
    }
}

/// Keeps a port from others and refuses its connections: a bound socket that does not listen does.
///
/// A child that is just being started has a copy of the listener until it runs its own program, so
/// that the port may be free only a moment later.
async fn hold(address: SocketAddr) -> std::io::Result<TcpSocket> {
    loop {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        match socket.bind(address) {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            bound => return bound.map(|()| socket),
        }
    }
}

/// TCP connections that this machine tried to open and that failed, since it started.
async fn failed_attempts() -> Option<u64> {
    let counters = tokio::fs::read_to_string("/proc/net/snmp").await.ok()?;
    let mut tcp = counters
        .lines()
        .filter_map(|line| line.strip_prefix("Tcp:"));
    let column = tcp
        .next()?
        .split_whitespace()
        .position(|name| name == "AttemptFails")?;
    tcp.next()?.split_whitespace().nth(column)?.parse().ok()
}

async fn serve(
    stream: TcpStream,
    service: Arc<Service>,
    calls: Arc<Calls>,
    mut closing: watch::Receiver<()>,
) {
    // Small answers must not wait for the client's acknowledgement.
    let _ = stream.set_nodelay(true);
    let answer = service_fn(|request| answer(request, Arc::clone(&service), Arc::clone(&calls)));
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // An error is a fault's doing or the client's; either way the connection is over.
        _ = connection.as_mut() => return,
        _ = closing.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Ends a connection without an answer.
#[derive(Debug)]
struct Withheld;

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer is withheld")
    }
}

impl std::error::Error for Withheld {}

async fn answer(
    request: hyper::Request<Incoming>,
    service: Arc<Service>,
    calls: Arc<Calls>,
) -> Result<hyper::Response<Full<Bytes>>, Withheld> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(|_| Withheld)?.to_bytes();
    let path = parts.uri.path().trim_start_matches('/');
    let (caller, path) = path.split_once('/').unwrap_or((path, ""));
    let request = Request {
        caller: caller.to_owned(),
        path: path.to_owned(),
        headers: parts.headers,
        body,
    };
    // Apart from the connection: a service goes on with what it has read when the caller hangs up.
    let reply = tokio::spawn(async move { calls.answer(&service, request).await });
    let reply = reply.await.ok().flatten().ok_or(Withheld)?;
    Ok(response(reply))
}

fn response(reply: Reply) -> hyper::Response<Full<Bytes>> {
    let mut response = hyper::Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    response
        .body(Full::new(reply.body))
        .unwrap_or_else(|error| {
            let mut response = hyper::Response::new(Full::new(error.to_string().into()));
            *response.status_mut() = hyper::StatusCode::INTERNAL_SERVER_ERROR;
            response
        })
}
