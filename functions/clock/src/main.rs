//! See the crate's README.

use frontdesk_clock::{ClockWork, Tick, handle};
use frontdesk_lambda::{
    Clock, connect, dead_letters, registration, sdk_config, set_up_logs, settings,
};
use lambda_runtime::{Error, LambdaEvent, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    set_up_logs();
    let sdk = sdk_config()?;
    let desk = connect(settings()?, &sdk).await?;
    let work = ClockWork::new(desk, dead_letters(&sdk)?, registration()?);
    let clock = Clock::from_environment();
    run(service_fn(async |event: LambdaEvent<Tick>| {
        handle(&work, event.payload, clock.now())
            .await
            .map_err(Error::from)
    }))
    .await
}
