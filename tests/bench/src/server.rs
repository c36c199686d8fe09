//! HTTP/1.1 on loopback, in the clear or over TLS.

use std::net::Ipv4Addr;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// What a handler answers; an error ends the connection.
pub(crate) type Answer = Result<Response<Full<Bytes>>, hyper::Error>;

pub(crate) async fn bind() -> std::io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await
}

/// Serves until it is dropped. A client that hangs up, as a killed function does, is no error.
pub(crate) async fn serve<H, F>(listener: TcpListener, tls: Option<TlsAcceptor>, handle: H)
where
    H: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let (tls, handle) = (tls.clone(), handle.clone());
        tokio::spawn(async move {
            match tls {
                None => converse(stream, handle).await,
                Some(tls) => match tls.accept(stream).await {
                    Ok(stream) => converse(stream, handle).await,
                    Err(error) => eprintln!("TLS: {error}"),
                },
            }
        });
    }
}

async fn converse<S, H, F>(stream: S, handle: H)
where
    S: AsyncRead + AsyncWrite + Unpin,
    H: Fn(Request<Incoming>) -> F,
    F: Future<Output = Answer>,
{
    let _ = hyper::server::conn::http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service_fn(handle))
        .await;
}
