//! The sixteen impurities of a partition, compared exactly.
//!
//! An impurity joins the uncertainties of the parts by sum or maximum, each weighted by its share of
//! the rows or not. Constant factors of a subtable (2 in gini, 1/N in weights) do not change which
//! feature is best and are left out, so three measures are compared as whole numbers and fractions:
//!
//! | | term of a part with n rows |
//! | --- | --- |
//! | me, rt | me, rt; weighted me·n, rt·n |
//! | gini | rt / n²; weighted rt / n |
//! | entropy | bits; weighted bits·n / N, with the one tolerance [`ENTROPY_TIE`] |
//!
//! # Source
//! decision-tables, section 2: T_j = a part, N(T_j) = its rows, U = [`Uncertainty`], I = [`Heuristic`].

use std::cmp::Ordering;

use super::fractions::{Fraction, compare_sums};
use super::parts::{Classes, n_unequal_pairs};
use crate::base::ordering::ENTROPY_TIE;

/// How mixed the decisions of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncertainty {
    /// −Σ p log₂ p.
    Entropy,
    /// 1 − Σ p².
    Gini,
    /// Rows that are not of the most common decision.
    Misclassification,
    /// Unordered pairs of rows with different decisions.
    Rt,
}

/// How the uncertainties of the parts are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impurity {
    /// The largest uncertainty of a part.
    Max,
    /// The sum of the uncertainties.
    Sum,
    /// The largest, each weighted by the rows of its part.
    WeightedMax,
    /// The sum, each weighted by the rows of its part.
    WeightedSum,
}

/// A greedy algorithm: take the feature of least impurity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heuristic {
    /// How the parts are joined.
    pub impurity: Impurity,
    /// What is measured of each.
    pub uncertainty: Uncertainty,
}

impl Heuristic {
    /// All sixteen, in the order of the paper's tables and of their numbers.
    pub const ALL: [Heuristic; 16] = {
        use {Impurity as I, Uncertainty as U};
        let impurities = [I::Max, I::Sum, I::WeightedMax, I::WeightedSum];
        let uncertainties = [U::Entropy, U::Gini, U::Misclassification, U::Rt];
        let mut all = [Heuristic { impurity: I::Max, uncertainty: U::Entropy }; 16];
        let mut i = 0;
        while i < 16 {
            all[i] = Heuristic { impurity: impurities[i / 4], uncertainty: uncertainties[i % 4] };
            i += 1;
        }
        all
    };

    /// Its place in [`Heuristic::ALL`].
    pub fn number(self) -> usize {
        4 * self.impurity as usize + self.uncertainty as usize
    }
}

/// What the impurities need to know of one part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    pub n_rows: u64,
    /// Rows of the most common decision.
    largest: u64,
    /// Pairs of rows with different decisions.
    pub rt: u64,
    /// Entropy in bits.
    bits: f64,
}

/// n·log₂ n for small n; the same function beyond.
#[derive(Debug, Clone)]
pub(super) struct Logs(Vec<f64>);

impl Logs {
    /// For tables of `n_rows`.
    pub fn new(n_rows: usize) -> Self {
        Logs((0..=n_rows.min(1 << 16) as u64).map(Self::compute).collect())
    }

    fn compute(n: u64) -> f64 {
        if n < 2 { 0.0 } else { n as f64 * libm::log2(n as f64) }
    }

    #[inline]
    pub fn times_log(&self, n: u64) -> f64 {
        self.0.get(n as usize).copied().unwrap_or_else(|| Self::compute(n))
    }
}

impl Part {
    /// Of some rows, by their decisions.
    pub fn new(classes: &mut Classes, decisions: &[u32], rows: &[u32], logs: &Logs) -> Self {
        let (mut largest, mut squares, mut logarithms) = (0, 0, 0.0);
        classes.count(decisions, rows, |count| {
            let count = u64::from(count);
            largest = largest.max(count);
            squares += count * count;
            logarithms += logs.times_log(count);
        });
        let n_rows = rows.len() as u64;
        let bits = (logs.times_log(n_rows) - logarithms) / n_rows as f64;
        Part { n_rows, largest, rt: n_unequal_pairs(n_rows, squares), bits }
    }

    fn gini(&self) -> Fraction {
        Fraction { numerator: self.rt, denominator: self.n_rows * self.n_rows }
    }

    fn weighted_gini(&self) -> Fraction {
        Fraction { numerator: self.rt, denominator: self.n_rows }
    }
}

