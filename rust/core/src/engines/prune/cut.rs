//! A tree with some of its nodes made leaves, whoever chose them.

use super::assemble::Blueprint;
use super::outcome::{Action, Pruned};
use crate::model::tree::Tree;

/// Makes leaves of the nodes that `is_leaf` names, leaves of the tree among them, and keeps the others that
/// are still reached; `estimate` is the error rate estimated for the whole of what is left. Of single nodes
/// nothing is estimated.
pub(crate) fn cut(tree: &Tree, is_leaf: &[bool], estimate: f64) -> Pruned {
    let n_nodes = tree.nodes().len();
    let (mut leaf, mut subtree) = (vec![f64::NAN; n_nodes], vec![f64::NAN; n_nodes]);
    let root = if is_leaf[0] { &mut leaf[0] } else { &mut subtree[0] };
    *root = estimate;
    let mut value = vec![f64::NAN; n_nodes];
    value[0] = estimate;
    with_leaves(tree, is_leaf, &value, leaf, subtree)
}

/// Puts a pruned tree together; `value` is the estimated rate of every node as it now is, `leaf` and `subtree`
/// those by which it was judged.
pub(super) fn with_leaves(
    tree: &Tree,
    is_leaf: &[bool],
    value: &[f64],
    leaf: Vec<f64>,
    subtree: Vec<f64>,
) -> Pruned {
    let stand_in: Vec<u32> = (0..tree.nodes().len() as u32).collect();
    let blueprint = Blueprint { tree, stand_in: &stand_in, is_leaf, counts: None, estimates: Some(value) };
    let (pruned, origin) = blueprint.build();
    let branch = vec![f64::NAN; tree.nodes().len()];
    Pruned { tree: pruned, origin, leaf, subtree, branch, action: actions(tree, is_leaf) }
}

fn actions(tree: &Tree, is_leaf: &[bool]) -> Vec<Action> {
    let mut actions = Vec::with_capacity(is_leaf.len());
    for (id, node) in tree.nodes().iter().enumerate() {
        let gone = id > 0 && matches!(actions[node.parent as usize], Action::Cut | Action::Gone);
        actions.push(match (gone, node.is_leaf(), is_leaf[id]) {
            (true, _, _) => Action::Gone,
            (false, true, _) => Action::Leaf,
            (false, false, true) => Action::Cut,
            (false, false, false) => Action::Kept,
        });
    }
    actions
}
