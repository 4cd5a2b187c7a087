//! Layer 2: pruning rules side by side on tens of thousands of drawn sets.
//!
//! # Source
//! pruning-by-automatic-programming, section 5, table 1: sets from [`crate::model::data::LinearNetwork`],
//! trees by ID3, test errors of every rule. The rules are those of [`crate::engines::prune`].
//!
//! A set has two classes and at most sixteen binary features, so a row is a 16-bit number; growing,
//! routing and pruning are written for that. `grow` says why the trees are those of `induce`, `lanes`
//! prunes by all rules in one pass.

mod grow;
mod lanes;
mod run;
#[cfg(test)]
mod tests;

pub(crate) use grow::{Grower, Node};
pub use lanes::{LeafEstimate, LeafRule, Pruned};
pub use run::{Found, StudyPlan, StudyRule, TunedRule, folds_of, study, training_rows};
pub(crate) use run::{cells, judged};
