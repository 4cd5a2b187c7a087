//! Locks that a panic does not close: whoever panicked is told of elsewhere, and what was locked holds.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
