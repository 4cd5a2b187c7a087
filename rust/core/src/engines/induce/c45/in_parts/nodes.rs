//! The nodes of a plan, what is kept of a node while its branches are gone through, and the plan as the tree
//! that is being made sees it.

use crate::engines::induce::scorer::Cut;

/// Which splits a tree has.
pub(in crate::engines::induce) struct Plan {
    pub(super) nodes: Vec<Planned>,
}

#[derive(Clone, Copy)]
pub(super) struct Planned {
    pub split: Option<(u32, Cut)>,
    first_child: u32,
    n_branches: u32,
    /// Errors of its leaves as grown.
    pub errors: f32,
}

const LEAF: Planned = Planned { split: None, first_child: 0, n_branches: 0, errors: 0.0 };

impl Plan {
    pub(in crate::engines::induce) fn new() -> Self {
        Plan { nodes: vec![LEAF] }
    }

    /// Gives a node its branches; returns the first.
    pub(in crate::engines::induce) fn split(
        &mut self,
        node: usize,
        feature: usize,
        cut: Cut,
        n_branches: usize,
    ) -> usize {
        let first_child = self.nodes.len();
        self.nodes[node] = Planned {
            split: Some((feature as u32, cut)),
            first_child: first_child as u32,
            n_branches: n_branches as u32,
            errors: 0.0,
        };
        self.nodes.resize(first_child + n_branches, LEAF);
        first_child
    }
}

/// A node whose branches are being gone through.
pub(super) struct Open {
    pub node: usize,
    pub depth: u32,
    pub feature: usize,
    pub cut: Cut,
    pub first: usize,
    pub known: usize,
    pub last: usize,
    pub known_weight: f32,
    /// Errors it would make as a leaf.
    pub as_leaf: f32,
    pub first_child: usize,
    pub n_branches: usize,
    /// The branch to enter next.
    pub next: usize,
    /// Where the rows of the branch entered last end.
    pub end: usize,
    /// The part of the known weight that went down the branch not yet come back from.
    pub part: Option<f32>,
    /// Whether all rows counted whole before the split.
    pub were_whole: bool,
    pub errors: f32,
}

/// Walks along a plan while the nodes of a tree are split in the order of their making.
pub(in crate::engines::induce) struct Follower {
    plan: Plan,
    /// For every node of the tree its place in the plan, which has nodes below collapsed ones too.
    places: Vec<usize>,
}

impl Follower {
    pub(in crate::engines::induce) fn new(plan: Plan) -> Self {
        Follower { plan, places: vec![0] }
    }

    /// Feature and cut of a node of the tree. One that splits must get its branches next.
    pub(in crate::engines::induce) fn split_next(&mut self, node: u32) -> Option<(usize, Cut)> {
        let split = self.split_of(node)?;
        self.take_branches(node);
        Some(split)
    }

    /// Feature and cut of a node of the tree.
    pub(in crate::engines::induce) fn split_of(&self, node: u32) -> Option<(usize, Cut)> {
        let (feature, cut) = self.plan.nodes[self.places[node as usize]].split?;
        Some((feature as usize, cut))
    }

    /// Takes note that a node of the tree gets its branches next.
    pub(in crate::engines::induce) fn take_branches(&mut self, node: u32) {
        let Planned { first_child, n_branches, .. } = self.plan.nodes[self.places[node as usize]];
        self.places.extend(first_child as usize..(first_child + n_branches) as usize);
    }
}
