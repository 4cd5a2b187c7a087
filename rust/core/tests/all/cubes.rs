//! Counting cube by cube against the enumeration.

use std::sync::Arc;

use crate::common::{Dice, random_table};
use treewright_core::control::Control;
use treewright_core::data::{Dataset, Label, RawColumn};
use treewright_core::distinct::{Call, EnumerationRules, Order, Tally, count, count_parts};
use treewright_core::induce::{Criterion, GrowthParams, Problem};
use treewright_core::outcome::Status;

const ORDERS: [Order; 4] = [Order::Frontier, Order::FrontierDescending, Order::Index, Order::IndexDescending];

/// Two classes that depend a little on every column: numbers of many values and of few, names, gaps.
fn two_classes(seed: u64, n_features: usize, n_rows: usize, gaps: usize) -> Dataset {
    let mut dice = Dice::new(seed);
    let mut target = vec![0; n_rows];
    let (mut raw, mut levels, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for feature in 0..n_features {
        let n_values = [n_rows, 2 * n_rows, 3, 12, 2][(feature + seed as usize) % 5];
        let mut codes = vec![-1; n_rows];
        for (code, class) in codes.iter_mut().zip(&mut target) {
            let value = dice.roll(n_values);
            *class += usize::from(2 * value >= n_values);
            *code = if dice.chance(gaps) { -1 } else { value as i32 };
        }
        if n_values <= 12 && dice.chance(50) {
            raw.push(RawColumn::Nominal(codes));
            levels.push(Some((0..n_values as i64).map(Label::Int).collect()));
        } else {
            let number = |code: i32| if code < 0 { f64::NAN } else { f64::from(code) };
            raw.push(RawColumn::Numeric(codes.into_iter().map(number).collect()));
            levels.push(None);
        }
        names.push(format!("x{feature}"));
    }
    let noise = 30;
    let class = |&n: &usize, dice: &mut Dice| i32::from(2 * n > n_features) ^ i32::from(dice.chance(noise));
    let target = target.iter().map(|n| class(n, &mut dice)).collect();
    let data = Dataset::new(names, raw, levels, n_rows).expect("the columns fit");
    data.with_target(target, (0..2).map(Label::Int).collect(), None).expect("the target fits")
}

fn problem(data: &Dataset, params: &GrowthParams) -> Arc<Problem> {
    let rows = (0..data.n_rows() as u32).filter(|row| row % 7 != 3).collect();
    Arc::new(Problem::new(data, rows, params).expect("the table can be grown from"))
}

fn by_cubes(problem: &Arc<Problem>, order: Order, control: &Control) -> (Tally, Status) {
    let rules = EnumerationRules { order, cap: usize::MAX, node_limit: u64::MAX, required: Vec::new() };
    let counted = control.in_pool(|| count(problem.clone(), Vec::new(), &rules, control)).unwrap();
    (counted.value, counted.status)
}

/// Parts are enumerated one tree after the other; here the whole is one part.
fn by_trees(problem: &Arc<Problem>, order: Order) -> Tally {
    let rules = EnumerationRules { order, cap: usize::MAX, node_limit: u64::MAX, required: Vec::new() };
    let whole = [Call::first(problem.n_features())];
    let control = Control::unlimited();
    let mut counted = count_parts(problem.clone(), Vec::new(), &rules, &whole, &control).unwrap();
    assert_eq!(counted.status, Status::Complete);
    counted.value.remove(0)
}

fn check(problem: &Arc<Problem>, what: &str) {
    for order in ORDERS {
        let expected = by_trees(problem, order);
        for n_threads in [1, 3] {
            let control = Control::unlimited().threads(n_threads);
            let found = by_cubes(problem, order, &control);
            assert_eq!(found, (expected.clone(), Status::Complete), "{what}, {order:?}, {n_threads} threads");
            assert!(control.progress().done <= 1 << problem.n_features());
        }
    }
}

#[test]
fn cubes_count_what_the_enumeration_counts() {
    let criteria = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];
    for seed in 0..150 {
        let data = random_table(seed, 6, 40);
        let params = GrowthParams {
            criterion: criteria[seed as usize % 3],
            mdl_correction: Some(seed % 3 != 2 && seed % 2 == 1),
            max_depth: (seed % 5 == 0).then_some(2),
            min_samples_branch: if seed % 4 == 0 { 2.0 } else { 1.0 },
            min_samples_leaf: if seed % 5 == 0 { 3.0 } else { 1.0 },
            min_gain: if seed % 7 == 0 { 0.05 } else { 0.0 },
            ..GrowthParams::default()
        };
        check(&problem(&data, &params), &format!("seed {seed}"));
    }
}

#[test]
fn small_tables_of_two_classes_are_full_of_ties() {
    for seed in 0..300 {
        let n_rows = 4 + seed as usize % 40;
        let data = two_classes(seed, 6, n_rows, [0, 10, 30][seed as usize % 3]);
        let params = GrowthParams { max_depth: (seed % 5 == 0).then_some(3), ..GrowthParams::default() };
        check(&problem(&data, &params), &format!("seed {seed}"));
    }
}

#[test]
fn larger_tables_of_two_classes() {
    for seed in 0..10 {
        let data = two_classes(seed, 5, 1500, [0, 3][seed as usize % 2]);
        let params = GrowthParams { min_samples_split: 2.0 + seed as f64, ..GrowthParams::default() };
        check(&problem(&data, &params), &format!("seed {seed}"));
    }
}

#[test]
fn no_features_and_too_many_of_them() {
    for n_features in [0, 1, 17] {
        let data = two_classes(3, n_features, 30, 10);
        let params = GrowthParams { min_samples_split: 20.0, ..GrowthParams::default() };
        check(&problem(&data, &params), &format!("{n_features} features"));
    }
}

#[test]
fn a_count_cut_short_counts_some_of_the_trees() {
    let problem = problem(&two_classes(1, 12, 2000, 2), &GrowthParams::default());
    let (whole, _) = by_cubes(&problem, Order::Frontier, &Control::unlimited());
    let mut most = 0;
    for (n_threads, seconds) in [(1, 0.0), (1, 0.05), (2, 0.1), (3, 0.2), (2, 0.4)] {
        let control = Control::with_time_limit(Some(seconds)).threads(n_threads);
        let (some, status) = by_cubes(&problem, Order::Frontier, &control);
        if status == Status::Complete {
            assert_eq!(some, whole);
            continue;
        }
        assert_eq!(status, Status::TimeLimit);
        let certificate: u64 = (0..).zip(&some.by_log_subsets).map(|(k, n)| n << k).sum();
        assert!(certificate < 1 << 12);
        assert!(some.by_n_features.iter().zip(&whole.by_n_features).all(|(some, all)| some <= all));
        assert!(some.n_distinct() <= some.n_built);
        most = most.max(some.n_distinct());
    }
    assert!(most > 0, "nothing was ever counted before the time was over");
}
