//! The known rows of a case set in the order of a feature's values.

use super::tally::{Counts, Shares, both, one_of};
use super::{Bench, Item, ONE, Part, Rows, TwoClass, class_of};
use crate::model::data::FULL_SHARE;

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
    codes: Vec<u32>,
    sums: Vec<[M; 2]>,
    n_steps: usize,
}

/// What a step counts in.
pub(super) trait Amount:
    Copy + Default + PartialEq + std::ops::AddAssign + std::ops::Sub<Output = Self>
{
    /// The amount in the place of its class, nothing in the other.
    fn by_class(self, class: usize) -> [Self; 2];
}

impl Amount for u32 {
    #[inline]
    fn by_class(self, class: usize) -> [u32; 2] {
        [self * (1 - class as u32), self * class as u32]
    }
}

impl Amount for f64 {
    #[inline]
    fn by_class(self, class: usize) -> [f64; 2] {
        let second = self * class as u32 as f64;
        [self - second, second]
    }
}

/// Steps in the making.
struct Climb<'a, M> {
    codes: &'a mut [u32],
    sums: &'a mut [[M; 2]],
    so_far: [M; 2],
    n_steps: usize,
}

impl<M: Amount> Climb<'_, M> {
    /// Adds what both classes have of the last value, or of the next.
    #[inline]
    fn add(&mut self, code: u32, classes: [M; 2]) {
        self.so_far[0] += classes[0];
        self.so_far[1] += classes[1];
        // No branch: whether a value is the last one again is anybody's guess.
        let is_next = self.n_steps == 0 || self.codes[self.n_steps - 1] != code;
        self.n_steps += usize::from(is_next);
        self.codes[self.n_steps - 1] = code;
        self.sums[self.n_steps - 1] = self.so_far;
    }
}

impl<M: Amount> Steps<M> {
    /// Makes the steps, of which there are `most` or fewer.
    #[inline]
    fn make(&mut self, most: usize, fill: impl FnOnce(&mut Climb<M>)) {
        if self.codes.len() < most {
            self.codes.resize(most, 0);
            self.sums.resize(most, [M::default(); 2]);
        }
        let mut climb =
            Climb { codes: &mut self.codes, sums: &mut self.sums, so_far: [M::default(); 2], n_steps: 0 };
        fill(&mut climb);
        self.n_steps = climb.n_steps;
    }

    pub fn codes(&self) -> &[u32] {
        &self.codes[..self.n_steps]
    }

    /// Entry k: what rows of the first k + 1 values weigh.
    pub fn sums(&self) -> &[[M; 2]] {
        &self.sums[..self.n_steps]
    }

    /// What all known rows weigh; there are some.
    pub fn known(&self) -> [M; 2] {
        self.sums[self.n_steps - 1]
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
        let (domain, n_rows) = (self.columns[feature].domain, set.whole.len());
        let Bench { counted: steps, counts, keys, .. } = bench;
        if feature == self.ordered {
            steps.make(n_rows, |climb| {
                let known = set.whole.iter().map(|&item| (item, self.code(item, feature)));
                known.take_while(|&(_, code)| code < domain).for_each(|(item, code)| {
                    climb.add(code as u32, 1.by_class(class_of(item)));
                });
            });
        } else if domain / 64 <= WORDS_PER_ROW * n_rows {
            self.count(counts, set, feature);
            steps.make(n_rows, |climb| counts.drain(|code, counts| climb.add(code, both(counts))));
        } else {
            self.sort(keys, set, feature);
            steps.make(n_rows, |climb| {
                keys.iter()
                    .for_each(|key| climb.add((key >> 32) as u32, 1.by_class((key >> 31 & 1) as usize)));
            });
        }
    }

    /// Brings rows of which some are split into order.
    pub(super) fn steps_of_shares(&self, bench: &mut Bench, set: &Rows, feature: usize) {
        let (domain, n_rows) = (self.columns[feature].domain, set.whole.len() + set.part.len());
        let Bench { shared: steps, shares, keys, .. } = bench;
        if feature == self.ordered {
            steps.make(n_rows, |climb| {
                in_order(&set.whole, &set.part, |item, share| {
                    let code = self.code(item, feature);
                    if code < domain {
                        climb.add(code as u32, weight(share.into()).by_class(class_of(item)));
                    }
                });
            });
        } else if domain / 64 <= WORDS_PER_ROW * n_rows {
            self.weigh(shares, set, feature);
            steps.make(n_rows, |climb| {
                shares.drain(|code, classes| climb.add(code, classes.map(weight)));
            });
        } else {
            self.sort(keys, set, feature);
            steps.make(n_rows, |climb| {
                keys.iter().for_each(|key| {
                    let share = weight(key & ((1 << 31) - 1));
                    climb.add((key >> 32) as u32, share.by_class((key >> 31 & 1) as usize));
                });
            });
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
    let mut next = 0;
    for part in part {
        while next < whole.len() && whole[next] < part.item {
            visit(whole[next], FULL_SHARE);
            next += 1;
        }
        visit(part.item, part.share);
    }
    whole[next..].iter().for_each(|&item| visit(item, FULL_SHARE));
}
