//! A tree for a table as the list of its features, which with the table says everything.

/// One node of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// `None` at a leaf.
    pub feature: Option<u32>,
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
}
