//! A tree as far as a search knows it: the tests above the last level, which is found again at the end.

use serde::{Deserialize, Serialize};

use super::lanes::Cond;

/// A tree in codes of axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Plan {
    /// A leaf.
    Leaf,
    /// The best single test, or a leaf.
    Stump,
    /// A test with two sides.
    Split { axis: usize, cond: Cond, sides: Box<[Plan; 2]> },
    /// A branch for every value; rows without one go with those of `gaps`.
    Multi { axis: usize, gaps: Option<u32>, branches: Vec<(u32, Plan)> },
}

impl Plan {
    pub fn split(axis: usize, cond: Cond, left: Plan, right: Plan) -> Self {
        Plan::Split { axis, cond, sides: Box::new([left, right]) }
    }
}
