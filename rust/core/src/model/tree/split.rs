//! The questions that nodes ask, and where a row goes whose answer is unknown.

use serde::{Deserialize, Serialize};

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

/// Where one node sends a row whose value is unknown, if not where the tree does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Route {
    /// As a tree of this routing does.
    By(Routing),
    /// Down the branch of this number.
    Branch(u32),
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
    /// Branch 0 holds the levels of a set, branch 1 the feature's other levels.
    Group {
        /// The feature tested.
        feature: u32,
        /// The number of the list that is the set.
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
    /// Branch 0 holds rows without a value, branch 1 those with one.
    Missing {
        /// The feature tested.
        feature: u32,
    },
}

impl Split {
    /// The feature tested; `None` at a leaf and at a plane.
    pub fn feature(self) -> Option<u32> {
        match self {
            Split::ByValue { feature }
            | Split::Listed { feature, .. }
            | Split::Group { feature, .. }
            | Split::Threshold { feature, .. }
            | Split::Missing { feature } => Some(feature),
            Split::Leaf | Split::Linear { .. } => None,
        }
    }

    /// The number of its list of levels, where it has one.
    pub fn list(self) -> Option<u32> {
        match self {
            Split::Listed { list, .. } | Split::Group { list, .. } => Some(list),
            _ => None,
        }
    }

    /// The same question with another number for its list or plane.
    pub(super) fn renumbered(self, number: u32) -> Self {
        match self {
            Split::Listed { feature, .. } => Split::Listed { feature, list: number },
            Split::Group { feature, .. } => Split::Group { feature, list: number },
            Split::Linear { .. } => Split::Linear { plane: number },
            split => split,
        }
    }
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

    /// Of a plane over one number its feature, its weight and the cut: the last number on the lower side.
    ///
    /// It parts all numbers as the product does, rounding included. `None` for other planes, and where the
    /// product is too small or too large for that.
    pub(super) fn lone_cut(&self) -> Option<(u32, f64, f64)> {
        let &[(feature, weight)] = self.weights.as_slice() else { return None };
        if self.level(0).is_some() {
            return None;
        }
        let cut = last_product(weight.abs(), self.offset)?;
        // Adding 0 makes a cut of -0 a plain 0.
        Some((feature, weight, if weight < 0.0 { -cut + 0.0 } else { cut + 0.0 }))
    }

    /// The features with a weight other than 0, each once, in the order of their first.
    pub(super) fn features(&self) -> Vec<u32> {
        let weighed = self.weights.iter().filter(|&&(_, weight)| weight != 0.0);
        let mut features: Vec<u32> = weighed.map(|&(feature, _)| feature).collect();
        let mut seen = std::collections::BTreeSet::new();
        features.retain(|&feature| seen.insert(feature));
        features
    }
}

/// Division is off by a few of the neighbouring numbers at most, unless the product underflows.
const FEW_STEPS: usize = 4;

/// The largest number whose product with a positive weight is at most an offset.
fn last_product(weight: f64, offset: f64) -> Option<f64> {
    let mut last = offset / weight;
    if weight <= 0.0 || !last.is_finite() {
        return None;
    }
    for _ in 0..FEW_STEPS {
        if weight * last > offset {
            last = last.next_down();
        } else if weight * last.next_up() <= offset {
            last = last.next_up();
        } else {
            return Some(last);
        }
    }
    None
}
