//! One enumeration by several threads.
//!
//! A call (R, S) of the recursion needs nothing from the calls around it, so a thread without work
//! takes one over: the last still to come of the outermost open call of a busy thread, which is the
//! largest. Each thread has its own trees; rows and scores of case sets are shared. What is found
//! are sums, so they do not depend on who did what.

use std::sync::{Mutex, PoisonError};

use super::calls::Call;
use super::count::Tally;
use super::enumerate::{Enumerator, Pause};
use super::exchange::Exchange;
use super::visitor::{Found, Visitor};
use crate::base::bits::Mask;
use crate::base::control::Control;

/// Counts what one thread finds and hands calls to others.
struct Counter<'a, M> {
    tally: Tally,
    exchange: &'a Exchange<Call<M>>,
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
fn work<M: Mask>(seed: &Enumerator<M>, exchange: &Exchange<Call<M>>, control: &Control) -> (Tally, Pause) {
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
        pause = if exchange.is_empty() { pause } else { Pause::Interrupted(interrupt) };
    }
    counter.tally.n_built = enumerator.n_built;
    (counter.tally, pause)
}
