//! A plan as the tree that is being made sees it.

use super::nodes::Plan;
use crate::engines::induce::scorer::Cut;

/// Walks along a plan while the nodes of a tree are split in the order of their making.
pub(in crate::engines::induce) struct Follower {
    plan: Plan,
    /// For every node of the tree its place in the plan, which has nodes below collapsed ones too.
    places: Vec<usize>,
}

impl Follower {
    pub(super) fn new(plan: Plan) -> Self {
        Follower { plan, places: vec![0] }
    }

    /// Feature and cut of a node of the tree. One that splits must get its branches next.
    pub(in crate::engines::induce) fn split_next(&mut self, node: u32) -> Option<(usize, Cut)> {
        let (feature, cut, branches) = self.plan.split_of(self.places[node as usize])?;
        self.places.extend(branches);
        Some((feature, cut))
    }
}
