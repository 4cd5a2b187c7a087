//! Layer 1: how good a split is, in integers.

mod logs;
mod mass;
mod quick;
mod side;

pub use logs::Logs;
pub use mass::{Count, Exact, Mass, Share, compare_shares, proportional, weight_of};
pub use quick::QuickLog;
pub use side::*;
