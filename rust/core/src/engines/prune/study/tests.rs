//! A unit test, for the fast grower is private: it grows the trees that the general engine does.

use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::{Dataset, Label, LinearNetwork, MissingPolicy, RawColumn};
use treewright_core::induce::{Growth, GrowthParams, Problem, grow};
use treewright_core::random::Random;
use treewright_core::tree::{Split, Tree};

use super::{Grower, training_rows};

fn networks() -> Vec<LinearNetwork> {
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
fn dataset(n_features: u32, rows: &[(u16, bool)]) -> Dataset {
    let column = |j: u32| rows.iter().map(|(row, _)| i32::from(row >> j & 1)).collect();
    let raw = (0..n_features).map(|j| RawColumn::Nominal(column(j))).collect();
    let levels = Some(vec![Label::Int(0), Label::Int(1)]);
    let names = (0..n_features).map(|j| format!("x{j}")).collect();
    let data = Dataset::new(names, raw, vec![levels; n_features as usize], rows.len()).unwrap();
    let target = rows.iter().map(|&(_, class)| i32::from(class)).collect();
    data.with_target(target, vec![Label::Int(0), Label::Int(1)], None).unwrap()
}

fn id3(n_features: u32, rows: &[(u16, bool)]) -> Tree {
    let params = GrowthParams {
        growth: Growth::Id3,
        min_samples_split: 1.0,
        min_samples_leaf: 0.0,
        missing: MissingPolicy::Value,
        ..GrowthParams::default()
    };
    let all = (0..rows.len() as u32).collect();
    let problem = Problem::new(&dataset(n_features, rows), all, &params).unwrap();
    grow(&problem, &BitSet::full(n_features as usize), &Control::unlimited()).unwrap().value.unwrap()
}

#[test]
fn trees_are_those_of_the_general_engine() {
    let mut grower = Grower::default();
    for (number, network) in networks().iter().enumerate() {
        let set = network.draw(&mut Random::stream(5, number as u64));
        let rows = training_rows(&set);
        let nodes = grower.grow(set.n_features, rows.iter().copied());
        let tree = id3(set.n_features, &rows);
        assert_eq!(nodes.len(), tree.nodes().len(), "{network:?}");
        for (id, (fast, slow)) in nodes.iter().zip(tree.nodes()).enumerate() {
            match slow.split {
                Split::ByValue { feature } => {
                    assert_eq!((u32::from(fast.feature), fast.first_child), (feature, slow.first_child));
                }
                _ => assert!(fast.is_leaf(), "node {id} of {network:?}"),
            }
            assert_eq!(u16::from(fast.class), slow.class, "node {id} of {network:?}");
            let weights = fast.rows.map(f64::from);
            assert_eq!(weights, &tree.class_weights()[2 * id..][..2], "node {id} of {network:?}");
        }
    }
}
