//! Drawn sets as the general engines take them.

use treewright_core::bits::BitSet;
use treewright_core::data::{Dataset, Label, LinearNetwork, MissingPolicy, RawColumn};
use treewright_core::induce::{Growth, GrowthParams};
use treewright_core::tree::Tree;

use super::grow_tree;

/// Networks of every size that can be drawn from.
pub fn networks() -> Vec<LinearNetwork> {
    let sizes = (1..=11u32).flat_map(|n| (0..=4).map(move |removed| (n, removed)));
    let shares = [0.1, 0.35, 0.6];
    sizes
        .filter(|(n, removed)| removed < n)
        .flat_map(|(n_inputs, n_removed)| {
            shares.map(|train_share| LinearNetwork { n_inputs, n_removed, train_share })
        })
        .filter(|network| network.check().is_ok())
        .collect()
}

/// Rows as the general engines take them.
pub fn dataset(n_features: u32, rows: &[(u16, bool)]) -> Dataset {
    let column = |j: u32| rows.iter().map(|(row, _)| i32::from(row >> j & 1)).collect();
    let raw = (0..n_features).map(|j| RawColumn::Nominal(column(j))).collect();
    let levels = Some(vec![Label::Int(0), Label::Int(1)]);
    let names = (0..n_features).map(|j| format!("x{j}")).collect();
    let data = Dataset::new(names, raw, vec![levels; n_features as usize], rows.len()).unwrap();
    let target = rows.iter().map(|&(_, class)| i32::from(class)).collect();
    data.with_target(target, vec![Label::Int(0), Label::Int(1)], None).unwrap()
}

/// The tree of ID3 as the general engine grows it.
pub fn id3(n_features: u32, rows: &[(u16, bool)]) -> Tree {
    let params = GrowthParams {
        growth: Growth::Id3,
        min_samples_split: 1.0,
        min_samples_branch: 0.0,
        missing: MissingPolicy::Value,
        ..GrowthParams::default()
    };
    grow_tree(&dataset(n_features, rows), &params, &BitSet::full(n_features as usize), 1)
}
