//! How often two tests hold together, by class: all pairs of a set's tests.

use super::super::lanes::Lane;
use super::rows::Rows;
use pulp::NullaryFnOnce;

/// Weights by class and pair of tests, of rows on the left of both.
#[derive(Debug, Clone)]
pub(super) struct Table<T> {
    /// Tests.
    pub n: usize,
    /// By class, of every test i and those after it.
    pairs: Vec<Vec<T>>,
    /// By class, the rows left of every test.
    pub left: Vec<Vec<T>>,
    /// By class, all rows.
    pub totals: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { n: 0, pairs: Vec::new(), left: Vec::new(), totals: Vec::new() }
    }
}

impl<T: Lane> Table<T> {
    /// Where the row of a test starts.
    #[inline(always)]
    fn at(&self, test: usize) -> usize {
        test * (2 * self.n - test - 1) / 2
    }

    /// What two tests, the first one and all after it, have in common in a class.
    #[inline(always)]
    pub fn row(&self, class: usize, test: usize) -> &[T] {
        &self.pairs[class][self.at(test)..][..self.n - test - 1]
    }

    /// The weight of a class.
    #[inline]
    pub fn total(&self) -> i64 {
        let mut all = 0;
        for total in &self.totals {
            all += total.wide();
        }
        all
    }

    /// The weight left of a test.
    #[inline]
    pub fn weight(&self, test: usize) -> i64 {
        let mut all = 0;
        for left in &self.left {
            all += left[test].wide();
        }
        all
    }

    /// The weight left of a test and of every other.
    pub fn common(&self, test: usize, common: &mut Vec<i64>) {
        common.clear();
        common.resize(self.n, 0);
        for (class, left) in self.left.iter().enumerate() {
            for (other, common) in common[..test].iter_mut().enumerate() {
                *common += self.pairs[class][self.at(other) + test - other - 1].wide();
            }
            common[test] += left[test].wide();
            let pairs = self.row(class, test);
            for (j, common) in common[test + 1..].iter_mut().enumerate() {
                *common += pairs[j].wide();
            }
        }
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        self.pairs.iter().chain(&self.left).map(|list| size_of::<T>() * list.capacity()).sum()
    }
}

/// Counts all pairs of a set.
pub(super) struct Count<'a, T> {
    pub rows: &'a Rows,
    pub n_tests: usize,
    pub n_classes: usize,
    pub table: &'a mut Table<T>,
}

impl<T: Lane> NullaryFnOnce for Count<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Count { rows, n_tests, n_classes, table } = self;
        table.n = n_tests;
        let n_pairs = n_tests * (n_tests.max(1) - 1) / 2;
        zero_all(&mut table.pairs, n_classes, n_pairs);
        let n = table.n;
        for test in 0..n_tests {
            let at = table.at(test);
            for segment in &rows.segments {
                let own = &mut table.pairs[segment.place][at..][..n - test - 1];
                add_pairs(rows.words(segment), segment.n_words, segment.weight, test, own);
            }
        }
        count_singles(rows, n_tests, n_classes, &mut table.left, &mut table.totals);
    }
}

/// Gives a list so many places. In a kernel what std does for a list may be a call, and nearly always there is
/// nothing to do.
#[inline(always)]
pub(super) fn resize<T: Lane>(list: &mut Vec<T>, n: usize) {
    if list.len() != n {
        list.resize(n, T::ZERO);
    }
}

/// Makes so many zeros of a list.
#[inline(always)]
pub(super) fn zero<T: Lane>(list: &mut Vec<T>, n: usize) {
    resize(list, n);
    for place in list {
        *place = T::ZERO;
    }
}

/// As many lists, each of so many zeros.
#[inline(always)]
fn zero_all<T: Lane>(lists: &mut Vec<Vec<T>>, n_lists: usize, n: usize) {
    if lists.len() != n_lists {
        lists.resize_with(n_lists, Vec::new);
    }
    lists.iter_mut().for_each(|list| zero(list, n));
}

/// Weights left of every test, and of all rows, by class.
#[inline(always)]
pub(super) fn count_singles<T: Lane>(
    rows: &Rows,
    n_tests: usize,
    n_classes: usize,
    left: &mut Vec<Vec<T>>,
    totals: &mut Vec<T>,
) {
    zero_all(left, n_classes, n_tests);
    zero(totals, n_classes);
    for segment in &rows.segments {
        totals[segment.place] += T::of(segment.n_rows as i64 * segment.weight);
        let left = &mut left[segment.place];
        for (test, words) in rows.words(segment).chunks_exact(segment.n_words).take(n_tests).enumerate() {
            let mut n = 0;
            for word in words {
                n += word.count_ones();
            }
            left[test] += T::of(i64::from(n) * segment.weight);
        }
    }
}

/// Adds to the pairs of a test with those after it what the rows of a segment weigh.
#[inline(always)]
pub(super) fn add_pairs<T: Lane>(words: &[u64], n_words: usize, weight: i64, test: usize, pairs: &mut [T]) {
    match n_words {
        1 => add_fixed::<T, 1>(words, weight, test, pairs),
        2 => add_fixed::<T, 2>(words, weight, test, pairs),
        3 => add_fixed::<T, 3>(words, weight, test, pairs),
        4 => add_fixed::<T, 4>(words, weight, test, pairs),
        5 => add_fixed::<T, 5>(words, weight, test, pairs),
        6 => add_fixed::<T, 6>(words, weight, test, pairs),
        _ => {
            let (own, others) = words[test * n_words..].split_at(n_words);
            for (pair, place) in pairs.iter_mut().enumerate() {
                let (other, mut n) = (&others[pair * n_words..][..n_words], 0);
                for w in 0..n_words {
                    n += (own[w] & other[w]).count_ones();
                }
                *place += T::of(i64::from(n) * weight);
            }
        }
    }
}

#[inline(always)]
fn add_fixed<T: Lane, const W: usize>(words: &[u64], weight: i64, test: usize, pairs: &mut [T]) {
    let words = words.as_chunks::<W>().0;
    let own = words[test];
    let (n, others) = (pairs.len(), &words[test + 1..]);
    let (long, short) = pairs.split_at_mut(n & !SHORT);
    add_common(&own, others, weight, long, n & !SHORT);
    add_common(&own, &others[n & !SHORT..], weight, short, n & SHORT);
}

/// Turns at the most behind those that a loop makes 32 at once: the compiler knows them to be few, and makes them
/// eight at once where it would make them singly.
const SHORT: usize = 31;

/// Adds the weight of what a set has in common with each of the first `n` others.
#[inline(always)]
fn add_common<T: Lane, const W: usize>(
    own: &[u64; W],
    others: &[[u64; W]],
    weight: i64,
    pairs: &mut [T],
    n: usize,
) {
    let (others, pairs) = (&others[..n], &mut pairs[..n]);
    for j in 0..n {
        let mut common = 0;
        for w in 0..W {
            common += (own[w] & others[j][w]).count_ones();
        }
        pairs[j] += T::of(i64::from(common) * weight);
    }
}
