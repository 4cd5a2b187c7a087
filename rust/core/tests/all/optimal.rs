//! Optimal trees against plain enumeration of all trees.

use std::collections::HashMap;

use crate::common::Dice;
use treewright_core::control::Control;
use treewright_core::data::{Dataset, GivenWeights, Label, RawColumn};
use treewright_core::optimal::{
    Found, Instructions, NominalTests, Params, optimal_tree, optimal_tree_by_walks, optimal_tree_with,
};
use treewright_core::outcome::{Outcome, Status};
use treewright_core::tree::Answers;

/// Every tree of a tiny table.
struct Oracle<'a> {
    data: &'a Dataset,
    params: &'a Params,
    weights: Vec<f64>,
    costs: Vec<Vec<f64>>,
    least: f64,
    known: HashMap<(u64, u32), Vec<f64>>,
}

impl<'a> Oracle<'a> {
    fn new(data: &'a Dataset, params: &'a Params) -> Self {
        let target = data.target().unwrap();
        let given =
            GivenWeights { raw: data.weights(), factors: params.class_weight.as_deref(), classes: target };
        let counted = given.counted().unwrap().weights;
        let weights: Vec<f64> =
            (0..data.n_rows() as u32).map(|row| counted.fine(row) as f64 / f64::from(1 << 20)).collect();
        let n = data.n_classes();
        let plain = (0..n).map(|c| (0..n).map(|a| f64::from(u8::from(a != c))).collect()).collect();
        let costs = params.answers.cost_matrix.clone().unwrap_or(plain);
        let all: f64 = weights.iter().sum();
        let least = if params.min_samples_leaf < 1.0 {
            params.min_samples_leaf * all
        } else {
            params.min_samples_leaf
        };
        let least = if least <= 1.0 { 0.0 } else { least };
        Oracle { data, params, weights, costs, least, known: HashMap::new() }
    }

    /// The least cost, leaves included.
    fn best(&mut self) -> f64 {
        let rows =
            (0..self.data.n_rows()).filter(|&row| self.weights[row] > 0.0).fold(0, |set, row| set | 1 << row);
        let depth = self.params.max_depth;
        let by_leaves = self.losses(rows, depth);
        let penalty = self.price();
        let most = self.params.max_leaf_nodes.map_or(by_leaves.len(), |most| most as usize);
        let costs = by_leaves.iter().enumerate().take(most).map(|(i, loss)| loss + penalty * (i + 1) as f64);
        costs.fold(f64::INFINITY, f64::min)
    }

    /// What a leaf costs: so many rows of the mean weight.
    fn price(&self) -> f64 {
        let (over, under) = self.params.leaf_penalty;
        let n_rows = self.weights.iter().filter(|&&weight| weight > 0.0).count();
        over as f64 / under as f64 * self.weights.iter().sum::<f64>() / n_rows as f64
    }

    /// By the number of leaves less one, the least loss of trees with exactly so many.
    fn losses(&mut self, rows: u64, depth: u32) -> Vec<f64> {
        if let Some(known) = self.known.get(&(rows, depth)) {
            return known.clone();
        }
        let mut losses = vec![self.leaf(rows)];
        if depth > 0 {
            for parts in self.tests(rows) {
                if parts.iter().any(|&part| self.weight(part) < self.least) {
                    continue;
                }
                let mut sum: Vec<f64> = vec![0.0];
                let mut first = true;
                for part in parts {
                    let own = self.losses(part, depth - 1);
                    sum = if first { own } else { joined(&sum, &own) };
                    first = false;
                }
                losses.resize(losses.len().max(sum.len()), f64::INFINITY);
                losses.iter_mut().zip(sum).for_each(|(least, loss)| *least = least.min(loss));
            }
        }
        self.known.insert((rows, depth), losses.clone());
        losses
    }

    fn rows(&self, rows: u64) -> impl Iterator<Item = usize> + use<> {
        (0..64).filter(move |row| rows >> row & 1 == 1)
    }

    fn weight(&self, rows: u64) -> f64 {
        self.rows(rows).map(|row| self.weights[row]).sum()
    }

    fn leaf(&self, rows: u64) -> f64 {
        let target = self.data.target().unwrap();
        let cost = |answer: usize| -> f64 {
            self.rows(rows).map(|row| self.weights[row] * self.costs[usize::from(target[row])][answer]).sum()
        };
        (0..self.costs.len()).map(cost).fold(f64::INFINITY, f64::min)
    }

