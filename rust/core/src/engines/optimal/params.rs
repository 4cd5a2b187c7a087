//! What is asked for.

use crate::base::units::{Fine, share_of};
use crate::model::tree::Answers;

/// How a nominal feature without an order is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NominalTests {
    /// One value against the rest.
    OneValue,
    /// A set of values against the rest.
    Groups,
    /// A branch for every value.
    Multiway,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// Tests on a path at the most.
    pub max_depth: u32,
    /// What a leaf costs, as a fraction: as many rows of the mean weight, each with a cost of 1.
    pub leaf_penalty: (u64, u64),
    /// Whether of trees of equal cost one of fewest leaves is wanted.
    pub fewest_leaves: bool,
    /// Leaves at the most.
    pub max_leaf_nodes: Option<u32>,
    /// What every leaf weighs at the least, up to 1 anything; what is below 1 is a share of all weight.
    pub min_samples_leaf: f64,
    /// How nominal features are tested.
    pub nominal_tests: NominalTests,
    /// Nominal features whose values have an order, in which they are cut.
    pub ordered: Vec<bool>,
    /// One factor for each class, or none.
    pub class_weight: Option<Vec<f64>>,
    /// How leaves answer.
    pub answers: Answers,
    /// Sets of rows that may be searched.
    pub node_limit: Option<u64>,
    /// Bytes that the search may take.
    pub memory_limit: Option<u64>,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            max_depth: 3,
            leaf_penalty: (0, 1),
            fewest_leaves: false,
            max_leaf_nodes: None,
            min_samples_leaf: 1.0,
            nominal_tests: NominalTests::OneValue,
            ordered: Vec::new(),
            class_weight: None,
            answers: Answers::default(),
            node_limit: None,
            memory_limit: None,
        }
    }
}

impl Params {
    /// What a leaf weighs at the least, in units of 2^-20, where all rows weigh `total`; 0 where anything will do.
    pub(super) fn least_mass(&self, total: u128) -> u64 {
        let least = match self.min_samples_leaf {
            share if share > 0.0 && share < 1.0 => share_of(total, share),
            weight => u128::from(Fine::rounded(weight).0),
        };
        if least <= u128::from(Fine::ONE.0) { 0 } else { u64::try_from(least).unwrap_or(u64::MAX) }
    }
}
