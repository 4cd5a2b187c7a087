//! The enumeration against all subsets.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::{grow_tree, random_table};
use treewright_core::bits::{BitSet, Mask};
use treewright_core::control::Control;
use treewright_core::data::Dataset;
use treewright_core::distinct::{EnumerationRules, Enumerator, Order, count, count_parts, split_search};
use treewright_core::induce::{Criterion, Growth, GrowthParams, Problem};
use treewright_core::outcome::Status;
use treewright_core::tree::Tree;

const ORDERS: [Order; 4] = [Order::Frontier, Order::FrontierDescending, Order::Index, Order::IndexDescending];
const N: usize = 6;

fn params(seed: u64) -> GrowthParams {
    let criteria = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];
    GrowthParams {
        criterion: criteria[seed as usize % 3],
        mdl_correction: seed % 3 != 2 && seed % 2 == 1,
        max_depth: (seed % 5 == 0).then_some(2),
        min_samples_leaf: if seed % 4 == 0 { 2.0 } else { 1.0 },
        ..GrowthParams::default()
    }
}

/// Every distinct tree with the number of subsets that give it.
fn brute_force(data: &Dataset, params: &GrowthParams) -> BTreeMap<Vec<usize>, (Tree, u64)> {
    let mut found: BTreeMap<Vec<usize>, (Tree, u64)> = BTreeMap::new();
    for subset in 0..1u64 << N {
        let tree = grow_tree(data, params, &subset.to_set(N), 1);
        let used = tree.used_features().iter().collect();
        let entry = found.entry(used).or_insert_with(|| (tree.clone(), 0));
        assert_eq!(entry.0, tree, "trees with equal used sets are equal");
        entry.1 += 1;
    }
    found
}

fn check<M: Mask>(data: &Dataset, params: &GrowthParams, order: Order, cap: usize) {
    let expected = brute_force(data, params);
    let rows = (0..data.n_rows() as u32).collect();
    let problem = Arc::new(Problem::new(data, rows, params).unwrap());
    let mut enumerator = Enumerator::<M>::new(problem, Vec::new(), order, cap);
    let mut seen = BTreeMap::new();
    let ended = enumerator.run(&Control::unlimited(), |found| {
        let used: Vec<usize> = found.used.to_set(N).iter().collect();
        let n_subsets = 1u64 << (N - used.len() - found.blocked.len());
        let earlier = seen.insert(used, (found.forest.to_tree(found.tree), n_subsets));
        assert!(earlier.is_none(), "no tree comes twice");
        true
    });
    assert_eq!(ended, Some(Status::Complete));
    assert_eq!(seen, expected);
    assert_eq!(enumerator.n_distinct as usize, expected.len());
    assert!(enumerator.n_built >= enumerator.n_distinct);
}

#[test]
fn every_distinct_tree_once_with_its_number_of_subsets() {
    for seed in 0..120 {
        let data = random_table(seed, N, 24);
        let order = ORDERS[(seed / 3) as usize % 4];
        check::<u64>(&data, &params(seed), order, usize::MAX);
        check::<BitSet>(&data, &params(seed), order, 0);
    }
}

#[test]
fn id3_growth_enumerates_too() {
    let mut n_nominal = 0;
    for seed in 0..600 {
        let data = random_table(seed, N, 12);
        if data.columns().iter().any(|column| column.is_numeric()) {
            continue;
        }
        n_nominal += 1;
        let params = GrowthParams { growth: Growth::Id3, min_samples_leaf: 0.0, ..GrowthParams::default() };
        check::<u64>(&data, &params, Order::Frontier, usize::MAX);
    }
    assert!(n_nominal > 3);
}

#[test]
fn a_pause_loses_nothing() {
    let data = random_table(11, N, 24);
    let problem = Problem::new(&data, (0..24).collect(), &params(11)).unwrap();
    let mut enumerator = Enumerator::<u64>::new(Arc::new(problem), Vec::new(), Order::Frontier, usize::MAX);
    let mut n_seen = 0;
    loop {
        let ended = enumerator.run(&Control::unlimited(), |_| {
            n_seen += 1;
            n_seen % 3 != 0
        });
        if ended == Some(Status::Complete) {
            break;
        }
        assert_eq!(ended, None);
        let stopped = Control::unlimited();
        stopped.stop();
        enumerator.run(&stopped, |_| unreachable!("a stopped run visits nothing"));
    }
    assert_eq!(n_seen, enumerator.n_distinct);
    assert_eq!(n_seen as usize, brute_force(&data, &params(11)).len());
}

#[test]
fn threads_count_the_same() {
    for seed in 0..60 {
        let n_rows = 40;
        let data = random_table(seed, 9, n_rows);
        let order = ORDERS[seed as usize % 4];
        let counted = |n_threads, cap| {
            let problem = Problem::new(&data, (0..30).collect(), &params(seed)).unwrap();
            let rules = EnumerationRules { order, cap, node_limit: u64::MAX };
            let control = Control::unlimited().threads(n_threads);
            let validation = (30..n_rows as u32).collect();
            let counted = control.in_pool(|| count(Arc::new(problem), validation, &rules, &control)).unwrap();
            (counted.value, counted.status)
        };
        let (alone, status) = counted(1, usize::MAX);
        assert_eq!(status, Status::Complete);
        for (n_threads, cap) in [(2, usize::MAX), (3, 0), (4, 1 << 14)] {
            assert_eq!(counted(n_threads, cap), (alone.clone(), status), "seed {seed}, {n_threads} threads");
        }
    }
}

#[test]
fn a_stop_reaches_all_threads() {
    let data = random_table(5, 30, 300);
    let problem = Problem::new(&data, (0..300).collect(), &GrowthParams::default()).unwrap();
    let rules = EnumerationRules { order: Order::Frontier, cap: 1 << 22, node_limit: u64::MAX };
    let control = Control::with_time_limit(Some(0.2)).threads(3);
    let counted = control.in_pool(|| count(Arc::new(problem), Vec::new(), &rules, &control)).unwrap();
    let tally = counted.value;
    assert_eq!(counted.status, Status::TimeLimit);
    assert_eq!(tally.n_distinct() > 0, tally.n_built > 0);
    assert!(control.elapsed() < 5.0);
}

#[test]
fn parts_add_up_to_the_whole() {
    let mut most = 0;
    for seed in 0..40 {
        let data = random_table(seed, 9, 40);
        let problem = Arc::new(Problem::new(&data, (0..40).collect(), &params(seed)).unwrap());
        let rules =
            EnumerationRules { order: ORDERS[seed as usize % 4], cap: usize::MAX, node_limit: u64::MAX };
        let control = Control::unlimited();
        let whole = count(problem.clone(), Vec::new(), &rules, &control).unwrap().value;
        let n_parts = 1 + seed as usize % 20;
        let parts = split_search(problem.clone(), Vec::new(), &rules, n_parts, &control).unwrap();
        let parts = parts.found().unwrap();
        let mut sum = parts.around;
        most = most.max(parts.calls.len());
        for part in parts.calls.iter().rev() {
            let part = std::slice::from_ref(part);
            let counted = count_parts(problem.clone(), Vec::new(), &rules, part, &control).unwrap();
            assert_eq!((counted.value.len(), counted.status), (1, Status::Complete));
            sum.merge(&counted.value[0]);
        }
        assert_eq!(
            (sum.n_built, sum.by_n_features, sum.by_log_subsets),
            (whole.n_built, whole.by_n_features, whole.by_log_subsets)
        );
    }
    assert!(most >= 15, "{most}");
}
