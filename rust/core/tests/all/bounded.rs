//! Branch and bound against all trees.

use std::collections::HashMap;

use crate::common::Dice;
use crate::common::tables::parts;
use treewright_core::control::Control;
use treewright_core::data::{DecisionTable, OnConflict};
use treewright_core::outcome::{Outcome, Status};
use treewright_core::tables::{Bounded, GreedyRules, Heuristic, Plan, SearchRules, greedy, minimum_bounded};
use treewright_core::tree::{Combine, Cost};

fn random_table(seed: u64, most_rows: usize, most_features: usize) -> DecisionTable {
    let mut dice = Dice::new(seed);
    let (n_rows, n_features) = (1 + dice.roll(most_rows), 1 + dice.roll(most_features));
    let n_decisions = 1 + dice.roll(5) as u32;
    let arities: Vec<u32> = (0..n_features).map(|_| 2 + dice.roll(3) as u32).collect();
    let column = |arity: &u32| (0..n_rows).map(|_| dice.roll(*arity as usize) as u32).collect();
    let columns = arities.iter().map(column).collect();
    let decisions = (0..n_rows).map(|_| dice.roll(n_decisions as usize) as u32).collect();
    DecisionTable::merged(columns, arities, decisions, n_decisions, OnConflict::MostCommon).unwrap().0
}

fn costs() -> Vec<Cost> {
    let own =
        [Cost::of(3, 1, 2, Combine::Sum), Cost::of(1, 2, 5, Combine::Max), Cost::of(0, 0, 0, Combine::Sum)];
    Cost::NAMED.into_iter().chain(own).collect()
}

/// Least cost by trying every feature of every subtable.
fn least(
    table: &DecisionTable,
    cost: &Cost,
    alpha: u64,
    rows: Vec<u32>,
    seen: &mut HashMap<Vec<u32>, u64>,
) -> u64 {
    let counts = table.decision_counts(&rows);
    let squares: u64 = counts.iter().map(|&c| u64::from(c) * u64::from(c)).sum();
    let n = rows.len() as u64;
    if (n * n - squares) / 2 <= alpha {
        return cost.leaf;
    }
    if let Some(&known) = seen.get(&rows) {
        return known;
    }
    let mut best = u64::MAX;
    for feature in 0..table.n_features() {
        let parts = parts(table, &rows, feature);
        if parts.len() > 1 {
            let below = parts.into_iter().map(|(_, part)| least(table, cost, alpha, part, seen));
            best = best.min(cost.own(n) + below.reduce(|a, b| cost.join(a, b)).unwrap());
        }
    }
    seen.insert(rows, best);
    best
}

type Search = Outcome<Option<Bounded>, u64>;

fn cost_of(found: &Search) -> u64 {
    found.value.as_ref().unwrap().cost
}

fn plan_of(found: &Search) -> &Plan {
    &found.value.as_ref().unwrap().plan
}

fn search(table: &DecisionTable, cost: Cost, alpha: u64, node_limit: Option<u64>) -> Search {
    let rules = SearchRules { cost, alpha, node_limit, memory_limit: None };
    minimum_bounded(table, &rules, &Control::unlimited()).unwrap()
}

#[test]
fn every_cost_is_least() {
    for seed in 0..400 {
        let table = random_table(seed, 60, 7);
        for alpha in [0, 2, 20] {
            for cost in costs() {
                let rows = (0..table.n_rows() as u32).collect();
                let expected = least(&table, &cost, alpha, rows, &mut HashMap::new());
                let found = search(&table, cost, alpha, None);
                assert_eq!(
                    (cost_of(&found), found.status),
                    (expected, Status::Optimal),
                    "seed {seed}, {cost:?}, {alpha}"
                );
                assert_eq!((found.bound, plan_of(&found).cost(&cost)), (Some(expected), expected));
            }
        }
    }
}

#[test]
fn a_limit_leaves_a_tree_and_a_bound() {
    for seed in 0..60 {
        let table = random_table(seed, 60, 8);
        for cost in costs() {
            let exact = cost_of(&search(&table, cost, 0, None));
            let plans =
                greedy(&table, &GreedyRules { heuristics: &Heuristic::ALL, alpha: 0 }, &Control::unlimited())
                    .unwrap()
                    .value
                    .unwrap();
            let greedy_cost = plans.iter().map(|plan| plan.cost(&cost)).min().unwrap();
            for limit in [0, 1, 5, 50] {
                let found = search(&table, cost, 0, Some(limit));
                let (bound, cost_found) = (found.bound.unwrap(), cost_of(&found));
                assert!(bound <= exact && exact <= cost_found && cost_found <= greedy_cost);
                assert_eq!(plan_of(&found).cost(&cost), cost_found);
                assert!(found.stats.n_searched <= limit);
                assert_eq!(found.status == Status::Optimal, bound == cost_found);
                assert!(matches!(found.status, Status::Optimal | Status::NodeLimit));
            }
        }
    }
}

/// Every column tells one row from all others, so every tree is a chain.
fn chain(n: u32) -> DecisionTable {
    let column = |f: u32| (0..n).map(|row| u32::from(row == f)).collect();
    let columns = (0..n - 1).map(column).collect();
    let decisions = (0..n).map(|row| row % 2).collect();
    DecisionTable::new(columns, vec![2; n as usize - 1], decisions, 2).unwrap()
}

#[test]
fn a_chain_nests_as_deep_as_it_is_long() {
    let table = chain(700);
    for cost in [Cost::DEPTH, Cost::N_NODES] {
        let rules = SearchRules { cost, alpha: 0, node_limit: None, memory_limit: None };
        let control = Control::with_time_limit(Some(1.0));
        let found = minimum_bounded(&table, &rules, &control).unwrap();
        assert!(cost_of(&found) <= 2 * 700 && found.bound.unwrap() <= cost_of(&found));
    }
    let small = search(&chain(14), Cost::DEPTH, 0, None);
    assert_eq!((cost_of(&small), small.status), (7, Status::Optimal));
}

#[test]
fn memory_stays_below_its_limit() {
    let table = random_table(3, 300, 40);
    let rules = SearchRules { cost: Cost::N_NODES, alpha: 0, node_limit: None, memory_limit: Some(300_000) };
    let found = minimum_bounded(&table, &rules, &Control::with_time_limit(Some(20.0))).unwrap();
    assert_eq!(found.status, Status::MemoryLimit);
    assert!(found.stats.n_searched < 300_000 / 48);
}

#[test]
fn a_cost_too_large_for_sums_is_refused() {
    let table = random_table(1, 60, 7);
    let cost = Cost::of(u64::MAX, 0, 0, Combine::Sum);
    let rules = SearchRules { cost, alpha: 0, node_limit: None, memory_limit: None };
    assert!(minimum_bounded(&table, &rules, &Control::unlimited()).is_err());
}
