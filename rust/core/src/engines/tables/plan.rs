//! A tree for a table as the list of its features, which with the table says everything.

use std::convert::Infallible;
use std::sync::Arc;

use super::plant::plant;
use crate::model::data::{DecisionTable, Schema};
use crate::model::tree::{Cost, Tree};

/// One node of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// `None` at a leaf.
    pub feature: Option<u32>,
    /// Rows that reach the node.
    pub n_rows: u32,
    /// Values of the feature that occur.
    pub n_branches: u32,
}

/// A tree: its nodes in preorder, branches by ascending value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    /// The nodes in preorder.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(super) fn leaf(&mut self, n_rows: u32) {
        self.steps.push(Step { feature: None, n_rows, n_branches: 0 });
    }

    /// A test; the plans of its branches must follow.
    pub(super) fn test(&mut self, feature: u32, n_rows: u32, n_branches: u32) {
        self.steps.push(Step { feature: Some(feature), n_rows, n_branches });
    }

    /// What the tree costs.
    pub fn cost(&self, cost: &Cost) -> u64 {
        self.costs(cost)[0]
    }

    /// What the tree below each node costs.
    pub(super) fn costs(&self, cost: &Cost) -> Vec<u64> {
        let mut costs = vec![0; self.steps.len()];
        let mut open: Vec<u64> = Vec::new();
        for (value, step) in costs.iter_mut().zip(&self.steps).rev() {
            let below = open.drain(open.len() - step.n_branches as usize..);
            let below = below.reduce(|a, b| cost.join(a, b));
            *value = below.map_or(cost.leaf, |below| below + cost.own(step.n_rows.into()));
            open.push(*value);
        }
        costs
    }

    /// The tree with its class counts.
    pub fn tree(&self, table: &DecisionTable, schema: &Arc<Schema>) -> Tree {
        let mut steps = self.steps.iter();
        let mut choose = |_: &[u32], ()| -> Result<_, Infallible> {
            let step = steps.next().expect("every node has a step");
            Ok(step.feature.map(|feature| (feature as usize, vec![(); step.n_branches as usize])))
        };
        match plant(table, schema, (), &mut choose) {
            Ok(tree) => tree,
            Err(never) => match never {},
        }
    }
}
