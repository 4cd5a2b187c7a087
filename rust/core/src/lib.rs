//! treewright-core: small, searched, provable decision trees, free of Python.
//!
//! | layer | modules | may use |
//! | --- | --- | --- |
//! | 2 engines | `induce`, `distinct`, `tables`, `fixed_depth`, `prune`, `prune_study`, `evolve`, `synthesis`, `prune_program` | layers 1, 0; `distinct` → `induce`; `prune_study` → `prune`; `evolve` → `prune_study`, `prune`; `prune_program` → `evolve`, `synthesis` |
//! | 1 model | `data`, `tree`, `score`, `program` | layer 0; `tree`, `score` → `data` |
//! | 0 foundation | `error`, `control`, `outcome`, `random`, `bits`, `ordering`, `file` | nothing in the crate |
//!
//! Data flows one way: columns → [`data::Dataset`] → engine (with a [`control::Control`]) → result.
//! Every score is an integer, every tie goes to the lowest index, and no result depends on the
//! number of threads.

pub mod bits;
pub mod control;
pub mod data;
pub mod distinct;
pub mod error;
pub mod evolve;
pub mod file;
pub mod fixed_depth;
pub mod induce;
pub mod ordering;
pub mod outcome;
pub mod program;
pub mod prune;
pub mod prune_program;
pub mod prune_study;
pub mod random;
pub mod score;
pub mod synthesis;
pub mod tables;
pub mod tree;
