//! Budget, cancel flag and progress: how long work is watched and stopped from outside.
//!
//! An engine calls [`Control::checkpoint`] at least every 100 ms of work and writes its progress;
//! whoever waits for it reads the progress and may raise the flag from another thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::base::lock::{locked, unlocked};
use crate::base::outcome::{Stats, Status};

/// Shared between the engine's threads and the one that waits for it.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    cancel: AtomicBool,
    essential: AtomicBool,
    first: AtomicBool,
    started: Instant,
    deadline: Option<Instant>,
    n_threads: usize,
    done: AtomicU64,
    total: AtomicU64,
    /// Bits of the best value, NaN while there is none.
    best: AtomicU64,
    /// Bits of what is proven, NaN while nothing is.
    bound: AtomicU64,
    text: Mutex<Option<Arc<str>>>,
    /// Looks at the flags that find nothing, in tests.
    #[cfg(test)]
    looks: Option<AtomicU64>,
}

/// A snapshot of an engine's progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// Units of work done.
    pub done: u64,
    /// Zero where the total is not known.
    pub total: u64,
    /// The best value so far.
    pub best: Option<f64>,
    /// No value is less than this.
    pub bound: Option<f64>,
    /// Seconds since the work began.
    pub elapsed: f64,
    /// What there is to look at besides numbers.
    pub text: Option<Arc<str>>,
}

/// What is cut up for several threads has so many parts for each, so that none waits long for the others.
const PARTS_A_THREAD: usize = 64;

impl Control {
    /// Work without limit.
    pub fn unlimited() -> Self {
        Self::with_time_limit(None)
    }

    /// Work that ends after `seconds`, counted from now.
    pub fn with_time_limit(seconds: Option<f64>) -> Self {
        let started = Instant::now();
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        Control {
            stop: AtomicBool::new(false),
            cancel: AtomicBool::new(false),
            essential: AtomicBool::new(false),
            first: AtomicBool::new(false),
            started,
            deadline: limit.and_then(|d| started.checked_add(d)),
            n_threads: 1,
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            best: AtomicU64::new(f64::NAN.to_bits()),
            bound: AtomicU64::new(f64::NAN.to_bits()),
            text: Mutex::new(None),
            #[cfg(test)]
            looks: None,
        }
    }

    /// The same, on `n_threads` threads.
    pub fn threads(self, n_threads: usize) -> Self {
        Control { n_threads: n_threads.max(1), ..self }
    }

    /// Work that is stopped after so many looks at the flags.
    #[cfg(test)]
    pub(crate) fn ending_after(self, looks: u64) -> Self {
        Control { looks: Some(AtomicU64::new(looks)), ..self }
    }

    /// Whether work should be cut up for several threads.
    pub fn is_parallel(&self) -> bool {
        self.n_threads > 1
    }

    /// Whether the work has a time limit.
    pub fn has_deadline(&self) -> bool {
        self.deadline.is_some()
    }

    /// Threads that the work may use.
    pub fn n_threads(&self) -> usize {
        self.n_threads
    }

    /// The number of the thread that asks, among those of the pool.
    pub(crate) fn thread(&self) -> usize {
        rayon::current_thread_index().unwrap_or(0)
    }

