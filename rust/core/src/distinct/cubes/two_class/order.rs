//! The known rows of a case set in the order of a feature's values.

use super::tally::{Counts, Shares, both, one_of};
use super::{Bench, Item, ONE, Part, Rows, TwoClass, class_of};
use crate::data::FULL_SHARE;

/// Sorting beats a table that has more words of marks than this for each row.
const WORDS_PER_ROW: usize = 4;

/// The weight of a mass in units of 2^-30, exactly.
#[inline]
pub(super) fn weight(mass: u64) -> f64 {
    mass as f64 * (1.0 / ONE as f64)
}

/// The values that occur, and what both classes weigh up to each of them.
#[derive(Default)]
pub(super) struct Steps<M> {
    pub codes: Vec<u32>,
    pub sums: Vec<[M; 2]>,
    so_far: [M; 2],
}

impl<M: Copy + Default + std::ops::AddAssign> Steps<M> {
    fn clear(&mut self) {
        self.codes.clear();
        self.sums.clear();
        self.so_far = [M::default(); 2];
    }

    /// Adds what both classes have of the next value.
    #[inline]
    fn push(&mut self, code: u32, classes: [M; 2]) {
        self.so_far[0] += classes[0];
        self.so_far[1] += classes[1];
        self.codes.push(code);
        self.sums.push(self.so_far);
    }

    /// Adds a row of the last value, or of the next.
    #[inline]
    fn push_row(&mut self, code: u32, class: usize, mass: M) {
        self.so_far[class] += mass;
        match self.codes.last() {
            Some(&last) if last == code => *self.sums.last_mut().expect("it has a sum") = self.so_far,
            _ => {
                self.codes.push(code);
                self.sums.push(self.so_far);
            }
        }
    }

    /// What all known rows weigh.
    pub fn known(&self) -> [M; 2] {
        self.so_far
    }
}

impl TwoClass<'_> {
    /// Fills the table of counts; no row is split. Those whose value is missing are left out.
    pub(super) fn count(&self, counts: &mut Counts, set: &Rows, feature: usize) {
        let column = self.columns[feature];
        counts.open(column.domain);
        for &item in &set.whole {
            *counts.at(self.code(item, feature)) += one_of(class_of(item));
        }
        if column.has_missing {
            counts.take(column.domain);
        }
    }

    /// Fills the table of masses. Those whose value is missing are left out.
    pub(super) fn weigh(&self, shares: &mut Shares, set: &Rows, feature: usize) {
        let column = self.columns[feature];
        shares.open(column.domain);
        for &item in &set.whole {
            shares.at(self.code(item, feature))[class_of(item)] += ONE;
        }
        for part in &set.part {
            shares.at(self.code(part.item, feature))[class_of(part.item)] += u64::from(part.share);
        }
        if column.has_missing {
            shares.take(column.domain);
        }
    }

    /// Brings rows of which none is split into order.
    pub(super) fn steps_of_counts(&self, bench: &mut Bench, set: &Rows, feature: usize) {
        let (steps, domain) = (&mut bench.counted, self.columns[feature].domain);
        steps.clear();
        if feature == self.ordered {
            for &item in &set.whole {
                match self.code(item, feature) {
                    code if code == domain => break, // the last ones
                    code => steps.push_row(code as u32, class_of(item), 1),
                }
            }
        } else if domain / 64 <= WORDS_PER_ROW * set.whole.len() {
            self.count(&mut bench.counts, set, feature);
            bench.counts.drain(|code, counts| steps.push(code, both(counts)));
        } else {
            self.sort(&mut bench.keys, set, feature);
            for &key in &bench.keys {
                steps.push_row((key >> 32) as u32, (key >> 31 & 1) as usize, 1);
            }
        }
    }

    /// Brings rows of which some are split into order.
    pub(super) fn steps_of_shares(&self, bench: &mut Bench, set: &Rows, feature: usize) {
        let (steps, domain) = (&mut bench.shared, self.columns[feature].domain);
        steps.clear();
        if feature == self.ordered {
            in_order(&set.whole, &set.part, |item, share| {
                let code = self.code(item, feature);
                if code < domain {
                    steps.push_row(code as u32, class_of(item), weight(share.into()));
                }
            });
        } else if domain / 64 <= WORDS_PER_ROW * (set.whole.len() + set.part.len()) {
            self.weigh(&mut bench.shares, set, feature);
            bench.shares.drain(|code, [a, b]| steps.push(code, [weight(a), weight(b)]));
        } else {
            self.sort(&mut bench.keys, set, feature);
            for &key in &bench.keys {
                let share = key & ((1 << 31) - 1);
                steps.push_row((key >> 32) as u32, (key >> 31 & 1) as usize, weight(share));
            }
        }
    }

    /// Sorts known rows: code, class and share in one key.
    fn sort(&self, keys: &mut Vec<u64>, set: &Rows, feature: usize) {
        let whole = set.whole.iter().map(|&item| (item, FULL_SHARE));
        let rows = whole.chain(set.part.iter().map(|part| (part.item, part.share)));
        let known = rows.map(|(item, share)| (self.code(item, feature), item, share));
        let known = known.filter(|&(code, ..)| code < self.columns[feature].domain);
        keys.clear();
        keys.extend(known.map(|(code, item, share)| {
            (code as u64) << 32 | (class_of(item) as u64) << 31 | u64::from(share)
        }));
        keys.sort_unstable();
    }
}

/// Visits whole and split rows in their common order.
#[inline]
fn in_order(whole: &[Item], part: &[Part], mut visit: impl FnMut(Item, u32)) {
    let mut whole = whole.iter().copied().peekable();
    for part in part {
        while let Some(item) = whole.next_if(|&item| item < part.item) {
            visit(item, FULL_SHARE);
        }
        visit(part.item, part.share);
    }
    whole.for_each(|item| visit(item, FULL_SHARE));
}
