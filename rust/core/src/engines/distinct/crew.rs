//! One enumeration by several threads.
//!
//! A call (R, S) of the recursion needs nothing from the calls around it, so a thread without work
//! takes one over: the last still to come of the outermost open call of a busy thread, which is the
//! largest. Each thread has its own trees; rows and scores of case sets are shared. What is found
//! are sums, so they do not depend on who did what.

use std::sync::Mutex;

use super::calls::Call;
use super::count::Tally;
use super::enumerate::Enumerator;
use super::exchange::Exchange;
use super::visitor::{Found, Visitor};
use crate::base::bits::Mask;
use crate::base::control::Control;
use crate::base::lock::{locked, unlocked};
use crate::base::outcome::Status;

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
) -> (Tally, Status) {
    let (exchange, n_features) = (Exchange::new(first), seed.n_features());
    let total = Mutex::new((Tally::new(n_features), Status::Complete));
    rayon::scope(|scope| {
        for _ in 0..control.n_threads() {
            scope.spawn(|_| {
                let (tally, status) = work(seed, &exchange, control);
                let mut total = locked(&total);
                total.0.merge(&tally);
                if status != Status::Complete {
                    total.1 = status;
                }
            });
        }
    });
    unlocked(total)
}

/// What one thread does.
fn work<M: Mask>(seed: &Enumerator<M>, exchange: &Exchange<Call<M>>, control: &Control) -> (Tally, Status) {
    let mut enumerator = seed.beside();
    let mut counter = Counter { tally: Tally::new(seed.n_features()), exchange };
    let mut status = Status::Complete;
    while let Some((call, _busy)) = exchange.take(control) {
        enumerator.restart(call);
        status = enumerator.run_with(control, &mut counter).expect("nobody pauses a count");
        if status != Status::Complete {
            break;
        }
    }
    if let Err(limit) = control.checkpoint() {
        status = if exchange.is_empty() { status } else { limit };
    }
    counter.tally.n_built = enumerator.n_built;
    (counter.tally, status)
}
