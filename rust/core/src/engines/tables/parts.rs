//! The parts into which a feature divides rows.

use crate::model::data::DecisionTable;

/// Rows of a subtable grouped by the value of one feature, values ascending; reused from one
/// feature to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    rows: Vec<u32>,
    values: Vec<u32>,
    /// Where each part ends.
    ends: Vec<usize>,
    /// Rows of each code, then the place of its next row; all zero between calls.
    place: Vec<u32>,
}

impl Parts {
    /// Divides `rows`; rows of a part keep their order.
    pub fn divide(&mut self, table: &DecisionTable, feature: usize, rows: &[u32]) {
        let (column, arity) = (table.column(feature), table.arity(feature) as usize);
        if self.place.len() < arity {
            self.place.resize(arity, 0);
        }
        self.values.clear();
        for &row in rows {
            let code = column[row as usize];
            if self.place[code as usize] == 0 {
                self.values.push(code);
            }
            self.place[code as usize] += 1;
        }
        self.ends.clear();
        self.values.sort_unstable();
        let mut end = 0;
        for &code in &self.values {
            let size = std::mem::replace(&mut self.place[code as usize], end);
            end += size;
            self.ends.push(end as usize);
        }
        self.rows.resize(rows.len(), 0);
        for &row in rows {
            let place = &mut self.place[column[row as usize] as usize];
            self.rows[*place as usize] = row;
            *place += 1;
        }
        self.values.iter().for_each(|&code| self.place[code as usize] = 0);
    }

    /// How many values occur.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The parts, each with its value.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, &[u32])> {
        let part = |i: usize| &self.rows[if i == 0 { 0 } else { self.ends[i - 1] }..self.ends[i]];
        self.values.iter().enumerate().map(move |(i, &value)| (value, part(i)))
    }
}

/// Class counts of one group of rows after another; only what was touched is cleared.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    counts: Vec<u32>,
    touched: Vec<u32>,
}

impl Classes {
    pub fn new(n_decisions: u32) -> Self {
        Classes { counts: vec![0; n_decisions as usize], touched: Vec::new() }
    }

    /// Calls `see` with every count that is not zero, in the order of the decisions.
    #[inline]
    pub fn count(&mut self, decisions: &[u32], rows: &[u32], mut see: impl FnMut(u32)) {
        for &row in rows {
            let decision = decisions[row as usize];
            let count = &mut self.counts[decision as usize];
            if *count == 0 {
                self.touched.push(decision);
            }
            *count += 1;
        }
        self.touched.sort_unstable();
        for &decision in &self.touched {
            see(std::mem::take(&mut self.counts[decision as usize]));
        }
        self.touched.clear();
    }
}

/// Unordered pairs of rows with different decisions, the paper's rt, from the number of rows and
/// the sum of the squared class counts.
pub(super) fn n_unequal_pairs(n_rows: u64, squares: u64) -> u64 {
    (n_rows * n_rows - squares) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_by_ascending_value_in_row_order() {
        let column = vec![3, 0, 3, 1, 0];
        let table =
            DecisionTable::new(vec![column, (0..5).collect()], vec![9, 5], vec![1, 0, 1, 1, 0], 2).unwrap();
        let mut parts = Parts::default();
        for _ in 0..2 {
            parts.divide(&table, 0, &[4, 0, 2, 1]);
            assert_eq!(parts.iter().collect::<Vec<_>>(), [(0, &[4, 1][..]), (3, &[0, 2][..])]);
        }
        let mut classes = Classes::new(2);
        let mut seen = vec![];
        classes.count(table.decisions(), &[0, 1, 2], |count| seen.push(count));
        assert_eq!(seen, [1, 2]);
    }
}
