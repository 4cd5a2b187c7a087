//! The one way to make a tree: nodes are added parent first.

use std::sync::Arc;

use super::node::{Node, Plane, Routing, Split, Tree};
use crate::base::error::{Error, Result};
use crate::model::data::{Feature, MissingMode, Schema};

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
        self.tree.nodes.shrink_to_fit();
        self.tree.class_weights.shrink_to_fit();
        self.tree
    }

    /// Puts the lists in the order of their nodes.
    fn sort_lists(&mut self) {
        let mut sorted = Vec::with_capacity(self.tree.lists.len());
        for node in &mut self.tree.nodes {
            if let Split::Listed { list, .. } = &mut node.split {
                sorted.push(std::mem::take(&mut self.tree.lists[*list as usize]));
                *list = sorted.len() as u32 - 1;
            }
        }
        self.tree.lists = sorted;
    }
}

fn leaf(parent: u32, depth: u32, class: u16, weight: f64) -> Node {
    Node { split: Split::Leaf, first_child: 0, n_children: 0, parent, depth, class, weight }
}

impl Tree {
    /// The same tree with its nodes numbered as growing depth first numbers them; estimates go.
    pub fn in_order_of_depth(&self) -> Tree {
        let mut ordered = self.cut_where(|_| true);
        let mut stack = vec![(0, 0)];
        while let Some((old, new)) = stack.pop() {
            let node = self.nodes[old];
            if node.is_leaf() {
                continue;
            }
            let (split, first_child) = (ordered.take_split(self, node.split), ordered.nodes.len() as u32);
            ordered.nodes[new] =
                Node { split, first_child, n_children: node.n_children, ..ordered.nodes[new] };
            for child in node.children() {
                let same = self.nodes[child as usize];
                let (parent, split) = (new as u32, Split::Leaf);
                ordered.nodes.push(Node { split, first_child: 0, n_children: 0, parent, ..same });
                ordered.class_weights.extend_from_slice(self.class_weights_of(child as usize));
            }
            let pairs = node.children().zip(ordered.nodes[new].children());
            stack.extend(pairs.map(|(old, new)| (old as usize, new as usize)).rev());
        }
        TreeBuilder { tree: ordered }.finish()
    }

    /// Checks every invariant of a tree that came from outside.
    ///
    /// # Errors
    /// [`Error::Format`] naming the first node at fault.
    pub(super) fn checked(self) -> Result<Self> {
        let n_nodes = self.nodes.len();
        if n_nodes == 0 {
            return Err(malformed("it has no nodes"));
        }
        if self.class_weights.len() != n_nodes * self.n_classes() {
            return Err(malformed("the class weights are not one row a node"));
        }
        if self.lists.len() != self.nodes.iter().filter(|node| node.is_listed()).count() {
            return Err(malformed("its lists of levels are not one a listed node"));
        }
        if self.estimates.as_ref().is_some_and(|estimates| estimates.rates().len() != n_nodes) {
            return Err(malformed("its estimates are not one a node"));
        }
        let mut next_child = 1;
        let mut has_parent = vec![false; n_nodes];
        for (id, node) in self.nodes.iter().enumerate() {
            self.check_node(id, node)?;
            for child in node.children() {
                let child = child as usize;
                if child <= id || child >= n_nodes || std::mem::replace(&mut has_parent[child], true) {
                    return Err(malformed(&format!("node {id} has node {child} as a child")));
                }
                next_child += 1;
            }
        }
        if next_child != n_nodes {
            return Err(malformed("some node is nobody's child"));
        }
        Ok(self)
    }

    fn check_node(&self, id: usize, node: &Node) -> Result<()> {
        let fault = |what: &str| Err(malformed(&format!("node {id}: {what}")));
        if node.class as usize >= self.n_classes() {
            return fault("its class does not exist");
        }
        let n_children = node.n_children as usize;
        match node.split {
            Split::Leaf => Ok(()),
            Split::ByValue { feature } => match self.schema.features.get(feature as usize) {
                Some(f) if f.levels.is_some() && n_children == f.n_branches() => Ok(()),
                _ => fault("its feature and its branches do not fit"),
            },
            Split::Listed { feature, list } => match self.schema.features.get(feature as usize) {
                Some(f) if self.list_fits(f, list, n_children) => Ok(()),
                _ => fault("its feature, its listed levels and its branches do not fit"),
            },
            Split::Threshold { feature, threshold } => match self.schema.features.get(feature as usize) {
                Some(f) if f.levels.is_none() && n_children == 2 && !threshold.is_nan() => Ok(()),
                _ => fault("its feature, threshold and branches do not fit"),
            },
            Split::Linear { plane } => match self.planes.get(plane as usize) {
                Some(plane) if n_children == 2 && self.plane_fits(plane) => Ok(()),
                _ => fault("its plane does not fit"),
            },
        }
    }

    fn list_fits(&self, feature: &Feature, list: u32, n_children: usize) -> bool {
        let Some(levels) = self.lists.get(list as usize) else { return false };
        let last_fits = levels.last().is_some_and(|&level| (level as usize) < feature.n_branches());
        let ascends = levels.windows(2).all(|pair| pair[0] < pair[1]);
        feature.levels.is_some() && levels.len() == n_children && last_fits && ascends
    }

    fn plane_fits(&self, plane: &Plane) -> bool {
        let n_weights = plane.weights.len();
        let fits = |(i, &(feature, _)): (usize, &(u32, f64))| {
            let Some(feature) = self.schema.features.get(feature as usize) else { return false };
            match (plane.level(i), &feature.levels) {
                (None, None) => feature.missing != MissingMode::Value,
                (Some(level), Some(_)) => (level as usize) < feature.n_branches(),
                _ => false,
            }
        };
        (plane.levels.is_empty() || plane.levels.len() == n_weights)
            && (plane.means.is_empty() || plane.means.len() == n_weights)
            && plane.weights.iter().enumerate().all(fits)
    }
}

pub(super) fn malformed(detail: &str) -> Error {
    Error::Format { detail: detail.to_owned() }
}
