//! New rows through a finished tree.

use super::cost_matrix::CostMatrix;
use super::node::Tree;
use super::split::{Route, Split};
use super::walk::{Ballot, Step, Walk, cast_votes};
use crate::base::control::Control;
use crate::base::error::{Error, Result};
use crate::base::ordering::first_largest;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::data::{Fill, MissingMode, RawColumn};

/// Rows that are led through the tree between two checkpoints.
const BATCH: usize = 4096;

/// Code of a nominal value that no training row had: it has no branch, even where a missing one has.
const UNSEEN: i32 = -2;

/// A sparse matrix, row by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sparse {
    /// Where each row starts, and at the end the number of entries.
    pub starts: Vec<i64>,
    /// The feature of every value.
    pub columns: Vec<i64>,
    /// The values.
    pub values: Vec<f64>,
}

/// A tree with the rows that are led through it.
pub struct Reader<'a> {
    tree: &'a Tree,
    columns: &'a [RawColumn],
    costs: Option<CostMatrix>,
}

impl Walk for Reader<'_> {
    type Node = u32;

    #[inline]
    fn step(&self, node: u32, row: usize) -> Step<u32> {
        let at = &self.tree.nodes[node as usize];
        let branch = match at.split {
            Split::Leaf => return Step::Leaf,
            Split::ByValue { feature } => self.level(feature, row),
            Split::Listed { feature, list } => {
                let levels = &self.tree.lists[list as usize];
                self.level(feature, row).and_then(|level| levels.binary_search(&(level as u32)).ok())
            }
            Split::Group { feature, list } => {
                let levels = &self.tree.lists[list as usize];
                let level = self.level(feature, row);
                level.map(|level| usize::from(levels.binary_search(&(level as u32)).is_err()))
            }
            Split::Missing { feature } => Some(usize::from(!self.is_missing(feature, row))),
            Split::Threshold { feature, threshold } => {
                self.number(feature, row).map(|value| usize::from(value > threshold))
            }
            Split::Linear { plane } => self.side(plane, row),
        };
        match branch {
            Some(branch) => Step::Child(at.first_child + branch as u32),
            None => Step::Unknown,
        }
    }

    fn children(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> {
        self.tree.nodes[node as usize].children()
    }

    fn weight(&self, node: u32) -> f64 {
        self.tree.nodes[node as usize].weight
    }

    fn class(&self, node: u32) -> usize {
        self.tree.nodes[node as usize].class.into()
    }

    fn class_weight(&self, node: u32, class: usize) -> f64 {
        self.tree.class_weights_of(node as usize)[class]
    }

    fn n_classes(&self) -> usize {
        self.tree.n_classes()
    }

    #[inline]
    fn route(&self, node: u32) -> Route {
        self.tree.route(node as usize)
    }

    fn decide(&self, votes: &[u64]) -> usize {
        match (&self.costs, self.tree.decision().threshold) {
            (Some(costs), _) => costs.answer(&votes.iter().map(|&votes| votes.into()).collect::<Vec<_>>()),
            (None, Some(threshold)) => {
                usize::from(votes[1] as f64 > threshold * votes.iter().sum::<u64>() as f64)
            }
            (None, None) => first_largest(votes.iter().copied()).expect("there is a class"),
        }
    }
}

