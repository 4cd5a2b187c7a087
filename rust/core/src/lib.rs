//! treewright-core: small, searched, provable decision trees, free of Python.
//!
//! | layer | modules | may use |
//! | --- | --- | --- |
//! | 2 engines | `induce`, `distinct`, `tables`, `fixed_depth`, `prune`, `evolve` | layers 1, 0; `distinct` → `induce`; `evolve` → `induce`, `prune` |
//! | 1 model | `data`, `tree`, `score`, `program` | layer 0; `tree`, `score` → `data` |
//! | 0 base | `status`, `error`, `control`, `outcome`, `random`, `bits`, `ordering`, `units`, `file` | nothing in the crate; `error`, `control` → `status`; `outcome` → `error`, `status` |
//!
//! Data flows one way: columns → [`data::Dataset`] → engine (with a [`control::Control`]) → result.
//! Every score is an integer, every tie goes to the lowest index, and no result depends on the
//! number of threads.

mod base;
mod engines;
mod model;

pub use base::{bits, control, error, file, ordering, outcome, random, units};
pub use engines::prune::study as prune_study;
pub use engines::{distinct, evolve, fixed_depth, induce, prune, tables};
pub use model::{data, program, score, tree};
