//! The threads of a search and the jobs that wait for them.
//!
//! A job may hand on others, which come before those that wait: so what it has begun is finished soon, and little of it
//! lies about. Which thread does a job, and when, decides nothing.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::base::control::Control;

struct Crew<J> {
    waiting: Vec<J>,
    /// Jobs that are being done.
    n_busy: usize,
}

/// Does all jobs, and those that they hand on, the first one first.
pub(super) fn share_out<J: Send>(control: &Control, jobs: Vec<J>, work: impl Fn(J) -> Vec<J> + Sync + Send) {
    let waiting = jobs.into_iter().rev().collect();
    let (crew, changed) = (Mutex::new(Crew { waiting, n_busy: 0 }), Condvar::new());
    let threads: Vec<usize> = (0..control.n_threads()).collect();
    control.map(
        &threads,
        || (),
        |(), _| {
            while let Some(job) = next(&crew, &changed) {
                let busy = Busy { crew: &crew, changed: &changed };
                let handed_on = work(job);
                locked(busy.crew).waiting.extend(handed_on.into_iter().rev());
            }
        },
    );
}

/// A job that is being done; where it panics, the others do not wait for it.
struct Busy<'a, J> {
    crew: &'a Mutex<Crew<J>>,
    changed: &'a Condvar,
}

impl<J> Drop for Busy<'_, J> {
    fn drop(&mut self) {
        locked(self.crew).n_busy -= 1;
        self.changed.notify_all();
    }
}

/// The next job; none once all are done.
fn next<J>(crew: &Mutex<Crew<J>>, changed: &Condvar) -> Option<J> {
    let mut crew = locked(crew);
    loop {
        if let Some(job) = crew.waiting.pop() {
            crew.n_busy += 1;
            return Some(job);
        }
        if crew.n_busy == 0 {
            return None;
        }
        crew = changed.wait(crew).unwrap_or_else(PoisonError::into_inner);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn every_job_is_done_and_what_it_hands_on_too() {
        for n_threads in [1, 2, 5] {
            let (control, sum) = (Control::unlimited().threads(n_threads), AtomicU64::new(0));
            control.in_pool(|| {
                share_out(&control, vec![8u64, 5, 1], |size| {
                    sum.fetch_add(1, Ordering::Relaxed);
                    if size > 1 { vec![size / 2, size - size / 2] } else { vec![] }
                });
            });
            assert_eq!(sum.into_inner(), 15 + 9 + 1, "a job of size n is 2 n - 1 jobs");
        }
    }
}
