//! Classes and weights of a tree's nodes, counted anew.

use crate::base::ordering::first_largest;
use crate::model::score::weight_of;
use crate::model::tree::Tree;

/// One entry a node, as in the tree itself.
pub(super) struct Counts {
    pub(super) class: Vec<u16>,
    pub(super) weight: Vec<f64>,
    pub(super) class_weights: Vec<f64>,
    n_classes: usize,
}

impl Counts {
    /// The tree's own classes, and no weight.
    pub(super) fn new(tree: &Tree) -> Self {
        let (n_nodes, n_classes) = (tree.nodes().len(), tree.n_classes());
        Counts {
            class: tree.nodes().iter().map(|node| node.class).collect(),
            weight: vec![0.0; n_nodes],
            class_weights: vec![0.0; n_nodes * n_classes],
            n_classes,
        }
    }

    /// Notes the masses of a node by class.
    pub(super) fn set(&mut self, node: u32, masses: &[u128]) {
        self.weight[node as usize] = weight_of(masses.iter().sum());
        let at = node as usize * self.n_classes;
        for (weight, &mass) in self.class_weights[at..at + self.n_classes].iter_mut().zip(masses) {
            *weight = weight_of(mass);
        }
    }

    pub(super) fn class_weights_of(&self, node: u32) -> &[f64] {
        &self.class_weights[node as usize * self.n_classes..(node as usize + 1) * self.n_classes]
    }
}

/// The heaviest class; the given one if it is among equals.
pub(super) fn majority(masses: &[u128], before: u16) -> u16 {
    let first = first_largest(masses.iter().copied()).expect("there is a class");
    if masses[before as usize] == masses[first] { before } else { first as u16 }
}
