//! What stands where while a tree is pruned with grafting, and the tree that comes of it.

use crate::engines::prune::assemble::{Blueprint, Counts};
use crate::engines::prune::outcome::{Action, Pruned};
use crate::model::tree::Tree;

/// One entry a node of the old tree.
pub(super) struct Standing<'a> {
    tree: &'a Tree,
    pub counts: Counts,
    /// For every place the node that stands there.
    pub stand_in: Vec<u32>,
    pub is_leaf: Vec<bool>,
    /// What the rows of the nodes count, and their expected errors, each in its place.
    pub weight: Vec<f64>,
    pub errors: Vec<f64>,
    /// The rates that are told of every node.
    pub leaf: Vec<f64>,
    pub subtree: Vec<f64>,
    pub branch: Vec<f64>,
}

impl<'a> Standing<'a> {
    /// The tree as it is, without rows.
    pub fn new(tree: &'a Tree) -> Self {
        let n_nodes = tree.nodes().len();
        Standing {
            tree,
            counts: Counts::new(tree),
            stand_in: (0..n_nodes as u32).collect(),
            is_leaf: tree.nodes().iter().map(|node| node.is_leaf()).collect(),
            weight: vec![0.0; n_nodes],
            errors: vec![0.0; n_nodes],
            leaf: vec![f64::NAN; n_nodes],
            subtree: vec![f64::NAN; n_nodes],
            branch: vec![f64::NAN; n_nodes],
        }
    }

    /// The node that stands at a branch.
    pub fn child(&self, node: u32, branch: usize) -> u32 {
        self.stand_in[self.tree.nodes()[node as usize].first_child as usize + branch]
    }

    /// Expected errors of all branches of a split.
    pub fn errors_below(&self, node: u32) -> f64 {
        let places = self.tree.nodes()[node as usize].children();
        places.map(|place| self.errors[self.stand_in[place as usize] as usize]).sum()
    }

    /// The new tree, put together.
    pub fn pruned(self) -> Pruned {
        let rates = self.errors.iter().zip(&self.weight);
        let rates: Vec<f64> =
            rates.map(|(&errors, &weight)| if weight > 0.0 { errors / weight } else { 0.0 }).collect();
        let (counts, estimates) = (Some(&self.counts), Some(&rates[..]));
        let (stand_in, is_leaf) = (&self.stand_in, &self.is_leaf);
        let (tree, origin) = Blueprint { tree: self.tree, stand_in, is_leaf, counts, estimates }.build();
        let action = self.actions(&origin);
        let Standing { leaf, subtree, branch, .. } = self;
        Pruned { tree, origin, leaf, subtree, branch, action }
    }

    /// What became of every old node, given those that still stand.
    fn actions(&self, standing: &[u32]) -> Vec<Action> {
        let nodes = self.tree.nodes();
        let mut actions = vec![Action::Gone; nodes.len()];
        for &node in standing {
            let at = &nodes[node as usize];
            actions[node as usize] = match (at.is_leaf(), self.is_leaf[node as usize]) {
                (true, _) => Action::Leaf,
                (false, true) => Action::Cut,
                (false, false) => Action::Kept,
            };
        }
        for &node in standing.iter().filter(|&&node| node != 0) {
            let mut above = nodes[node as usize].parent as usize;
            while matches!(actions[above], Action::Gone) {
                actions[above] = Action::Grafted;
                above = nodes[above].parent as usize;
            }
        }
        actions
    }
}
