//! The gateway: every long call runs here.
//!
//! The engine works on a thread of its own with the interpreter released. The calling thread waits
//! for it, wakes every 50 ms to let signals and the callback through, and on an exception ends
//! the engine and waits for it to return.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::intern;
use pyo3::prelude::*;
use treewright_core::control::{Control, Progress};

/// How long the calling thread sleeps between two looks at signals and progress.
const WAKE: Duration = Duration::from_millis(50);

/// What every long call takes.
pub struct Limits {
    pub n_threads: usize,
    pub time_limit: Option<f64>,
    pub callback: Option<Py<PyAny>>,
}

/// Runs `work` in the gateway.
///
/// # Errors
/// What a signal handler or the callback raised; the work's own result is dropped then.
pub fn detached<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    work: impl FnOnce(&Control) -> T + Send,
) -> PyResult<T> {
    let (result, raised) = attended(py, limits, Control::cancel, work);
    raised.map_or(Ok(result), Err)
}

/// The same for work that has something to show when it is stopped: its result, and what was raised.
///
/// What is raised first asks the work to stop, what is raised next ends it.
pub fn kept<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    work: impl FnOnce(&Control) -> T + Send,
) -> (T, Option<PyErr>) {
    attended(py, limits, Control::stop, work)
}

fn attended<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    end: fn(&Control),
    work: impl FnOnce(&Control) -> T + Send,
) -> (T, Option<PyErr>) {
    let control = Control::with_time_limit(limits.time_limit).threads(limits.n_threads);
    let done = Signal::default();
    let (result, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let result = catch_unwind(AssertUnwindSafe(|| control.in_pool(|| work(&control))));
                done.set();
                result
            });
            let raised = watch(&control, &done, limits.callback.as_ref(), end);
            (worker.join().unwrap_or_else(|panic| resume_unwind(panic)), raised)
        })
    });
    let result = result.unwrap_or_else(|panic| resume_unwind(panic));
    let raised = raised.or_else(|| {
        let callback = limits.callback.as_ref()?;
        deliver(py, callback, control.progress()).err()
    });
    (result, raised)
}

/// Waits for the end of the work, and stops it when the callback says so; what a signal handler or
/// the callback raises ends it the first time as it is told to, the second time at once.
fn watch(control: &Control, done: &Signal, callback: Option<&Py<PyAny>>, end: fn(&Control)) -> Option<PyErr> {
    let mut first = None;
    while !done.wait(WAKE) {
        let seen = Python::attach(|py| {
            py.check_signals()?;
            let callback = callback.filter(|_| first.is_none());
            callback.map_or(Ok(false), |callback| deliver(py, callback, control.progress()))
        });
        match seen {
            Ok(false) => {}
            Ok(true) => control.stop(),
            Err(raised) if first.is_none() => {
                end(control);
                first = Some(raised);
            }
            Err(_) => control.cancel(),
        }
    }
    first
}

/// Hands the progress to the callback; true when it asks to stop.
fn deliver(py: Python<'_>, callback: &Py<PyAny>, progress: Progress) -> PyResult<bool> {
    let results = py.import(intern!(py, "treewright.results"))?;
    let total = (progress.total > 0).then_some(progress.total);
    let seen = results.getattr(intern!(py, "Progress"))?.call1((
        progress.done,
        total,
        progress.best,
        progress.elapsed,
        progress.text.as_deref(),
    ))?;
    callback.bind(py).call1((seen,))?.is_truthy()
}

/// Set once, waited for by one.
#[derive(Default)]
struct Signal {
    done: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    fn set(&self) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits at most `time`; true once set.
    fn wait(&self, time: Duration) -> bool {
        let guard = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(guard, time, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}
