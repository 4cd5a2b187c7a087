//! A subtable at a glance: its key, whether it is a leaf, and the bound that holds without a search.

use super::bounds::{Census, most_others};
use super::boxes::Boxes;
use super::parts::n_unequal_pairs;
use super::proven::{Key, Proof, Proven};
use super::sets::row_key;
use crate::model::data::DecisionTable;
use crate::model::tree::Cost;

/// What is known of every row, and buffers that one look leaves to the next.
#[derive(Debug)]
pub(super) struct View<'a> {
    table: &'a DecisionTable,
    cost: Cost,
    alpha: u64,
    /// See [`most_others`].
    others: u64,
    keys: Vec<Key>,
    /// Bound by these where they are weighed.
    pub boxes: Option<Boxes>,
    /// By decision; all zero between looks.
    counts: Vec<u32>,
    census: Census,
}

impl<'a> View<'a> {
    pub fn new(table: &'a DecisionTable, cost: Cost, alpha: u64) -> Self {
        View {
            table,
            cost,
            alpha,
            others: most_others(alpha),
            keys: (0..table.n_rows() as u64).map(row_key).collect(),
            boxes: None,
            counts: vec![0; table.n_decisions() as usize],
            census: Census::default(),
        }
    }

    pub fn is_leaf(&mut self, rows: &[u32]) -> bool {
        self.take_census(rows);
        self.unequal_pairs() <= self.alpha
    }

    pub fn key(&self, rows: &[u32]) -> Key {
        rows.iter().fold(0, |key: Key, &row| key.wrapping_add(self.keys[row as usize]))
    }

    /// The static bound of a subtable in which the features of `arity` values at most vary, joined
    /// with what is proven of it; exact at a leaf.
    pub fn look_up(&mut self, rows: &[u32], arity: u32, proven: &Proven) -> (Key, Proof) {
        let key = self.take_census(rows);
        if self.unequal_pairs() <= self.alpha {
            let leaf = self.cost.leaf;
            return (key, Proof { lower: leaf, upper: leaf, feature: 0 });
        }
        let known = proven.get(key).unwrap_or(Proof::NOTHING);
        if known.is_exact() {
            return (key, known);
        }
        let (mut weight, mut logs) = (0, f64::NEG_INFINITY);
        if let Some(boxes) = &self.boxes {
            logs = 0.0;
            for &row in rows {
                weight += boxes.weights[row as usize];
                logs += boxes.logs[row as usize];
            }
        }
        let census = &mut self.census;
        (census.weight, census.logs, census.arity) = (weight, logs, arity.max(2).into());
        let bound = census.least(&self.cost, self.others);
        (key, Proof { lower: known.lower.max(bound), ..known })
    }

    /// Counts the decisions of some rows, and sums their keys.
    fn take_census(&mut self, rows: &[u32]) -> Key {
        let (mut key, decisions): (Key, _) = (0, self.table.decisions());
        for &row in rows {
            key = key.wrapping_add(self.keys[row as usize]);
            self.counts[decisions[row as usize] as usize] += 1;
        }
        let (counts, census) = (&mut self.counts, &mut self.census);
        census.n_rows = rows.len() as u64;
        census.counts.clear();
        if rows.len() < counts.len() {
            let taken = rows.iter().map(|&row| std::mem::take(&mut counts[decisions[row as usize] as usize]));
            census.counts.extend(taken.filter(|&count| count > 0));
        } else {
            census.counts.extend(counts.iter_mut().map(std::mem::take).filter(|&count| count > 0));
        }
        key
    }

    /// rt of the subtable looked at last.
    fn unequal_pairs(&self) -> u64 {
        let squares = self.census.counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
        n_unequal_pairs(self.census.n_rows, squares)
    }

    /// rt / n of the subtable looked at last.
    pub fn gini_of_last(&self) -> f64 {
        self.unequal_pairs() as f64 / self.census.n_rows as f64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::boxes::weigh;
    use super::super::plant::parts;
    use super::*;
    use crate::base::control::Control;
    use crate::base::random::Random;
    use crate::model::data::OnConflict;
    use crate::model::tree::Combine;

    fn random_table(random: &mut Random) -> DecisionTable {
        let (n_rows, n_features) = (2 + random.below(24), 1 + random.below(5));
        let n_decisions = 1 + random.below(4);
        let arities: Vec<u32> = (0..n_features).map(|_| 2 + random.below(3)).collect();
        let mut draw = |n: u32| (0..n_rows).map(|_| random.below(n)).collect::<Vec<u32>>();
        let columns = arities.iter().map(|&arity| draw(arity)).collect();
        let decisions = draw(n_decisions);
        DecisionTable::merged(columns, arities, decisions, n_decisions, OnConflict::MostCommon).unwrap().0
    }

    /// Least costs of all subtables, by trying every feature.
    fn least(view: &mut View<'_>, rows: &[u32], known: &mut HashMap<Vec<u32>, u64>) -> u64 {
        if let Some(&known) = known.get(rows) {
            return known;
        }
        let (cost, mut best) = (view.cost, if view.is_leaf(rows) { view.cost.leaf } else { u64::MAX });
        for feature in 0..view.table.n_features() {
            let parts = parts(view.table, rows, feature);
            if best != cost.leaf && parts.len() > 1 {
                let below = parts.iter().map(|(_, part)| least(view, part, known));
                best = best.min(cost.own(rows.len() as u64) + below.reduce(|a, b| cost.join(a, b)).unwrap());
            }
        }
        known.insert(rows.to_vec(), best);
        best
    }

    #[test]
    fn no_bound_is_above_the_least_cost() {
        let (mut random, control) = (Random::stream(3, 0), Control::unlimited());
        let own = [Cost::of(3, 1, 2, Combine::Sum), Cost::of(1, 2, 5, Combine::Max)];
        let costs: Vec<Cost> = Cost::NAMED.into_iter().chain(own).collect();
        let proven = Proven::new();
        for number in 0..3000 {
            let table = random_table(&mut random);
            let cost = costs[number % costs.len()];
            let alpha = [0, 0, 0, 4][number % 4];
            let mut view = View::new(&table, cost, alpha);
            if alpha == 0 {
                let effort = [1, 2_000, 1 << 24][number % 3];
                view.boxes = Some(weigh(&table, effort, &control).unwrap());
            }
            let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
            let mut known = HashMap::new();
            least(&mut view, &rows, &mut known);
            for (rows, least) in known {
                let features = (0..table.n_features()).map(|f| parts(&table, &rows, f).len() as u32);
                let arity = features.max().unwrap();
                let (_, proof) = view.look_up(&rows, arity, &proven);
                assert!(proof.lower <= least, "table {number}, rows {rows:?}: {} > {least}", proof.lower);
            }
        }
    }
}
