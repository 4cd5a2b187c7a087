//! Unit tests, for the plain version needs what is private: the two agree to the last bit.

use super::plain::prune_plainly;
use super::{Grafting, prune_grafting};
use crate::base::control::Control;
use crate::common::{Dice, full_tree, random_table};
use crate::engines::prune::{Action, ErrorLimit, Limit, Pruned, Rows};
use crate::model::data::{Dataset, Label, RawColumn};
use crate::model::tree::Tree;

const LIMITS: [Limit; 4] = [Limit::C45, Limit::Weka, Limit::Exact, Limit::Wilson];

/// The bits of all numbers that are told of nodes.
fn bits(pruned: &Pruned) -> [Vec<u64>; 3] {
    [&pruned.leaf, &pruned.subtree, &pruned.branch]
        .map(|rates| rates.iter().map(|rate| rate.to_bits()).collect())
}

/// What both versions give.
fn agreed(tree: &Tree, rows: &Rows, params: Grafting, what: &str) -> Pruned {
    let control = Control::unlimited();
    let fast = prune_grafting(tree, rows, params, &control).unwrap().value.unwrap();
    let plain = prune_plainly(tree, rows, params, &control);
    assert_eq!(
        (&fast.tree, &fast.origin, &fast.action),
        (&plain.tree, &plain.origin, &plain.action),
        "{what}"
    );
    assert_eq!(bits(&fast), bits(&plain), "{what}");
    fast
}

/// Rows other than those a tree was grown from, with more unknown values.
fn other_rows(data: &Dataset, dice: &mut Dice) -> Dataset {
    let n_rows = data.n_rows() as i64;
    let rows: Vec<i64> = (0..n_rows).map(|_| dice.roll(n_rows as usize) as i64).collect();
    data.take(&rows).unwrap()
}

#[test]
fn the_fast_way_is_the_plain_way_to_the_last_bit() {
    let mut n_grafted = 0;
    for seed in 0..600 {
        let (n_features, n_rows) = (2 + seed as usize % 4, 20 + seed as usize % 90);
        let data = random_table(seed, n_features, n_rows);
        let tree = full_tree(&data);
        let limit = ErrorLimit::new(LIMITS[seed as usize % 4], [0.25, 0.1, 0.6][seed as usize % 3]).unwrap();
        let params = Grafting { limit, grafts: seed % 7 > 0 };
        let others = other_rows(&data, &mut Dice::new(seed));
        for data in [&data, &others] {
            let rows = Rows::new(&tree, data, None).unwrap();
            let pruned = agreed(&tree, &rows, params, &format!("seed {seed}"));
            n_grafted += pruned.action.iter().filter(|&&action| action == Action::Grafted).count();
        }
    }
    assert!(n_grafted > 100, "{n_grafted}");
}

/// A numeric table whose tree is a chain, since every cut takes few rows off one end.
fn chain(n_rows: usize, noise: usize, missing: usize, seed: u64) -> Dataset {
    let mut dice = Dice::new(seed);
    let mut values = Vec::new();
    for row in 0..n_rows {
        values.push(if dice.chance(missing) { f64::NAN } else { row as f64 });
    }
    let target = (0..n_rows).map(|row| ((row + usize::from(dice.chance(noise))) % 2) as i32).collect();
    let other = (0..n_rows).map(|_| dice.roll(4) as f64).collect();
    let columns = vec![RawColumn::Numeric(values), RawColumn::Numeric(other)];
    let names = vec!["place".to_owned(), "other".to_owned()];
    let data = Dataset::new(names, columns, vec![None, None], n_rows).unwrap();
    data.with_target(target, vec![Label::Int(0), Label::Int(1)], None).unwrap()
}

#[test]
fn so_it_is_in_chains() {
    for seed in 0..40 {
        let data = chain(150, [0, 5, 20][seed as usize % 3], [0, 3][seed as usize % 2], seed);
        let tree = full_tree(&data);
        let limit = ErrorLimit::new(Limit::C45, 0.99).unwrap();
        let rows = Rows::new(&tree, &data, None).unwrap();
        agreed(&tree, &rows, Grafting { limit, grafts: true }, &format!("seed {seed}"));
    }
}
