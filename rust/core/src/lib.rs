//! treewright-core: small decision trees, found by search and with proofs; without Python.
//!
//! | layer | modules | may use |
//! | --- | --- | --- |
//! | 2 engines | `induce`, `distinct`, `tables`, `fixed_depth`, `optimal`, `prune`, `evolve` | layers 1, 0; `distinct` → `induce`, `prune`; `evolve` → `induce`, `prune` |
//! | 1 model | `data`, `tree`, `score`, `program` | layer 0; `tree`, `score` → `data` |
//! | 0 base | `status`, `error`, `control`, `outcome`, `random`, `bits`, `ordering`, `units`, `exact_sum`, `file`, `lock`, `decimals`, `visible` | nothing in the crate; `error` → `status`; `outcome` → `error`, `status`; `control` → `outcome`, `lock` |
//!
//! Data flows one way: columns → [`data::Dataset`] → engine (with a [`control::Control`]) → result.
//! Every score is an integer, every tie goes to the lowest index, and no result depends on the
//! number of threads.
//!
//! # Example
//!
//! Grow a tree, prune it, and search all subsets of the features for the tree with the fewest errors on rows
//! that did not grow it.
//!
//! ```
//! use std::sync::Arc;
//!
//! use treewright_core::bits::BitSet;
//! use treewright_core::control::Control;
//! use treewright_core::data::{Dataset, Label, RawColumn};
//! use treewright_core::distinct::{CompleteRules, Order, complete};
//! use treewright_core::induce::{GrowthParams, Problem, grow};
//! use treewright_core::outcome::Status;
//! use treewright_core::prune::{Estimator, Slack, prune};
//!
//! # fn main() -> Result<(), treewright_core::error::Error> {
//! // Eight rows of two columns; the class is 1 where the first number is above 3.
//! let columns = vec![
//!     RawColumn::Numeric(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 2.5, 5.5]),
//!     RawColumn::Numeric(vec![7.0, 1.0, 4.0, 2.0, 9.0, 3.0, 8.0, 5.0]),
//! ];
//! let names = vec!["size".to_owned(), "noise".to_owned()];
//! let data = Dataset::new(names, columns, vec![None, None], 8)?;
//! let classes = vec![Label::Text("no".to_owned()), Label::Text("yes".to_owned())];
//! let data = data.with_target(vec![0, 0, 0, 1, 1, 1, 0, 1], classes, None)?;
//!
//! // Grow from the first six rows.
//! let problem = Arc::new(Problem::new(&data, (0..6).collect(), &GrowthParams::default())?);
//! let control = Control::unlimited();
//! let tree = grow(&problem, &BitSet::full(2), &control)?.value.expect("nothing stops the work");
//! assert_eq!(tree.nodes().len(), 3);
//!
//! // Prune it by an estimate of the error rate of every leaf.
//! let leaf = |node: usize| {
//!     let weights = tree.class_weights_of(node);
//!     Estimator::Pessimistic.rate(weights[0].max(weights[1]), weights[0] + weights[1])
//! };
//! let rates: Vec<f64> = (0..tree.nodes().len()).map(leaf).collect();
//! let pruned = prune(&tree, &tree, &rates, Slack::default(), &control)?.value.expect("nothing stops the work");
//! assert_eq!(pruned.tree.nodes().len(), 3);
//!
//! // Judge all subsets of the features by the last two rows.
//! let rules = CompleteRules {
//!     order: Order::Frontier,
//!     cap: 1 << 20,
//!     tolerance: 0,
//!     max_features: 2,
//!     n_best: 1,
//!     counts_ties: false,
//!     per_feature: 0,
//! };
//! let found = complete(problem, vec![6, 7], &rules, &control)?;
//! assert_eq!((found.status, found.bound), (Status::Optimal, Some(0)));
//! # Ok(())
//! # }
//! ```

#![deny(missing_docs)]

#[cfg(test)]
extern crate self as treewright_core; // for what unit tests share with the others

mod base;
#[cfg(test)]
#[allow(dead_code, reason = "every test takes what it needs")]
#[path = "../tests/all/common/mod.rs"]
mod common;
mod engines;
mod model;

pub use base::{control, decimals, error, outcome, random, visible};
pub use engines::prune::study as prune_study;
pub use engines::{distinct, evolve, fixed_depth, induce, optimal, prune, tables};
pub use model::{data, program, tree};

/// Sets of features.
pub mod bits {
    pub use crate::base::bits::BitSet;
}

/// The unit of weights and errors.
pub mod units {
    pub use crate::base::units::Fine;
}
