//! A running desk, started and stopped.

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use frontdesk_local_clock::Clock;
use frontdesk_local_sqs::Sqs;
use frontdesk_local_telegram::Telegram;
use jiff::Timestamp;
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::assembly;
use crate::control::{self, Control};
use crate::fault::{Fault, Target};
use crate::faults::Planned;
use crate::front::{self, Front};
use crate::functions::{Function, Functions};
use crate::instances::Lambda;
use crate::journal::Call;
use crate::options::{Options, PortTaken};
use crate::outcome::Outcome;
use crate::page;
use crate::poller::{self, OUTBOX};
use crate::runtime;
use crate::settings;
use crate::settle::Settled;
use crate::table::Table;
use crate::tasks::Tasks;
use crate::updates::Source;

/// A running desk. Dropping it ends everything, without waiting for the end.
pub struct Desk {
    url: String,
    lambda: Lambda,
    control: Arc<Control>,
    tasks: Tasks,
    /// Holds the clock's file.
    _directory: TempDir,
}

impl Desk {
    /// Starts a desk and returns when all functions are ready for work.
    pub async fn start(options: Options, functions: Functions) -> anyhow::Result<Self> {
        let business = settings::read(&options.settings).map_err(anyhow::Error::msg)?;
        // First of all, so that a port that is taken is said at once.
        let public = bind(options.port).await?;
        let port = public.local_addr()?.port();
        let mut tasks = Tasks::default();
        let parts = assembly::assemble(&options, &business, functions, &mut tasks).await?;
        let (lambda, control) = (parts.lambda, Arc::new(parts.control));

        let front = Front {
            lambda: lambda.clone(),
            clock: control.settling.clock.clone(),
        };
        let public_router = front::router(front)
            .merge(control::router(Arc::clone(&control)))
            .merge(page::router(Arc::clone(&control), &options.settings)?);
        serve(&mut tasks, parts.runtime, runtime::router(lambda.clone()));
        serve(&mut tasks, public, public_router);
        let mut desk = Self {
            url: format!("http://127.0.0.1:{port}"),
            lambda,
            control,
            tasks,
            _directory: parts.directory,
        };
        desk.lambda.warm_up().await?;
        let secret = desk.control.secret.clone();
        let source = options
            .telegram
            .map(|token| Source::new(options.telegram_api, token, parts.webhook, secret));
        let source = source.transpose()?;
        desk.run(source);
        Ok(desk)
    }

    /// Sets going what works by itself.
    fn run(&mut self, updates: Option<Source>) {
        let lambda = self.lambda.clone();
        let invoke: poller::Invoke = Arc::new(move |event| {
            let lambda = lambda.clone();
            Box::pin(async move { lambda.invoke(Function::Notifier, event).await })
        });
        let concluded = self.control.settling.concluded.clone();
        self.tasks
            .spawn(poller::run(self.sqs().clone(), OUTBOX, invoke, concluded));
        if !self.control.manual {
            self.tasks.spawn(Arc::clone(&self.control.scheduler).run());
        }
        if let Some(updates) = updates {
            self.tasks.spawn(updates.run());
        }
        self.control.is_ready.store(true, Ordering::Release);
    }

    /// The public address, without a slash at its end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The Telegram stand-in.
    pub fn telegram(&self) -> &Telegram {
        &self.control.settling.telegram
    }

    /// The queues.
    pub fn sqs(&self) -> &Sqs {
        &self.control.settling.sqs
    }

    /// The one clock.
    pub fn clock(&self) -> &Clock {
        &self.control.settling.clock
    }

    /// The table.
    pub fn db(&self) -> &Table {
        &self.control.settling.table
    }

    /// The functions' processes.
    pub fn lambda(&self) -> &Lambda {
        &self.lambda
    }

    /// All faults with what they have done.
    pub fn faults(&self) -> Vec<Planned> {
        self.control.faults.list()
    }

    /// The webhook's secret.
    pub fn webhook_secret(&self) -> &str {
        &self.control.secret
    }

    /// An event of a file, with the local secret for `${WEBHOOK_SECRET}`.
    pub fn fill_in(&self, event: &Value) -> String {
        self.control.fill_in(event)
    }

    /// Adds a fault; it acts from the return on. An error says what is wrong with it.
    pub async fn add_fault(&self, fault: Fault) -> Result<u64, String> {
        self.control.add_fault(fault).await
    }

    /// Ends all faults.
    pub async fn clear_faults(&self) {
        self.control.clear_faults().await;
    }

    /// Moves the clock; schedules that fall due start, unless they are manual.
    pub fn advance(&self, by: Duration) -> std::io::Result<Timestamp> {
        self.control.advance(by)
    }

    /// Runs a schedule now and waits for its outcome; none if there is no such schedule.
    pub async fn tick(&self, schedule: &str, at: Option<Timestamp>) -> Option<Outcome> {
        self.control.scheduler.tick(schedule, at).await
    }

    /// Waits until nothing happens any more, for at most `longest` of real time.
    pub async fn settle(&self, longest: Duration) -> anyhow::Result<Settled> {
        self.control.settling.settle(longest).await
    }

    /// Waits until only the clock can move anything, for at most `longest` of real time: unlike
    /// [`Desk::settle`], not for what is due and for messages that were received and left. Nobody but
    /// the desk itself may receive from the outbox.
    pub async fn rest(&self, longest: Duration) -> anyhow::Result<Settled> {
        self.control.settling.rest(longest).await
    }

    /// Every line that the functions wrote so far.
    pub fn logs(&self) -> Vec<String> {
        self.lambda.lines()
    }

    /// Every outgoing call so far, but those of instances that were still starting.
    pub fn calls(&self) -> Vec<Call> {
        self.control.journal.calls()
    }

    /// The invocations that have failed so far: an error, too much time, or the end of the process.
    pub fn failed_invocations(&self) -> BTreeSet<String> {
        self.control.journal.failed_invocations()
    }

    /// The address of a service for a caller of that name, for code that runs in the test itself.
    pub fn endpoint(&self, target: Target, caller: &str) -> String {
        let endpoint = self
            .control
            .endpoints
            .iter()
            .find(|endpoint| endpoint.target() == target);
        endpoint.map_or_else(String::new, |endpoint| {
            format!("http://{}/{caller}", endpoint.address())
        })
    }

    /// Ends everything and waits until no process is left.
    pub async fn stop(mut self) {
        self.lambda.stop().await;
        self.tasks.stop().await;
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.lambda.close();
    }
}

/// Takes the public port on loopback.
async fn bind(port: u16) -> anyhow::Result<TcpListener> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => Err(PortTaken(port).into()),
        bound => bound.with_context(|| format!("port {port} cannot be used")),
    }
}

fn serve(tasks: &mut Tasks, listener: TcpListener, router: axum::Router) {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    tasks.spawn(async move {
        if let Err(error) = axum::serve(listener, service).await {
            eprintln!("a listener is lost: {error}");
        }
    });
}
