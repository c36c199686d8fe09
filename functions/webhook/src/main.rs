//! See the crate's README.

use frontdesk_lambda::{Clock, connect, optional, required, sdk_config, set_up_logs, settings};
use frontdesk_telegram::Secrets;
use frontdesk_webhook::handle;
use lambda_http::{Error, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    set_up_logs();
    let (present, previous) = (
        required("WEBHOOK_SECRET"),
        optional("WEBHOOK_SECRET_PREVIOUS"),
    );
    if let Err(error) = &present {
        // It goes on, so that each request is refused and the alarm for refused ones goes off.
        tracing::error!(error.kind = %error, "webhook.closed");
    }
    let present = present.unwrap_or_default();
    let secrets = Secrets::new([present.as_str()].into_iter().chain(previous.as_deref()));
    let desk = connect(settings()?, &sdk_config()?).await?;
    let clock = Clock::from_environment();
    run(service_fn(async |request| {
        Ok::<_, Error>(handle(&desk, &secrets, &request, clock.now()).await)
    }))
    .await
}