    /// Runs `work` in a pool of its own, or right here where there is one thread.
    pub fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.n_threads);
        match self.is_parallel().then(|| pool.build()) {
            Some(Ok(pool)) => pool.install(work),
            Some(Err(_)) | None => work(),
        }
    }

    /// What `work` makes of every item, in their order; each thread has a bench of its own.
    pub fn map<T: Sync, B: Send, R: Send>(
        &self,
        items: &[T],
        bench: impl Fn() -> B + Sync,
        work: impl Fn(&mut B, &T) -> R + Sync,
    ) -> Vec<R> {
        let all_of = |bench: &mut B, items: &[T]| items.iter().map(|item| work(bench, item)).collect();
        if !self.is_parallel() {
            return all_of(&mut bench(), items);
        }
        let length = items.len().div_ceil(self.n_threads * PARTS_A_THREAD).max(1);
        let parts: Vec<_> = items.chunks(length).map(|items| (items, Mutex::default())).collect();
        let benches = Mutex::new(Vec::new());
        do_each(parts.len(), &|part| {
            let (items, made) = &parts[part];
            let free = locked(&benches).pop();
            let mut bench = free.unwrap_or_else(&bench);
            *locked(made) = all_of(&mut bench, items);
            locked(&benches).push(bench);
        });
        parts.into_iter().flat_map(|(_, made)| -> Vec<R> { unlocked(made) }).collect()
    }

    /// Asks the engine to return what it has at its next checkpoint.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Asks the engine to return at once; nobody waits for what it has.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Asks the engine to return what it has, or to return at once while that is nothing yet.
    pub fn interrupt(&self) {
        self.stop();
        if self.first.load(Ordering::Relaxed) {
            self.cancel();
        }
    }

    /// Does the essential work that comes first: until it is done there is nothing to keep.
    pub fn first<T>(&self, work: impl FnOnce() -> T) -> T {
        self.first.store(true, Ordering::Relaxed);
        let result = self.essential(work);
        self.first.store(false, Ordering::Relaxed);
        result
    }

    /// Does the work without which there would be nothing to return: no limit ends it, only
    /// [`Control::cancel`].
    pub fn essential<T>(&self, work: impl FnOnce() -> T) -> T {
        self.essential.store(true, Ordering::Relaxed);
        let result = work();
        self.essential.store(false, Ordering::Relaxed);
        result
    }

    /// `Err` once a flag is raised or the time is used up.
    pub fn checkpoint(&self) -> std::result::Result<(), Status> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Status::Stopped);
        }
        if self.essential.load(Ordering::Relaxed) {
            return Ok(());
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(Status::Stopped);
        }
        #[cfg(test)]
        if let Some(looks) = &self.looks {
            let counted =
                looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            counted.map_err(|_| Status::Stopped)?;
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Status::TimeLimit),
            _ => Ok(()),
        }
    }

    /// Seconds since the work began.
    pub fn elapsed(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The work done so far.
    pub(crate) fn stats(&self, n_searched: u64) -> Stats {
        Stats { n_searched, elapsed: self.elapsed() }
    }

    /// Reports `done` of `total` units (0: unknown).
    pub fn report(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Reports `n` more units done of an unknown total; several threads may.
    pub fn advance(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }

    /// Reports the best value found so far.
    pub fn report_best(&self, best: f64) {
        self.best.store(best.to_bits(), Ordering::Relaxed);
    }

    /// Reports that no value is less than this.
    pub fn report_bound(&self, bound: f64) {
        self.bound.store(bound.to_bits(), Ordering::Relaxed);
    }

    /// Reports what there is to look at, such as all that was found so far.
    pub fn report_text(&self, text: String) {
        *locked(&self.text) = Some(text.into());
    }

    /// What the engine last reported.
    pub fn progress(&self) -> Progress {
        let told =
            |bits: &AtomicU64| Some(f64::from_bits(bits.load(Ordering::Relaxed))).filter(|x| !x.is_nan());
        Progress {
            done: self.done.load(Ordering::Relaxed),
            total: self.total.load(Ordering::Relaxed),
            best: told(&self.best),
            bound: told(&self.bound),
            elapsed: self.elapsed(),
            text: locked(&self.text).clone(),
        }
    }
}

/// Does work of every number below `n` on all threads. Of one kind, so that it is compiled once.
fn do_each(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_flag_and_a_spent_budget_interrupt() {
        let control = Control::unlimited();
        assert_eq!(control.checkpoint(), Ok(()));
        control.stop();
        assert_eq!(control.checkpoint(), Err(Status::Stopped));
        assert_eq!(Control::with_time_limit(Some(0.0)).checkpoint(), Err(Status::TimeLimit));
    }

    #[test]
    fn essential_work_is_only_cancelled() {
        let control = Control::with_time_limit(Some(0.0));
        control.stop();
        assert_eq!(control.essential(|| control.checkpoint()), Ok(()));
        control.cancel();
        assert_eq!(control.essential(|| control.checkpoint()), Err(Status::Stopped));
    }

    #[test]
    fn an_interrupt_ends_the_first_work_and_asks_what_follows_to_stop() {
        let control = Control::unlimited();
        control.interrupt();
        assert_eq!(control.essential(|| control.checkpoint()), Ok(()));
        let early = Control::unlimited();
        early.first(|| early.interrupt());
        assert_eq!(early.essential(|| early.checkpoint()), Err(Status::Stopped));
    }

    #[test]
    fn progress_is_what_was_reported() {
        let control = Control::unlimited();
        assert_eq!(control.progress().best, None);
        control.report(3, 9);
        control.report_best(-2.0);
        let seen = control.progress();
        assert_eq!((seen.done, seen.total, seen.best, seen.text), (3, 9, Some(-2.0), None));
        control.report_text("a front".to_owned());
        assert_eq!(control.progress().text.as_deref(), Some("a front"));
    }
}
