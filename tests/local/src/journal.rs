//! What the functions said and whom they called, kept for tests.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use jiff::Timestamp;
use serde::Serialize;

use crate::fault::{Kind, Target};
use crate::outcome::Failure;

/// One outgoing call of an invocation.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// When it arrived, on the desk's clock.
    pub at: Timestamp,
    /// When it was answered, or the answer withheld.
    pub ended: Timestamp,
    /// The calling function; of a caller that is no instance, the name it gave itself.
    pub function: String,
    /// The calling process.
    pub instance: String,
    /// The invocation that it was working on.
    pub invocation: Option<String>,
    /// The service called.
    pub target: Target,
    /// The operation or Bot API method.
    pub operation: String,
    /// The status it was answered with; none if the answer was withheld.
    pub status: Option<u16>,
    /// The status of what was done, whether or not the caller learnt of it; none if nothing was done.
    pub done: Option<u16>,
    /// The fault that acted on it.
    pub fault: Option<Kind>,
    /// Read units as DynamoDB reports them; an error reports none.
    pub read_units: f64,
    /// Write units as DynamoDB reports them; an error reports none.
    pub write_units: f64,
    /// Bytes of the request's body.
    pub bytes_sent: usize,
    /// Bytes of the answer's body.
    pub bytes_received: usize,
    /// The request's body, where [`Options::keep_requests`](crate::Options::keep_requests) asks for it.
    #[serde(skip)]
    pub request: Option<Bytes>,
}

/// One line that a function wrote.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The process that wrote it.
    pub instance: String,
    /// The line as written.
    pub line: String,
}

/// The record of one desk.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    calls: Mutex<Vec<Call>>,
    lines: Mutex<Vec<Line>>,
    failed: Mutex<BTreeSet<String>>,
    under_way: AtomicUsize,
    echo: bool,
    keep_requests: bool,
}

impl Journal {
    /// An empty record; with `echo`, the functions' lines go to standard error too.
    pub(crate) fn new(echo: bool) -> Self {
        Self {
            echo,
            ..Self::default()
        }
    }

    /// The same, with the bodies of calls if `keep`.
    pub(crate) fn keeping_requests(self, keep: bool) -> Self {
        Self {
            keep_requests: keep,
            ..self
        }
    }

    /// A call is under way until what this returns is dropped: one that is slow may be done after its caller
    /// has given up.
    pub(crate) fn begin(&self) -> UnderWay<'_> {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        UnderWay(&self.under_way)
    }

    /// How many calls are under way.
    pub(crate) fn under_way(&self) -> usize {
        self.under_way.load(Ordering::SeqCst)
    }

    /// Notes a call.
    pub(crate) fn call(&self, mut call: Call) {
        if !self.keep_requests {
            call.request = None;
        }
        lock(&self.calls).push(call);
    }

    /// Notes a line.
    pub(crate) fn line(&self, instance: &str, line: String) {
        if self.echo {
            eprintln!("{instance}: {line}");
        }
        lock(&self.lines).push(Line {
            instance: instance.to_owned(),
            line,
        });
    }

    /// Notes that an invocation failed, and says so to whoever watches; it is no line of the function.
    pub(crate) fn failed(&self, instance: &str, invocation: &str, failure: &Failure) {
        lock(&self.failed).insert(invocation.to_owned());
        if self.echo {
            eprintln!(
                "{instance}: {}: {}",
                failure.error_type, failure.error_message
            );
        }
    }

    /// All calls so far.
    pub(crate) fn calls(&self) -> Vec<Call> {
        lock(&self.calls).clone()
    }

    /// The invocations that failed so far.
    pub(crate) fn failed_invocations(&self) -> BTreeSet<String> {
        lock(&self.failed).clone()
    }

    /// All lines so far.
    pub(crate) fn lines(&self) -> Vec<Line> {
        lock(&self.lines).clone()
    }
}

/// A call that is under way.
pub(crate) struct UnderWay<'a>(&'a AtomicUsize);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn lock<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
