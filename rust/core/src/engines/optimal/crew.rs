//! The threads of a search and the jobs that wait for them.
//!
//! A job may hand on others, which the same thread does next: it has what they need at hand, and what was begun is
//! finished soon, so that little of it lies about. A thread that has nothing else to do takes those of another one.
//! Which thread does a job, and when, decides nothing.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::base::control::Control;
use crate::base::lock::locked;

struct Crew<J> {
    /// Jobs, the next one last, and the thread that handed them on.
    waiting: Vec<(Option<usize>, J)>,
    /// Jobs that are being done.
    n_busy: usize,
}

/// Does all jobs, and those that they hand on, the first one first.
pub(super) fn share_out<J: Send>(control: &Control, jobs: Vec<J>, work: impl Fn(J) -> Vec<J> + Sync + Send) {
    let waiting = jobs.into_iter().rev().map(|job| (None, job)).collect();
    let (crew, changed) = (Mutex::new(Crew { waiting, n_busy: 0 }), Condvar::new());
    let threads: Vec<usize> = (0..control.n_threads()).collect();
    control.map(
        &threads,
        || (),
        |(), &thread| {
            while let Some(job) = next(&crew, &changed, thread) {
                let busy = Busy { crew: &crew, changed: &changed };
                let handed_on = work(job).into_iter().rev().map(|job| (Some(thread), job));
                locked(busy.crew).waiting.extend(handed_on);
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

impl<J> Crew<J> {
    /// One that the thread handed on, else one that nobody did, else one of another thread.
    fn next(&mut self, thread: usize) -> Option<J> {
        let last_of = |owner| self.waiting.iter().rposition(|(of, _)| *of == owner);
        let place = last_of(Some(thread)).or_else(|| last_of(None)).or(self.waiting.len().checked_sub(1))?;
        Some(self.waiting.remove(place).1)
    }
}

/// The next job of a thread; none once all are done.
fn next<J>(crew: &Mutex<Crew<J>>, changed: &Condvar, thread: usize) -> Option<J> {
    let mut crew = locked(crew);
    loop {
        if let Some(job) = crew.next(thread) {
            crew.n_busy += 1;
            return Some(job);
        }
        if crew.n_busy == 0 {
            return None;
        }
        crew = changed.wait(crew).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_thread_takes_its_own_jobs_first_and_those_of_others_last() {
        let waiting = vec![(None, 'b'), (None, 'a'), (Some(1), 'd'), (Some(0), 'f'), (Some(0), 'e')];
        let mut crew = Crew { waiting, n_busy: 0 };
        let taken: String = std::iter::from_fn(|| crew.next(0)).collect();
        assert_eq!(taken, "efabd");
    }

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
