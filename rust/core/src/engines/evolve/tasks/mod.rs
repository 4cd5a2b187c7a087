//! What programs are evolved for: formulas that prune trees, programs by examples, by a user's score, and
//! programs that prune trees.

pub mod evaluate;
pub mod examples;
pub mod formula;
mod grade;
pub mod machine;
pub mod scored;
pub mod tree_pruning;
