//! Least costs of many small tables, one after the other, with nothing kept of their graphs.
//!
//! A subtable of at most 64 rows is a word. The memo is an open-addressed array in which every place
//! bears the number of the table it was filled for, so that nothing is cleared between tables.
//! Leaves and pairs of rows are not looked up: their costs are known.

use std::sync::Arc;

use super::subtables::{GraphRules, SubtableGraph};
use crate::base::control::Control;
use crate::base::error::Result;
use crate::model::data::DecisionTable;

/// Five costs in lanes: depth, total path length, nodes, internal nodes, leaves.
type Lanes = [i16; 8];

const LEAF: Lanes = [0, 0, 1, 0, 1, 0, 0, 0];
/// Two rows with different decisions: any feature that tells them apart.
const PAIR: Lanes = [1, 2, 3, 1, 2, 0, 0, 0];

/// Costs known at once, by kind of part: no rows, a leaf, a pair, to be looked up.
const KINDS: [Lanes; 4] = [[0; 8], LEAF, PAIR, [0; 8]];

/// A subtable's costs, kept for the table numbered `table`.
#[derive(Clone, Copy, Default)]
struct Place {
    set: u64,
    table: u32,
    costs: Lanes,
}

/// A feature that varies, with what its leaves and pairs cost and where its other parts end.
#[derive(Clone, Copy)]
struct Column {
    feature: u32,
    end: u32,
    costs: Lanes,
}

/// Least costs of tables, with buffers that one table leaves to the next.
#[derive(Default)]
pub struct Minima {
    places: Vec<Place>,
    n_taken: usize,
    table: u32,
    values: Vec<u64>,
    starts: Vec<u32>,
    decisions: Vec<u32>,
    same: Vec<u64>,
    columns: Vec<Column>,
    /// Of these the first `n_parts` are in use.
    parts: Vec<u64>,
    n_parts: usize,
}

impl Minima {
    /// The least depth, total path length, number of nodes, of internal nodes and of leaves over all
    /// trees for the table, each by itself, in the order of [`Cost::NAMED`](crate::model::tree::Cost::NAMED).
    ///
    /// About a quarter of a millisecond for 50 rows of 10 columns of three values. Above 64 rows the
    /// whole graph is built, which nothing interrupts.
    ///
    /// # Errors
    /// As [`SubtableGraph::build`].
    pub fn of(&mut self, table: &DecisionTable) -> Result<[u64; 5]> {
        if table.n_rows() > 64 {
            let (table, control) = (Arc::new(table.clone()), Control::unlimited());
            let graph = SubtableGraph::build(&table, &GraphRules::default(), &control)?;
            return Ok(graph.value.least().expect("nothing limits the graph"));
        }
        self.begin(table);
        let all = u64::MAX >> (64 - table.n_rows());
        let costs = match self.is_pure(all) {
            true => LEAF,
            false => self.costs(all, 0..table.n_features(), true),
        };
        Ok(std::array::from_fn(|i| costs[i] as u64))
    }

    fn begin(&mut self, table: &DecisionTable) {
        self.table = self.table.wrapping_add(1);
        if self.table == 0 || self.places.is_empty() {
            self.places = vec![Place::default(); self.places.len().max(1 << 12)];
            self.table = 1;
        }
        self.n_taken = 0;
        self.values.clear();
        self.starts.clear();
        for f in 0..table.n_features() {
            let start = self.values.len();
            self.starts.push(start as u32);
            self.values.resize(start + table.arity(f) as usize, 0);
            for (row, &value) in table.column(f).iter().enumerate() {
                self.values[start + value as usize] |= 1 << row;
            }
        }
        self.starts.push(self.values.len() as u32);
        self.decisions.clear();
        self.decisions.extend_from_slice(table.decisions());
        self.decisions.resize(65, 0); // an empty part has its first row at 64
        self.same.clear();
        self.same.resize(table.n_decisions() as usize, 0);
        for (row, &decision) in table.decisions().iter().enumerate() {
            self.same[decision as usize] |= 1 << row;
        }
    }

    #[inline]
    fn is_pure(&self, set: u64) -> bool {
        set & !self.same[self.decisions[set.trailing_zeros() as usize] as usize] == 0
    }

