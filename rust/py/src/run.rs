//! The gateway: every long call runs here.
//!
//! The engine works on a thread of its own with the interpreter released. The calling thread waits
//! for it, wakes every 50 ms to let signals and the callback through, answers what the engine asks
//! of Python, and on an exception ends the engine and waits for it to return.

use std::cell::OnceCell;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use pyo3::intern;
use pyo3::prelude::*;
use treewright_core::control::{Control, Progress};
use treewright_core::error::Error;
use treewright_core::outcome::{Outcome, Status};

use crate::errors::to_py;
use crate::memory::{Room, memory_ended};

/// Values that are looked at in about ten milliseconds, at some 20 ns each: far below what a signal may wait.
const BRIEF: usize = 1 << 19;

/// How long the calling thread sleeps between two looks at signals and progress.
const WAKE: Duration = Duration::from_millis(50);

/// What every long call takes: `Limits` of Python.
#[derive(FromPyObject)]
pub struct Limits {
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
}

impl Limits {
    /// Only a signal ends the work.
    pub fn none(n_threads: usize) -> Self {
        Limits { n_threads, time_limit: None, callback: None }
    }
}

/// What work asks of the calling thread; `None` once something was raised there.
pub type Ask<'a, Q, A> = dyn FnMut(Q) -> Option<A> + Send + 'a;

/// Runs `work` in the gateway.
///
/// # Errors
/// What a signal handler or the callback raised; the work's own result is dropped then.
pub fn detached<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    work: impl FnOnce(&Control) -> T + Send,
) -> PyResult<T> {
    let (result, raised) = finished(py, limits, Control::cancel, unasked, |control, _| work(control));
    raised.map_or(Ok(result), Err)
}

/// The same for work that only a signal ends: all of its result.
pub fn whole<T: Send>(
    py: Python<'_>,
    n_threads: usize,
    work: impl FnOnce(&Control) -> Result<Outcome<Option<T>>, Error> + Send,
) -> PyResult<T> {
    let done = detached(py, &Limits::none(n_threads), work)?.map_err(to_py)?;
    done.found().map_err(|status| match status {
        Status::MemoryLimit => memory_ended(),
        other => {
            panic!("{other:?}: without limit and callback only a signal interrupts, and that was raised")
        }
    })
}

/// The same for work that looks at so many values at the most: where they are few, on the calling thread.
///
/// To start a thread and to wait for it takes longer than to lead a few rows through a tree.
pub fn whole_of<T: Send>(
    py: Python<'_>,
    n_values: usize,
    n_threads: usize,
    work: impl FnOnce(&Control) -> Result<Outcome<Option<T>>, Error> + Send,
) -> PyResult<T> {
    if n_values > BRIEF {
        return whole(py, n_threads, work);
    }
    let done = py.detach(|| work(&Control::unlimited())).map_err(to_py)?;
    Ok(done.found().unwrap_or_else(|status| panic!("{status:?}: nothing interrupts this work")))
}

/// The same for work that has something to show when it is stopped: its result, and what was raised.
///
/// What is raised first asks the work to stop, or ends it while there is nothing yet; what is raised next
/// ends it.
pub fn kept<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    work: impl FnOnce(&Control) -> T + Send,
) -> (T, Option<PyErr>) {
    finished(py, limits, Control::interrupt, unasked, |control, _| work(control))
}

