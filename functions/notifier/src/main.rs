//! See the crate's README.

use aws_lambda_events::sqs::SqsEvent;
use frontdesk_lambda::{Clock, connect, optional, registration, sdk_config, set_up_logs, settings};
use frontdesk_notifier::{Notifier, TokenSource, handle};
use frontdesk_telegram::{Client, Roots};
use lambda_runtime::{Error, LambdaEvent, run, service_fn};

const TELEGRAM: &str = "https://api.telegram.org";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    set_up_logs();
    let sdk = sdk_config()?;
    let source = TokenSource::from_environment(&sdk)?;
    let (desk, token) = tokio::join!(connect(settings()?, &sdk), source.read());
    let base_url = optional("TELEGRAM_API_URL").unwrap_or_else(|| TELEGRAM.to_owned());
    let roots = match optional("SSL_CERT_FILE") {
        Some(_) => Roots::System,
        None => Roots::CompiledIn,
    };
    let telegram = Client::new(base_url, token?, roots)?;
    telegram.warm_up().await;
    let notifier = Notifier {
        desk: desk?,
        telegram,
        source,
        registration: registration()?,
        clock: Clock::from_environment(),
    };
    run(service_fn(async |event: LambdaEvent<SqsEvent>| {
        Ok::<_, Error>(handle(&notifier, event.payload, event.context.deadline()).await)
    }))
    .await
}
