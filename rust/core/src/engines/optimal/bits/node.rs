//! A set of rows below which trees of depth 3 and more are looked for: its tests, without those that part the rows
//! as others do, and what any two have in common.

use std::collections::HashMap;

use super::super::lanes::{Instructions, Lane};
use super::super::price::Price;
use super::rows::{Rows, Take};
use super::table::{Count, Table};

/// A set of rows.
#[derive(Debug, Clone)]
pub(super) struct Node<T> {
    pub rows: Rows,
    /// Of the whole set, the tests of this one.
    pub names: Vec<usize>,
    pub table: Table<T>,
    n_classes: usize,
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Node { rows: Rows::default(), names: Vec::new(), table: Table::default(), n_classes: 0 }
    }
}

/// By test, what its left and its right side cost at least.
pub(super) type Least = [i64; 2];

impl<T: Lane> Node<T> {
    /// Rows of all tests, not yet settled.
    pub fn of(rows: Rows, n_classes: usize) -> Self {
        Node { names: (0..rows.n_lists()).collect(), rows, table: Table::default(), n_classes }
    }

    /// The rows of one side of a test.
    pub fn side(&mut self, of: &Node<T>, test: usize, is_left: bool, isa: Instructions) {
        isa.run(Take { from: &of.rows, test, is_left, into: &mut self.rows });
        self.names.clone_from(&of.names);
        self.n_classes = of.n_classes;
        self.settle(isa);
    }

    /// Leaves out tests that part no rows, or as others do, and counts the pairs of the rest. Of every test that was
    /// there it returns the one that parts the rows alike, and whether its sides are the other way round.
    pub fn settle(&mut self, isa: Instructions) -> Vec<(usize, bool)> {
        let mut first: HashMap<Vec<u64>, (usize, bool)> = HashMap::new();
        let (mut kept, mut place) = (Vec::new(), Vec::new());
        for test in 0..self.names.len() {
            let Some((words, is_turned)) = self.rows.pattern(test) else {
                place.push((usize::MAX, false));
                continue;
            };
            let &mut (own, first_turned) = first.entry(words).or_insert_with(|| {
                kept.push(test);
                (kept.len() - 1, is_turned)
            });
            place.push((own, first_turned != is_turned));
        }
        self.rows.keep(&kept);
        self.names = kept.iter().map(|&test| self.names[test]).collect();
        let (n_tests, n_classes) = (kept.len(), self.n_classes);
        isa.run(Count { rows: &self.rows, n_tests, n_classes, table: &mut self.table });
        place
    }

    /// What the sides of tests cost at least, where the whole costs `whole`: a row costs no more than it counts.
    #[inline]
    pub fn least(&self, whole: i64, price: Price, least: &mut Vec<Least>) {
        least.clear();
        let all = self.table.total();
        least.extend((0..self.table.n).map(|test| {
            let left = self.table.weight(test);
            [all - left, left].map(|other| (whole - price.loss * other).max(price.leaf))
        }));
    }

    /// Raises what the sides of tests cost at least by what those of one cost: other rows add at most what they
    /// count.
    #[inline]
    pub fn raise(&self, test: usize, [left, right]: Least, price: Price, least: &mut [Least]) {
        let mut common = Vec::new();
        self.table.common(test, &mut common);
        let (own, all) = (self.table.weight(test), self.table.total());
        for (other, (least, &common)) in least.iter_mut().zip(&common).enumerate() {
            let weight = self.table.weight(other);
            let (only_own, only_other) = (own - common, weight - common);
            let neither = all - own - only_other;
            let less = |cost: i64, rows: i64| cost - price.loss * rows;
            least[0] = least[0].max(less(left, only_own)).max(less(right, neither));
            least[1] = least[1].max(less(right, only_other)).max(less(left, common));
        }
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.table.bytes() + size_of::<usize>() * self.names.capacity()
    }
}