/// The same for work that needs Python now and then, which `serve` answers on the calling thread.
pub fn kept_and_served<T: Send, Q: Send, A: Send>(
    py: Python<'_>,
    limits: &Limits,
    serve: impl FnMut(Python<'_>, Q) -> PyResult<A> + Send,
    work: impl FnOnce(&Control, &mut Ask<'_, Q, A>) -> T + Send,
) -> (T, Option<PyErr>) {
    finished(py, limits, Control::interrupt, serve, work)
}

/// The same for work that needs Python now and then: `serve` answers on the calling thread. Whatever is
/// raised there or elsewhere ends the work, and comes with its result.
pub fn served<T: Send, Q: Send, A: Send>(
    py: Python<'_>,
    limits: &Limits,
    serve: impl FnMut(Python<'_>, Q) -> PyResult<A> + Send,
    work: impl FnOnce(&Control, &mut Ask<'_, Q, A>) -> T + Send,
) -> (T, Option<PyErr>) {
    finished(py, limits, Control::cancel, serve, work)
}

/// Keeps what the work returns, so that the gateway itself is compiled once for each kind of question.
fn finished<T: Send, Q: Send, A: Send>(
    py: Python<'_>,
    limits: &Limits,
    end: fn(&Control),
    mut serve: impl FnMut(Python<'_>, Q) -> PyResult<A> + Send,
    work: impl FnOnce(&Control, &mut Ask<'_, Q, A>) -> T + Send,
) -> (T, Option<PyErr>) {
    let (mut work, mut result) = (Some(work), None);
    let mut once = |control: &Control, ask: &mut Ask<'_, Q, A>| {
        result = work.take().map(|work| work(control, ask));
    };
    let raised = attended(py, limits, end, &mut serve, &mut once);
    (result.expect("work that does not panic returns"), raised)
}

/// Answers work that asks nothing.
fn unasked(_: Python<'_>, question: Infallible) -> PyResult<()> {
    match question {}
}

/// What the work tells the calling thread.
enum Event<Q> {
    Done,
    Asked(Q),
}

type Serve<'a, Q, A> = dyn FnMut(Python<'_>, Q) -> PyResult<A> + Send + 'a;
type Work<'a, Q, A> = dyn FnMut(&Control, &mut Ask<'_, Q, A>) + Send + 'a;

fn attended<Q: Send, A: Send>(
    py: Python<'_>,
    limits: &Limits,
    end: fn(&Control),
    serve: &mut Serve<'_, Q, A>,
    work: &mut Work<'_, Q, A>,
) -> Option<PyErr> {
    let control = Control::with_time_limit(limits.time_limit).threads(limits.n_threads);
    let (tell, events) = channel();
    let (answer, answers) = channel();
    let (control, job) = (&control, &Mutex::new(Some((tell, answers, work))));
    let raised = py.detach(move || {
        std::thread::scope(move |scope| {
            let once = move || {
                let taken = job.lock().unwrap_or_else(PoisonError::into_inner).take();
                taken.map_or(Ok(()), |(tell, answers, work)| worked(control, tell, answers, work))
            };
            let Ok(worker) = Builder::new().spawn_scoped(scope, once) else {
                // No memory for a thread: what has no time for anything ends here and now.
                control.cancel();
                once().unwrap_or_else(|panic| resume_unwind(panic));
                return Some(memory_ended());
            };
            let room = OnceCell::new();
            let watch = Watch { control, callback: limits.callback.as_ref(), end, room, raised: None };
            let raised = watch.until_done(&events, &answer, serve);
            worker.join().and_then(|result| result).unwrap_or_else(|panic| resume_unwind(panic));
            raised
        })
    });
    raised.or_else(|| {
        let callback = limits.callback.as_ref()?;
        deliver(py, callback, control.progress()).err()
    })
}

/// Does the work on a thread of its own, and says when it is done.
fn worked<Q: Send, A: Send>(
    control: &Control,
    tell: Sender<Event<Q>>,
    answers: Receiver<Option<A>>,
    work: &mut Work<'_, Q, A>,
) -> std::thread::Result<()> {
    let asks = tell.clone();
    let mut ask = move |question| {
        asks.send(Event::Asked(question)).ok()?;
        answers.recv().ok().flatten()
    };
    let result = catch_unwind(AssertUnwindSafe(|| control.in_pool(|| work(control, &mut ask))));
    // The calling thread waits for this, or has ended in a panic of its own.
    drop(tell.send(Event::Done));
    result
}

/// The calling thread while it waits.
struct Watch<'a> {
    control: &'a Control,
    callback: Option<&'a Py<PyAny>>,
    /// What the first exception does to the work; the second one ends it at once.
    end: fn(&Control),
    /// The memory that the system allows, from the first look on.
    room: OnceCell<Option<Room>>,
    raised: Option<PyErr>,
}

impl Watch<'_> {
    /// Waits for the end of the work, and stops it when the callback says so; what is raised meanwhile.
    fn until_done<Q, A>(
        mut self,
        events: &Receiver<Event<Q>>,
        answer: &Sender<Option<A>>,
        serve: &mut Serve<'_, Q, A>,
    ) -> Option<PyErr> {
        let mut looked = Instant::now();
        loop {
            match events.recv_timeout(WAKE.saturating_sub(looked.elapsed())) {
                Ok(Event::Done) => return self.raised,
                Ok(Event::Asked(question)) => {
                    let open = self.raised.is_none().then_some(question);
                    let found = open.map(|question| Python::attach(|py| serve(py, question)));
                    let found = found.and_then(|found| found.map_err(|error| self.raise(error)).ok());
                    // Work that does not wait for its answer any more has ended.
                    drop(answer.send(found));
                }
                Err(_) => {}
            }
            if looked.elapsed() >= WAKE {
                self.look();
                looked = Instant::now();
            }
        }
    }

    /// Lets signals and the callback through, and ends work that memory would end.
    fn look(&mut self) {
        if self.room.get_or_init(Room::at_start).as_ref().is_some_and(Room::is_short) {
            self.raise(memory_ended());
        }
        let callback = self.callback.filter(|_| self.raised.is_none());
        let seen = Python::attach(|py| {
            py.check_signals()?;
            callback.map_or(Ok(false), |callback| deliver(py, callback, self.control.progress()))
        });
        match seen {
            Ok(false) => {}
            Ok(true) => self.control.stop(),
            Err(raised) => self.raise(raised),
        }
    }

    fn raise(&mut self, error: PyErr) {
        match self.raised {
            None => {
                (self.end)(self.control);
                self.raised = Some(error);
            }
            Some(_) => self.control.cancel(),
        }
    }
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
        progress.bound,
    ))?;
    callback.bind(py).call1((seen,))?.is_truthy()
}
