//! Invocations find their instances, and instances come and go.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use bytes::Bytes;
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use crate::functions::Function;
use crate::instances::{Delivery, Lambda, MOST_INSTANCES, State, owner, request_id};
use crate::outcome::{Failure, Outcome};
use crate::pool::{Instance, Running, Waiting};
use crate::process;

impl Lambda {
    /// Hands an event over at once and returns what its outcome will arrive on.
    pub(crate) fn begin(
        &self,
        function: Function,
        event: impl Into<Bytes>,
    ) -> oneshot::Receiver<Outcome> {
        let (done, outcome) = oneshot::channel();
        let mut state = self.lock();
        state.begun += 1;
        let waiting = Waiting {
            id: request_id(),
            event: event.into(),
            done,
        };
        state.pools[function as usize].waiting.push_back(waiting);
        self.dispatch(&mut state, function);
        outcome
    }

    /// Runs an event to its outcome. The invocation goes on if the caller stops waiting.
    pub async fn invoke(&self, function: Function, event: impl Into<Bytes>) -> Outcome {
        let outcome = self.begin(function, event);
        outcome
            .await
            .unwrap_or_else(|_| Outcome::Failed(Failure::gone()))
    }

    /// Gives waiting invocations to idle instances and grows the pool for the rest.
    fn dispatch(&self, state: &mut State, function: Function) {
        let pool = &mut state.pools[function as usize];
        let timeout = (self.inner.setup.timeout)(function);
        let alive = pool
            .instances
            .iter_mut()
            .filter(|(_, instance)| !*instance.kill.borrow());
        for (name, instance) in alive {
            let Some(next) = instance.next.take() else {
                continue;
            };
            let Some(waiting) = pool.waiting.pop_front() else {
                instance.next = Some(next);
                break;
            };
            let deadline = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default()
                + timeout;
            let delivery = Delivery {
                function,
                id: waiting.id.clone(),
                event: waiting.event.clone(),
                deadline: deadline.as_millis(),
            };
            if next.send(delivery).is_err() {
                // It hung up; its process is ending.
                pool.waiting.push_front(waiting);
                continue;
            }
            let timer = self.time_out_later(function, name.clone(), waiting.id.clone(), timeout);
            instance.running = Some(Running {
                id: waiting.id,
                done: waiting.done,
                timer,
            });
        }
        while !state.closed && state.pools[function as usize].needs_more(MOST_INSTANCES) {
            if let Err(error) = self.spawn(state, function) {
                let failure = Failure::of("Runtime.InvalidEntrypoint", format!("{error:#}"));
                state.pools[function as usize].fail_oldest(failure);
            }
        }
    }

    fn time_out_later(
        &self,
        function: Function,
        instance: String,
        id: String,
        after: Duration,
    ) -> AbortHandle {
        let lambda = self.clone();
        let timer = tokio::spawn(async move {
            tokio::time::sleep(after).await;
            let mut state = lambda.lock();
            let pool = &mut state.pools[function as usize];
            let Some(process) = pool.instances.get_mut(&instance) else {
                return;
            };
            if let Some(running) = process.running.take_if(|running| running.id == id) {
                process.kill.send_replace(true);
                lambda.conclude(
                    &instance,
                    running,
                    Outcome::Failed(Failure::timed_out(&id, after)),
                );
            }
        });
        timer.abort_handle()
    }

    /// Starts a process and the task that watches over it; returns the instance's name.
    pub(crate) fn spawn(&self, state: &mut State, function: Function) -> anyhow::Result<String> {
        let pool = &mut state.pools[function as usize];
        pool.started += 1;
        let name = format!("{}-{}", function.name(), pool.started);
        let environment = (self.inner.setup.environment)(function, &name);
        let path = self.inner.setup.functions.path(function);
        let child = process::start(path, environment)
            .with_context(|| format!("{} cannot be started", path.display()))?;
        let (kill, killed) = watch::channel(false);
        let (exited, has_exited) = watch::channel(false);
        pool.instances
            .insert(name.clone(), Instance::new(kill, has_exited));
        let (lambda, instance) = (self.clone(), name.clone());
        tokio::spawn(async move {
            let ending = process::watch(child, killed, &instance, &lambda.inner.journal).await;
            lambda.ended(function, &instance, &ending);
            exited.send_replace(true);
        });
        Ok(name)
    }

    fn ended(&self, function: Function, name: &str, ending: &str) {
        let mut state = self.lock();
        let pool = &mut state.pools[function as usize];
        if let Some(instance) = pool.instances.remove(name) {
            let killed = *instance.kill.borrow();
            if let Some(running) = instance.running {
                let failure = Failure::exited(&running.id, ending);
                self.conclude(name, running, Outcome::Failed(failure));
            } else if !instance.ready && !killed {
                // A start that fails takes one invocation with it, or it would be tried for ever.
                pool.fail_oldest(
                    instance
                        .init_error
                        .unwrap_or_else(|| Failure::exited("-", ending)),
                );
            }
        }
        self.dispatch(&mut state, function);
        drop(state);
        self.changed();
    }

    /// An instance asks for work; the receiver ends when the instance is unknown.
    pub(crate) fn next(&self, name: &str) -> Option<oneshot::Receiver<Delivery>> {
        let mut state = self.lock();
        let function = owner(name)?;
        let instance = state.pools[function as usize].instances.get_mut(name)?;
        let (next, delivery) = oneshot::channel();
        instance.ready = true;
        instance.next = Some(next);
        self.dispatch(&mut state, function);
        drop(state);
        self.changed();
        Some(delivery)
    }

    /// An instance answers; false if it does not have that invocation.
    pub(crate) fn finish(&self, name: &str, id: &str, outcome: Outcome) -> bool {
        let finished = owner(name).and_then(|function| {
            let mut state = self.lock();
            let instance = state.pools[function as usize].instances.get_mut(name)?;
            instance.running.take_if(|running| running.id == id)
        });
        let Some(running) = finished else {
            return false;
        };
        self.conclude(name, running, outcome);
        true
    }

    fn conclude(&self, instance: &str, running: Running, outcome: Outcome) {
        if let Outcome::Failed(failure) = &outcome {
            self.inner.journal.failed(instance, &running.id, failure);
        }
        running.finish(outcome);
    }

    /// An instance cannot start and says why; its process ends next.
    pub(crate) fn init_failed(&self, name: &str, failure: Failure) {
        let Some(function) = owner(name) else { return };
        if let Some(instance) = self.lock().pools[function as usize].instances.get_mut(name) {
            instance.init_error = Some(failure);
        }
    }
}
