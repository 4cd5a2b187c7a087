//! The opt-feature list: for every P(class 1) the features ordered by what they add as a last test.
//!
//! A feature's value is convex and piecewise linear in x = P(class 1): value f of the feature gives
//! max(x·P(f|1), (1-x)·P(f|0)), and the class it decides for changes where both are equal. The list
//! of many features is made from the lists of two halves: between the ends of their intervals all
//! functions are lines, and where two lines cross they change places.
//!
//! # Source
//! fixed-depth-trees, sections 4 and 5. Its figure 3 keeps d - 1 features, its text d: d are needed,
//! since d - 1 may be on the path already.

use super::naive_bayes::NaiveBayes;
use crate::base::error::{Error, Result};

/// Differences of values up to this are noise of the sums.
const NOISE: f64 = 1e-15;

/// Equal parts of [0, 1] from which a lookup starts.
const N_BUCKETS: usize = 128;

/// A feature and its line, at1·x + at0·(1 - x).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The feature.
    pub feature: u32,
    /// Its value at x = 0.
    pub at0: f64,
    /// Its value at x = 1.
    pub at1: f64,
}

impl Entry {
    /// Its value at x.
    #[inline]
    pub fn value(&self, x: f64) -> f64 {
        self.at1 * x + self.at0 * (1.0 - x)
    }

    fn slope(&self) -> f64 {
        self.at1 - self.at0
    }

    /// Whether this line lies above `other` just right of `x`; lines that are one, by feature.
    fn is_above(&self, other: &Entry, x: f64) -> bool {
        let difference = self.value(x) - other.value(x);
        if difference.abs() > NOISE {
            return difference > 0.0;
        }
        let difference = self.slope() - other.slope();
        if difference.abs() > NOISE {
            return difference > 0.0;
        }
        self.feature < other.feature
    }

    /// Where, right of `x`, the line below overtakes this one.
    fn overtaken(&self, below: &Entry, x: f64) -> Option<f64> {
        let gain = below.slope() - self.slope();
        let next = f64::from_bits(x.to_bits() + 1); // of a number of at least 0
        (gain > NOISE).then(|| (x + (self.value(x) - below.value(x)) / gain).max(next))
    }
}

/// The features of one model ranked for every x in [0, 1].
///
/// # Invariants
/// `starts` begins with 0 and increases strictly; each interval, up to the next start, has `width`
/// entries, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct OptFeatureList {
    starts: Vec<f64>,
    entries: Vec<Entry>,
    width: usize,
    /// The interval at the left end of every bucket.
    buckets: Vec<u32>,
}

impl OptFeatureList {
    /// The `width` best of some features for every x.
    pub fn new(model: &NaiveBayes, features: &[u32], width: usize) -> Self {
        let mut list = best_of(model, features, width.max(1));
        list.index();
        list
    }

    /// The list of all features that have values.
    ///
    /// # Errors
    /// Other than two classes.
    pub fn of_model(model: &NaiveBayes, width: usize) -> Result<Self> {
        if model.n_classes() != 2 {
            return Err(Error::NotTwoClasses { n_classes: model.n_classes() });
        }
        let features = (0..model.n_features()).filter(|&feature| !model.values(feature).is_empty());
        Ok(Self::new(model, &features.map(|feature| feature as u32).collect::<Vec<_>>(), width))
    }

    /// Left ends of the intervals.
    pub fn starts(&self) -> &[f64] {
        &self.starts
    }

    /// Entries an interval has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The ranked features of an interval.
    #[inline]
    pub fn ranked(&self, interval: usize) -> &[Entry] {
        &self.entries[interval * self.width..(interval + 1) * self.width]
    }

    /// The features ranked for `x`.
    #[inline]
    pub fn lookup(&self, x: f64) -> &[Entry] {
        let mut interval = self.buckets[(x * N_BUCKETS as f64) as usize] as usize;
        while interval + 1 < self.starts.len() && self.starts[interval + 1] <= x {
            interval += 1;
        }
        self.ranked(interval)
    }

    /// The same by halving, as the paper has it.
    pub fn search(&self, x: f64) -> &[Entry] {
        self.ranked(self.starts.partition_point(|&start| start <= x) - 1)
    }

    fn end(&self, interval: usize) -> f64 {
        self.starts.get(interval + 1).copied().unwrap_or(1.0)
    }

