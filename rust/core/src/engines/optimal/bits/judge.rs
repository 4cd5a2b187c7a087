//! What both sides of a test cost at depth 2: every pair of further tests is judged by the four parts it makes.
//!
//! Rows left of test i and of test j are counted (`table`), and so are those of both; the rest are differences. The
//! pair says what the sides of i are worth with j below, and those of j with i below. Only the smaller side of the
//! test above is counted: the larger one is the rest of the set.

use pulp::NullaryFnOnce;

use super::super::lanes::Lane;
use super::rows::Rows;
use super::table::{Table, add_pairs, count_singles, resize, zero};

/// The best so far of every test: what its sides answer rightly, with one more test each.
#[derive(Debug, Clone)]
pub(super) struct Judge<T> {
    /// By class, the rows left of every test.
    singles: Vec<Vec<T>>,
    totals: Vec<T>,
    /// Of either side, without a test of its own.
    leaf: [Vec<T>; 2],
    /// Of either side, with one.
    stump: [Vec<T>; 2],
    /// By class, what a test has in common with those after it.
    pairs: Vec<Vec<T>>,
    /// The largest class of the parts of all tests after one: left of both, of the first, of the second, of none.
    parts: [Vec<T>; 4],
}

impl<T> Default for Judge<T> {
    fn default() -> Self {
        Judge {
            singles: Vec::new(),
            totals: Vec::new(),
            leaf: [Vec::new(), Vec::new()],
            stump: [Vec::new(), Vec::new()],
            pairs: Vec::new(),
            parts: [const { Vec::new() }; 4],
        }
    }
}

#[inline(always)]
fn plus<T: Lane>(mut a: T, b: T) -> T {
    a += b;
    a
}

impl<T: Lane> Judge<T> {
    /// Starts with both sides of every test as leaves; `singles` and `totals` are given.
    #[inline(always)]
    fn open(&mut self, n: usize) {
        self.leaf.iter_mut().for_each(|list| zero(list, n));
        self.parts.iter_mut().for_each(|list| zero(list, n));
        let [left, right] = &mut self.leaf;
        let (left, right) = (&mut left[..n], &mut right[..n]);
        for (class, single) in self.singles.iter().enumerate() {
            let (single, total) = (&single[..n], self.totals[class]);
            for j in 0..n {
                left[j] = single[j].max(left[j]);
                right[j] = (total - single[j]).max(right[j]);
            }
        }
        for (side, stump) in self.stump.iter_mut().enumerate() {
            resize(stump, n);
            stump.copy_from_slice(&self.leaf[side]);
        }
        if self.pairs.len() != self.totals.len() {
            self.pairs.resize_with(self.totals.len(), Vec::new);
        }
        self.pairs.iter_mut().for_each(|pairs| resize(pairs, n));
    }

    /// Judges a test with all after it, whose pairs are known.
    #[inline(always)]
    fn take(&mut self, test: usize) {
        match self.totals.len() {
            2 => self.take_two(test),
            _ => self.take_many(test),
        }
    }

    #[inline(always)]
    fn take_two(&mut self, test: usize) {
        let n = self.singles[0].len() - test - 1;
        let (a0, a1) = (self.singles[0][test], self.singles[1][test]);
        let (r0, r1) = (self.totals[0] - a0, self.totals[1] - a1);
        let [left, right] = &mut self.stump;
        let (mut own_left, mut own_right) = (left[test], right[test]);
        let (left, right) = (&mut left[test + 1..][..n], &mut right[test + 1..][..n]);
        let (c0, c1) = (&self.singles[0][test + 1..][..n], &self.singles[1][test + 1..][..n]);
        let (x0, x1) = (&self.pairs[0][..n], &self.pairs[1][..n]);
        for j in 0..n {
            let (d0, d1) = (c0[j] - x0[j], c1[j] - x1[j]);
            let both = x0[j].max(x1[j]);
            let first = (a0 - x0[j]).max(a1 - x1[j]);
            let second = d0.max(d1);
            let none = (r0 - d0).max(r1 - d1);
            own_left = own_left.max(plus(both, first));
            own_right = own_right.max(plus(second, none));
            left[j] = left[j].max(plus(both, second));
            right[j] = right[j].max(plus(first, none));
        }
        self.stump[0][test] = own_left;
        self.stump[1][test] = own_right;
    }

    #[inline(always)]
    fn take_many(&mut self, test: usize) {
        let Some(n) = self.leaf[0].len().checked_sub(test + 1) else { return };
        let [both, first, second, none] = &mut self.parts;
        let (both, first) = (&mut both[..n], &mut first[..n]);
        let (second, none) = (&mut second[..n], &mut none[..n]);
        for j in 0..n {
            (both[j], first[j], second[j], none[j]) = (T::ZERO, T::ZERO, T::ZERO, T::ZERO);
        }
        for (class, pairs) in self.pairs.iter().enumerate() {
            let singles = &self.singles[class];
            let (pairs, own, singles) = (&pairs[..n], singles[test], &singles[test + 1..][..n]);
            let rest = self.totals[class] - own;
            for j in 0..n {
                let beside = singles[j] - pairs[j];
                both[j] = both[j].max(pairs[j]);
                first[j] = first[j].max(own - pairs[j]);
                second[j] = second[j].max(beside);
                none[j] = none[j].max(rest - beside);
            }
        }
        let [left, right] = &mut self.stump;
        let (mut own_left, mut own_right) = (left[test], right[test]);
        let (left, right) = (&mut left[test + 1..][..n], &mut right[test + 1..][..n]);
        for j in 0..n {
            own_left = own_left.max(plus(both[j], first[j]));
            own_right = own_right.max(plus(second[j], none[j]));
            left[j] = left[j].max(plus(both[j], second[j]));
            right[j] = right[j].max(plus(first[j], none[j]));
        }
        self.stump[0][test] = own_left;
        self.stump[1][test] = own_right;
    }