    /// Least costs of a subtable that is no leaf, given where its parent's columns stand.
    fn costs(&mut self, set: u64, above: std::ops::Range<usize>, is_root: bool) -> Lanes {
        let (first, start) = (self.columns.len(), self.n_parts);
        for at in above {
            let feature = if is_root { at } else { self.columns[at].feature as usize };
            self.add_column(set, feature);
        }
        let (end, n_rows) = (self.columns.len(), set.count_ones() as i16);
        let (mut best, mut part) = ([i16::MAX; 8], start);
        for at in first..end {
            let Column { end: last, mut costs, .. } = self.columns[at];
            while part < last as usize {
                let set = self.parts[part];
                costs = add(costs, self.find(set).unwrap_or_else(|| self.costs(set, first..end, false)));
                part += 1;
            }
            best = smaller(best, costs);
        }
        self.columns.truncate(first);
        self.n_parts = start;
        let own: Lanes = [1, n_rows, 1, 1, 0, 0, 0, 0];
        let best = std::array::from_fn(|i| best[i] + own[i]);
        self.keep(set, best);
        best
    }

    /// Adds a feature that varies in `set`, with the parts that are neither leaves nor pairs.
    ///
    /// Which kind a part is cannot be foreseen, so nothing branches on it: every part is written
    /// down, and stays where it is one to be looked up.
    #[inline]
    fn add_column(&mut self, set: u64, feature: usize) {
        let values = &self.values[self.starts[feature] as usize..self.starts[feature + 1] as usize];
        let start = self.n_parts;
        if self.parts.len() < start + values.len() {
            self.parts.resize(2 * (start + values.len()), 0);
        }
        let (parts, mut n_open, mut costs) = (&mut self.parts[start..], 0, [0; 8]);
        for value in values {
            let part = set & value;
            if part == set {
                return;
            }
            let rest = part & part.wrapping_sub(1);
            let is_pure = part & !self.same[self.decisions[part.trailing_zeros() as usize] as usize] == 0;
            let is_pair = rest & rest.wrapping_sub(1) == 0;
            let kind = usize::from(part != 0) * (1 + usize::from(!is_pure) * (1 + usize::from(!is_pair)));
            costs = add(costs, KINDS[kind]);
            parts[n_open] = part;
            n_open += usize::from(kind == 3);
        }
        self.n_parts += n_open;
        self.columns.push(Column { feature: feature as u32, end: (start + n_open) as u32, costs });
    }

    #[inline]
    fn place(&self, set: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = (set.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        while self.places[at].table == self.table && self.places[at].set != set {
            at = (at + 1) & mask;
        }
        at
    }

    #[inline]
    fn find(&self, set: u64) -> Option<Lanes> {
        let place = &self.places[self.place(set)];
        (place.table == self.table).then_some(place.costs)
    }

    fn keep(&mut self, set: u64, costs: Lanes) {
        if 2 * self.n_taken >= self.places.len() {
            let larger = vec![Place::default(); 2 * self.places.len()];
            let before = std::mem::replace(&mut self.places, larger);
            for place in before.into_iter().filter(|place| place.table == self.table) {
                let at = self.place(place.set);
                self.places[at] = place;
            }
        }
        let at = self.place(set);
        self.places[at] = Place { set, table: self.table, costs };
        self.n_taken += 1;
    }
}

/// The larger depth and the sums of the rest.
#[inline]
fn add(a: Lanes, b: Lanes) -> Lanes {
    let mut sum: Lanes = std::array::from_fn(|i| a[i] + b[i]);
    sum[0] = a[0].max(b[0]);
    sum
}

#[inline]
fn smaller(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|i| a[i].min(b[i]))
}

#[cfg(test)]
mod tests {
    // The costs of small tables are private.
    use super::*;
    use crate::base::control::Control;
    use crate::common::Dice;
    use crate::common::tables::random_table;

    #[test]
    fn minima_of_one_table_after_another_are_those_of_their_graphs() {
        let (mut minima, control) = (Minima::default(), Control::unlimited());
        let mut dice = Dice::new(3);
        for number in 0..300 {
            let (n_rows, n_features) = (1 + dice.roll(64), 1 + dice.roll(8));
            let n_rows = if number % 30 == 29 { 4 * n_rows } else { n_rows };
            let table = random_table(&mut dice, n_rows, n_features, 3, 3);
            let graph = SubtableGraph::build(&table, &GraphRules::default(), &control).unwrap();
            assert_eq!(minima.of(&table).unwrap(), graph.value.least().unwrap());
        }
    }
}
