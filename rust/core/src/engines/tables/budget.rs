//! What a graph may use, counted before it is used.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::base::outcome::Status;

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
    /// [`Status::NodeLimit`] where it is one too many.
    pub fn node(&self) -> Result<(), Status> {
        if self.n_nodes.fetch_add(1, Ordering::Relaxed) < self.node_limit {
            return Ok(());
        }
        self.n_nodes.fetch_sub(1, Ordering::Relaxed);
        Err(Status::NodeLimit)
    }

    /// Takes a subtable back that another thread had kept already.
    pub fn not_new(&self) {
        self.n_nodes.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts bytes about to be used.
    ///
    /// # Errors
    /// [`Status::MemoryLimit`] where they are too many; nothing is counted then.
    pub fn take(&self, bytes: usize) -> Result<(), Status> {
        let sum = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if sum <= self.memory_limit {
            return Ok(());
        }
        self.give_back(bytes);
        Err(Status::MemoryLimit)
    }

    pub fn give_back(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}
