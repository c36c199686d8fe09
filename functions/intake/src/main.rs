//! See the crate's README.

use frontdesk_intake::handle;
use frontdesk_lambda::{Clock, connect, sdk_config, set_up_logs, settings};
use lambda_http::{Error, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    set_up_logs();
    let desk = connect(settings()?, &sdk_config()?).await?;
    let clock = Clock::from_environment();
    run(service_fn(async |request| {
        Ok::<_, Error>(handle(&desk, &request, clock.now()).await)
    }))
    .await
}
