//! What everything rests on: errors, limits, outcomes, exact numbers, ties. Nothing here knows a tree.

pub mod bits;
pub mod control;
pub mod decimals;
pub mod error;
pub(crate) mod exact_sum;
pub(crate) mod file;
pub(crate) mod lock;
pub(crate) mod ordering;
pub mod outcome;
pub mod random;
mod status;
pub mod units;
pub mod visible;