/// All sixteen impurities of one partition, constant factors left out.
#[derive(Debug, Clone)]
pub(super) struct Impurities {
    /// Per [`Impurity`].
    errors: [u128; 4],
    pairs: [u128; 4],
    bits: [f64; 4],
    /// Sums of gini terms, rounded; the parts have the exact ones.
    gini_sums: [f64; 2],
    gini_maxima: [Fraction; 2],
    /// From where to where its parts stand in the list of all.
    parts: (usize, usize),
}

impl Impurities {
    /// Of the parts `all[first..]`.
    pub fn new(all: &[Part], first: usize) -> Self {
        let zero = Fraction { numerator: 0, denominator: 1 };
        let mut this = Impurities {
            errors: [0; 4],
            pairs: [0; 4],
            bits: [0.0; 4],
            gini_sums: [0.0; 2],
            gini_maxima: [zero; 2],
            parts: (first, all.len()),
        };
        let n_rows: u64 = all[first..].iter().map(|part| part.n_rows).sum();
        for part in &all[first..] {
            let weight = u128::from(part.n_rows);
            let share = part.n_rows as f64 / n_rows as f64;
            let (errors, pairs) = (u128::from(part.n_rows - part.largest), u128::from(part.rt));
            join(&mut this.errors, errors, errors * weight, |a, b| a + b, u128::max);
            join(&mut this.pairs, pairs, pairs * weight, |a, b| a + b, u128::max);
            join(&mut this.bits, part.bits, part.bits * share, |a, b| a + b, f64::max);
            for (i, term) in [part.gini(), part.weighted_gini()].into_iter().enumerate() {
                this.gini_sums[i] += term.numerator as f64 / term.denominator as f64;
                if term > this.gini_maxima[i] {
                    this.gini_maxima[i] = term;
                }
            }
        }
        this
    }

    /// Whether this partition, met after `best` in feature order, takes its place.
    pub fn beats(&self, best: &Impurities, heuristic: Heuristic, parts: &[Part]) -> bool {
        let i = heuristic.impurity as usize;
        let less = match heuristic.uncertainty {
            Uncertainty::Entropy => return self.bits[i] < best.bits[i] - ENTROPY_TIE,
            Uncertainty::Misclassification => self.errors[i].cmp(&best.errors[i]),
            Uncertainty::Rt => self.pairs[i].cmp(&best.pairs[i]),
            Uncertainty::Gini => self.compare_gini(best, heuristic.impurity, parts),
        };
        less.is_lt()
    }

    fn compare_gini(&self, other: &Impurities, impurity: Impurity, parts: &[Part]) -> Ordering {
        let maxima =
            |i: usize| self.gini_maxima[i].partial_cmp(&other.gini_maxima[i]).expect("fractions are ordered");
        let of = |one: &Impurities| parts[one.parts.0..one.parts.1].iter();
        match impurity {
            Impurity::Max => maxima(0),
            Impurity::WeightedMax => maxima(1),
            Impurity::Sum => self
                .rounded(other, 0)
                .unwrap_or_else(|| compare_sums(of(self).map(Part::gini), of(other).map(Part::gini))),
            Impurity::WeightedSum => self.rounded(other, 1).unwrap_or_else(|| {
                compare_sums(of(self).map(Part::weighted_gini), of(other).map(Part::weighted_gini))
            }),
        }
    }

    /// The order of two gini sums where rounding cannot have changed it: a sum of t terms is off by
    /// less than t·2^-52 of itself.
    fn rounded(&self, other: &Impurities, i: usize) -> Option<Ordering> {
        let (a, b) = (self.gini_sums[i], other.gini_sums[i]);
        let n_terms = (self.parts.1 - self.parts.0).max(other.parts.1 - other.parts.0) as f64;
        let slack = (n_terms + 2.0) * f64::EPSILON * (a + b);
        if (a - b).abs() > slack { a.partial_cmp(&b) } else { None }
    }
}

/// Adds the term of a part to the four impurities of one uncertainty.
#[inline]
fn join<T: Copy>(into: &mut [T; 4], term: T, weighted: T, add: impl Fn(T, T) -> T, max: impl Fn(T, T) -> T) {
    let [largest, sum, weighted_largest, weighted_sum] = *into;
    *into =
        [max(largest, term), add(sum, term), max(weighted_largest, weighted), add(weighted_sum, weighted)];
}
