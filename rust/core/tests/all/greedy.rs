//! Greedy trees of tables against the definitions, worked out plainly.

use crate::common::Dice;
use treewright_core::control::Control;
use treewright_core::data::{DecisionTable, OnConflict};
use treewright_core::outcome::Status;
use treewright_core::tables::{GreedyRules, Heuristic, Impurity, Plan, Uncertainty, greedy};

const MOST_ROWS: usize = 12;
/// A multiple of n² for every n up to the most rows.
const COMMON: u128 = 27_720 * 27_720;

fn random_table(seed: u64) -> DecisionTable {
    let mut dice = Dice::new(seed);
    let (n_rows, n_features) = (1 + dice.roll(MOST_ROWS), 1 + dice.roll(6));
    let n_decisions = 1 + dice.roll(4) as u32;
    let arities: Vec<u32> = (0..n_features).map(|_| 1 + dice.roll(4) as u32).collect();
    let column = |arity: &u32| (0..n_rows).map(|_| dice.roll(*arity as usize) as u32).collect();
    let columns = arities.iter().map(column).collect();
    let decisions = (0..n_rows).map(|_| dice.roll(n_decisions as usize) as u32).collect();
    DecisionTable::merged(columns, arities, decisions, n_decisions, OnConflict::MostCommon).unwrap().0
}

fn class_counts(table: &DecisionTable, rows: &[u32]) -> Vec<u128> {
    table.decision_counts(rows).into_iter().map(u128::from).collect()
}

fn rt(counts: &[u128]) -> u128 {
    let pairs = |i: usize| counts[i + 1..].iter().map(move |other| counts[i] * other);
    (0..counts.len()).flat_map(pairs).sum()
}

/// The uncertainty of a part, as a whole multiple of 1 / [`COMMON`] where it is a fraction.
fn exact(uncertainty: Uncertainty, counts: &[u128]) -> u128 {
    let n: u128 = counts.iter().sum();
    match uncertainty {
        Uncertainty::Gini => COMMON - counts.iter().map(|c| c * c * COMMON / (n * n)).sum::<u128>(),
        Uncertainty::Misclassification => n - counts.iter().max().unwrap(),
        Uncertainty::Rt => rt(counts),
        Uncertainty::Entropy => unreachable!("entropy is no fraction"),
    }
}

fn entropy(counts: &[u128]) -> f64 {
    let n = counts.iter().sum::<u128>() as f64;
    let term = |&count: &u128| -(count as f64 / n) * (count as f64 / n).log2();
    counts.iter().filter(|&&count| count > 0).map(term).sum()
}

fn parts(table: &DecisionTable, feature: usize, rows: &[u32]) -> Vec<Vec<u32>> {
    let part = |code| rows.iter().copied().filter(move |&row| table.column(feature)[row as usize] == code);
    (0..table.arity(feature)).map(|code| part(code).collect()).filter(|p: &Vec<u32>| !p.is_empty()).collect()
}

/// The first feature of least impurity.
fn choice(table: &DecisionTable, heuristic: Heuristic, rows: &[u32]) -> usize {
    let varying = (0..table.n_features()).filter(|&f| parts(table, f, rows).len() > 1);
    let weighted = matches!(heuristic.impurity, Impurity::WeightedSum | Impurity::WeightedMax);
    let sums = matches!(heuristic.impurity, Impurity::Sum | Impurity::WeightedSum);
    let mut best: Option<(usize, u128, f64)> = None;
    for feature in varying {
        let parts = parts(table, feature, rows);
        let (mut whole, mut bits) = (0, 0.0);
        for part in &parts {
            let counts = class_counts(table, part);
            if heuristic.uncertainty == Uncertainty::Entropy {
                let share = if weighted { part.len() as f64 / rows.len() as f64 } else { 1.0 };
                let term = entropy(&counts) * share;
                bits = if sums { bits + term } else { f64::max(bits, term) };
            } else {
                let weight = if weighted { part.len() as u128 } else { 1 };
                let term = exact(heuristic.uncertainty, &counts) * weight;
                whole = if sums { whole + term } else { whole.max(term) };
            }
        }
        if best.is_none_or(|(_, least, fewest)| whole < least || bits < fewest - 1e-9) {
            best = Some((feature, whole, bits));
        }
    }
    best.expect("some column varies").0
}

