//! Rows as bits: for every test a bit a row, and how the rows of one side are drawn together.

use pulp::NullaryFnOnce;

/// Tests that are moved together; lists of tests are filled up to a multiple.
const ABREAST: usize = 8;

/// Rows of one class that count the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    /// Of the class.
    pub place: usize,
    /// What each row counts.
    pub weight: i64,
    pub n_rows: usize,
    pub n_words: usize,
    /// Where the words of its first test start.
    from: usize,
}

/// For every segment and test, a bit for each row: whether it goes to the left.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// Tests, with idle ones that fill up the list.
    n_lists: usize,
    pub segments: Vec<Segment>,
    bits: Vec<u64>,
}

impl Rows {
    /// No rows yet, for so many tests.
    pub fn new(n_tests: usize) -> Self {
        Rows { n_lists: n_tests.next_multiple_of(ABREAST), ..Rows::default() }
    }

    /// Tests, with those that fill up the list.
    #[inline]
    pub fn n_lists(&self) -> usize {
        self.n_lists
    }

    fn clear(&mut self, n_lists: usize) {
        self.n_lists = n_lists;
        self.segments.clear();
        self.bits.clear();
    }

    /// Opens a segment and returns its words.
    #[inline]
    pub fn open(&mut self, place: usize, weight: i64, n_rows: usize) -> &mut [u64] {
        let (from, n_words) = (self.bits.len(), n_rows.div_ceil(64));
        self.segments.push(Segment { place, weight, n_rows, n_words, from });
        self.bits.resize(from + n_words * self.n_lists, 0);
        &mut self.bits[from..]
    }

    /// The words of all tests of a segment.
    #[inline(always)]
    pub fn words(&self, segment: &Segment) -> &[u64] {
        &self.bits[segment.from..][..segment.n_words * self.n_lists]
    }

    /// The words of a test.
    #[inline(always)]
    pub fn words_of(&self, segment: &Segment, test: usize) -> &[u64] {
        &self.words(segment)[test * segment.n_words..][..segment.n_words]
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        8 * self.bits.capacity()
    }

    /// Keeps some of the tests, in order.
    pub fn keep(&mut self, kept: &[usize]) {
        let n_lists = kept.len().next_multiple_of(ABREAST);
        let mut bits = Vec::with_capacity(self.bits.len() / self.n_lists.max(1) * n_lists);
        for i in 0..self.segments.len() {
            let segment = self.segments[i];
            let from = bits.len();
            for &test in kept {
                bits.extend_from_slice(self.words_of(&segment, test));
            }
            bits.resize(from + segment.n_words * n_lists, 0);
            self.segments[i].from = from;
        }
        (self.bits, self.n_lists) = (bits, n_lists);
    }

    /// Bits of a test, turned so that the first row has a 0; none where all rows are on one side.
    pub fn pattern(&self, test: usize) -> Option<(Vec<u64>, bool)> {
        let is_turned = self.segments.first().is_some_and(|first| self.words_of(first, test)[0] & 1 == 1);
        let mut words = Vec::with_capacity(self.bits.len() / self.n_lists.max(1));
        for segment in &self.segments {
            let own = self.words_of(segment, test).iter().enumerate();
            words.extend(own.map(|(w, &word)| if is_turned { !word & segment.rows_in(w) } else { word }));
        }
        words.iter().any(|&word| word != 0).then_some((words, is_turned))
    }
}

impl Segment {
    /// A 1 for every row of a word.
    #[inline(always)]
    fn rows_in(&self, word: usize) -> u64 {
        let left = self.n_rows - 64 * word;
        if left >= 64 { u64::MAX } else { (1 << left) - 1 }
    }
}

/// Draws the rows of one side of a test together.
pub(super) struct Take<'a> {
    pub from: &'a Rows,
    pub test: usize,
    pub is_left: bool,
    pub into: &'a mut Rows,
}

impl NullaryFnOnce for Take<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Take { from, test, is_left, into } = self;
        into.clear(from.n_lists);
        for segment in &from.segments {
            let own = from.words_of(segment, test);
            let mut n_left = 0;
            for word in own {
                n_left += word.count_ones() as usize;
            }
            let n_rows = if is_left { n_left } else { segment.n_rows - n_left };
            if n_rows == 0 {
                continue;
            }
            let (n_words, words) = (n_rows.div_ceil(64), from.words(segment));
            let target = into.open(segment.place, segment.weight, n_rows);
            let mut at = 0;
            for (w, &word) in own.iter().enumerate() {
                let mask = if is_left { word } else { !word & segment.rows_in(w) };
                if mask != 0 {
                    draw_word(words, (w, segment.n_words), target, (at, n_words), mask);
                    at += mask.count_ones() as usize;
                }
            }
        }
    }
}

