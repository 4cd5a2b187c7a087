//! One enumeration by several threads.
//!
//! A call (R, S) of the recursion needs nothing from the calls around it, so a thread without work
//! takes one over: the last still to come of the outermost open call of a busy thread, which is the
//! largest. Each thread has its own trees; rows and scores of case sets are shared. What is found
//! are sums, so they do not depend on who did what.

use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::calls::Call;
use super::count::Tally;
use super::enumerate::{Enumerator, Pause};
use super::visitor::{Found, Visitor};
use crate::bits::Mask;
use crate::control::Control;

/// How long an idle thread sleeps between two looks at the control.
const WAKE: Duration = Duration::from_millis(20);

/// Calls that wait for a thread, and threads that wait for a call.
struct Exchange<M> {
    state: Mutex<State<M>>,
    changed: Condvar,
    /// Idle threads that no call waits for.
    demand: AtomicIsize,
}

struct State<M> {
    waiting: Vec<Call<M>>,
    n_busy: usize,
}

/// A thread at work; idle again when it goes.
struct Busy<'a, M>(&'a Exchange<M>);

impl<M> Exchange<M> {
    fn new(first: Call<M>) -> Self {
        let state = State { waiting: vec![first], n_busy: 0 };
        Exchange { state: Mutex::new(state), changed: Condvar::new(), demand: AtomicIsize::new(-1) }
    }

    fn lock(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call to work on; `None` when there will be none or the control interrupts.
    fn take(&self, control: &Control) -> Option<(Call<M>, Busy<'_, M>)> {
        let mut state = self.lock();
        self.demand.fetch_add(1, Ordering::Relaxed);
        loop {
            if let Some(call) = state.waiting.pop() {
                state.n_busy += 1;
                return Some((call, Busy(self)));
            }
            if state.n_busy == 0 || control.checkpoint().is_err() {
                self.demand.fetch_sub(1, Ordering::Relaxed);
                return None;
            }
            let woken = self.changed.wait_timeout(state, WAKE);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn give(&self, call: Call<M>) {
        self.lock().waiting.push(call);
        self.demand.fetch_sub(1, Ordering::Relaxed);
        self.changed.notify_one();
    }

    #[inline]
    fn is_asked(&self) -> bool {
        self.demand.load(Ordering::Relaxed) > 0
    }
}

impl<M> Drop for Busy<'_, M> {
    fn drop(&mut self) {
        self.0.lock().n_busy -= 1;
        self.0.changed.notify_all();
    }
}

/// Counts what one thread finds and hands calls to others.
struct Counter<'a, M> {
    tally: Tally,
    exchange: &'a Exchange<M>,
}

impl<M: Mask> Visitor<M> for Counter<'_, M> {
    const GIVES_CALLS: bool = true;

    #[inline]
    fn visit(&mut self, found: &Found<M>) -> bool {
        self.tally.add(found);
        true
    }

    #[inline]
    fn is_asked_for_calls(&self) -> bool {
        self.exchange.is_asked()
    }

    fn give(&mut self, call: Call<M>) {
        self.exchange.give(call);
    }
}

/// Counts the trees of a call and all below on the control's threads; must run in its pool.
pub(super) fn count_together<M: Mask>(
    seed: &Enumerator<M>,
    first: Call<M>,
    control: &Control,
) -> (Tally, Pause) {
    let (exchange, n_features) = (Exchange::new(first), seed.n_features());
    let total = Mutex::new((Tally::new(n_features), Pause::Finished));
    rayon::scope(|scope| {
        for _ in 0..control.n_threads() {
            scope.spawn(|_| {
                let (tally, pause) = work(seed, &exchange, control);
                let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                total.0.merge(&tally);
                if pause != Pause::Finished {
                    total.1 = pause;
                }
            });
        }
    });
    total.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread does.
fn work<M: Mask>(seed: &Enumerator<M>, exchange: &Exchange<M>, control: &Control) -> (Tally, Pause) {
    let mut enumerator = seed.beside();
    let mut counter = Counter { tally: Tally::new(seed.n_features()), exchange };
    let mut pause = Pause::Finished;
    while let Some((call, _busy)) = exchange.take(control) {
        enumerator.restart(call);
        pause = enumerator.run_with(control, &mut counter);
        if pause != Pause::Finished {
            break;
        }
    }
    if let Err(interrupt) = control.checkpoint() {
        pause = if exchange.lock().waiting.is_empty() { pause } else { Pause::Interrupted(interrupt) };
    }
    counter.tally.n_built = enumerator.n_built;
    (counter.tally, pause)
}
