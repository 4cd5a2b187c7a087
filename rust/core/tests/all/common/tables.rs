//! Decision tables and all their trees, the plainest way.

use std::sync::Arc;

use treewright_core::data::{DecisionTable, OnConflict};
use treewright_core::tree::{Combine, Cost, Split, Tree};

use super::Dice;

/// The named costs and two of a user's own.
pub const COSTS: [Cost; 7] = [
    Cost::DEPTH,
    Cost::TOTAL_PATH_LENGTH,
    Cost::N_NODES,
    Cost::N_INTERNAL,
    Cost::N_LEAVES,
    Cost { leaf: 2, per_row: 1, per_node: 3, combine: Combine::Sum },
    Cost { leaf: 1, per_row: 2, per_node: 1, combine: Combine::Max },
];

/// Uniform values and decisions, equal rows merged.
pub fn random_table(
    dice: &mut Dice,
    n_rows: usize,
    n_features: usize,
    n_values: usize,
    n_decisions: usize,
) -> Arc<DecisionTable> {
    let mut column = |n: usize| (0..n_rows).map(|_| dice.roll(n) as u32).collect::<Vec<u32>>();
    let columns: Vec<Vec<u32>> = (0..n_features).map(|_| column(n_values)).collect();
    let decisions = column(n_decisions);
    let arities = vec![n_values as u32; n_features];
    let rule = OnConflict::MostCommon;
    let merged = DecisionTable::merged(columns, arities, decisions, n_decisions as u32, rule);
    Arc::new(merged.expect("the codes fit").0)
}

/// One of all trees.
pub struct Brute {
    /// Features in preorder.
    pub words: String,
    pub costs: [u64; COSTS.len()],
    pub every_subtree_is_least: [bool; COSTS.len()],
}

/// Rows of each value, by ascending value.
pub fn parts(table: &DecisionTable, rows: &[u32], f: usize) -> Vec<(u32, Vec<u32>)> {
    let value = |row: u32| table.column(f)[row as usize];
    let mut values: Vec<u32> = rows.iter().map(|&row| value(row)).collect();
    values.sort_unstable();
    values.dedup();
    let of = |v: u32| (v, rows.iter().copied().filter(|&row| value(row) == v).collect());
    values.into_iter().map(of).collect()
}

/// Every tree for some rows.
pub fn all_trees(table: &DecisionTable, rows: &[u32], alpha: u64) -> Vec<Brute> {
    let decision = |row: u32| table.decisions()[row as usize];
    let pairs = rows.iter().flat_map(|&a| rows.iter().map(move |&b| (a, b)));
    let rt = pairs.filter(|&(a, b)| a < b && decision(a) != decision(b)).count() as u64;
    if rt <= alpha {
        let costs = COSTS.map(|cost| cost.leaf);
        return vec![Brute { words: ".".to_owned(), costs, every_subtree_is_least: [true; COSTS.len()] }];
    }
    let mut trees = Vec::new();
    for f in 0..table.n_features() {
        let parts = parts(table, rows, f);
        if parts.len() > 1 {
            let below: Vec<Vec<Brute>> =
                parts.iter().map(|(_, part)| all_trees(table, part, alpha)).collect();
            trees.extend(products(f, rows.len() as u64, &below));
        }
    }
    for (i, _) in COSTS.iter().enumerate() {
        let least = trees.iter().map(|tree: &Brute| tree.costs[i]).min().expect("there is a tree");
        trees.iter_mut().for_each(|tree| tree.every_subtree_is_least[i] &= tree.costs[i] == least);
    }
    trees
}

/// A tree for every choice of one tree a part.
fn products(f: usize, n_rows: u64, below: &[Vec<Brute>]) -> Vec<Brute> {
    let n_trees = below.iter().map(Vec::len).product();
    let mut trees = Vec::new();
    for mut number in 0..n_trees {
        let mut chosen = Vec::new();
        for options in below {
            chosen.push(&options[number % options.len()]);
            number /= options.len();
        }
        let cost = |i: usize| {
            let joined = chosen.iter().map(|tree| tree.costs[i]).reduce(|a, b| match COSTS[i].combine {
                Combine::Sum => a + b,
                Combine::Max => a.max(b),
            });
            COSTS[i].per_node + COSTS[i].per_row * n_rows + joined.expect("a bundle has parts")
        };
        let words: Vec<&str> = chosen.iter().map(|tree| tree.words.as_str()).collect();
        trees.push(Brute {
            words: format!("{f}({})", words.concat()),
            costs: std::array::from_fn(cost),
            every_subtree_is_least: std::array::from_fn(|i| {
                chosen.iter().all(|tree| tree.every_subtree_is_least[i])
            }),
        });
    }
    trees
}

/// A tree in the words of [`Brute`].
pub fn words(tree: &Tree, node: usize) -> String {
    let at = &tree.nodes()[node];
    match at.split {
        Split::Listed { feature, .. } => {
            let below: Vec<String> = at.children().map(|child| words(tree, child as usize)).collect();
            format!("{feature}({})", below.concat())
        }
        _ => ".".to_owned(),
    }
}
