//! What a graph may use, counted before it is used.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::base::outcome::Status;

/// Why building ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    NodeLimit,
    MemoryLimit,
    Interrupted(Status),
}

impl From<Status> for Stop {
    fn from(interrupt: Status) -> Self {
        Stop::Interrupted(interrupt)
    }
}

impl From<Stop> for Status {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::NodeLimit => Status::NodeLimit,
            Stop::MemoryLimit => Status::MemoryLimit,
            Stop::Interrupted(interrupt) => interrupt,
        }
    }
}

/// Subtables and bytes, used and allowed; several threads share it.
#[derive(Debug)]
pub struct Budget {
    node_limit: u64,
    memory_limit: usize,
    n_nodes: AtomicU64,
    bytes: AtomicUsize,
}

impl Budget {
    pub fn new(node_limit: u64, memory_limit: usize) -> Self {
        Budget { node_limit, memory_limit, n_nodes: AtomicU64::new(0), bytes: AtomicUsize::new(0) }
    }

    pub fn unlimited() -> Self {
        Self::new(u64::MAX, usize::MAX)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Counts a subtable about to be kept.
    ///
    /// # Errors
    /// [`Stop::NodeLimit`] where it is one too many.
    pub fn node(&self) -> Result<(), Stop> {
        if self.n_nodes.fetch_add(1, Ordering::Relaxed) < self.node_limit {
            return Ok(());
        }
        self.n_nodes.fetch_sub(1, Ordering::Relaxed);
        Err(Stop::NodeLimit)
    }

    /// Takes a subtable back that another thread had kept already.
    pub fn not_new(&self) {
        self.n_nodes.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts bytes about to be used.
    ///
    /// # Errors
    /// [`Stop::MemoryLimit`] where they are too many; nothing is counted then.
    pub fn take(&self, bytes: usize) -> Result<(), Stop> {
        let sum = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if sum <= self.memory_limit {
            return Ok(());
        }
        self.give_back(bytes);
        Err(Stop::MemoryLimit)
    }

    pub fn give_back(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}
