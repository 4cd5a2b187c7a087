//! Decision tables: pairwise different rows of nominal values, one decision a row.

use std::cmp::Ordering;

use super::schema::{Feature, Label, MissingMode, Schema};
use crate::base::error::{Error, Result};

/// What equal rows with different decisions mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    /// They are refused.
    Raise,
    /// The most common decision stands for all of them, the smallest among equals.
    MostCommon,
}

/// A table of pairwise different rows.
///
/// Values of a column are codes `0..arity`, compared for equality only; not every code need occur.
///
/// # Invariants
/// There is a row; no two rows agree in every column; every code lies in its range.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionTable {
    columns: Vec<Vec<u32>>,
    arities: Vec<u32>,
    decisions: Vec<u32>,
    n_decisions: u32,
}

impl DecisionTable {
    /// The table of these columns and decisions.
    ///
    /// # Errors
    /// No rows, lengths or codes that do not fit, two equal rows.
    ///
    /// # Examples
    /// ```
    /// use treewright_core::data::DecisionTable;
    ///
    /// let table = DecisionTable::new(vec![vec![0, 0, 1], vec![0, 1, 0]], vec![2, 2], vec![0, 1, 1], 2)?;
    /// assert_eq!((table.n_rows(), table.n_features()), (3, 2));
    /// # Ok::<(), treewright_core::error::Error>(())
    /// ```
    pub fn new(
        columns: Vec<Vec<u32>>,
        arities: Vec<u32>,
        decisions: Vec<u32>,
        n_decisions: u32,
    ) -> Result<Self> {
        let table = DecisionTable { columns, arities, decisions, n_decisions };
        table.check_codes()?;
        let order = table.sorted_rows();
        let equal = order.windows(2).find(|pair| table.compare(pair[0], pair[1]).is_eq());
        match equal {
            Some(pair) => Err(Error::EqualRows { first: pair[0] as usize, second: pair[1] as usize }),
            None => Ok(table),
        }
    }

    /// The table of these columns with equal rows merged, each at the place of the first of them,
    /// and the row each came from.
    ///
    /// # Errors
    /// No rows, lengths or codes that do not fit; under [`OnConflict::Raise`] equal rows whose
    /// decisions differ.
    ///
    /// # Examples
    /// ```
    /// use treewright_core::data::{DecisionTable, OnConflict};
    ///
    /// let (columns, decisions) = (vec![vec![0, 1, 0, 0]], vec![2, 0, 1, 1]);
    /// let (table, first_rows) =
    ///     DecisionTable::merged(columns, vec![2], decisions, 3, OnConflict::MostCommon)?;
    /// assert_eq!(table.decisions(), [1, 0]);
    /// assert_eq!(first_rows, [0, 1]);
    /// # Ok::<(), treewright_core::error::Error>(())
    /// ```
    pub fn merged(
        columns: Vec<Vec<u32>>,
        arities: Vec<u32>,
        decisions: Vec<u32>,
        n_decisions: u32,
        on_conflict: OnConflict,
    ) -> Result<(Self, Vec<u32>)> {
        let mut table = DecisionTable { columns, arities, decisions, n_decisions };
        table.check_codes()?;
        let order = table.sorted_rows();
        let equal = |a: &u32, b: &u32| table.compare(*a, *b).is_eq();
        let groups: Vec<&[u32]> = order.chunk_by(equal).collect();
        if on_conflict == OnConflict::Raise {
            table.refuse_conflicts(&groups)?;
        }
        let mut merged: Vec<(u32, u32)> =
            groups.iter().map(|rows| (rows[0], table.most_common(rows))).collect();
        merged.sort_unstable();
        table.keep(&merged);
        Ok((table, merged.into_iter().map(|(row, _)| row).collect()))
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.decisions.len()
    }

    /// The number of features.
    pub fn n_features(&self) -> usize {
        self.columns.len()
    }

    /// Codes of feature `f`, row by row.
    #[inline]
    pub fn column(&self, f: usize) -> &[u32] {
        &self.columns[f]
    }

    /// Size of the domain of feature `f`.
    #[inline]
    pub fn arity(&self, f: usize) -> u32 {
        self.arities[f]
    }

    /// The decision of every row.
    #[inline]
    pub fn decisions(&self) -> &[u32] {
        &self.decisions
    }

    /// Decisions are below this.
    pub fn n_decisions(&self) -> u32 {
        self.n_decisions
    }

