//! What the system still lets this process take, where it sets a limit (`ulimit -v`).
//!
//! Where memory ends, Rust ends the process. So the calling thread looks now and then how much is left, and
//! ends the work before.

use std::fs;

use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;

/// Bytes that are enough for what work takes between two looks.
const ENOUGH: u64 = 64 << 20;

/// The limit, and what must be left of it.
pub struct Room {
    most: u64,
    least_left: u64,
}

impl Room {
    /// What is left at the start of the work; `None` without a limit, and where a system does not tell it.
    pub fn at_start() -> Option<Self> {
        let most = address_space_limit()?;
        let left = most.saturating_sub(address_space()?);
        Some(Room { most, least_left: ENOUGH.min(left / 4) })
    }

    /// Whether work had better end now.
    pub fn is_short(&self) -> bool {
        address_space().is_some_and(|used| self.most.saturating_sub(used) < self.least_left)
    }
}

/// The exception of work that had no memory for its answer.
pub fn memory_ended() -> PyErr {
    PyMemoryError::new_err(
        "the memory of this process ended before the answer was there; allow it more (ulimit -v), set a smaller \
         memory_limit where the call has one, or take a smaller table",
    )
}

fn address_space_limit() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn address_space() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}
