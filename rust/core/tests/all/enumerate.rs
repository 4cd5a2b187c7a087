//! Counts of distinct trees on several threads, in parts, and cut short.

use std::sync::Arc;

use crate::common::{random_table, shallow};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::distinct::{
    DistinctTree, DistinctTrees, EnumerationRules, Order, count, count_parts, split_search,
};
use treewright_core::induce::{GrowthParams, Problem};
use treewright_core::outcome::Status;

const ORDERS: [Order; 4] = [Order::Frontier, Order::FrontierDescending, Order::Index, Order::IndexDescending];

#[test]
fn threads_count_the_same() {
    for seed in 0..60 {
        let n_rows = 40;
        let data = random_table(seed, 9, n_rows);
        let order = ORDERS[seed as usize % 4];
        let counted = |n_threads, cap| {
            let problem = Problem::new(&data, (0..30).collect(), &shallow(seed)).unwrap();
            let rules = EnumerationRules { order, cap, node_limit: u64::MAX, required: Vec::new() };
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
    let rules =
        EnumerationRules { order: Order::Frontier, cap: 1 << 22, node_limit: u64::MAX, required: Vec::new() };
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
        let problem = Arc::new(Problem::new(&data, (0..40).collect(), &shallow(seed)).unwrap());
        let rules = EnumerationRules {
            order: ORDERS[seed as usize % 4],
            cap: usize::MAX,
            node_limit: u64::MAX,
            required: Vec::new(),
        };
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

/// All trees of an enumeration.
fn listed(problem: &Arc<Problem>, rules: &EnumerationRules) -> Vec<DistinctTree> {
    let control = Control::unlimited();
    let (trees, status) = DistinctTrees::new(problem.clone(), Vec::new(), rules).batch(usize::MAX, &control);
    assert_eq!(status, Some(Status::Complete));
    trees
}

#[test]
fn required_features_leave_the_trees_that_test_them_all() {
    let mut n_left_out = 0;
    for seed in 0..60 {
        let n = 8;
        let data = random_table(seed, n, 40);
        let problem = Arc::new(Problem::new(&data, (0..40).collect(), &shallow(seed)).unwrap());
        let order = ORDERS[seed as usize % 4];
        let all = EnumerationRules { order, cap: usize::MAX, node_limit: u64::MAX, required: Vec::new() };
        let required = vec![seed as usize % n, (seed as usize / 8 + 3) % n];
        let wanted = BitSet::of(n, required.iter().copied());
        let rules = EnumerationRules { required, ..all.clone() };
        let by_used = |mut trees: Vec<DistinctTree>| {
            trees.sort_by_key(|tree| tree.used.iter().collect::<Vec<_>>());
            trees
        };
        let every = listed(&problem, &all);
        let n_all = every.len();
        let expected: Vec<_> = every.into_iter().filter(|tree| wanted.is_subset(&tree.used)).collect();
        n_left_out += n_all - expected.len();
        let control = Control::unlimited();
        let counted = count(problem.clone(), Vec::new(), &rules, &control).unwrap().value;
        assert_eq!(counted.n_distinct() as usize, expected.len(), "seed {seed}");
        let parts = split_search(problem.clone(), Vec::new(), &rules, 9, &control).unwrap().found().unwrap();
        let rest = count_parts(problem.clone(), Vec::new(), &rules, &parts.calls, &control).unwrap().value;
        let n_parts: u64 = rest.iter().map(|tally| tally.n_distinct()).sum();
        assert_eq!((parts.around.n_distinct() + n_parts) as usize, expected.len(), "seed {seed}");
        assert_eq!(by_used(listed(&problem, &rules)), by_used(expected), "seed {seed}");
    }
    assert!(n_left_out > 100, "{n_left_out}");
}