/// Moves the bits under a mask, of one word of every test, to where the next row belongs.
#[inline(always)]
fn draw_word(
    from: &[u64],
    (word, n_from): (usize, usize),
    to: &mut [u64],
    (at, n_to): (usize, usize),
    mask: u64,
) {
    let moves = Moves::of(mask);
    let (word_to, shift) = (at / 64, at % 64);
    let spills = shift + mask.count_ones() as usize > 64;
    for (some, to) in to.chunks_exact_mut(ABREAST * n_to).enumerate() {
        let from = &from[some * ABREAST * n_from..][..ABREAST * n_from];
        let mut bits = [0u64; ABREAST];
        for (l, bits) in bits.iter_mut().enumerate() {
            *bits = from[l * n_from + word];
        }
        moves.draw(&mut bits, mask);
        for (l, bits) in bits.iter().enumerate() {
            to[l * n_to + word_to] |= bits << shift;
            if spills {
                to[l * n_to + word_to + 1] |= bits >> (64 - shift);
            }
        }
    }
}

/// How the bits under a mask move to the low end: by 1, 2, 4 .. 32 places.
///
/// # Source
/// Warren, Hacker's Delight, 7-4.
struct Moves([u64; 6]);

impl Moves {
    #[inline(always)]
    fn of(mut mask: u64) -> Self {
        let (mut moves, mut to_count) = ([0; 6], !mask << 1);
        for (i, moved) in moves.iter_mut().enumerate() {
            let mut odd = to_count;
            for shift in [1, 2, 4, 8, 16, 32] {
                odd ^= odd << shift;
            }
            *moved = odd & mask;
            mask = (mask ^ *moved) | (*moved >> (1 << i));
            to_count &= !odd;
        }
        Moves(moves)
    }

    #[inline(always)]
    fn draw(&self, bits: &mut [u64; ABREAST], mask: u64) {
        for bits in bits.iter_mut() {
            *bits &= mask;
        }
        for (i, &moved) in self.0.iter().enumerate() {
            if moved != 0 {
                for bits in bits.iter_mut() {
                    let own = *bits & moved;
                    *bits = (*bits ^ own) | (own >> (1 << i));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::Dice;

    #[test]
    fn a_side_has_the_bits_of_its_rows_in_order() {
        let mut random = Dice::new(11);
        for n in [1usize, 2, 63, 64, 65, 127, 128, 129, 200] {
            let lists: Vec<Vec<bool>> =
                (0..11).map(|_| (0..n).map(|_| random.roll(3) == 0).collect()).collect();
            let mut rows = Rows::new(lists.len());
            let n_words = n.div_ceil(64);
            let words = rows.open(0, 1, n);
            for (test, list) in lists.iter().enumerate() {
                for (row, _) in list.iter().enumerate().filter(|(_, bit)| **bit) {
                    words[test * n_words + row / 64] |= 1 << (row % 64);
                }
            }
            for is_left in [true, false] {
                let mut into = Rows::default();
                Take { from: &rows, test: 4, is_left, into: &mut into }.call();
                let kept: Vec<usize> = (0..n).filter(|&row| lists[4][row] == is_left).collect();
                let Some(segment) = into.segments.first() else {
                    assert!(kept.is_empty());
                    continue;
                };
                assert_eq!(segment.n_rows, kept.len());
                for (test, list) in lists.iter().enumerate() {
                    let words = into.words_of(segment, test);
                    let bit = |i: usize| words[i / 64] >> (i % 64) & 1 == 1;
                    let found: Vec<bool> = (0..kept.len()).map(bit).collect();
                    assert_eq!(found, kept.iter().map(|&row| list[row]).collect::<Vec<_>>());
                    let n_set: u32 = words.iter().map(|word| word.count_ones()).sum();
                    assert_eq!(n_set as usize, found.iter().filter(|bit| **bit).count());
                }
            }
        }
    }
}
