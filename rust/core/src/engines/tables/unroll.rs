//! The graph of subtables written out, for costs that only the caller knows.
//!
//! A graph counts its bundles and edges, and keeps none: the costs of its own are worked out on the walk. A cost
//! whose rule stands elsewhere needs them. So the walk is gone once more, and what it meets is listed, children
//! first:
//!
//! ```text
//! subtable 0 stands for all leaves; for every other subtable, after all of its parts:
//!     its rows; for each feature that varies in it: the feature, and the subtables of its values in ascending order
//! ```
//! Features that make the same parts are listed apart, for a cost may tell them apart.
//!
//! # Source
//! decision-tables, section 4: the graph, and the procedure that attaches a number to each of its nodes.

use super::budget::Budget;
use super::explore::{Column, Explorer, Fold, Shape, Subtable};
use super::memo::{Access, Memo};
use super::sets::{Part, Sets};
use super::subtables::SubtableGraph;
use super::tier::with_sets;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};

/// Subtables, children first, with their bundles and the edges of these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unrolled {
    /// Rows of every subtable; the first stands for all leaves and has none.
    pub n_rows: Vec<u32>,
    /// Where the bundles of every subtable end.
    pub ends: Vec<u32>,
    /// The feature of every bundle; ascending in a subtable.
    pub features: Vec<u32>,
    /// Where the edges of every bundle end.
    pub edge_ends: Vec<u32>,
    /// The subtables that edges lead to, by the values of the feature.
    pub children: Vec<u32>,
}

impl SubtableGraph {
    /// Writes the graph out.
    ///
    /// # Errors
    /// An unfinished graph; one of 2^32 edges or more.
    pub fn unroll(&self, control: &Control) -> Result<Outcome<Option<Unrolled>>, Error> {
        Outcome::all_or_none(self.unrolled(control), Status::Complete, control.stats(0))
    }

    fn unrolled(&self, control: &Control) -> Result<Unrolled, Halt> {
        if !self.is_complete() {
            return Err(self.unfinished().into());
        }
        let n_edges = self.size().n_edges;
        if n_edges > u32::MAX.into() {
            let allowed = "fewer than 2**32 edges; a larger max_pairs, or fewer columns, make it smaller";
            return Err(Error::Parameter { name: "graph", found: n_edges.to_string().into(), allowed }.into());
        }
        let mut out = Unrolled { n_rows: vec![0], ends: vec![0], ..Unrolled::default() };
        if self.is_leaf() {
            return Ok(out);
        }
        let (mut numbers, budget) = (Memo::new(), Budget::unlimited());
        let mut fold = Unrolling { out: &mut out, numbers: Access::Own(&mut numbers), budget: &budget };
        with_sets!(&**self.table(), sets => {
            Explorer::new(sets, self.alpha()).value(sets.all(), (), &mut fold, control).map(|_| ())
        })?;
        Ok(out)
    }
}

/// The fold that lists what it meets.
struct Unrolling<'a> {
    out: &'a mut Unrolled,
    numbers: Access<'a, u32>,
    budget: &'a Budget,
}

/// A subtable: its number once it has one, and before that its bundles.
#[derive(Clone, Default)]
struct Listed {
    number: u32,
    bundles: Vec<Edges>,
}

/// A bundle: its feature, and the values and numbers of its parts.
#[derive(Clone)]
struct Edges {
    feature: u32,
    values: Vec<u32>,
    numbers: Vec<u32>,
}

impl Fold for Unrolling<'_> {
    type State = ();
    type Value = Listed;
    type Bundle = Edges;

    const MERGES: bool = false;

    fn known(&mut self, key: u128, (): &()) -> Option<Listed> {
        self.numbers.get(key).map(|number| Listed { number, bundles: Vec::new() })
    }

    fn leaf(&mut self, _: &Part) -> Result<Listed, Status> {
        Ok(Listed::default())
    }

    fn empty(&self) -> Listed {
        Listed::default()
    }

    fn open(&mut self, _: &Subtable<'_, ()>, parts: &[Part], column: Column) -> Option<Edges> {
        let values = parts.iter().map(|part| part.value).collect();
        Some(Edges { feature: column.feature, values, numbers: Vec::with_capacity(parts.len()) })
    }

    fn add(&mut self, bundle: &mut Edges, value: &Listed) -> Result<(), Status> {
        bundle.numbers.push(value.number);
        Ok(())
    }

    fn close(&mut self, best: &mut Listed, bundle: Edges) {
        best.bundles.push(bundle);
    }

    fn keep(&mut self, at: &Subtable<'_, ()>, _: Shape, best: &mut Listed) -> Result<(), Status> {
        let out = &mut *self.out;
        for Edges { feature, values, numbers } in std::mem::take(&mut best.bundles) {
            let mut edges: Vec<(u32, u32)> = values.into_iter().zip(numbers).collect();
            edges.sort_unstable();
            out.children.extend(edges.into_iter().map(|(_, number)| number));
            out.features.push(feature);
            out.edge_ends.push(out.children.len() as u32);
        }
        best.number = out.n_rows.len() as u32;
        out.n_rows.push(at.n_rows as u32);
        out.ends.push(out.features.len() as u32);
        self.numbers.insert(at.key, best.number, self.budget).map(|_| ())
    }
}
