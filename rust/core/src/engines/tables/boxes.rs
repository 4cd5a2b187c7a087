//! How large a leaf around each row can be, and what that says of the number of leaves.
//!
//! A *box* is the set of rows that agree with some values. A leaf of a tree for any subtable is the
//! rows of the whole table that its path and the subtable's select, so it is a box with one decision,
//! a pure box, and boxes need to be looked at once for the whole table.
//!
//! **Leaf weights.** Weights of rows such that no pure box weighs more than 1 give a bound: the rows
//! of a subtable weigh at most the number of its leaves. From any weights v > 0 comes such a
//! w(x) = v(x) / (the heaviest pure box around x), because in a pure box B every row's heaviest box
//! weighs at least v(B), so w(B) ≤ Σ v(x) / v(B) = 1. If v was such a weighting already, w ≥ v: the
//! step can be repeated and never loses. The first step, from v = 1, weighs a row by one over the
//! largest number of rows that can share its leaf; a set of rows no two of which can share a leaf is
//! the special case of weights 0 and 1.
//!
//! **The heaviest box** around x is searched by branch and bound: while the box holds a row y of
//! another decision, one of the features in which y differs from x must be fixed. What is left
//! unsearched counts with the weight of all its rows of x's decision, so cutting a search short only
//! weakens the bound.

use super::bounds::LEAF;
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::model::data::DecisionTable;

/// What the boxes of the whole table say of each row.
#[derive(Debug, Clone)]
pub(super) struct Boxes {
    /// Leaf weights in units of 1 / [`LEAF`], rounded down.
    pub weights: Vec<u64>,
    /// −log₂ of the most rows that can share the row's leaf.
    pub logs: Vec<f64>,
    /// Whether more effort could raise the weights.
    pub cut_short: bool,
}

/// Words looked at between two looks at the control.
const CHECK_EVERY: u64 = 1 << 22;

/// How often weights are improved.
const N_STEPS: usize = 6;

struct Finder<'a> {
    table: &'a DecisionTable,
    /// Rows of each value of each feature.
    of_value: Vec<Vec<BitSet>>,
    of_decision: Vec<BitSet>,
    /// v, in units of 1 / [`LEAF`].
    weights: Vec<u64>,
    /// Words that the search around one row may still look at.
    effort: i64,
    /// The heaviest so far.
    best: u64,
    /// Whether some search was.
    cut_short: bool,
}

/// The effort below which weighing is of no use: a few words for each branch at each row.
pub(super) fn least_effort(table: &DecisionTable) -> u64 {
    let n_rows = table.n_rows() as u64;
    n_rows * table.n_features() as u64 * (4 * n_rows.div_ceil(64) + 32)
}

/// Bytes that the search keeps.
pub(super) fn bytes_needed(table: &DecisionTable) -> usize {
    let n_sets: usize = (0..table.n_features()).map(|f| table.arity(f) as usize).sum();
    let set = size_of::<BitSet>() + table.n_rows().div_ceil(64) * 8;
    (n_sets + table.n_decisions() as usize + 4 * table.n_features()) * set + 40 * table.n_rows()
}

/// Weighs the rows in `N_STEPS` steps that look at about `effort` words each.
///
/// # Errors
/// When the control interrupts.
pub(super) fn weigh(table: &DecisionTable, effort: u64, control: &Control) -> Result<Boxes, Status> {
    let mut finder = Finder::new(table);
    let (mut logs, mut cut_short) = (Vec::new(), false);
    for step in 0..N_STEPS {
        let heaviest = finder.all_heaviest(effort, control)?;
        cut_short |= finder.cut_short;
        if step == 0 {
            logs = heaviest.iter().map(|&box_| -libm::log2(box_.div_ceil(LEAF) as f64)).collect();
        }
        for (weight, heaviest) in finder.weights.iter_mut().zip(heaviest) {
            *weight = (u128::from(*weight) * u128::from(LEAF) / u128::from(heaviest)) as u64;
        }
    }
    Ok(Boxes { weights: finder.weights, logs, cut_short })
}