    fn index(&mut self) {
        let mut interval = 0;
        for bucket in 0..=N_BUCKETS {
            let x = bucket as f64 / N_BUCKETS as f64;
            while interval + 1 < self.starts.len() && self.starts[interval + 1] <= x {
                interval += 1;
            }
            self.buckets.push(interval as u32);
        }
    }

    fn empty(width: usize) -> Self {
        OptFeatureList { starts: Vec::new(), entries: Vec::new(), width, buckets: Vec::new() }
    }

    /// Adds an interval, unless it goes on like the last one.
    fn push(&mut self, start: f64, ranked: &[Entry]) {
        if self.starts.is_empty() || self.ranked(self.starts.len() - 1) != ranked {
            self.starts.push(start);
            self.entries.extend_from_slice(ranked);
        }
    }
}

fn best_of(model: &NaiveBayes, features: &[u32], width: usize) -> OptFeatureList {
    match features {
        [] => OptFeatureList { starts: vec![0.0], ..OptFeatureList::empty(0) },
        &[feature] => single(model, feature),
        _ => {
            let (left, right) = features.split_at(features.len() / 2);
            merge(&best_of(model, left, width), &best_of(model, right, width), width)
        }
    }
}

/// The piecewise-linear function of one feature.
///
/// Values turn from class 0 to class 1 at x = q / (p + q), with p = P(f|1) and q = P(f|0).
fn single(model: &NaiveBayes, feature: u32) -> OptFeatureList {
    let likelihoods = model.values(feature as usize).map(|value| model.likelihood(value));
    let turning = likelihoods.filter(|pq| pq[0] + pq[1] > 0.0).map(|pq| (pq[0] / (pq[0] + pq[1]), pq));
    let mut turning: Vec<(f64, &[f64])> = turning.collect();
    turning.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut of_class_0 = vec![0.0; turning.len() + 1]; // P(0) of the values from each on
    for at in (0..turning.len()).rev() {
        of_class_0[at] = of_class_0[at + 1] + turning[at].1[0];
    }
    let mut list = OptFeatureList::empty(1);
    let (mut at, mut start, mut of_class_1) = (0, 0.0, 0.0);
    loop {
        while at < turning.len() && turning[at].0 <= start {
            of_class_1 += turning[at].1[1];
            at += 1;
        }
        let is_all = |part: &[(f64, &[f64])], class: usize| part.iter().all(|(_, pq)| pq[class] == 0.0);
        // The whole of a distribution is 1, whatever its parts sum up to.
        let at0 = if is_all(&turning[..at], 0) { 1.0 } else { of_class_0[at] };
        let at1 = if is_all(&turning[at..], 1) { 1.0 } else { of_class_1 };
        list.push(start, &[Entry { feature, at0, at1 }]);
        match turning.get(at) {
            Some(&(next, _)) if next < 1.0 => start = next,
            _ => return list,
        }
    }
}

/// The best of two lists.
fn merge(left: &OptFeatureList, right: &OptFeatureList, width: usize) -> OptFeatureList {
    let width = width.min(left.width + right.width);
    let mut list = OptFeatureList::empty(width);
    let (mut a, mut b, mut x) = (0, 0, 0.0);
    let mut ranked = Vec::with_capacity(left.width + right.width);
    while x < 1.0 {
        let end = left.end(a).min(right.end(b));
        rank(left.ranked(a), right.ranked(b), x, &mut ranked);
        list.push(x, &ranked[..width]);
        let crossings = ranked.windows(2).filter_map(|pair| pair[0].overtaken(&pair[1], x));
        x = crossings.fold(end, f64::min);
        if x == end {
            a += usize::from(left.end(a) == end && a + 1 < left.starts.len());
            b += usize::from(right.end(b) == end && b + 1 < right.starts.len());
        }
    }
    list
}

/// Two ranked lists of lines as one, just right of `x`.
fn rank(left: &[Entry], right: &[Entry], x: f64, ranked: &mut Vec<Entry>) {
    ranked.clear();
    let (mut left, mut right) = (left, right);
    loop {
        let takes_left = match (left.first(), right.first()) {
            (Some(a), Some(b)) => a.is_above(b, x),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return,
        };
        let from = if takes_left { &mut left } else { &mut right };
        ranked.push(from[0]);
        *from = &from[1..];
    }
}
