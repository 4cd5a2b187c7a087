//! Weights as integers. A row keeps its own weight, a multiple of 2^-20, and along a path its
//! share, a multiple of 2^-30; their product, the counted mass, is a multiple of 2^-50, so sums
//! do not depend on the order in which they are taken.

use crate::base::error::{Error, Result};
use crate::base::units::{Fine, Masses, Shares};

/// The share of a row that no missing value has split.
pub const FULL_SHARE: u32 = Shares::ONE.0 as u32;
/// The mass of a whole row of weight 1.
pub const MASS_ONE: u128 = Masses::ONE.0;
/// The largest total weight for which every sum fits.
const MAX_TOTAL: f64 = (1u64 << 42) as f64;

/// The weights of all rows of a table, rounded once.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// Every row weighs 1.
    Unit,
    /// Whole numbers.
    Whole(Vec<u32>),
    /// Multiples of 2^-20, as integers.
    Fractional(Vec<u64>),
}

impl Weights {
    /// Rounds `raw` (absent: all 1), each multiplied by the factor of its row's class.
    ///
    /// # Errors
    /// A product outside [2^-20, 2^20], or a total above 2^42.
    pub fn round(raw: Option<&[f64]>, factors: Option<&[f64]>, classes: &[u16]) -> Result<Self> {
        if raw.is_none() && factors.is_none() {
            return Ok(Weights::Unit);
        }
        let (low, high) = (Fine(1).weight(), Fine::ONE.0 as f64);
        let mut rounded = Vec::with_capacity(classes.len());
        let mut total = 0.0;
        for (row, &class) in classes.iter().enumerate() {
            let weight = raw.map_or(1.0, |w| w[row]) * factors.map_or(1.0, |f| f[class as usize]);
            if !(low..=high).contains(&weight) {
                return Err(Error::WeightOutOfRange { row, weight });
            }
            total += weight;
            rounded.push(Fine::rounded(weight).0);
        }
        if total > MAX_TOTAL {
            return Err(Error::WeightsTooLarge { total });
        }
        Ok(Self::narrowest(rounded))
    }

    /// Rounds a weighting that may leave rows out by a weight of 0.
    ///
    /// # Errors
    /// A weight outside [2^-20, 2^20] other than 0, no weight above 0, or a total above 2^42.
    pub fn round_with_zeros(raw: &[f64]) -> Result<Self> {
        let taken: Vec<f64> = raw.iter().map(|&w| if w == 0.0 { 1.0 } else { w }).collect();
        let rounded = Self::round(Some(&taken), None, &vec![0; raw.len()])?;
        if raw.iter().all(|&w| w == 0.0) {
            return Err(Error::NoRows);
        }
        let fine = |(row, &w): (usize, &f64)| if w == 0.0 { 0 } else { rounded.fine(row as u32) };
        Ok(Self::narrowest(raw.iter().enumerate().map(fine).collect()))
    }

    fn narrowest(rounded: Vec<u64>) -> Self {
        let one = Fine::ONE.0;
        if rounded.iter().all(|&w| w == one) {
            Weights::Unit
        } else if rounded.iter().all(|&w| w % one == 0) {
            Weights::Whole(rounded.into_iter().map(|w| (w / one) as u32).collect())
        } else {
            Weights::Fractional(rounded)
        }
    }

    /// Whether every weight is a whole number.
    pub fn are_whole(&self) -> bool {
        !matches!(self, Weights::Fractional(_))
    }

    /// The weight of `row` in units of 2^-20.
    #[inline]
    pub fn fine(&self, row: u32) -> u64 {
        match self {
            Weights::Unit => Fine::ONE.0,
            Weights::Whole(weights) => Fine::whole(weights[row as usize]).0,
            Weights::Fractional(weights) => weights[row as usize],
        }
    }

    /// The weight of `row` where all are whole.
    #[inline]
    pub fn whole(&self, row: u32) -> u32 {
        match self {
            Weights::Unit => 1,
            Weights::Whole(weights) => weights[row as usize],
            Weights::Fractional(_) => unreachable!("asked only where all weights are whole"),
        }
    }

    /// What turns a sum over whole rows into a mass: of [`Weights::fine`], or of ones where all weigh 1.
    pub(crate) fn mass_of_one(&self) -> u128 {
        match self {
            Weights::Unit => MASS_ONE,
            Weights::Whole(_) | Weights::Fractional(_) => u128::from(FULL_SHARE),
        }
    }

    /// Counted mass of `row` at `share`, in units of 2^-50.
    #[inline]
    pub fn mass(&self, row: u32, share: u32) -> u128 {
        u128::from(self.fine(row)) * u128::from(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_rounded_once_and_kept_as_narrow_as_they_are() {
        let classes = [0u16, 1];
        let of = |raw: &[f64], factors: Option<&[f64]>| Weights::round(Some(raw), factors, &classes);
        assert_eq!(of(&[1.0, 1.0], None), Ok(Weights::Unit));
        assert_eq!(of(&[0.5, 3.0], Some(&[2.0, 1.0])), Ok(Weights::Whole(vec![1, 3])));
        assert_eq!(of(&[0.5, 1.0], None), Ok(Weights::Fractional(vec![1 << 19, 1 << 20])));
        assert_eq!(of(&[1.0, 3e6], None), Err(Error::WeightOutOfRange { row: 1, weight: 3e6 }));
        assert!(of(&[f64::NAN, 1.0], None).is_err());
    }

    #[test]
    fn mass_is_weight_times_share() {
        let weights = Weights::Fractional(vec![1 << 19]);
        assert_eq!(weights.mass(0, FULL_SHARE), MASS_ONE / 2);
        assert_eq!(Weights::Unit.mass(7, FULL_SHARE), MASS_ONE);
    }
}
