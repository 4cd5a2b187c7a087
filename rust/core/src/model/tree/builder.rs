//! The one way to make a tree: nodes are added parent first.

use std::sync::Arc;

use super::decision::{Decision, Probability};
use super::facts::{CutValues, Facts};
use super::node::{Node, Tree};
use super::origin::Origin;
use super::split::{Plane, Route, Routing, Split};
use crate::base::error::Error;
use crate::model::data::Schema;

/// A tree in the making.
pub struct TreeBuilder {
    tree: Tree,
}

impl TreeBuilder {
    /// Starts with a root that is a leaf.
    pub fn new(
        schema: Arc<Schema>,
        routing: Routing,
        class: u16,
        weight: f64,
        class_weights: &[f64],
    ) -> Self {
        let root = leaf(0, 0, class, weight);
        let tree = Tree {
            schema,
            routing,
            nodes: vec![root],
            class_weights: class_weights.to_vec(),
            planes: vec![],
            lists: vec![],
            estimates: None,
            facts: Facts::default(),
            decision: Decision::default(),
            probability: Probability::default(),
            origin: Origin::default(),
        };
        TreeBuilder { tree }
    }

    /// Turns leaf `node` into a split; its children must follow before any other node.
    pub fn split(&mut self, node: u32, split: Split, n_children: usize) {
        let first_child = self.tree.nodes.len() as u32;
        let parent = &mut self.tree.nodes[node as usize];
        parent.split = split;
        parent.first_child = first_child;
        parent.n_children = n_children as u32;
    }

    /// Turns leaf `node` into a split with a branch for each of `levels`, which ascend; its children
    /// must follow before any other node.
    pub fn split_listed(&mut self, node: u32, feature: u32, levels: Vec<u32>) {
        let list = self.tree.lists.len() as u32;
        self.split(node, Split::Listed { feature, list }, levels.len());
        self.tree.lists.push(levels);
    }

    /// Turns leaf `node` into a split with `levels`, which ascend, on one side and all others on the other;
    /// its two children must follow before any other node.
    pub fn split_group(&mut self, node: u32, feature: u32, levels: Vec<u32>) {
        let list = self.tree.lists.len() as u32;
        self.split(node, Split::Group { feature, list }, 2);
        self.tree.lists.push(levels);
    }

    /// Turns leaf `node` into a split at a threshold; its two children must follow before any other node.
    pub fn split_cut(&mut self, node: u32, feature: u32, threshold: f64, beside: CutValues) {
        self.split(node, Split::Threshold { feature, threshold }, 2);
        let cuts = &mut self.tree.facts.cuts;
        cuts.resize(cuts.len().max(node as usize + 1), None);
        cuts[node as usize] = Some(beside);
    }

    /// Says where a node sends a row whose value is unknown.
    pub fn route(&mut self, node: u32, route: Route) {
        let routes = &mut self.tree.facts.routes;
        routes.resize(routes.len().max(node as usize + 1), None);
        routes[node as usize] = Some(route);
    }

    /// Notes that no row reaches a node, whatever it weighs.
    pub fn unreached(&mut self, node: u32) {
        self.tree.nodes[node as usize].is_reached = false;
    }

    /// Adds the next child of `parent` as a leaf and returns its id.
    pub fn child(
        &mut self,
        parent: u32,
        class: u16,
        weight: f64,
        class_weights: impl IntoIterator<Item = f64>,
    ) -> u32 {
        let depth = self.tree.nodes[parent as usize].depth + 1;
        self.tree.nodes.push(leaf(parent, depth, class, weight));
        self.tree.class_weights.extend(class_weights);
        self.tree.nodes.len() as u32 - 1
    }

    /// Adds a plane and returns its number.
    pub fn plane(&mut self, plane: Plane) -> u32 {
        self.tree.planes.push(plane);
        self.tree.planes.len() as u32 - 1
    }

    pub fn node(&self, id: u32) -> &Node {
        &self.tree.nodes[id as usize]
    }

    /// The finished tree.
    pub fn finish(mut self) -> Tree {
        self.sort_lists();
        if !self.tree.facts.cuts.is_empty() {
            self.tree.facts.cuts.resize(self.tree.nodes.len(), None);
        }
        if !self.tree.facts.routes.is_empty() {
            self.tree.facts.routes.resize(self.tree.nodes.len(), None);
        }
        self.tree.nodes.shrink_to_fit();
        self.tree.class_weights.shrink_to_fit();
        self.tree
    }

    /// Puts the lists in the order of their nodes.
    fn sort_lists(&mut self) {
        let mut sorted = Vec::with_capacity(self.tree.lists.len());
        for node in &mut self.tree.nodes {
            if let Some(list) = node.split.list() {
                sorted.push(std::mem::take(&mut self.tree.lists[list as usize]));
                node.split = node.split.renumbered(sorted.len() as u32 - 1);
            }
        }
        self.tree.lists = sorted;
    }
}

fn leaf(parent: u32, depth: u32, class: u16, weight: f64) -> Node {
    let is_reached = weight > 0.0 || depth == 0;
    Node { split: Split::Leaf, first_child: 0, n_children: 0, parent, depth, class, weight, is_reached }
}

pub(super) fn malformed(detail: &str) -> Error {
    Error::Format { detail: detail.to_owned() }
}
