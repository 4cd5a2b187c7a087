//! What is known of the tree of every subset.

use super::cube::{Cube, Few};

/// For every subset: what its tree uses, what blocks it, and the frontier of every feature.
pub(super) struct Notes {
    n_features: usize,
    used: Vec<Few>,
    blocked: Vec<Few>,
    /// Those of one feature together, in units of 2^-50.
    frontiers: Vec<u128>,
}

impl Notes {
    pub fn new(n_features: usize) -> Self {
        let n_subsets = 1 << n_features;
        Notes {
            n_features,
            used: vec![0; n_subsets],
            blocked: vec![0; n_subsets],
            frontiers: vec![0; n_features * n_subsets],
        }
    }

    /// Bytes that notes on `n_features` take.
    pub fn bytes(n_features: usize) -> usize {
        (1 << n_features) * (2 * size_of::<Few>() + n_features * size_of::<u128>())
    }

    /// The trees of a cube split a case set of this mass on a feature.
    pub fn split(&mut self, cube: Cube, feature: u32, mass: u128) {
        let n_subsets = self.used.len();
        let frontiers = &mut self.frontiers[feature as usize * n_subsets..][..n_subsets];
        let (used, blocked) = (&mut self.used[..n_subsets], &mut self.blocked[..n_subsets]);
        cube.for_each(|subset| {
            used[subset] |= cube.inside;
            blocked[subset] |= cube.outside;
            frontiers[subset] += mass;
        });
    }

    /// The trees of a cube have a leaf that any feature outside would split.
    pub fn leaf(&mut self, cube: Cube) {
        cube.for_each(|subset| self.blocked[subset] |= cube.outside);
    }

    /// Adds what others noted.
    pub fn merge(&mut self, other: &Notes) {
        self.used.iter_mut().zip(&other.used).for_each(|(mine, theirs)| *mine |= theirs);
        self.blocked.iter_mut().zip(&other.blocked).for_each(|(mine, theirs)| *mine |= theirs);
        self.frontiers.iter_mut().zip(&other.frontiers).for_each(|(mine, theirs)| *mine += theirs);
    }

    pub fn n_features(&self) -> usize {
        self.n_features
    }

    pub fn used(&self, subset: Few) -> Few {
        self.used[subset as usize]
    }

    pub fn blocked(&self, subset: Few) -> Few {
        self.blocked[subset as usize]
    }

    pub fn frontier(&self, subset: Few, feature: usize) -> u128 {
        self.frontiers[feature * self.used.len() + subset as usize]
    }
}
