//! DynamoDB, SQS and Telegram as far as one call of each function needs them, over TLS, with the same
//! right answers each time: what is measured is the function, not a database.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{Request, Response};
use rcgen::{
    BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, KeyUsagePurpose, PKCS_RSA_SHA256,
    RsaKeySize,
};
use tempfile::NamedTempFile;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::version::{TLS12, TLS13};

use crate::server::{self, Answer};
use crate::workload::{self, Workload};

type Calls = Arc<Mutex<BTreeMap<String, u64>>>;

pub(crate) struct Cloud {
    /// The one root that vouches for the endpoints.
    root: NamedTempFile,
    dynamodb: String,
    sqs: String,
    telegram: String,
    calls: Calls,
}

impl Cloud {
    pub(crate) async fn start() -> anyhow::Result<Self> {
        let (tls, pem) = trust()?;
        let mut root = NamedTempFile::new()?;
        root.write_all(pem.as_bytes())?;
        let calls = Calls::default();
        let serve = async || {
            let listener = server::bind().await?;
            // By name, so that looking it up is part of a start.
            let url = format!("https://localhost:{}", listener.local_addr()?.port());
            let calls = Arc::clone(&calls);
            let handle = move |request| answer(Arc::clone(&calls), request);
            tokio::spawn(server::serve(listener, Some(tls.clone()), handle));
            anyhow::Ok(url)
        };
        Ok(Self {
            dynamodb: serve().await?,
            sqs: serve().await?,
            telegram: serve().await?,
            root,
            calls,
        })
    }

    /// The whole environment of an instance: what Lambda and the template give it, and other
    /// endpoints.
    pub(crate) fn variables(
        &self,
        workload: &Workload,
        runtime: SocketAddr,
    ) -> Vec<(&'static str, String)> {
        let name = workload.name;
        let mut variables = vec![
            ("AWS_LAMBDA_RUNTIME_API", runtime.to_string()),
            ("AWS_LAMBDA_FUNCTION_NAME", name.to_owned()),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256".to_owned()),
            ("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST".to_owned()),
            ("AWS_LAMBDA_LOG_GROUP_NAME", format!("/aws/lambda/{name}")),
            ("AWS_LAMBDA_LOG_STREAM_NAME", "bench".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "bench".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "bench".to_owned()),
            ("AWS_SESSION_TOKEN", "bench".to_owned()),
            (
                "AWS_ENDPOINT_URL_DYNAMODB",
                format!("{}/{name}", self.dynamodb),
            ),
            ("AWS_ENDPOINT_URL_SQS", format!("{}/{name}", self.sqs)),
            ("SSL_CERT_FILE", self.root.path().display().to_string()),
            ("TABLE_NAME", workload::TABLE.to_owned()),
            ("QUEUE_URL", format!("{}/000000000000/outbox", self.sqs)),
        ];
        if name == "webhook" {
            variables.push(("WEBHOOK_SECRET", workload::SECRET.to_owned()));
        }
        if name == "clock" {
            let dead_letters = format!("{}/000000000000/outbox-dead", self.sqs);
            variables.push(("DEAD_QUEUE_URL", dead_letters));
        }
        if name == "notifier" {
            variables.push(("TELEGRAM_API_URL", self.telegram.clone()));
            variables.push(("TELEGRAM_BOT_TOKEN", "1:bench".to_owned()));
        }
        variables
    }

    /// How often each operation was called, those apart that only open connections.
    pub(crate) fn calls(&self) -> BTreeMap<String, u64> {
        lock(&self.calls).clone()
    }

    pub(crate) fn forget_calls(&self) {
        lock(&self.calls).clear();
    }
}

fn lock(calls: &Calls) -> MutexGuard<'_, BTreeMap<String, u64>> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A certificate for `localhost`, and the root that vouches for it.
fn trust() -> anyhow::Result<(TlsAcceptor, String)> {
    let mut ca = CertificateParams::new(Vec::new())?;
    ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    ca.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    // The kind of key that AWS and Telegram have; checking another would cost another time.
    let generate = || KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048);
    let ca_key = generate()?;
    let root = ca.self_signed(&ca_key)?;
    let key = generate()?;
    let certificate = CertificateParams::new(vec!["localhost".to_owned()])?
        .signed_by(&key, &Issuer::new(ca, ca_key))?;

    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_protocol_versions(&[&TLS13, &TLS12])?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)?;
    Ok((TlsAcceptor::from(Arc::new(config)), root.pem()))
}

async fn answer(calls: Calls, request: Request<Incoming>) -> Answer {
    let function = request.uri().path().split('/').nth(1).unwrap_or_default();
    let operation = match request.headers().get("x-amz-target") {
        Some(target) => target.to_str().unwrap_or_default().rsplit('.').next(),
        None => request.uri().path().rsplit('/').next(),
    };
    let operation = operation.unwrap_or_default().to_owned();
    let body = workload::canned(function, &operation);
    request.into_body().collect().await?;
    if !workload::OPENING.contains(&operation.as_str()) {
        *lock(&calls).entry(operation).or_default() += 1;
    }
    let mut response = Response::new(Full::new(Bytes::from(body)));
    let kind = hyper::header::HeaderValue::from_static("application/x-amz-json-1.0");
    response
        .headers_mut()
        .insert(hyper::header::CONTENT_TYPE, kind);
    Ok(response)
}
