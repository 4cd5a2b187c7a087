//! What the benchmarks share: generated tables, and a clock that counts processor time only.

pub mod clock;
pub mod counters;
pub mod tables;
