//! Sets with few tests: a bit a row and test, and all pairs of tests counted.
//!
//! Where features have two values, or few, an interval of tests is soon a single one, and walking over rows in the
//! order of every axis is a waste. Here rows are bits: what two tests have in common is counted by 64 rows at once.
//! The counts of all pairs say what the whole set costs at depth 2 (`judge`); those of the smaller side of a test,
//! and their difference to those of the whole, what both its sides cost. Trees of greater depth are searched above
//! that (`search`), and what a test's sides cost bounds those of similar tests (`node`).
//!
//! # Source
//! The counting of pairs is that of MurTree and STreeD (Demirović et al., 2022), by bits instead of rows.

mod judge;
mod node;
mod root;
mod rows;
mod search;
mod table;

use std::fmt::Debug;
use std::sync::Arc;

pub(super) use root::Test;

use root::{MOST_KEPT, Root, fits};
use search::Work;

use super::lanes::{Cond, Lane};
use super::part::Part;
use super::plan::Plan;
use super::rules::Rules;
use super::solve::{Ask, Solved};
use crate::base::control::Control;

/// What a set takes that is kept.
const BYTES_OF_KEPT: u64 = 48;

/// A whole set as bits.
pub(super) trait Bits: Debug + Send + Sync {
    /// Its tests, those of least cost at depth 2 first; of those that part the rows alike one.
    fn in_order(&self) -> Vec<Test>;

    /// What the sides of tests cost at least, in the order of `in_order`, where those of one cost so much.
    fn raised(&self, axis: usize, cond: Cond, ends: [i64; 2]) -> Vec<(Test, [i64; 2])>;

    /// What a thread works with.
    fn work<'a>(&'a self, control: &'a Control) -> Box<dyn BitWork + 'a>;

    /// Bytes that a thread takes, and that all have in common.
    fn bytes(&self, n_levels: u64) -> (u64, u64);

    /// Rows of the set.
    fn n_rows(&self) -> usize;
}

/// What one thread works with.
pub(super) trait BitWork: Send {
    /// The whole set at depth 2.
    fn two(&mut self, cutoff: i64) -> (i64, Option<Plan>);

    /// Both sides of a test at depth 2.
    fn sides_at_two(&mut self, axis: usize, cond: Cond) -> ([i64; 2], [Plan; 2]);

    /// One side of a test, at depth 3 or more.
    fn side(&mut self, axis: usize, cond: Cond, is_left: bool, ask: Ask) -> Solved;

    /// Sets that were searched; of those to come no more than `most`.
    fn count(&mut self, most: u64) -> u64;
}

/// The set as bits, where that is the better way.
pub(super) fn as_bits(part: &Part, rules: &Rules) -> Option<Arc<dyn Bits>> {
    if !fits(part, rules) {
        return None;
    }
    let all: i64 = part.totals.iter().sum();
    Some(match (i16::try_from(all), i32::try_from(all)) {
        (Ok(_), _) => Arc::new(Root::<i16>::new(part, rules)),
        (_, Ok(_)) => Arc::new(Root::<i32>::new(part, rules)),
        _ => return None,
    })
}

impl<T: Lane + Debug> Bits for Root<T> {
    fn in_order(&self) -> Vec<Test> {
        Work::new(self, &Control::unlimited()).in_order()
    }

    fn raised(&self, axis: usize, cond: Cond, ends: [i64; 2]) -> Vec<(Test, [i64; 2])> {
        let (test, is_turned) = self.place[self.number(axis, cond)];
        let ends = if is_turned { [ends[1], ends[0]] } else { ends };
        let mut least = vec![[0; 2]; self.node.table.n];
        self.node.raise(test, ends, self.price, &mut least);
        self.node.names.iter().map(|&name| self.tests[name]).zip(least).collect()
    }

    fn work<'a>(&'a self, control: &'a Control) -> Box<dyn BitWork + 'a> {
        Box::new(Work::new(self, control))
    }

    fn bytes(&self, n_levels: u64) -> (u64, u64) {
        let own = self.node.bytes() as u64;
        let n_sides = 2 * self.node.table.n as u64;
        let n_kept = if n_levels < 2 { 0 } else { n_sides.saturating_pow(n_levels.min(4) as u32) };
        (own * (1 + n_levels), own + BYTES_OF_KEPT * n_kept.min(MOST_KEPT as u64))
    }

    fn n_rows(&self) -> usize {
        self.n_rows
    }
}

impl<T: Lane + Debug> BitWork for Work<'_, T> {
    fn two(&mut self, cutoff: i64) -> (i64, Option<Plan>) {
        self.whole_at_two(cutoff)
    }

    fn sides_at_two(&mut self, axis: usize, cond: Cond) -> ([i64; 2], [Plan; 2]) {
        self.root_sides_at_two(axis, cond)
    }

    fn side(&mut self, axis: usize, cond: Cond, is_left: bool, ask: Ask) -> Solved {
        self.root_side(axis, cond, is_left, ask)
    }

    fn count(&mut self, most: u64) -> u64 {
        self.most_sets = most;
        std::mem::take(&mut self.n_sets)
    }
}
