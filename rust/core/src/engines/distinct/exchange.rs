//! Work that waits for a thread, and threads that wait for work.

use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::base::control::Control;
use crate::base::lock::{locked, unlocked};

/// How long an idle thread sleeps between two looks at the control.
const WAKE: Duration = Duration::from_millis(20);

/// Where threads leave work for others.
pub(super) struct Exchange<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// Idle threads that no work waits for.
    demand: AtomicIsize,
}

struct State<T> {
    waiting: Vec<T>,
    n_busy: usize,
}

/// A thread at work; idle again when it goes.
pub(super) struct Busy<'a, T>(&'a Exchange<T>);

impl<T> Exchange<T> {
    pub fn new(first: T) -> Self {
        let state = State { waiting: vec![first], n_busy: 0 };
        Exchange { state: Mutex::new(state), changed: Condvar::new(), demand: AtomicIsize::new(-1) }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        locked(&self.state)
    }

    /// Something to work on; `None` when there will be nothing or the control ends the work.
    pub fn take(&self, control: &Control) -> Option<(T, Busy<'_, T>)> {
        let mut state = self.lock();
        self.demand.fetch_add(1, Ordering::Relaxed);
        loop {
            if let Some(work) = state.waiting.pop() {
                state.n_busy += 1;
                return Some((work, Busy(self)));
            }
            if state.n_busy == 0 || control.checkpoint().is_err() {
                self.demand.fetch_sub(1, Ordering::Relaxed);
                return None;
            }
            let woken = self.changed.wait_timeout(state, WAKE);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    pub fn give(&self, work: T) {
        self.lock().waiting.push(work);
        self.demand.fetch_sub(1, Ordering::Relaxed);
        self.changed.notify_one();
    }

    /// Whether some thread has nothing to do.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.demand.load(Ordering::Relaxed) > 0
    }

    /// Whether nothing waits for a thread.
    pub fn is_empty(&self) -> bool {
        self.lock().waiting.is_empty()
    }

    /// What nobody took.
    pub fn into_waiting(self) -> Vec<T> {
        unlocked(self.state).waiting
    }
}

impl<T> Drop for Busy<'_, T> {
    fn drop(&mut self) {
        self.0.lock().n_busy -= 1;
        self.0.changed.notify_all();
    }
}
