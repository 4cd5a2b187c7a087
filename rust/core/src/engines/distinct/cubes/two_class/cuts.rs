//! The best cut of a numeric feature.
//!
//! With L the masses of the two classes below a cut, what a cut leaves certain,
//! F(L0) + F(L1) - F(L0 + L1) and the same above it, is convex in L. From one cut to a later one L
//! stays within a rectangle, and a convex function is nowhere in a rectangle larger than at one of
//! its corners. So a block of cuts whose corners are all below the best is passed by.

use std::ops::{Add, Sub};

use super::order::{Amount, Steps};
use crate::model::score::{Logs, QuickLog};

/// Cuts a block.
const BLOCK: usize = 8;

/// With fewer cuts, blocks cost more than they spare.
const BLOCKS_FROM: usize = 20;

/// How certain a division leaves the classes.
pub(super) trait Gauge {
    type Mass: Amount;
    type Score: Copy + Default + PartialOrd + Add<Output = Self::Score> + Sub<Output = Self::Score>;
    const LEAST: Self::Score;

    /// F of both classes minus F of their sum.
    fn certainty(&self, classes: [Self::Mass; 2]) -> Self::Score;
    /// Whether a score is below another by more than an error can hide.
    fn is_below(&self, score: Self::Score, other: Self::Score) -> bool;
}

/// Counts and exact scores.
pub(super) struct ByCount<'a> {
    logs: &'a Logs,
    /// Least difference that rounding cannot hide: each of twelve terms is off by half at the most,
    /// and beyond 2^53, where doubles are coarser than that, by less than a 2^-51th of the largest.
    slack: i64,
}

impl<'a> ByCount<'a> {
    /// For so many rows.
    pub fn new(logs: &'a Logs, n_rows: usize) -> Self {
        ByCount { logs, slack: 8 + (logs.whole(n_rows as u64) >> 47) }
    }
}

impl Gauge for ByCount<'_> {
    type Mass = u32;
    type Score = i64;
    const LEAST: i64 = i64::MIN;

    #[inline]
    fn certainty(&self, [a, b]: [u32; 2]) -> i64 {
        let log = |count: u32| self.logs.whole(count.into());
        log(a) + log(b) - log(a + b)
    }

    #[inline]
    fn is_below(&self, score: i64, other: i64) -> bool {
        score + self.slack < other
    }
}

/// Weights and quick scores.
pub(super) struct ByWeight {
    pub quick: &'static QuickLog,
    /// Bound on the error of a score.
    pub error: f64,
}

impl Gauge for ByWeight {
    type Mass = f64;
    type Score = f64;
    const LEAST: f64 = f64::NEG_INFINITY;

    #[inline]
    fn certainty(&self, [a, b]: [f64; 2]) -> f64 {
        self.quick.x_log2_x(a) + self.quick.x_log2_x(b) - self.quick.x_log2_x(a + b)
    }

    #[inline]
    fn is_below(&self, score: f64, other: f64) -> bool {
        score < other - 2.0 * self.error
    }
}

/// The best of the cuts seen, the lowest of equals.
pub(super) struct Best<S> {
    pub score: S,
    /// The last value below the cut.
    pub at: usize,
    /// The best of the others.
    pub rival: S,
}

impl<S: Copy + PartialOrd> Best<S> {
    #[inline]
    fn offer(&mut self, score: S, at: usize) {
        if score > self.score || (score == self.score && at < self.at) {
            (self.rival, self.score, self.at) = (self.score, score, at);
        } else if score > self.rival {
            self.rival = score;
        }
    }
}

/// The best of all cuts between two values, of which there are two or more; any if all are below
/// `floor`.
pub(super) fn best_cut<G: Gauge>(
    gauge: &G,
    steps: &Steps<G::Mass>,
    floor: G::Score,
    ends: &mut Vec<G::Score>,
) -> Best<G::Score> {
    let (sums, n_cuts) = (steps.sums(), steps.sums().len() - 1);
    let all = sums[n_cuts];
    let above = |below: [G::Mass; 2]| [all[0] - below[0], all[1] - below[1]];
    let score = |below: [G::Mass; 2]| gauge.certainty(below) + gauge.certainty(above(below));
    let mut best = Best { score: G::LEAST, at: usize::MAX, rival: G::LEAST };
    if n_cuts < BLOCKS_FROM {
        for (at, &below) in sums[..n_cuts].iter().enumerate() {
            best.offer(score(below), at);
        }
        return best;
    }
    ends.clear();
    for at in (BLOCK - 1..n_cuts).step_by(BLOCK) {
        ends.push(score(sums[at]));
        best.offer(ends[ends.len() - 1], at);
    }
    let nothing = score(all);
    let (mut from, mut score_from) = ([G::Mass::default(); 2], nothing);
    for (block, sums) in sums[..n_cuts].chunks(BLOCK).enumerate() {
        let (to, score_to, inside) = match ends.get(block) {
            Some(&end) => (sums[BLOCK - 1], end, &sums[..BLOCK - 1]),
            None => (all, nothing, sums),
        };
        let least = if best.score > floor { best.score } else { floor };
        let is_low = |score: G::Score| gauge.is_below(score, least);
        let is_passed_by = is_low(score_from)
            && is_low(score_to)
            && is_low(score([from[0], to[1]]))
            && is_low(score([to[0], from[1]]));
        if !is_passed_by {
            for (at, &below) in inside.iter().enumerate() {
                best.offer(score(below), block * BLOCK + at);
            }
        }
        (from, score_from) = (to, score_to);
    }
    best
}