    /// The parts of every test.
    fn tests(&self, rows: u64) -> Vec<Vec<u64>> {
        let mut tests = Vec::new();
        for (feature, column) in self.data.columns().iter().enumerate() {
            let of = |code: u32| {
                self.rows(rows)
                    .filter(|&row| column.codes.get(row) == code)
                    .fold(0u64, |set, row| set | 1 << row)
            };
            let domain = column.domain() as u32;
            let gaps = of(domain);
            let groups: Vec<u64> = (0..domain).map(of).filter(|&group| group != 0).collect();
            if gaps != 0 && gaps != rows {
                tests.push(vec![gaps, rows & !gaps]);
            }
            let is_ordered = column.is_numeric() || self.params.ordered.get(feature) == Some(&true);
            let mut sides: Vec<u64> = Vec::new();
            if is_ordered {
                let mut left = 0;
                for group in &groups {
                    left |= group;
                    sides.push(left);
                }
            } else if self.params.nominal_tests == NominalTests::OneValue {
                sides = groups.clone();
            } else if self.params.nominal_tests == NominalTests::Groups {
                for set in 1..1u32 << groups.len() {
                    let chosen = groups.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
                    sides.push(chosen.fold(0, |left, (_, group)| left | group));
                }
            } else if gaps == 0 {
                tests.extend((groups.len() > 1).then(|| groups.clone()));
            } else {
                for i in 0..groups.len() {
                    let mut with = groups.clone();
                    with[i] |= gaps;
                    tests.extend((groups.len() > 1).then_some(with));
                }
            }
            let known = rows & !gaps;
            for left in sides.into_iter().filter(|&left| left != 0 && left != known) {
                tests.push(vec![left, rows & !left]);
                if gaps != 0 {
                    tests.push(vec![left | gaps, known & !left]);
                }
            }
        }
        tests
    }
}

fn joined(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut sums = vec![f64::INFINITY; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            sums[i + j + 1] = sums[i + j + 1].min(x + y);
        }
    }
    sums
}

/// What a random table may have.
#[derive(Clone, Copy)]
struct Kind {
    rows: usize,
    features: usize,
    classes: usize,
    numeric: bool,
    nominal: bool,
    gaps: bool,
    weights: bool,
}

const NUMERIC: Kind =
    Kind { rows: 24, features: 3, classes: 3, numeric: true, nominal: false, gaps: false, weights: false };

fn table(dice: &mut Dice, kind: Kind) -> Dataset {
    let n = 1 + dice.roll(kind.rows);
    let n_features = 1 + dice.roll(kind.features);
    let n_classes = 1 + dice.roll(kind.classes);
    let (mut raw, mut levels) = (Vec::new(), Vec::new());
    for _ in 0..n_features {
        let most = if dice.chance(30) { n + 1 } else { 5 };
        let n_values = 1 + dice.roll(most);
        let is_gap = |dice: &mut Dice| kind.gaps && dice.chance(15);
        if kind.numeric && !(kind.nominal && dice.chance(50)) {
            let value =
                |dice: &mut Dice| if is_gap(dice) { f64::NAN } else { dice.roll(n_values) as f64 / 2.0 };
            raw.push(RawColumn::Numeric((0..n).map(|_| value(dice)).collect()));
            levels.push(None);
        } else {
            let n_values = n_values.min(5);
            let value = |dice: &mut Dice| if is_gap(dice) { -1 } else { dice.roll(n_values) as i32 };
            raw.push(RawColumn::Nominal((0..n).map(|_| value(dice)).collect()));
            levels.push(Some((0..n_values).map(|i| Label::Int(i as i64)).collect()));
        }
    }
    let names = (0..n_features).map(|i| format!("x{i}")).collect();
    let data = Dataset::new(names, raw, levels, n).unwrap();
    let target = (0..n).map(|_| dice.roll(n_classes) as i32).collect();
    let classes = (0..n_classes).map(|c| Label::Int(c as i64)).collect();
    let weights = (kind.weights && dice.chance(70)).then(|| {
        let scale = [1usize, 4, 300, 40_000][dice.roll(4)];
        (0..n).map(|_| (1 + dice.roll(scale)) as f64).collect()
    });
    data.with_target(target, classes, weights).unwrap()
}

fn solved(data: &Dataset, params: &Params) -> Outcome<Found, f64> {
    optimal_tree(data, params, &Control::unlimited()).unwrap()
}

/// The cost of the rows as the tree predicts them, leaves included.
fn rescored(data: &Dataset, params: &Params, found: &Found) -> f64 {
    let oracle = Oracle::new(data, params);
    let columns: Vec<RawColumn> = data.columns().iter().map(|column| column.to_raw()).collect();
    let predicted = found.tree.predict(&columns, &Control::unlimited()).unwrap().value.unwrap();
    let target = data.target().unwrap();
    let cost = |(row, &answer): (usize, &i32)| {
        oracle.weights[row] * oracle.costs[usize::from(target[row])][answer as usize]
    };
    let loss: f64 = predicted.iter().enumerate().map(cost).sum();
    assert!((loss - found.loss).abs() <= 1e-9 * loss.max(1.0), "told {} and is {loss}", found.loss);
    loss + oracle.price() * found.tree.n_leaves() as f64
}

