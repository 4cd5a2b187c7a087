//! What a run may cost, and how it can end without a value.

/// What one run of a program may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Basic steps: one for every node of an expression that is evaluated.
    pub steps: u64,
    /// Words of data that may be made: one for every field of a constructor or tuple.
    pub heap: usize,
    /// Words of the stack.
    pub stack: usize,
}

impl Default for Limits {
    /// A hundred thousand steps, a million words each.
    fn default() -> Self {
        Limits { steps: 100_000, heap: 1 << 20, stack: 1 << 20 }
    }
}

/// Why a run ended without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stop {
    /// More steps than allowed.
    Steps,
    /// More data or stack than allowed.
    Memory,
}

/// A run that came to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run<V> {
    /// What the main function returned.
    pub value: V,
    /// Basic steps used.
    pub steps: u64,
}
