//! What pruning returns.

use crate::model::tree::Tree;

/// What became of a node of the tree that was pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Still a split.
    Kept,
    /// A leaf now.
    Cut,
    /// Gone with a node above it.
    Gone,
    /// A leaf before and after.
    Leaf,
    /// Its largest branch took its place.
    Grafted,
}

/// A pruned tree, and why it is what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Pruned {
    /// Carries the estimated error rate of every node.
    pub tree: Tree,
    /// The node of the old tree whose split or leaf stands at each node of the new one.
    pub origin: Vec<u32>,
    /// For every old node: the rate estimated for it as a leaf.
    pub leaf: Vec<f64>,
    /// The rate estimated for the pruned subtree below it; NaN at a leaf.
    pub subtree: Vec<f64>,
    /// The rate estimated for its largest branch in its place; NaN where that was not tried.
    pub branch: Vec<f64>,
    /// For every old node: what became of it.
    pub action: Vec<Action>,
}
