//! Background tasks that end with their owner.

use std::future::Future;

use tokio::task::JoinSet;

/// Tasks that are stopped when this is dropped.
#[derive(Default)]
pub(crate) struct Tasks(JoinSet<()>);

impl Tasks {
    pub(crate) fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        self.0.spawn(task);
    }

    /// Forgets those that have ended.
    pub(crate) fn reap(&mut self) {
        while self.0.try_join_next().is_some() {}
    }

    /// Stops all and waits until they are gone.
    pub(crate) async fn stop(&mut self) {
        self.0.shutdown().await;
    }
}