/// Features and row numbers in preorder.
fn plain(
    table: &DecisionTable,
    heuristic: Heuristic,
    alpha: u64,
    rows: &[u32],
    out: &mut Vec<(Option<u32>, u32)>,
) {
    if rt(&class_counts(table, rows)) <= u128::from(alpha) {
        return out.push((None, rows.len() as u32));
    }
    let feature = choice(table, heuristic, rows);
    out.push((Some(feature as u32), rows.len() as u32));
    parts(table, feature, rows).iter().for_each(|part| plain(table, heuristic, alpha, part, out));
}

fn listed(plan: &Plan) -> Vec<(Option<u32>, u32)> {
    plan.steps().iter().map(|step| (step.feature, step.n_rows)).collect()
}

#[test]
fn sixteen_trees_at_once_are_those_of_the_definitions() {
    for seed in 0..600 {
        let table = random_table(seed);
        let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
        let alpha = [0, 0, 1, 3][seed as usize % 4];
        let plans =
            greedy(&table, &GreedyRules { heuristics: &Heuristic::ALL, alpha }, &Control::unlimited())
                .unwrap()
                .value
                .unwrap();
        for (heuristic, plan) in Heuristic::ALL.into_iter().zip(&plans) {
            let mut expected = Vec::new();
            plain(&table, heuristic, alpha, &rows, &mut expected);
            assert_eq!(listed(plan), expected, "seed {seed}, {heuristic:?}");
        }
    }
}

#[test]
fn heuristics_asked_for_come_in_their_order() {
    let table = random_table(5);
    let asked = [Heuristic::ALL[9], Heuristic::ALL[2], Heuristic::ALL[9]];
    let all = greedy(&table, &GreedyRules { heuristics: &Heuristic::ALL, alpha: 0 }, &Control::unlimited())
        .unwrap()
        .value
        .unwrap();
    let some = greedy(&table, &GreedyRules { heuristics: &asked, alpha: 0 }, &Control::unlimited())
        .unwrap()
        .value
        .unwrap();
    assert_eq!(some, [all[9].clone(), all[2].clone(), all[9].clone()]);
}

#[test]
fn no_pairs_left_is_one_leaf_and_a_row_without_columns_is_one() {
    for seed in 0..20 {
        let table = random_table(seed);
        let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
        let all_pairs = rt(&class_counts(&table, &rows)) as u64;
        let plans = greedy(
            &table,
            &GreedyRules { heuristics: &Heuristic::ALL, alpha: all_pairs },
            &Control::unlimited(),
        )
        .unwrap()
        .value
        .unwrap();
        assert!(plans.iter().all(|plan| plan.steps().len() == 1));
    }
    let lone = DecisionTable::new(vec![], vec![], vec![0], 1).unwrap();
    assert_eq!(
        greedy(&lone, &GreedyRules { heuristics: &Heuristic::ALL[..1], alpha: 0 }, &Control::unlimited())
            .unwrap()
            .value
            .unwrap()[0]
            .steps()
            .len(),
        1
    );
}

#[test]
fn half_a_tree_is_no_result() {
    let n = 3000;
    let column = |f: u32| (0..n).map(move |row: u32| (row / 9u32.pow(f)) % 9).collect();
    let columns = (0..400).map(|f| column(f % 4)).collect();
    let decisions = (0..n).map(|row| (row * row) % 7).collect();
    let table = DecisionTable::new(columns, vec![9; 400], decisions, 7).unwrap();
    let control = Control::with_time_limit(Some(0.0));
    let late = greedy(&table, &GreedyRules { heuristics: &Heuristic::ALL, alpha: 0 }, &control).unwrap();
    assert_eq!((late.value, late.status), (None, Status::TimeLimit));
}
