//! Subtrees that save nothing become leaves.

use crate::base::ordering::C45_SLACK;
use crate::model::tree::Tree;

/// The tree with every subtree cut whose leaves, as grown, make no fewer errors than its node as a
/// leaf. What a collapse below a node hides still counts as saved above it, as in release 8.
pub(in crate::engines::induce) fn collapsed(tree: &Tree) -> Tree {
    let below = errors_below(tree);
    tree.cut_where(|node| below[node] >= tree.errors_of(node) - C45_SLACK)
}

/// For every node the errors of the leaves below it; for a leaf its own.
fn errors_below(tree: &Tree) -> Vec<f64> {
    let mut below = vec![0.0; tree.nodes().len()];
    for (id, node) in tree.nodes().iter().enumerate().rev() {
        below[id] = match node.is_leaf() {
            true => tree.errors_of(id),
            false => node.children().map(|child| below[child as usize]).sum(),
        };
    }
    below
}