    /// The least losses of trees of one to four leaves.
    #[inline(always)]
    fn losses(&self) -> [i64; 4] {
        let (one, all) = self.whole();
        let mut most = [T::ZERO; 3];
        let [left, right] = &self.leaf;
        let [left_stump, right_stump] = &self.stump;
        let n = left.len();
        let (right, left_stump, right_stump) = (&right[..n], &left_stump[..n], &right_stump[..n]);
        for j in 0..n {
            most[0] = most[0].max(plus(left[j], right[j]));
            most[1] = most[1].max(plus(left_stump[j], right[j])).max(plus(left[j], right_stump[j]));
            most[2] = most[2].max(plus(left_stump[j], right_stump[j]));
        }
        let [two, three, four] = [most[0].wide(), most[1].wide(), most[2].wide()];
        [all - one, all - two.max(one), all - three.max(one), all - four.max(one)]
    }

    /// The largest class, and all rows.
    #[inline(always)]
    fn whole(&self) -> (i64, i64) {
        let (mut largest, mut all) = (0, 0);
        for total in &self.totals {
            largest = total.wide().max(largest);
            all += total.wide();
        }
        (largest, all)
    }

    /// What a test answers rightly, by leaves less two.
    #[inline]
    pub fn of_test(&self, test: usize) -> [i64; 3] {
        let (left, right) = (self.leaf[0][test].wide(), self.leaf[1][test].wide());
        let (left_stump, right_stump) = (self.stump[0][test].wide(), self.stump[1][test].wide());
        [left + right, (left_stump + right).max(left + right_stump), left_stump + right_stump]
    }

    /// What all rows as one leaf lose.
    #[inline]
    pub fn lost(&self) -> i64 {
        let (one, all) = self.whole();
        all - one
    }

    /// Whether a test has rows on both sides.
    #[inline]
    pub fn parts_rows(&self, test: usize) -> bool {
        let mut left = 0;
        for single in &self.singles {
            left += single[test].wide();
        }
        left > 0 && left < self.weight()
    }

    /// Tests that were judged.
    #[inline]
    pub fn n_tests(&self) -> usize {
        self.leaf[0].len()
    }

    /// The weight of all rows.
    #[inline]
    pub fn weight(&self) -> i64 {
        self.whole().1
    }
}

/// Judges all pairs of a set.
pub(super) struct Whole<'a, T> {
    pub table: &'a Table<T>,
    pub judge: &'a mut Judge<T>,
}

impl<T: Lane> NullaryFnOnce for Whole<'_, T> {
    type Output = [i64; 4];

    #[inline(always)]
    fn call(self) -> [i64; 4] {
        let Whole { table, judge } = self;
        judge.singles.clone_from(&table.left);
        judge.totals.clone_from(&table.totals);
        judge.open(table.n);
        for test in 0..table.n {
            for (class, pairs) in judge.pairs.iter_mut().enumerate() {
                let row = table.row(class, test);
                pairs[..row.len()].copy_from_slice(row);
            }
            judge.take(test);
        }
        judge.losses()
    }
}

/// Judges all pairs on both sides of a test, of which the smaller one is given.
pub(super) struct Sides<'a, T> {
    pub table: &'a Table<T>,
    pub small: &'a Rows,
    pub judges: &'a mut [Judge<T>; 2],
}

impl<T: Lane> NullaryFnOnce for Sides<'_, T> {
    type Output = [[i64; 4]; 2];

    #[inline(always)]
    fn call(self) -> [[i64; 4]; 2] {
        let Sides { table, small: rows, judges: [small, large] } = self;
        let (n, n_classes) = (table.n, table.totals.len());
        count_singles(rows, n, n_classes, &mut small.singles, &mut small.totals);
        less(&table.totals, &small.totals, &mut large.totals);
        if large.singles.len() != n_classes {
            large.singles.resize_with(n_classes, Vec::new);
        }
        for (class, large) in large.singles.iter_mut().enumerate() {
            less(&table.left[class], &small.singles[class], large);
        }
        small.open(n);
        large.open(n);
        for test in 0..n {
            let n_after = n - test - 1;
            for pairs in &mut small.pairs {
                for pair in &mut pairs[..n_after] {
                    *pair = T::ZERO;
                }
            }
            for segment in &rows.segments {
                let own = &mut small.pairs[segment.place][..n_after];
                add_pairs(rows.words(segment), segment.n_words, segment.weight, test, own);
            }
            for (class, large) in large.pairs.iter_mut().enumerate() {
                let (all, small) = (table.row(class, test), &small.pairs[class][..n_after]);
                let (all, large) = (&all[..n_after], &mut large[..n_after]);
                for j in 0..n_after {
                    large[j] = all[j] - small[j];
                }
            }
            small.take(test);
            large.take(test);
        }
        [small.losses(), large.losses()]
    }
}

#[inline(always)]
fn less<T: Lane>(all: &[T], some: &[T], rest: &mut Vec<T>) {
    let n = all.len();
    resize(rest, n);
    let (some, rest) = (&some[..n], &mut rest[..n]);
    for j in 0..n {
        rest[j] = all[j] - some[j];
    }
}
