//! Calls of the Bot API.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use reqwest::redirect::Policy;

use crate::{Error, Method, read_answer};

/// How long a call may take altogether. Telegram's own work on one is far shorter.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// A Telegram that does not answer must not use up the ten seconds that a function has to get ready.
const WARM_UP: Duration = Duration::from_secs(2);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A bot's token. It never appears in a debug output, and a URL that holds it never in an error.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Reads a token: digits, a colon and more; `None` where it cannot be one.
    pub fn parse(text: &str) -> Option<Self> {
        let (id, rest) = text.trim().split_once(':')?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let right = !id.is_empty()
            && id.chars().all(|c| c.is_ascii_digit())
            && !rest.is_empty()
            && rest.chars().all(plain);
        right.then(|| Self(text.trim().to_owned()))
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// Whom a client trusts to say that a server is Telegram's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots {
    /// The authorities of the system, or of the file that `SSL_CERT_FILE` names.
    System,
    /// The authorities that Mozilla trusts, as they were when this was built. They need not be read and
    /// parsed at each start.
    CompiledIn,
}

/// TLS cannot be set up on this system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("TLS cannot be set up")]
pub struct NoTls;

fn public_roots() -> Result<rustls::ClientConfig, NoTls> {
    let roots = rustls::RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    // Named, since a build of the whole workspace may bring another provider in.
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider);
    let builder = builder
        .with_safe_default_protocol_versions()
        .map_err(|_| NoTls)?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// The Bot API for one bot.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    base_url: String,
    token: RwLock<Token>,
    refused: AtomicBool,
}

impl Client {
    /// A client of the Bot API at `base_url` (`https://api.telegram.org`), which trusts `roots`.
    pub fn new(base_url: impl Into<String>, token: Token, roots: Roots) -> Result<Self, NoTls> {
        let builder = match roots {
            Roots::System => reqwest::Client::builder(),
            Roots::CompiledIn => {
                reqwest::Client::builder().tls_backend_preconfigured(public_roots()?)
            }
        };
        let http = builder
            .timeout(TIMEOUT)
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(Policy::none())
            .build()
            .map_err(|_| NoTls)?;
        Ok(Self {
            http,
            base_url: base_url.into(),
            token: RwLock::new(token),
            refused: AtomicBool::new(false),
        })
    }

    /// True if Telegram has refused the token since it was set.
    pub fn was_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Uses another token from now on.
    pub fn set_token(&self, token: Token) {
        self.refused.store(false, Ordering::Relaxed);
        *self
            .token
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = token;
    }

    /// Opens the connection, so that the first call does not have to wait for it. Whether it
    /// succeeds does not matter.
    pub async fn warm_up(&self) {
        let request = self.http.get(&self.base_url).timeout(WARM_UP);
        let _ = request.send().await;
    }

    /// Calls a method once. Only a complete answer in JSON counts as one.
    pub async fn call<M: Method>(&self, method: &M) -> Result<M::Answer, Error> {
        let url = {
            let token = self
                .token
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            format!("{}/bot{}/{}", self.base_url, token.0, M::NAME)
        };
        let response = self
            .http
            .post(url)
            .json(method)
            .send()
            .await
            .map_err(|error| {
                if error.is_connect() {
                    Error::NotConnected
                } else if error.is_timeout() {
                    Error::NoAnswer("timeout")
                } else {
                    Error::NoAnswer("connection_lost")
                }
            })?;
        let body = response
            .bytes()
            .await
            .map_err(|_| Error::NoAnswer("answer_cut_off"))?;
        let answer = read_answer::<M>(&body);
        if matches!(answer, Err(Error::Unauthorized)) {
            self.refused.store(true, Ordering::Relaxed);
        }
        answer
    }
}
