//! The tree of every subset of a few features.

use std::collections::BTreeMap;
use std::sync::Arc;

use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::Dataset;
use treewright_core::distinct::{Evaluator, Retrain};
use treewright_core::induce::{Criterion, GrowthParams, Problem};

use super::random_table;

pub const N: usize = 6;
const N_ROWS: usize = 40;

/// The features of a bit mask.
pub fn features_of(mask: u64) -> BitSet {
    BitSet::from_words(&[mask])
}

/// Errors and, as a bit mask, used features of the tree of every subset.
pub struct Everything(pub Vec<(u64, u64)>);

impl Everything {
    pub fn of(problem: &Arc<Problem>, data: &Dataset, search: &[u32]) -> Self {
        let mut judge = Retrain::new(problem.clone(), data, search.to_vec());
        let mut judged = |subset: u64| {
            judge.start(&features_of(subset), &Control::unlimited()).expect("nothing interrupts");
            (judge.errors(), judge.used().words().first().copied().unwrap_or(0))
        };
        Everything((0..1 << N).map(&mut judged).collect())
    }

    /// Errors and used features of the distinct trees with at most so many features, best first.
    pub fn ranked(&self, max_features: usize) -> Vec<(u64, Vec<usize>)> {
        let list = |used: u64| features_of(used).iter().collect::<Vec<_>>();
        let trees: BTreeMap<_, _> = self.0.iter().map(|&(errors, used)| (list(used), errors)).collect();
        let mut ranked: Vec<_> = trees.into_iter().map(|(used, errors)| (errors, used)).collect();
        ranked.retain(|(_, used)| used.len() <= max_features);
        ranked.sort_by_key(|(errors, used)| (*errors, used.len(), used.clone()));
        ranked
    }
}

pub struct Drawn {
    pub problem: Arc<Problem>,
    pub search: Vec<u32>,
    pub everything: Everything,
    pub has_missing: bool,
}

/// Rows drawn by a number, and all their trees.
pub fn drawn(seed: u64) -> Drawn {
    let criteria = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];
    let params = GrowthParams {
        criterion: criteria[seed as usize % 3],
        mdl_correction: Some(seed % 3 != 2 && seed % 2 == 1),
        max_depth: (seed % 5 == 0).then_some(3),
        ..GrowthParams::default()
    };
    let data = random_table(seed, N, N_ROWS);
    let (building, search) = ((0..26).collect(), (26..N_ROWS as u32).collect::<Vec<_>>());
    let problem = Arc::new(Problem::new(&data, building, &params).unwrap());
    let everything = Everything::of(&problem, &data, &search);
    let has_missing = data.columns().iter().any(|column| column.n_missing() > 0);
    Drawn { problem, search, everything, has_missing }
}
