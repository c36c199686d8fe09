//! The functions' processes: one invocation at a time each, more of them on demand.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::bail;
use bytes::Bytes;
use tokio::sync::watch;

use crate::functions::{Function, Functions};
use crate::journal::Journal;
use crate::pool::{Instance, Pool};

/// The processes that one function grows to; further invocations wait.
pub(crate) const MOST_INSTANCES: usize = 8;

/// How long a function may take from its start to its first request for work.
const LONGEST_INIT: Duration = Duration::from_mins(1);

/// What the processes are started with.
pub(crate) struct Setup {
    pub(crate) functions: Functions,
    /// The whole environment of an instance, by function and instance name.
    #[allow(clippy::type_complexity)]
    pub(crate) environment: Box<dyn Fn(Function, &str) -> Vec<(String, String)> + Send + Sync>,
    pub(crate) timeout: fn(Function) -> Duration,
}

/// An invocation as an instance receives it.
pub(crate) struct Delivery {
    pub(crate) function: Function,
    pub(crate) id: String,
    pub(crate) event: Bytes,
    /// Unix time in milliseconds, real time.
    pub(crate) deadline: u128,
}

/// Who makes a call, as far as its path tells.
pub(crate) struct Caller {
    pub(crate) function: String,
    pub(crate) invocation: Option<String>,
    /// False until the instance has asked for work once.
    pub(crate) ready: bool,
}

/// The functions of a desk. Clones share them.
#[derive(Clone)]
pub struct Lambda {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) setup: Setup,
    pub(crate) journal: Arc<Journal>,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
pub(crate) struct State {
    /// By function.
    pub(crate) pools: [Pool; 4],
    pub(crate) begun: u64,
    /// No instance starts any more.
    pub(crate) closed: bool,
}

impl Lambda {
    pub(crate) fn new(setup: Setup, journal: Arc<Journal>) -> Self {
        let inner = Inner {
            setup,
            journal,
            state: Mutex::default(),
            changed: watch::Sender::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn changed(&self) {
        self.inner.changed.send_replace(());
    }

    /// Starts one instance of each function and waits until all have asked for work.
    pub(crate) async fn warm_up(&self) -> anyhow::Result<()> {
        let mut started = Vec::new();
        for function in Function::ALL {
            started.push((function, self.spawn(&mut self.lock(), function)?));
        }
        for (function, instance) in started {
            let ready = self.wait_until_ready(function, &instance);
            match tokio::time::timeout(LONGEST_INIT, ready).await {
                Ok(true) => {}
                Ok(false) => bail!(
                    "{} ended before it was ready{}",
                    function.name(),
                    self.last_words(&instance)
                ),
                Err(_) => bail!(
                    "{} does not become ready{}",
                    function.name(),
                    self.last_words(&instance)
                ),
            }
        }
        Ok(())
    }

    async fn wait_until_ready(&self, function: Function, instance: &str) -> bool {
        let mut changed = self.inner.changed.subscribe();
        loop {
            match self.lock().pools[function as usize].instances.get(instance) {
                Some(instance) if instance.ready => return true,
                Some(_) => {}
                None => return false,
            }
            if changed.changed().await.is_err() {
                return false;
            }
        }
    }

    fn last_words(&self, instance: &str) -> String {
        let lines = self.inner.journal.lines();
        let said: Vec<_> = lines
            .iter()
            .filter(|line| line.instance == instance)
            .map(|line| line.line.as_str())
            .collect();
        if said.is_empty() {
            String::new()
        } else {
            format!(":\n{}", said[said.len().saturating_sub(5)..].join("\n"))
        }
    }

    /// Who makes calls under that name. Tests may call under a name of their own.
    pub(crate) fn caller(&self, name: &str) -> Caller {
        let state = self.lock();
        let instance = owner(name).and_then(|function| {
            let instance = state.pools[function as usize].instances.get(name)?;
            Some((function, instance))
        });
        match instance {
            Some((function, instance)) => Caller {
                function: function.name().to_owned(),
                invocation: instance.running.as_ref().map(|running| running.id.clone()),
                ready: instance.ready,
            },
            None => Caller {
                function: name.to_owned(),
                invocation: None,
                ready: true,
            },
        }
    }

    /// Kills the instance of that name, if there is one, and waits for its end.
    pub(crate) async fn kill_instance(&self, name: &str) {
        let instances: Vec<_> = {
            let state = self.lock();
            let all = state.pools.iter().flat_map(|pool| &pool.instances);
            all.filter(|(instance, _)| *instance == name)
                .map(|(_, instance)| instance.ender())
                .collect()
        };
        end(instances).await;
    }

    /// Kills all processes of a function, waits for their end and returns how many there were.
    pub async fn kill(&self, function: Function) -> usize {
        let instances: Vec<_> = self.lock().pools[function as usize]
            .instances
            .values()
            .map(Instance::ender)
            .collect();
        end(instances).await
    }

    /// Kills everything for good.
    pub(crate) async fn stop(&self) {
        end(self.close()).await;
    }

    /// As `stop`, without waiting.
    pub(crate) fn close(&self) -> Vec<Ender> {
        let mut state = self.lock();
        state.closed = true;
        let instances: Vec<_> = state
            .pools
            .iter()
            .flat_map(|pool| pool.instances.values())
            .map(Instance::ender)
            .collect();
        for (kill, _) in &instances {
            kill.send_replace(true);
        }
        instances
    }

    /// The names of all instances.
    pub fn instances(&self) -> Vec<String> {
        self.lock()
            .pools
            .iter()
            .flat_map(|pool| pool.instances.keys().cloned())
            .collect()
    }

    /// Every line that the instances wrote so far.
    pub fn lines(&self) -> Vec<String> {
        self.inner
            .journal
            .lines()
            .into_iter()
            .map(|line| line.line)
            .collect()
    }

    /// How many invocations run or wait.
    pub fn busy(&self) -> usize {
        self.lock().pools.iter().map(Pool::busy).sum()
    }

    /// How many of the instances' requests are being answered.
    pub(crate) fn requests(&self) -> usize {
        self.inner.journal.under_way()
    }

    /// How many invocations were ever begun.
    pub(crate) fn begun(&self) -> u64 {
        self.lock().begun
    }
}

/// The two ends of a process's life: ask for it, see it.
pub(crate) type Ender = (watch::Sender<bool>, watch::Receiver<bool>);

async fn end(instances: Vec<Ender>) -> usize {
    for (kill, _) in &instances {
        kill.send_replace(true);
    }
    let count = instances.len();
    for (_, mut exited) in instances {
        // An error means that the watching task is gone, and the process with it.
        let _ = exited.wait_for(|exited| *exited).await;
    }
    count
}

/// The function that an instance is named for.
pub(crate) fn owner(instance: &str) -> Option<Function> {
    Function::named(instance.rsplit_once('-')?.0)
}

/// A random id in the form of a UUID.
pub(crate) fn request_id() -> String {
    let hex = format!("{:032x}", fastrand::u128(..));
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// Functions whose processes cannot start: what is invoked fails at once.
#[cfg(test)]
pub(crate) fn idle() -> Lambda {
    let nothing = || "/nonexistent".into();
    let functions = Functions {
        intake: nothing(),
        webhook: nothing(),
        notifier: nothing(),
        clock: nothing(),
    };
    let setup = Setup {
        functions,
        environment: Box::new(|_, _| Vec::new()),
        timeout: Function::timeout,
    };
    Lambda::new(setup, Arc::new(Journal::new(false)))
}
