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
        self.totals.iter().map(|total| total.wide()).sum()
    }

    /// The weight left of a test.
    #[inline]
    pub fn weight(&self, test: usize) -> i64 {
        self.left.iter().map(|left| left[test].wide()).sum()
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
            for (common, pair) in common[test + 1..].iter_mut().zip(self.row(class, test)) {
                *common += pair.wide();
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
        resize(&mut table.pairs, n_classes, n_pairs);
        let n = table.n;
        for class in &mut table.pairs {
            class.fill(T::ZERO);
        }
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

fn resize<T: Lane>(lists: &mut Vec<Vec<T>>, n: usize, len: usize) {
    lists.resize_with(n, Vec::new);
    for list in lists {
        list.resize(len, T::ZERO);
    }
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
    resize(left, n_classes, n_tests);
    totals.clear();
    totals.resize(n_classes, T::ZERO);
    left.iter_mut().for_each(|left| left.fill(T::ZERO));
    for segment in &rows.segments {
        totals[segment.place] += T::of(segment.n_rows as i64 * segment.weight);
        let words = rows.words(segment).chunks_exact(segment.n_words);
        for (left, words) in left[segment.place].iter_mut().zip(words) {
            let n: u32 = words.iter().map(|word| word.count_ones()).sum();
            *left += T::of(i64::from(n) * segment.weight);
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
            for (pair, other) in pairs.iter_mut().zip(others.chunks_exact(n_words)) {
                let n: u32 = own.iter().zip(other).map(|(a, b)| (a & b).count_ones()).sum();
                *pair += T::of(i64::from(n) * weight);
            }
        }
    }
}

#[inline(always)]
fn add_fixed<T: Lane, const W: usize>(words: &[u64], weight: i64, test: usize, pairs: &mut [T]) {
    let words = words.as_chunks::<W>().0;
    let own = words[test];
    for (pair, other) in pairs.iter_mut().zip(&words[test + 1..]) {
        let mut n = 0;
        for w in 0..W {
            n += (own[w] & other[w]).count_ones();
        }
        *pair += T::of(i64::from(n) * weight);
    }
}
