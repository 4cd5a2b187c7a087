//! The nodes of a plan, and what is kept of a node while its branches are gone through.

use std::ops::Range;

use crate::engines::induce::scorer::Cut;

/// Which splits a tree has.
pub(super) struct Plan {
    nodes: Vec<Planned>,
}

#[derive(Clone, Copy)]
struct Planned {
    split: Option<(u32, Cut)>,
    first_child: u32,
    n_branches: u32,
    /// Errors of its leaves as grown.
    errors: f32,
}

const LEAF: Planned = Planned { split: None, first_child: 0, n_branches: 0, errors: 0.0 };

impl Plan {
    pub(super) fn new() -> Self {
        Plan { nodes: vec![LEAF] }
    }

    /// Feature, cut and branches of a node that splits.
    pub(super) fn split_of(&self, node: usize) -> Option<(usize, Cut, Range<usize>)> {
        let Planned { split, first_child, n_branches, .. } = self.nodes[node];
        let branches = first_child as usize..(first_child + n_branches) as usize;
        split.map(|(feature, cut)| (feature as usize, cut, branches))
    }

    /// Gives a node its branches; returns the first.
    pub(super) fn split(&mut self, node: usize, feature: usize, cut: Cut, n_branches: usize) -> usize {
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

    pub(super) fn collapse(&mut self, node: usize) {
        self.nodes[node].split = None;
    }

    pub(super) fn errors(&self, node: usize) -> f32 {
        self.nodes[node].errors
    }

    pub(super) fn set_errors(&mut self, node: usize, errors: f32) {
        self.nodes[node].errors = errors;
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
