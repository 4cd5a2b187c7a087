//! Programs that the package ships as text: where evolution starts, and what was published.

/// The published estimator (Figure 1 of the paper on pruning): two floats to a float.
pub const PUBLISHED: &str = include_str!("examples/published.tw");

/// Naive error-based pruning with its traversal: a tree to the pruned tree and its estimate.
pub const NAIVE: &str = include_str!("examples/naive.tw");