impl<'a> Reader<'a> {
    /// Puts rows and tree together.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn new(tree: &'a Tree, columns: &'a [RawColumn]) -> Result<Self> {
        tree.check_columns(columns)?;
        Ok(Self::of_checked(tree, columns))
    }

    fn of_checked(tree: &'a Tree, columns: &'a [RawColumn]) -> Self {
        Reader { tree, columns, costs: tree.decision().costs() }
    }

    /// The branch of a nominal value, `None` where it is unknown.
    #[inline]
    fn level(&self, feature: u32, row: usize) -> Option<usize> {
        let RawColumn::Nominal(codes) = &self.columns[feature as usize] else {
            unreachable!("the kinds of columns are checked before the first row")
        };
        let of = &self.tree.schema.features[feature as usize];
        match (usize::try_from(codes[row]), of.missing) {
            (Ok(code), _) => Some(code),
            _ if codes[row] == UNSEEN => None,
            (Err(_), MissingMode::Value) => of.levels.as_ref().map(Vec::len),
            (Err(_), MissingMode::Filled(Fill::Level(level))) => Some(level as usize),
            (Err(_), _) => None,
        }
    }

    /// The number at a row, `None` where it is unknown.
    #[inline]
    fn number(&self, feature: u32, row: usize) -> Option<f64> {
        let RawColumn::Numeric(values) = &self.columns[feature as usize] else {
            unreachable!("the kinds of columns are checked before the first row")
        };
        let value = values[row];
        if !value.is_nan() {
            return Some(value);
        }
        match self.tree.schema.features[feature as usize].missing {
            MissingMode::Value => Some(f64::INFINITY),
            MissingMode::Filled(Fill::Number(fill)) => Some(fill),
            _ => None,
        }
    }

    /// Whether a row has no value, whatever takes its place.
    fn is_missing(&self, feature: u32, row: usize) -> bool {
        match &self.columns[feature as usize] {
            RawColumn::Numeric(values) => values[row].is_nan(),
            RawColumn::Nominal(codes) => codes[row] < 0,
        }
    }

    fn side(&self, plane: u32, row: usize) -> Option<usize> {
        let plane = &self.tree.planes[plane as usize];
        let mut sum = 0.0;
        let terms = plane.weights.iter().enumerate();
        for (i, &(feature, weight)) in terms.filter(|(_, (_, weight))| *weight != 0.0) {
            let value = match plane.level(i) {
                None => self.number(feature, row),
                Some(level) => self.level(feature, row).map(|own| f64::from(own == level as usize)),
            };
            sum += weight * value.or_else(|| plane.means.get(i).copied())?;
        }
        Some(usize::from(sum > plane.offset))
    }
}

