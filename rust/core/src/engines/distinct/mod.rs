//! Layer 2: searches over feature subsets by white-box rebuilding (paper: distinct-trees).
//!
//! The cached object is not a tree but a *case set*: the rows that a path of splits leads to, with
//! a ranking of features by score that does not depend on the subset at hand. A tree is a thin
//! persistent structure over case sets; dropping a feature copies only the paths that lead to its
//! nodes and takes the next feature of each ranking there.
//!
//! Letters of the paper: DT(S) = the tree grown from the features S = `allowed`, U = features outside
//! a tree's used set.

mod adapt;
mod blocked;
mod bound;
mod calls;
mod case_store;
mod closed;
mod collect;
mod complete;
mod count;
mod crew;
mod cubes;
mod enumerate;
mod exchange;
mod folds;
mod forest;
mod grove;
mod incremental;
mod judging;
mod lazy;
mod pruned;
mod pruned_bound;
mod pure_set;
mod ranking;
mod retrain;
mod select;
mod shared_set;
#[cfg(test)]
mod tests;
mod visitor;

pub use calls::Call;
pub use complete::{BestTree, BestTrees, CompleteRules, complete, complete_by_folds};
pub use count::{EnumerationRules, SearchParts, Tally, count, count_parts, split_search};
pub use enumerate::Order;
pub use folds::Folds;
pub use incremental::{incremental, incremental_within};
pub use judging::{Judging, Leaf, LeafRates, MEstimate, Price, PruningRule};
pub use lazy::{DistinctTree, DistinctTrees};
pub use retrain::{Growing, Retrain};
pub use select::{Direction, Evaluator, Move, Probed, Selection, SelectionRules, Step, select};
