//! The arena: nodes in one array, root first, a child after its parent, siblings side by side.

use std::sync::Arc;

use super::decision::{Decision, Probability};
use super::estimates::Estimates;
use super::facts::Facts;
use super::origin::Origin;
use super::split::{Plane, Route, Routing, Split};
use crate::base::bits::BitSet;
use crate::model::data::Schema;

/// One node.
#[derive(Debug, Clone, Copy)]
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
    /// Whether a training row reached it, with any share.
    pub is_reached: bool,
}

/// Whether rows reach a node is told by their counts, which are no part of what a tree is.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        let key = |node: &Node| (node.split, node.first_child, node.n_children, node.parent, node.class);
        key(self) == key(other) && self.depth == other.depth && self.weight == other.weight
    }
}

/// A decision tree.
///
/// # Invariants
/// Node 0 is the root; a child's id is greater than its parent's; the children of a node are
/// `first_child .. first_child + n_children`; `class_weights` holds one row a node; list i is that
/// of the i-th node that has one and ascends; estimates and facts, where there are any, are one a node.
///
/// Two trees are equal that ask, weigh and answer the same, however they were found and however many rows
/// there were.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    pub(super) schema: Arc<Schema>,
    pub(super) routing: Routing,
    pub(super) nodes: Vec<Node>,
    pub(super) class_weights: Vec<f64>,
    pub(super) planes: Vec<Plane>,
    pub(super) lists: Vec<Vec<u32>>,
    pub(super) estimates: Option<Estimates>,
    pub(super) facts: Facts,
    pub(super) decision: Decision,
    pub(super) probability: Probability,
    pub(super) origin: Origin,
}

impl Node {
    /// Whether it has no children.
    pub fn is_leaf(&self) -> bool {
        self.split == Split::Leaf
    }

    pub(super) fn has_list(&self) -> bool {
        self.split.list().is_some()
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

    /// What becomes of a row without a value at one node.
    #[inline]
    pub fn route(&self, node: usize) -> Route {
        match self.facts.routes.get(node) {
            Some(&Some(route)) => route,
            _ => Route::By(self.routing),
        }
    }

    /// What is kept of the training rows at the nodes.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// How a class is chosen.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// How probabilities are told.
    pub fn probability(&self) -> &Probability {
        &self.probability
    }

    /// How the tree was found and its columns were read.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Level codes of the branches of listed nodes and of the sets of group nodes, one list a node.
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
            self.tested(node).iter().for_each(|&feature| used.insert(feature as usize));
        }
        used
    }

    /// The features that a node tests.
    fn tested(&self, node: &Node) -> Vec<u32> {
        match node.split {
            Split::Linear { plane } => self.planes[plane as usize].features(),
            split => split.feature().into_iter().collect(),
        }
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
            let features = self.tested(node);
            if !features.is_empty() {
                let share = gain() / features.len() as f64;
                features.iter().for_each(|&feature| sums[feature as usize] += share);
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
