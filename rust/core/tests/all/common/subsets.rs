//! The tree of every subset of a few features.

use std::collections::BTreeMap;
use std::sync::Arc;

use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::Dataset;
use treewright_core::distinct::{Evaluator, Judging, Price};
use treewright_core::induce::{Criterion, GrowthParams, Problem};

use super::pruning::{black_box, rule};
use super::random_table;

pub const N: usize = 6;
const N_ROWS: usize = 40;

/// The features of a bit mask.
pub fn features_of(mask: u64) -> BitSet {
    BitSet::from_words(&[mask])
}

/// The value and, as a bit mask, used features of the tree of every subset.
pub struct Everything(pub Vec<(u64, u64)>);

impl Everything {
    pub fn of(problem: &Arc<Problem>, data: &Dataset, judging: &Judging) -> Self {
        let mut judge = black_box(problem, data, judging);
        let mut judged = |subset: u64| {
            judge.start(&features_of(subset), &Control::unlimited()).expect("nothing interrupts");
            (judge.value(), judge.used().words().first().copied().unwrap_or(0))
        };
        Everything((0..1 << data.n_features()).map(&mut judged).collect())
    }

    /// The trees of two folds: their values summed, and what either uses.
    pub fn together(self, other: Everything) -> Self {
        let pairs = self.0.into_iter().zip(other.0);
        Everything(pairs.map(|((value, used), (more, too))| (value + more, used | too)).collect())
    }

    /// Values and used features of the distinct trees with at most so many features, best first, where a feature
    /// counts so much.
    pub fn ranked(&self, max_features: usize, per_feature: u64) -> Vec<(u64, Vec<usize>)> {
        let list = |used: u64| features_of(used).iter().collect::<Vec<_>>();
        let trees: BTreeMap<_, _> = self.0.iter().map(|&(value, used)| (list(used), value)).collect();
        let mut ranked: Vec<_> =
            trees.into_iter().map(|(used, value)| (value + per_feature * used.len() as u64, used)).collect();
        ranked.retain(|(_, used)| used.len() <= max_features);
        ranked.sort_by_key(|(value, used)| (*value, used.len(), used.clone()));
        ranked
    }
}

/// What errors and leaves count: errors alone for every other number.
pub fn price(number: u64) -> Price {
    const ONE: u64 = 1 << 20;
    let of_leaf = |penalty, n_folds| Price::of_leaf(penalty, n_folds);
    [of_leaf(0, 1), of_leaf(ONE, 1), of_leaf(ONE / 2, 3), of_leaf(0, 1)][number as usize % 4]
}

pub struct Drawn {
    pub problem: Arc<Problem>,
    pub search: Judging,
    pub everything: Everything,
    pub has_missing: bool,
}

/// Rows drawn by a number, and all their trees.
pub fn drawn(seed: u64) -> Drawn {
    drawn_to_judge(seed, N, false)
}

/// The same with so many features, the trees pruned by a rule.
pub fn drawn_to_prune(seed: u64, n_features: usize) -> Drawn {
    drawn_to_judge(seed, n_features, true)
}

fn drawn_to_judge(seed: u64, n_features: usize, prunes: bool) -> Drawn {
    let criteria = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];
    let params = GrowthParams {
        criterion: criteria[seed as usize % 3],
        mdl_correction: Some(seed % 3 != 2 && seed % 2 == 1),
        max_depth: seed.is_multiple_of(5).then_some(3),
        ..GrowthParams::default()
    };
    let data = random_table(seed, n_features, N_ROWS);
    let validation = (26..N_ROWS as u32).collect();
    let search = Judging { validation, pruning: prunes.then(|| rule(seed / 3)), price: price(seed) };
    let problem = Arc::new(Problem::new(&data, (0..26).collect(), &params).unwrap());
    let everything = Everything::of(&problem, &data, &search);
    let has_missing = data.columns().iter().any(|column| column.n_missing() > 0);
    Drawn { problem, search, everything, has_missing }
}
