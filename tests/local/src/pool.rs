//! What is known of the processes of one function, and what waits for them.

use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use crate::instances::{Delivery, Ender};
use crate::outcome::{Failure, Outcome};

/// An invocation that no instance has yet.
pub(crate) struct Waiting {
    pub(crate) id: String,
    pub(crate) event: Bytes,
    pub(crate) done: oneshot::Sender<Outcome>,
}

/// An invocation that an instance works on.
pub(crate) struct Running {
    pub(crate) id: String,
    pub(crate) done: oneshot::Sender<Outcome>,
    pub(crate) timer: AbortHandle,
}

impl Running {
    pub(crate) fn finish(self, outcome: Outcome) {
        self.timer.abort();
        // Nobody may be waiting any more, as when a browser hung up.
        let _ = self.done.send(outcome);
    }
}

/// A process.
pub(crate) struct Instance {
    pub(crate) kill: watch::Sender<bool>,
    exited: watch::Receiver<bool>,
    /// It has asked for work at least once.
    pub(crate) ready: bool,
    /// It is asking for work now.
    pub(crate) next: Option<oneshot::Sender<Delivery>>,
    pub(crate) running: Option<Running>,
    pub(crate) init_error: Option<Failure>,
}

impl Instance {
    pub(crate) fn new(kill: watch::Sender<bool>, exited: watch::Receiver<bool>) -> Self {
        Self {
            kill,
            exited,
            ready: false,
            next: None,
            running: None,
            init_error: None,
        }
    }

    pub(crate) fn ender(&self) -> Ender {
        (self.kill.clone(), self.exited.clone())
    }

    /// It will take an invocation soon: it starts, or is between an answer and its next request.
    fn is_coming(&self) -> bool {
        self.running.is_none() && !*self.kill.borrow()
    }
}

/// The processes of one function.
#[derive(Default)]
pub(crate) struct Pool {
    pub(crate) waiting: VecDeque<Waiting>,
    pub(crate) instances: BTreeMap<String, Instance>,
    pub(crate) started: u64,
}

impl Pool {
    pub(crate) fn needs_more(&self, most: usize) -> bool {
        let coming = self
            .instances
            .values()
            .filter(|instance| instance.is_coming())
            .count();
        self.waiting.len() > coming && self.instances.len() < most
    }

    pub(crate) fn busy(&self) -> usize {
        let running = self
            .instances
            .values()
            .filter(|instance| instance.running.is_some())
            .count();
        self.waiting.len() + running
    }

    pub(crate) fn fail_oldest(&mut self, failure: Failure) {
        if let Some(waiting) = self.waiting.pop_front() {
            let _ = waiting.done.send(Outcome::Failed(failure));
        }
    }
}