/// The same, never by bits.
fn walked(data: &Dataset, params: &Params) -> Outcome<Found, f64> {
    optimal_tree_by_walks(data, params, Instructions::best(), &Control::unlimited()).unwrap()
}

fn check(data: &Dataset, params: &Params, what: &str) {
    let expected = Oracle::new(data, params).best();
    for found in [solved(data, params), walked(data, params)] {
        check_found(data, params, &found, expected, what);
    }
}

fn check_found(data: &Dataset, params: &Params, found: &Outcome<Found, f64>, expected: f64, what: &str) {
    assert_eq!(found.status, Status::Optimal);
    let cost = rescored(data, params, &found.value);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    assert!(
        near(cost, expected),
        "{what}: the tree costs {cost}, the best one {expected}\n{params:?}\n{data:?}"
    );
    let bound = found.bound.unwrap();
    assert!(
        near(bound, expected),
        "{what}: the bound is {bound}, the least cost {expected}\n{params:?}\n{data:?}"
    );
    let most = params.max_leaf_nodes.map_or(usize::MAX, |most| most as usize);
    assert!(found.value.tree.n_leaves() <= most && found.value.tree.max_depth() <= params.max_depth);
}

fn penalty(dice: &mut Dice) -> (u64, u64) {
    [(0, 1), (0, 1), (1, 1), (1, 2), (3, 10), (2, 1), (7, 3)][dice.roll(7)]
}

fn check_many(seed: u64, n: usize, kind: Kind, change: impl Fn(&mut Dice, &mut Params, &Dataset)) {
    let mut dice = Dice::new(seed);
    for i in 0..n {
        let max_depth = dice.roll(5) as u32;
        let kind = if max_depth == 4 { Kind { rows: kind.rows.min(14), ..kind } } else { kind };
        let data = table(&mut dice, kind);
        let mut params = Params { max_depth, leaf_penalty: penalty(&mut dice), ..Params::default() };
        change(&mut dice, &mut params, &data);
        check(&data, &params, &format!("table {i} of seed {seed}"));
    }
}

#[test]
fn numeric_tables() {
    check_many(1, 500, NUMERIC, |_, _, _| {});
    check_many(2, 200, Kind { classes: 6, ..NUMERIC }, |_, _, _| {});
    check_many(3, 200, Kind { classes: 2, rows: 45, features: 2, ..NUMERIC }, |_, params, _| {
        params.max_depth = params.max_depth.min(3);
    });
}

#[test]
fn weighted_tables() {
    check_many(4, 300, Kind { weights: true, ..NUMERIC }, |_, _, _| {});
    check_many(5, 300, Kind { weights: true, classes: 2, ..NUMERIC }, |dice, params, data| {
        if dice.chance(50) {
            params.class_weight = Some((0..data.n_classes()).map(|c| [1.0, 2.5, 0.3][c]).collect());
        }
    });
}

#[test]
fn nominal_tables_and_missing_values() {
    let kind = Kind { nominal: true, gaps: true, weights: true, ..NUMERIC };
    check_many(6, 500, kind, |_, _, _| {});
    check_many(7, 300, Kind { numeric: false, ..kind }, |_, _, _| {});
    check_many(8, 300, Kind { gaps: false, classes: 2, ..kind }, |_, _, _| {});
}

#[test]
fn groups_and_branches_for_every_value() {
    let kind = Kind { nominal: true, gaps: true, weights: true, rows: 16, ..NUMERIC };
    for (seed, tests) in [(9, NominalTests::Groups), (10, NominalTests::Multiway)] {
        check_many(seed, 300, kind, |_, params, _| params.nominal_tests = tests);
        check_many(seed + 2, 200, Kind { gaps: false, classes: 2, ..kind }, |_, params, _| {
            params.nominal_tests = tests;
        });
    }
}

#[test]
fn values_in_order() {
    let kind = Kind { nominal: true, gaps: true, ..NUMERIC };
    check_many(13, 200, kind, |dice, params, data| {
        params.ordered =
            data.columns().iter().map(|column| !column.is_numeric() && dice.chance(50)).collect();
    });
}

#[test]
fn few_leaves() {
    let kind = Kind { nominal: true, gaps: true, weights: true, ..NUMERIC };
    check_many(14, 500, kind, |dice, params, _| params.max_leaf_nodes = Some(1 + dice.roll(8) as u32));
}