    /// How many of `rows` have each decision.
    #[inline]
    pub fn decision_counts(&self, rows: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.n_decisions as usize];
        rows.iter().for_each(|&row| counts[self.decisions[row as usize] as usize] += 1);
        counts
    }

    /// Names for a table that has none: features `x0`, `x1`, …, values and decisions their codes.
    pub fn plain_schema(&self) -> Schema {
        let labels = |n: u32| (0..i64::from(n)).map(Label::Int).collect();
        let feature = |(f, &arity): (usize, &u32)| Feature {
            name: format!("x{f}"),
            levels: Some(labels(arity)),
            missing: MissingMode::Unknown,
            range: None,
        };
        Schema {
            features: self.arities.iter().enumerate().map(feature).collect(),
            classes: labels(self.n_decisions),
        }
    }

    fn check_codes(&self) -> Result<()> {
        let n_rows = self.decisions.len();
        if n_rows == 0 {
            return Err(Error::NoRows);
        }
        if self.n_decisions as usize > u16::MAX as usize {
            return Err(Error::TooManyClasses { n_classes: self.n_decisions as usize });
        }
        let length = |what: String, expected, found| match expected == found {
            true => Ok(()),
            false => Err(Error::LengthMismatch { what, expected, found }),
        };
        length("the list of domain sizes".to_owned(), self.columns.len(), self.arities.len())?;
        for (f, (column, &arity)) in self.columns.iter().zip(&self.arities).enumerate() {
            length(format!("column {f}"), n_rows, column.len())?;
            if let Some(row) = column.iter().position(|&code| code >= arity) {
                let (feature, code) = (format!("x{f}"), column[row].into());
                return Err(Error::CodeOutOfRange {
                    feature,
                    column: f,
                    row,
                    code,
                    n_levels: arity as usize,
                });
            }
        }
        match self.decisions.iter().position(|&decision| decision >= self.n_decisions) {
            Some(row) => Err(Error::ClassOutOfRange {
                row,
                code: self.decisions[row].into(),
                n_classes: self.n_decisions as usize,
            }),
            None => Ok(()),
        }
    }

    /// Rows in the order of their values, equal ones in row order.
    fn sorted_rows(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.n_rows() as u32).collect();
        order.sort_by(|&a, &b| self.compare(a, b));
        order
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        let (a, b) = (a as usize, b as usize);
        let mut each = self.columns.iter().map(|column| column[a].cmp(&column[b]));
        each.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn refuse_conflicts(&self, groups: &[&[u32]]) -> Result<()> {
        let decision = |row: u32| self.decisions[row as usize];
        let conflict = |rows: &&[u32]| {
            let other = rows.iter().find(|&&row| decision(row) != decision(rows[0]));
            other.map(|&other| (other, rows[0]))
        };
        match groups.iter().filter_map(conflict).min() {
            Some((second, first)) => Err(Error::ConflictingRows {
                first: first as usize,
                second: second as usize,
                first_decision: decision(first).to_string(),
                second_decision: decision(second).to_string(),
            }),
            None => Ok(()),
        }
    }

    /// The most common decision of some rows, the smallest among equals.
    pub fn most_common(&self, rows: &[u32]) -> u32 {
        if let [row] = rows {
            return self.decisions[*row as usize];
        }
        let counts = self.decision_counts(rows);
        crate::base::ordering::first_largest(counts).expect("there is a decision") as u32
    }

    /// Keeps some rows, each with a decision of its own.
    fn keep(&mut self, rows: &[(u32, u32)]) {
        if rows.len() < self.n_rows() {
            for column in &mut self.columns {
                *column = rows.iter().map(|&(row, _)| column[row as usize]).collect();
            }
        }
        self.decisions = rows.iter().map(|&(_, decision)| decision).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(column: Vec<u32>, decisions: Vec<u32>, rule: OnConflict) -> Result<(DecisionTable, Vec<u32>)> {
        DecisionTable::merged(vec![column], vec![4], decisions, 3, rule)
    }

    #[test]
    fn equal_rows_merge_at_the_place_of_the_first() {
        let (table, first) = merged(vec![3, 0, 3, 1], vec![1, 0, 1, 2], OnConflict::Raise).unwrap();
        assert_eq!(table.column(0), [3, 0, 1]);
        assert_eq!((table.decisions(), first), (&[1, 0, 2][..], vec![0, 1, 3]));
    }

    #[test]
    fn the_most_common_decision_stands_for_equal_rows_ties_the_smallest() {
        let (table, _) = merged(vec![2, 2, 0, 2, 0], vec![2, 1, 2, 2, 1], OnConflict::MostCommon).unwrap();
        assert_eq!(table.decisions(), [2, 1]);
    }

    #[test]
    fn a_conflict_names_the_first_pair_of_rows() {
        let found = merged(vec![2, 0, 1, 0, 2], vec![0, 1, 0, 2, 1], OnConflict::Raise);
        let expected = Error::ConflictingRows {
            first: 1,
            second: 3,
            first_decision: "1".to_owned(),
            second_decision: "2".to_owned(),
        };
        assert_eq!(found, Err(expected));
    }

    #[test]
    fn equal_rows_and_codes_out_of_range_are_refused() {
        let table = |column: Vec<u32>, decisions| DecisionTable::new(vec![column], vec![2], decisions, 2);
        assert_eq!(table(vec![1, 1], vec![0, 0]), Err(Error::EqualRows { first: 0, second: 1 }));
        assert!(matches!(table(vec![0, 2], vec![0, 0]), Err(Error::CodeOutOfRange { row: 1, .. })));
        assert!(matches!(table(vec![0, 1], vec![0, 2]), Err(Error::ClassOutOfRange { row: 1, .. })));
        assert!(matches!(table(vec![0], vec![0, 1]), Err(Error::LengthMismatch { .. })));
        assert_eq!(table(vec![], vec![]), Err(Error::NoRows));
    }

    #[test]
    fn a_lone_row_needs_no_columns() {
        let table = DecisionTable::new(vec![], vec![], vec![0], 1).unwrap();
        assert_eq!((table.n_rows(), table.n_features()), (1, 0));
        assert_eq!(
            DecisionTable::new(vec![], vec![], vec![0, 0], 1),
            Err(Error::EqualRows { first: 0, second: 1 })
        );
    }
}
