//! The arena: nodes in one array, root first, a child after its parent, siblings side by side.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::estimates::Estimates;
use crate::base::bits::BitSet;
use crate::model::data::Schema;

/// What a tree does with a row whose value at a split is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// Goes down every branch by the branch's share of the training weight.
    Distribute,
    /// The node itself answers.
    Stop,
    /// Follows the heaviest branch, the lowest among equals.
    NodeMajority,
    /// A number is replaced by its column's stored mean.
    Mean,
}

/// The question a node asks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Split {
    /// No test.
    Leaf,
    /// One branch for each level of a nominal feature.
    ByValue {
        /// The feature tested.
        feature: u32,
    },
    /// One branch for each level in a list of the tree; another level is unknown here.
    Listed {
        /// The feature tested.
        feature: u32,
        /// The number of the list.
        list: u32,
    },
    /// Branch 0 holds values up to the threshold, branch 1 those above.
    Threshold {
        /// The feature tested.
        feature: u32,
        /// The threshold.
        threshold: f64,
    },
    /// Branch 0 holds rows with w·x <= γ, branch 1 those above.
    Linear {
        /// The number of the plane.
        plane: u32,
    },
}

/// A separating plane w·x = γ over some features.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// Feature and its weight; a nominal feature once for each of its levels that has a weight.
    pub weights: Vec<(u32, f64)>,
    /// γ.
    pub offset: f64,
    /// For each weight the level that counts as 1, all others as 0; `None` where the feature is
    /// numeric. Empty where all are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<Option<u32>>,
    /// For each weight what stands for an unknown value. Empty: the routing decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub means: Vec<f64>,
}

impl Plane {
    /// The level that the i-th weight is about, `None` for a number.
    pub fn level(&self, i: usize) -> Option<u32> {
        self.levels.get(i).copied().flatten()
    }

    /// The features, each once, in the order of their first weight.
    fn features(&self) -> Vec<u32> {
        let mut features: Vec<u32> = self.weights.iter().map(|&(feature, _)| feature).collect();
        let mut seen = std::collections::BTreeSet::new();
        features.retain(|&feature| seen.insert(feature));
        features
    }
}

/// One node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// What the node asks.
    pub split: Split,
    /// Meaningless at a leaf.
    pub first_child: u32,
    /// How many there are.
    pub n_children: u32,
    /// The root is its own parent.
    pub parent: u32,
    /// Edges from the root.
    pub depth: u32,
    /// The class it predicts as a leaf.
    pub class: u16,
    /// Training weight that reached it.
    pub weight: f64,
}

/// A decision tree.
///
/// # Invariants
/// Node 0 is the root; a child's id is greater than its parent's; the children of a node are
/// `first_child .. first_child + n_children`; `class_weights` holds one row a node; list i is that
/// of the i-th listed node and ascends; estimates, where there are any, are one a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    pub(super) schema: Arc<Schema>,
    pub(super) routing: Routing,
    pub(super) nodes: Vec<Node>,
    pub(super) class_weights: Vec<f64>,
    pub(super) planes: Vec<Plane>,
    pub(super) lists: Vec<Vec<u32>>,
    pub(super) estimates: Option<Estimates>,
}

impl Node {
    /// Whether it has no children.
    pub fn is_leaf(&self) -> bool {
        self.split == Split::Leaf
    }

    pub(super) fn is_listed(&self) -> bool {
        matches!(self.split, Split::Listed { .. })
    }

    /// Ids of the children, in branch order.
    pub fn children(&self) -> std::ops::Range<u32> {
        if self.is_leaf() { 0..0 } else { self.first_child..self.first_child + self.n_children }
    }
}

impl Tree {
    /// The features and classes.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// What becomes of a row without a value.
    pub fn routing(&self) -> Routing {
        self.routing
    }

    /// The nodes; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The planes of oblique splits.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Level codes of the branches of listed nodes, one list a node.
    pub fn lists(&self) -> &[Vec<u32>] {
        &self.lists
    }

    /// Error rates that pruning estimated for the nodes: infinite where nothing is to be said for one,
    /// NaN where the estimate is no number.
    pub fn estimates(&self) -> Option<&[f64]> {
        self.estimates.as_ref().map(Estimates::rates)
    }

    /// The same tree with an estimated error rate at every node.
    pub fn with_estimates(self, estimates: Vec<f64>) -> Self {
        debug_assert!(estimates.len() == self.nodes.len());
        Tree { estimates: Some(Estimates::new(estimates)), ..self }
    }

    /// The number of classes.
    #[inline]
    pub fn n_classes(&self) -> usize {
        self.schema.classes.len()
    }

    /// Class weights of every node, row by row.
    pub fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    /// Class weights of one node.
    #[inline]
    pub fn class_weights_of(&self, node: usize) -> &[f64] {
        let n = self.n_classes();
        &self.class_weights[node * n..(node + 1) * n]
    }

    /// The number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_leaf()).count()
    }

    /// Edges on the longest path; 0 for a lone leaf.
    pub fn max_depth(&self) -> u32 {
        self.nodes.iter().map(|node| node.depth).max().unwrap_or(0)
    }

    /// Features that some node tests.
    pub fn used_features(&self) -> BitSet {
        let mut used = BitSet::empty(self.schema.features.len());
        for node in &self.nodes {
            match node.split {
                Split::Leaf => {}
                Split::ByValue { feature }
                | Split::Listed { feature, .. }
                | Split::Threshold { feature, .. } => used.insert(feature as usize),
                Split::Linear { plane } => {
                    let features = self.planes[plane as usize].features();
                    features.iter().for_each(|&feature| used.insert(feature as usize));
                }
            }
        }
        used
    }

    /// The weight at a node that is not of its class.
    pub fn errors_of(&self, node: usize) -> f64 {
        let classes = self.class_weights_of(node);
        let own = self.nodes[node].class as usize;
        classes.iter().enumerate().filter(|&(class, _)| class != own).map(|(_, &weight)| weight).sum()
    }

    /// Entropy decrease of every feature, weighted by the rows it was measured on, summing to 1
    /// where there is any.
    pub fn feature_importances(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.schema.features.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            let gain = || {
                let below: f64 = node.children().map(|child| self.entropy_weight(child as usize)).sum();
                (self.entropy_weight(id) - below).max(0.0)
            };
            match node.split {
                Split::Leaf => {}
                Split::ByValue { feature }
                | Split::Listed { feature, .. }
                | Split::Threshold { feature, .. } => sums[feature as usize] += gain(),
                Split::Linear { plane } => {
                    let features = self.planes[plane as usize].features();
                    let share = gain() / features.len().max(1) as f64;
                    features.iter().for_each(|&feature| sums[feature as usize] += share);
                }
            }
        }
        let total: f64 = sums.iter().sum();
        if total > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
        sums
    }

    fn entropy_weight(&self, node: usize) -> f64 {
        let x_log_x = |x: f64| if x > 0.0 { x * libm::log2(x) } else { 0.0 };
        let classes = self.class_weights_of(node);
        x_log_x(self.nodes[node].weight) - classes.iter().map(|&x| x_log_x(x)).sum::<f64>()
    }
}
