//! What an engine found, why it ended, and what is proven of it.

use std::convert::Infallible;

use crate::base::error::{Error, Result};
pub use crate::base::status::Status;

/// How much work an engine did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stats {
    /// Trees, subtables, programs: whatever the engine searches.
    pub n_searched: u64,
    /// Seconds since the work began.
    pub elapsed: f64,
}

impl Stats {
    /// The work of an engine that searches nothing.
    pub(crate) fn time(elapsed: f64) -> Self {
        Stats { n_searched: 0, elapsed }
    }
}

/// The answer of every engine: the value, why the work ended, the proven bound and the work done.
///
/// `B` is the type of the bound; an engine that proves nothing leaves it at [`Infallible`].
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<T, B = Infallible> {
    /// The best that was found.
    pub value: T,
    /// Why the work ended.
    pub status: Status,
    /// No better value than this exists; `None` where nothing is proven.
    pub bound: Option<B>,
    /// The work done.
    pub stats: Stats,
}

impl<T, B> Outcome<T, B> {
    /// The same outcome with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U, B> {
        Outcome { value: change(self.value), status: self.status, bound: self.bound, stats: self.stats }
    }
}

impl<T> Outcome<Option<T>> {
    /// What is found whole or not at all: no value where the work ended before it was there.
    ///
    /// # Errors
    /// The error that ended the work.
    pub(crate) fn all_or_none(
        found: std::result::Result<T, Halt>,
        finished: Status,
        stats: Stats,
    ) -> Result<Self> {
        let (value, status) = match found {
            Ok(value) => (Some(value), finished),
            Err(Halt::Ended(status)) => (None, status),
            Err(Halt::Failed(error)) => return Err(error),
        };
        Ok(Outcome { value, status, bound: None, stats })
    }
}

impl<T, B> Outcome<Option<T>, B> {
    /// What was found, or nothing where the work ended before.
    pub(crate) fn of(found: std::result::Result<Outcome<T, B>, Status>, stats: Stats) -> Self {
        let nothing = |status| Outcome { value: None, status, bound: None, stats };
        found.map_or_else(nothing, |outcome| outcome.map(Some))
    }

    /// The value, or what ended the work before there was one.
    ///
    /// # Errors
    /// The status of work without a value.
    pub fn found(self) -> std::result::Result<T, Status> {
        self.value.ok_or(self.status)
    }
}

/// What ends an engine before its end, for `?` inside of one: a limit or an error.
///
/// It stays inside the crate: at its door an engine turns a limit into an [`Outcome`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Halt {
    Ended(Status),
    Failed(Error),
}

impl From<Status> for Halt {
    fn from(status: Status) -> Self {
        Halt::Ended(status)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Failed(error)
    }
}