impl Tree {
    /// Class of every row.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn predict(&self, columns: &[RawColumn], control: &Control) -> Result<Outcome<Option<Vec<i32>>>> {
        self.for_rows(columns, control, |reader, ballot, row, out| {
            cast_votes(reader, 0, row, ballot, |_, _| {});
            out.push(ballot.class(reader) as i32);
        })
    }

    /// Class probabilities of every row, row by row.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn predict_proba(
        &self,
        columns: &[RawColumn],
        control: &Control,
    ) -> Result<Outcome<Option<Vec<f64>>>> {
        let told = self.probabilities();
        self.for_rows(columns, control, |reader, ballot, row, out| {
            cast_votes(reader, 0, row, ballot, |_, _| {});
            if let Some(told) = &told {
                ballot.tell(told);
            }
            let total = ballot.votes.iter().sum::<u64>() as f64;
            for &votes in &ballot.votes {
                out.push(votes as f64 / total);
            }
        })
    }

    /// The leaf with the largest share of every row, the lowest among equals.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn apply(&self, columns: &[RawColumn], control: &Control) -> Result<Outcome<Option<Vec<i64>>>> {
        self.for_rows(columns, control, |reader, ballot, row, out| {
            cast_votes(reader, 0, row, ballot, |_, _| {});
            let by_id = |a: &&(u32, f64), b: &&(u32, f64)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
            let (leaf, _) = ballot.leaves.iter().max_by(by_id).expect("every row reaches a leaf");
            out.push(i64::from(*leaf));
        })
    }

    /// The leaves every row reaches, with its share at each.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn leaf_shares(&self, columns: &[RawColumn], control: &Control) -> Result<Outcome<Option<Sparse>>> {
        self.sparse(columns, control, |reader, ballot, row, found| {
            cast_votes(reader, 0, row, ballot, |_, _| {});
            found.extend_from_slice(&ballot.leaves);
        })
    }

    /// All nodes every row reaches.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn decision_path(&self, columns: &[RawColumn], control: &Control) -> Result<Outcome<Option<Sparse>>> {
        self.sparse(columns, control, |reader, ballot, row, found| {
            cast_votes(reader, 0, row, ballot, |node, _| found.push((node, 1.0)));
        })
    }

    fn sparse(
        &self,
        columns: &[RawColumn],
        control: &Control,
        collect: impl Fn(&Reader, &mut Ballot<u32>, usize, &mut Vec<(u32, f64)>) + Sync,
    ) -> Result<Outcome<Option<Sparse>>> {
        let rows =
            self.for_rows(columns, control, |reader, ballot, row, out: &mut Vec<Vec<(u32, f64)>>| {
                let mut found = Vec::new();
                collect(reader, ballot, row, &mut found);
                found.sort_unstable_by_key(|&(node, _)| node);
                out.push(found);
            })?;
        let joined = |rows: Vec<Vec<(u32, f64)>>| {
            let mut sparse = Sparse { starts: vec![0], ..Sparse::default() };
            for (node, share) in rows.into_iter().flat_map(|row| {
                let end = sparse.starts.last().expect("it starts with 0") + row.len() as i64;
                sparse.starts.push(end);
                row
            }) {
                sparse.columns.push(i64::from(node));
                sparse.values.push(share);
            }
            sparse
        };
        Ok(rows.map(|rows| rows.map(joined)))
    }

    /// Leads all rows through the tree, in parallel where the control allows it, and joins what
    /// `each` wrote in row order.
    fn for_rows<T: Send>(
        &self,
        columns: &[RawColumn],
        control: &Control,
        each: impl Fn(&Reader, &mut Ballot<u32>, usize, &mut Vec<T>) + Sync,
    ) -> Result<Outcome<Option<Vec<T>>>> {
        let n_rows = self.check_columns(columns)?;
        let reader = Reader::of_checked(self, columns);
        let batch = |ballot: &mut Ballot<u32>, &first: &usize| -> std::result::Result<Vec<T>, Halt> {
            control.checkpoint()?;
            let mut out = Vec::new();
            for row in first..(first + BATCH).min(n_rows) {
                each(&reader, ballot, row, &mut out);
            }
            Ok(out)
        };
        let firsts = (0..n_rows).step_by(BATCH).collect::<Vec<_>>();
        let batches: std::result::Result<Vec<Vec<T>>, Halt> =
            control.map(&firsts, Ballot::default, batch).into_iter().collect();
        let found = batches.map(|batches| batches.into_iter().flatten().collect());
        Outcome::all_or_none(found, Status::Complete, control.stats(0))
    }

    fn check_columns(&self, columns: &[RawColumn]) -> Result<usize> {
        let features = &self.schema.features;
        let mismatch =
            |what: &str, expected, found| Error::LengthMismatch { what: what.to_owned(), expected, found };
        if columns.len() != features.len() {
            return Err(mismatch("the list of columns", features.len(), columns.len()));
        }
        let n_rows = columns.first().map_or(0, RawColumn::len);
        for (column, (raw, feature)) in columns.iter().zip(features).enumerate() {
            if raw.len() != n_rows {
                return Err(mismatch(
                    &format!("feature '{}' (column {column})", feature.name),
                    n_rows,
                    raw.len(),
                ));
            }
            let n_levels = feature.levels.as_ref().map(Vec::len);
            match (raw, n_levels) {
                (RawColumn::Numeric(_), None) => {}
                (RawColumn::Nominal(codes), Some(n_levels)) => {
                    let outside = |code: &i32| *code < UNSEEN || i64::from(*code) >= n_levels as i64;
                    if let Some(row) = codes.iter().position(outside) {
                        let (feature, code) = (feature.name.clone(), codes[row].into());
                        return Err(Error::CodeOutOfRange { feature, column, row, code, n_levels });
                    }
                }
                _ => {
                    let expected = if n_levels.is_some() { "nominal" } else { "numeric" };
                    return Err(Error::ColumnKind { feature: feature.name.clone(), column, expected });
                }
            }
        }
        Ok(n_rows)
    }
}
