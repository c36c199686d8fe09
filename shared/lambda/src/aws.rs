use std::time::Duration;

use aws_config::environment::EnvironmentVariableCredentialsProvider;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_config::{BehaviorVersion, Region, SdkConfig};
use aws_sdk_dynamodb::config::{SharedCredentialsProvider, SharedHttpClient};
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use frontdesk_desk::Desk;
use frontdesk_queue::{DeadLetters, Queue};
use frontdesk_settings::Settings;
use frontdesk_storage::Store;

use crate::{optional, required};

/// The roots of all endpoints of AWS, as <https://www.amazontrust.com/repository/> lists them.
const AMAZON_ROOTS: &str = include_str!("amazon-roots.pem");

/// The SDK's configuration, from the variables that Lambda sets. The default chain would look for
/// profiles and instance metadata first, which a cold start pays for.
pub fn sdk_config() -> anyhow::Result<SdkConfig> {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(2))
        .operation_timeout(Duration::from_secs(5))
        .build();
    Ok(SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(http_client()?)
        .region(Region::new(required("AWS_REGION")?))
        .credentials_provider(SharedCredentialsProvider::new(
            EnvironmentVariableCredentialsProvider::new(),
        ))
        .retry_config(RetryConfig::standard().with_max_attempts(3))
        .timeout_config(timeouts)
        .build())
}

/// One client for all services, which trusts Amazon's roots only: reading a system's some 140 roots,
/// once for each client, is a fifth of a cold start's work. Where `SSL_CERT_FILE` is set, what it
/// holds is trusted instead.
fn http_client() -> anyhow::Result<SharedHttpClient> {
    let roots = if optional("SSL_CERT_FILE").is_some() {
        TrustStore::default()
    } else {
        TrustStore::empty().with_pem_certificate(AMAZON_ROOTS)
    };
    let tls = TlsContext::builder().with_trust_store(roots).build()?;
    Ok(aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::AwsLc))
        .tls_context(tls)
        .build_https())
}

/// The desk of `TABLE_NAME` and `QUEUE_URL`, its connections open: Lambda gives the start a whole
/// processor, and an event only its share. `AWS_ENDPOINT_URL_DYNAMODB` and `AWS_ENDPOINT_URL_SQS`
/// name other endpoints, as in a local run.
pub async fn connect(settings: Settings, sdk: &SdkConfig) -> anyhow::Result<Desk> {
    let table = required("TABLE_NAME")?;
    let queue = required("QUEUE_URL")?;
    let mut dynamodb = aws_sdk_dynamodb::config::Builder::from(sdk);
    dynamodb.set_endpoint_url(optional("AWS_ENDPOINT_URL_DYNAMODB"));
    let store = Store::new(aws_sdk_dynamodb::Client::from_conf(dynamodb.build()), table);
    let queue = Queue::new(sqs(sdk), queue);
    tokio::join!(store.warm_up(), queue.warm_up());
    Ok(Desk {
        settings,
        store,
        queue,
    })
}

/// The dead letters of `DEAD_QUEUE_URL`.
pub fn dead_letters(sdk: &SdkConfig) -> anyhow::Result<DeadLetters> {
    Ok(DeadLetters::new(sqs(sdk), required("DEAD_QUEUE_URL")?))
}

fn sqs(sdk: &SdkConfig) -> aws_sdk_sqs::Client {
    let mut sqs = aws_sdk_sqs::config::Builder::from(sdk);
    sqs.set_endpoint_url(optional("AWS_ENDPOINT_URL_SQS"));
    aws_sdk_sqs::Client::from_conf(sqs.build())
}