impl<'a> Finder<'a> {
    fn new(table: &'a DecisionTable) -> Self {
        let n_rows = table.n_rows();
        let sets = |codes: &[u32], n: u32| {
            let mut sets = vec![BitSet::empty(n_rows); n as usize];
            codes.iter().enumerate().for_each(|(row, &code)| sets[code as usize].insert(row));
            sets
        };
        Finder {
            table,
            of_value: (0..table.n_features()).map(|f| sets(table.column(f), table.arity(f))).collect(),
            of_decision: sets(table.decisions(), table.n_decisions()),
            weights: vec![LEAF; n_rows],
            effort: 0,
            best: 0,
            cut_short: false,
        }
    }

    /// Weights of the heaviest pure boxes around all rows, or more. What one row's search leaves of
    /// its share of the effort goes to the rows after it.
    fn all_heaviest(&mut self, effort: u64, control: &Control) -> Result<Vec<u64>, Status> {
        let n_rows = self.table.n_rows();
        let (mut left, mut checked) = (effort as i64, effort as i64);
        let mut heaviest = Vec::with_capacity(n_rows);
        for row in 0..n_rows {
            self.effort = left / (n_rows - row) as i64;
            left -= self.effort;
            heaviest.push(self.heaviest(row));
            left += self.effort;
            if checked - left >= CHECK_EVERY as i64 {
                checked = left;
                control.checkpoint()?;
            }
        }
        Ok(heaviest)
    }

    /// Weight of the heaviest pure box around a row, or more.
    fn heaviest(&mut self, row: usize) -> u64 {
        let decision = self.table.decisions()[row] as usize;
        let all = BitSet::full(self.table.n_rows());
        let open: Vec<usize> = (0..self.table.n_features()).collect();
        self.best = self.weights[row].max(1);
        let weight = self.weight(&self.of_decision[decision]);
        self.search(row, decision, &all, &open, weight);
        self.best
    }

    /// Searches the boxes inside `inside` that fix more of the `open` features; `weight` is that of
    /// the rows of the decision inside.
    fn search(&mut self, row: usize, decision: usize, inside: &BitSet, open: &[usize], weight: u64) {
        if weight <= self.best {
            return;
        }
        let separating = self.separating(row, decision, inside, open);
        self.cut_short |= separating.is_some() && self.effort <= 0;
        let Some(features) = separating.filter(|_| self.effort > 0) else {
            self.best = weight;
            return;
        };
        let mut branches: Vec<(u64, usize, BitSet)> = Vec::with_capacity(features.len());
        for &feature in &features {
            let mut part = self.of_value[feature][self.table.column(feature)[row] as usize].clone();
            part.intersect_with(inside);
            let mut own = part.clone();
            own.intersect_with(&self.of_decision[decision]);
            branches.push((self.weight(&own), feature, part));
        }
        let n_words = self.table.n_rows().div_ceil(64);
        self.effort -= (features.len() * (4 * n_words + 32) + 4 * open.len()) as i64;
        branches.sort_unstable_by_key(|&(weight, feature, _)| (std::cmp::Reverse(weight), feature));
        let mut open = open.to_vec();
        for (weight, feature, part) in branches {
            open.retain(|&other| other != feature);
            self.search(row, decision, &part, &open, weight);
        }
    }

    /// The open features in which a row of another decision inside differs; `None` if there is no
    /// such row. Of the first few such rows the one with the fewest.
    fn separating(&self, row: usize, decision: usize, inside: &BitSet, open: &[usize]) -> Option<Vec<usize>> {
        let mut others = inside.clone();
        others.subtract(&self.of_decision[decision]);
        let mut fewest: Option<Vec<usize>> = None;
        for other in others.iter().take(4) {
            let mut differing = Vec::with_capacity(open.len());
            for &feature in open {
                let column = self.table.column(feature);
                if column[row] != column[other] {
                    differing.push(feature);
                }
            }
            if fewest.as_ref().is_none_or(|fewest| differing.len() < fewest.len()) {
                fewest = Some(differing);
            }
        }
        fewest
    }

    fn weight(&self, rows: &BitSet) -> u64 {
        rows.iter().map(|row| self.weights[row]).sum()
    }
}
