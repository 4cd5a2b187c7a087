//! The least of any cost for every subtable of a complete graph: kept from building for the five
//! named ones, worked out once for a cost of the user's own.

use std::sync::Arc;

use super::budget::Budget;
use super::explore::{Column, Explorer, Fold, Joined, Shape, Subtable};
use super::memo::{Access, Memo};
use super::sets::{Part, Sets};
use super::subtables::{Costs, SubtableGraph};
use super::tier::with_sets;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::lock::locked;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::tree::Cost;

/// The least of one cost, by subtable.
#[derive(Clone)]
pub(super) struct Least<'g> {
    pub cost: Cost,
    source: Source<'g>,
}

#[derive(Clone)]
enum Source<'g> {
    Named(&'g Memo<Costs>, usize),
    Own(Arc<Memo<u64>>),
}

impl Least<'_> {
    /// The least cost of a subtable of the graph that is not terminal.
    #[inline]
    pub fn of(&self, key: u128) -> u64 {
        let kept = match &self.source {
            Source::Named(memo, at) => memo.get(key).map(|costs| costs[*at].into()),
            Source::Own(memo) => memo.get(key),
        };
        kept.expect("a complete graph holds every subtable")
    }

    #[inline]
    pub fn of_part(&self, part: &Part) -> u64 {
        if part.is_terminal { self.cost.leaf } else { self.of(part.key) }
    }

    /// The least cost of a bundle.
    pub fn of_bundle(&self, n_rows: u64, parts: &[Part]) -> u64 {
        let below = parts.iter().map(|part| self.of_part(part)).reduce(|a, b| self.cost.join(a, b));
        self.cost.own(n_rows) + below.expect("a bundle has parts")
    }
}

/// What a query returns: its answer, or none where the control ended it.
pub(super) fn answer<T>(found: Result<T, Halt>, control: &Control) -> Result<Outcome<Option<T>>, Error> {
    Outcome::all_or_none(found, Status::Optimal, control.stats(0))
}

impl SubtableGraph {
    /// The least cost of a tree for the table.
    ///
    /// # Errors
    /// An unfinished graph that does not know it, a cost too large to be summed.
    pub fn minimum(&self, cost: &Cost, control: &Control) -> Result<Outcome<Option<u64>>, Error> {
        answer(self.least_at_root(cost, control), control)
    }

    pub(super) fn least_at_root(&self, cost: &Cost, control: &Control) -> Result<u64, Halt> {
        if !self.is_complete() {
            return self.proven(cost).ok_or_else(|| self.unfinished().into());
        }
        if self.is_leaf() {
            return Ok(cost.leaf);
        }
        let least = self.least_of(cost, control)?;
        Ok(with_sets!(&**self.table(), sets => least.of(sets.key(&sets.all()))))
    }

    /// Least costs by subtable; the graph is complete and its root no leaf.
    pub(super) fn least_of(&self, cost: &Cost, control: &Control) -> Result<Least<'_>, Halt> {
        if !self.is_complete() {
            return Err(self.unfinished().into());
        }
        cost.check(self.table().n_rows(), self.table().n_features())?;
        let source = match cost.position() {
            Some(at) => Source::Named(&self.least, at),
            None => Source::Own(self.own_least(cost, control)?),
        };
        Ok(Least { cost: *cost, source })
    }

    fn own_least(&self, cost: &Cost, control: &Control) -> Result<Arc<Memo<u64>>, Halt> {
        let lock = || locked(&self.own);
        if let Some((_, memo)) = lock().iter().find(|(known, _)| known == cost) {
            return Ok(memo.clone());
        }
        let mut memo = Memo::new();
        let budget = Budget::unlimited();
        let mut own = OwnCost { cost: *cost, least: Access::Own(&mut memo), budget: &budget };
        with_sets!(&**self.table(), sets => {
            Explorer::new(sets, self.alpha()).value(sets.all(), (), &mut own, control)
        })?;
        let memo = Arc::new(memo);
        lock().push((*cost, memo.clone()));
        Ok(memo)
    }

    /// The error of a query that an unfinished graph cannot answer.
    pub(super) fn unfinished(&self) -> Error {
        let bounds = self.reached().map(|reached| {
            let floor = self.floor();
            std::array::from_fn(|i| (floor[i], reached[i]))
        });
        Error::UnfinishedGraph { status: self.status(), n_subtables: self.size().n_nonterminal, bounds }
    }

    /// The least of a named cost, where what the finished bundles of the root reach meets what no
    /// tree goes below.
    fn proven(&self, cost: &Cost) -> Option<u64> {
        let at = cost.position()?;
        let reached = self.reached()?[at];
        (reached == self.floor()[at]).then_some(reached)
    }

    /// What no tree for a table that is no leaf goes below: each decision needs a leaf where alpha
    /// is 0, and a node has at most as many branches as the largest column has values.
    pub fn floor(&self) -> [u64; 5] {
        let table = self.table();
        let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
        let met = |codes: &[u32], n: u32| {
            let mut is_met = vec![false; n as usize];
            codes.iter().for_each(|&code| is_met[code as usize] = true);
            is_met.into_iter().filter(|&is_met| is_met).count() as u64
        };
        let n_decisions = met(table.decisions(), table.n_decisions());
        let widest = (0..table.n_features()).map(|f| met(table.column(f), table.arity(f))).max();
        let branches = widest.unwrap_or(2).max(2);
        let leaves = if self.alpha() == 0 { n_decisions.max(2) } else { 2 };
        let internal = (leaves - 1).div_ceil(branches - 1);
        let depth = (1..).find(|&depth| branches.saturating_pow(depth) >= leaves);
        [depth.map_or(1, u64::from), rows.len() as u64, internal + leaves, internal, leaves]
    }
}

/// The fold of one cost.
struct OwnCost<'a> {
    cost: Cost,
    least: Access<'a, u64>,
    budget: &'a Budget,
}

impl Fold for OwnCost<'_> {
    type State = ();
    type Value = u64;
    type Bundle = Joined<u64>;

    fn known(&mut self, key: u128, (): &()) -> Option<u64> {
        self.least.get(key)
    }

    fn leaf(&mut self, _: &Part) -> Result<u64, Status> {
        Ok(self.cost.leaf)
    }

    fn empty(&self) -> u64 {
        u64::MAX
    }

    fn open(&mut self, at: &Subtable<'_, ()>, _: &[Part], _: Column) -> Option<Joined<u64>> {
        Some(Joined::new(at.n_rows))
    }

    fn add(&mut self, bundle: &mut Joined<u64>, value: &u64) -> Result<(), Status> {
        bundle.below = Some(bundle.below.map_or(*value, |below| self.cost.join(below, *value)));
        Ok(())
    }

    fn close(&mut self, best: &mut u64, bundle: Joined<u64>) {
        *best = (*best).min(self.cost.own(bundle.n_rows) + bundle.below.expect("a bundle has parts"));
    }

    fn keep(&mut self, at: &Subtable<'_, ()>, _: Shape, best: &mut u64) -> Result<(), Status> {
        self.least.insert(at.key, *best, self.budget).map(|_| ())
    }
}