#[test]
fn costs_of_wrong_answers() {
    let kind = Kind { nominal: true, weights: true, classes: 4, ..NUMERIC };
    check_many(15, 500, kind, |dice, params, data| {
        let k = data.n_classes();
        let row = |dice: &mut Dice, class: usize| -> Vec<f64> {
            (0..k)
                .map(|a| if a == class && dice.chance(80) { 0.0 } else { dice.roll(6) as f64 / 2.0 })
                .collect()
        };
        let costs = (0..k).map(|class| row(dice, class)).collect();
        params.answers = Answers { cost_matrix: Some(costs), ..Answers::default() };
    });
}

#[test]
fn every_instruction_set_gives_the_same_tree() {
    let mut dice = Dice::new(16);
    for _ in 0..60 {
        let kind = Kind { rows: 300, features: 5, nominal: true, gaps: true, weights: true, ..NUMERIC };
        let data = table(&mut dice, kind);
        let params = Params { max_depth: 2 + dice.roll(2) as u32, ..Params::default() };
        let of = |isa| optimal_tree_with(&data, &params, isa, &Control::unlimited()).unwrap();
        let plain = of(Instructions::Plain);
        for isa in Instructions::available() {
            let found = of(isa);
            assert_eq!((found.value.tree, found.bound), (plain.value.tree.clone(), plain.bound));
            let found = optimal_tree_by_walks(&data, &params, isa, &Control::unlimited()).unwrap();
            assert_eq!(found.bound, plain.bound);
        }
    }
}

#[test]
fn threads_give_the_same_tree() {
    let mut dice = Dice::new(17);
    for i in 0..30 {
        let data = table(&mut dice, Kind { rows: 200, features: 4, ..NUMERIC });
        let params = Params { max_depth: 3 + i % 2, leaf_penalty: penalty(&mut dice), ..Params::default() };
        let control = Control::unlimited().threads(2);
        let (one, two) = (solved(&data, &params), optimal_tree(&data, &params, &control).unwrap());
        assert_eq!((one.value.tree, one.bound), (two.value.tree, two.bound));
        let one = walked(&data, &params);
        let two = optimal_tree_by_walks(&data, &params, Instructions::best(), &control).unwrap();
        assert_eq!((one.value.tree, one.bound), (two.value.tree, two.bound));
    }
}

#[test]
fn bits_and_walks_find_the_same_cost() {
    let mut dice = Dice::new(21);
    for i in 0..24 {
        let kind = Kind { rows: 400, features: 8, classes: 2 + i % 4, nominal: true, gaps: true, ..NUMERIC };
        let data = table(&mut dice, Kind { weights: i % 3 == 0, ..kind });
        let params = Params { leaf_penalty: penalty(&mut dice), ..Params::default() };
        let (bits, walks) = (solved(&data, &params), walked(&data, &params));
        assert!((bits.value.cost - walks.value.cost).abs() <= 1e-9 * walks.value.cost.max(1.0));
        assert_eq!(rescored(&data, &params, &bits.value), bits.value.cost);
    }
}

#[test]
fn a_search_that_is_stopped_has_an_honest_bound() {
    let mut dice = Dice::new(18);
    for _ in 0..60 {
        let data = table(&mut dice, Kind { rows: 60, features: 4, weights: true, ..NUMERIC });
        let params = Params { max_depth: 2 + dice.roll(3) as u32, ..Params::default() };
        let best = solved(&data, &params).bound.unwrap();
        for limit in [0, 1, 2, 5, 9, 30] {
            let limited = Params { node_limit: Some(limit), ..params.clone() };
            let found = solved(&data, &limited);
            let cost = rescored(&data, &limited, &found.value);
            assert!(found.bound.unwrap() <= best + 1e-9 && best <= cost + 1e-9);
        }
    }
}

#[test]
fn leaves_of_a_least_weight() {
    let kind = Kind { nominal: true, gaps: true, weights: true, ..NUMERIC };
    check_many(19, 500, kind, |dice, params, _| {
        params.min_samples_leaf = [2.0, 3.0, 5.0, 0.1, 0.3][dice.roll(5)];
        params.max_leaf_nodes = dice.chance(40).then(|| 1 + dice.roll(8) as u32);
    });
    check_many(20, 200, Kind { rows: 14, ..kind }, |dice, params, _| {
        params.min_samples_leaf = [2.0, 3.0, 5.0, 0.1, 0.3][dice.roll(5)];
        params.nominal_tests = [NominalTests::Groups, NominalTests::Multiway][dice.roll(2)];
    });
}
