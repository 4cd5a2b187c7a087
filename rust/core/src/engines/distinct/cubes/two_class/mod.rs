//! Case sets of two classes under information gain: the ranking is wanted, not the scores.
//!
//! Rows are numbered anew, in the order of the column with the most values, so that every case set
//! has its rows in that order. The values of a row lie side by side, since a small case set jumps
//! from row to row.
//!
//! Where no row is split, weights are counts and scores are the integers used everywhere. Where some
//! are, logarithms are dear: scores are doubles of known error, and only features, or cuts of one
//! feature, that are too close to call are scored as everywhere else. The order is always the one
//! that the exact scores give.

mod cuts;
mod order;
mod rank;
mod split;
mod tally;

use super::cube::Few;
use super::kernel::{Choice, Kernel};
use crate::base::units::Shares;
use crate::engines::induce::{Criterion, NominalSplits, Problem};
use crate::model::data::Weights;
use crate::model::score::QuickLog;
use order::Steps;
use rank::Look;

/// Features side by side.
const WIDTH: usize = super::cube::MAX_FEATURES;

/// The mass of a whole row, in units of 2^-30.
const ONE: u64 = Shares::ONE.0;

/// Whole rows at most: counts fit where they are packed, and masses are exact as doubles.
const MOST_ROWS: usize = 1 << 22;

/// A problem of two classes, its table turned around.
pub(crate) struct TwoClass<'a> {
    problem: &'a Problem,
    quick: &'static QuickLog,
    rows: Vec<[u16; WIDTH]>,
    columns: Vec<Column>,
    /// The rows' old numbers.
    originals: Vec<u32>,
    root: Vec<Item>,
    /// The column of the rows' order.
    ordered: usize,
}

/// What there is to know of a column.
#[derive(Debug, Clone, Copy)]
struct Column {
    domain: usize,
    is_numeric: bool,
    has_missing: bool,
}

/// A row and its class: row << 1 | class.
type Item = u32;

#[inline]
fn class_of(item: Item) -> usize {
    (item & 1) as usize
}

/// A row of which only a share came here, in units of 2^-30.
#[derive(Debug, Clone, Copy)]
struct Part {
    item: Item,
    share: u32,
}

/// The rows of a case set in their order.
pub(crate) struct Rows {
    whole: Vec<Item>,
    part: Vec<Part>,
    /// Of the two classes, in units of 2^-30.
    masses: [u64; 2],
}

/// Buffers of one thread.
#[derive(Default)]
pub(crate) struct Bench {
    counts: tally::Counts,
    shares: tally::Shares,
    counted: Steps<u32>,
    shared: Steps<f64>,
    looks: Vec<Look>,
    splitter: split::Splitter,
    exact: rank::Exact,
    keys: Vec<u64>,
    ends: Vec<i64>,
    quick_ends: Vec<f64>,
}

impl<'a> TwoClass<'a> {
    /// The problem, if it is one of this kind.
    pub fn of(problem: &'a Problem) -> Option<Self> {
        let (data, rules) = (&problem.data, &problem.rules);
        let is_plain = problem.weights == Weights::Unit
            && rules.criterion == Criterion::InfoGain
            && rules.min_side == 0
            && rules.min_gain <= 0.0
            && rules.nominal_splits == NominalSplits::Multiway
            && !rules.mdl_correction
            && problem.logs.scale() == (1u64 << 32) as f64;
        let fits = data.n_classes() == 2
            && data.n_features() <= WIDTH
            && data.n_rows() <= MOST_ROWS
            && data.columns().iter().all(|column| column.domain() < usize::from(u16::MAX));
        (is_plain && fits).then(|| Self::turned_around(problem))
    }

    fn turned_around(problem: &'a Problem) -> Self {
        let data = &problem.data;
        let ordered = (0..data.n_features()).max_by_key(|&feature| data.column(feature).domain());
        let ordered = ordered.unwrap_or(0);
        let code = |row: u32, feature: usize| data.column(feature).codes.get(row as usize) as u16;
        let mut originals = problem.training().to_vec();
        if data.n_features() > 0 {
            originals.sort_by_key(|&row| code(row, ordered));
        }
        let values = |&row: &u32| {
            let mut values = [0; WIDTH];
            (0..data.n_features()).for_each(|feature| values[feature] = code(row, feature));
            values
        };
        let column = |column: &std::sync::Arc<crate::model::data::Column>| Column {
            domain: column.domain(),
            is_numeric: column.is_numeric(),
            has_missing: column.n_missing() > 0,
        };
        let items = (0..).zip(&originals).map(|(at, &row): (u32, _)| at << 1 | problem.class_of(row) as u32);
        TwoClass {
            problem,
            quick: QuickLog::shared(),
            rows: originals.iter().map(values).collect(),
            columns: data.columns().iter().map(column).collect(),
            root: items.collect(),
            originals,
            ordered,
        }
    }

    #[inline]
    fn code(&self, item: Item, feature: usize) -> usize {
        self.rows[(item >> 1) as usize][feature % WIDTH].into()
    }
}

impl Rows {
    fn mass(&self) -> u64 {
        self.masses[0] + self.masses[1]
    }
}

/// In units of 2^-50.
fn exact_mass(mass: u64) -> u128 {
    Shares(mass).mass().0
}

impl Kernel for TwoClass<'_> {
    type Set = Rows;
    type Bench = Bench;

    fn bench(&self) -> Bench {
        Bench::default()
    }

    fn root(&self) -> Rows {
        let mut masses = [0; 2];
        self.root.iter().for_each(|&item| masses[class_of(item)] += ONE);
        Rows { whole: self.root.clone(), part: Vec::new(), masses }
    }

    fn is_closed(&self, set: &Rows, depth: u32) -> bool {
        self.must_be_leaf(set.masses, depth)
    }

    fn rank(
        &self,
        bench: &mut Bench,
        set: &Rows,
        features: Few,
        inside: Few,
        choices: &mut Vec<Choice>,
    ) -> Few {
        self.rank_features(bench, set, features, inside, choices)
    }

    fn split(&self, bench: &mut Bench, set: &Rows, choice: Choice, depth: u32, take: impl FnMut(Rows)) {
        self.split_rows(&mut bench.splitter, set, choice, depth, take);
    }

    fn mass(set: &Rows) -> u128 {
        exact_mass(set.mass())
    }

    fn n_rows(set: &Rows) -> usize {
        set.whole.len() + set.part.len()
    }
}
