//! Pruning a finished tree: estimates of error rates, the bottom-up pass they steer, and C4.5's
//! pruning with grafting.
//!
//! ```text
//! prune(node):                          # returns the node's estimated error rate
//!     if nothing reaches it: make it a leaf, return 0
//!     leaf = the rate estimated for the node as a leaf
//!     if it is a leaf: return leaf
//!     sub = sum over children of (weight of child / weight of node) * prune(child)
//!     if leaf <= sub + slack: make it a leaf, return leaf
//!     otherwise: keep it, return sub
//! ```
//!
//! The pass runs over the nodes from the last to the first, children before their parents, and
//! needs no stack. An estimate says in (c, n) how often a leaf errs on new rows: n rows reached it
//! in training, c of them of its class.
//!
//! # Source
//! Quinlan, *C4.5: Programs for Machine Learning*, chapter 4 (error-based pruning, grafting) and
//! the paper on pruning by automatic programming, section 3 and figure 1 (`estimateError`).

mod assemble;
mod beta;
mod bottom_up;
mod cut;
mod estimator;
mod flow;
mod grafting;
mod limits;
mod normal;
mod outcome;
mod refill;
mod rows;
pub mod study;

pub(crate) use bottom_up::{Mean, verdict};
pub use bottom_up::{Slack, prune};
pub(crate) use cut::cut;
pub use estimator::Estimator;
pub use grafting::{Grafting, prune_grafting};
pub use limits::{ErrorLimit, Limit};
pub use normal::upper_quantile;
pub use outcome::{Action, Pruned};
pub use refill::{Judge, refill};
pub use rows::Rows;
