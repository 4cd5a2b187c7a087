//! Generators of the papers: tables that are drawn, the same on every platform.

use crate::base::error::{Error, Given, Result};
use crate::base::random::Random;

/// Most inputs of a network: its 2^n rows are counted in 16 bits.
const MOST_INPUTS: u32 = 16;

/// What a linear network is drawn by.
///
/// # Source
/// pruning-by-automatic-programming, section 3: two outputs, each a random linear combination of n
/// inputs that are 0 or 1, weights uniform between -0.5 and 0.5; a row is of class 1 iff the second
/// output is larger. All 2^n rows are labelled, then inputs are removed, and a share of the rows is
/// for training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearNetwork {
    /// Inputs of the network.
    pub n_inputs: u32,
    /// The last inputs leave: all weights are drawn alike, so these are as good as any.
    pub n_removed: u32,
    /// Share of the rows that are for training.
    pub train_share: f64,
}

/// A labelled table in two parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearSet {
    /// Inputs that stayed: feature j of row r is bit j of r.
    pub n_features: u32,
    /// Class of each of the 2^n rows.
    pub classes: Vec<bool>,
    /// Whether a row is for training; the others are for testing.
    pub is_training: Vec<bool>,
}

impl LinearNetwork {
    /// Checks ranges.
    ///
    /// # Errors
    /// A number of inputs, of removed inputs or a share outside its range.
    pub fn check(&self) -> Result<()> {
        let fault = |name, found: Given, allowed| Err(Error::Parameter { name, found, allowed });
        if !(1..=MOST_INPUTS).contains(&self.n_inputs) {
            return fault("n_inputs", self.n_inputs.into(), "from 1 to 16");
        }
        if self.n_removed >= self.n_inputs {
            return fault("n_removed", self.n_removed.into(), "at least 0 and less than n_inputs");
        }
        if self.n_training() == 0 || self.n_training() == 1 << self.n_inputs || self.train_share.is_nan() {
            return fault(
                "train_share",
                self.train_share.into(),
                "above 0 and below 1, with a row in either part",
            );
        }
        Ok(())
    }

    /// Number of training rows: the share of all rows, rounded down.
    pub fn n_training(&self) -> usize {
        let n_rows = 1usize << self.n_inputs;
        ((self.train_share * n_rows as f64).max(0.0) as usize).min(n_rows)
    }

    /// Draws a set: weights first, then the training rows.
    pub fn draw(&self, random: &mut Random) -> LinearSet {
        let n_rows = 1usize << self.n_inputs;
        let mut weight = || (random.next_u64() >> 11) as i64 - (1 << 52); // in units of 2^-53
        let differences: Vec<i64> = (0..self.n_inputs).map(|_| -weight() + weight()).collect();
        let mut sums = vec![0i64; n_rows];
        for row in 1..n_rows {
            sums[row] = sums[row & (row - 1)] + differences[row.trailing_zeros() as usize];
        }
        let mut is_training = vec![false; n_rows];
        let mut order: Vec<u32> = (0..n_rows as u32).collect();
        for place in 0..self.n_training() {
            order.swap(place, place + random.below((n_rows - place) as u32) as usize);
            is_training[order[place] as usize] = true;
        }
        LinearSet {
            n_features: self.n_inputs - self.n_removed,
            classes: sums.into_iter().map(|sum| sum > 0).collect(),
            is_training,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(n_inputs: u32, train_share: f64, number: u64) -> LinearSet {
        LinearNetwork { n_inputs, n_removed: 0, train_share }.draw(&mut Random::stream(1, number))
    }

    #[test]
    fn the_parts_have_their_sizes() {
        for (n_inputs, share, expected) in [(10, 0.1, 102), (10, 0.2, 204), (12, 0.35, 1433), (11, 0.25, 512)]
        {
            let set = drawn(n_inputs, share, 0);
            assert_eq!(set.is_training.iter().filter(|&&t| t).count(), expected, "{n_inputs} {share}");
            assert_eq!(set.classes.len(), 1 << n_inputs);
        }
    }

    #[test]
    fn classes_are_those_of_a_linear_function_through_zero() {
        for number in 0..20 {
            let set = drawn(8, 0.5, number);
            assert!(!set.classes[0], "no input, no difference");
            for row in 1..256usize {
                let single = |bit: usize| set.classes[1 << bit];
                let bits = || (0..8).filter(|bit| row >> bit & 1 == 1);
                if bits().all(single) || !bits().any(single) {
                    assert_eq!(set.classes[row], bits().all(single), "row {row} of set {number}");
                }
            }
        }
    }

    #[test]
    fn every_row_is_as_likely_to_train() {
        let mut counts = [0; 16];
        for number in 0..4000 {
            let set = drawn(4, 0.25, number);
            counts.iter_mut().zip(&set.is_training).for_each(|(n, &t)| *n += i32::from(t));
        }
        assert!(counts.iter().all(|n| (n - 1000).abs() < 150), "{counts:?}");
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let fine = LinearNetwork { n_inputs: 10, n_removed: 4, train_share: 0.2 };
        assert_eq!(fine.check(), Ok(()));
        for wrong in [
            LinearNetwork { n_inputs: 0, ..fine },
            LinearNetwork { n_inputs: 17, ..fine },
            LinearNetwork { n_removed: 10, ..fine },
            LinearNetwork { train_share: 0.0, ..fine },
            LinearNetwork { train_share: 1.0, ..fine },
            LinearNetwork { train_share: f64::NAN, ..fine },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
