//! Weights as integers. A row keeps its own weight, a multiple of 2^-20, and along a path its
//! share, a multiple of 2^-30; their product, the counted mass, is a multiple of 2^-50, so sums
//! do not depend on the order in which they are taken.
//!
//! [`GivenWeights`] is the one place where what a caller gives becomes what is counted.

use crate::base::error::{Error, Result};
use crate::base::exact_sum::ExactSum;
use crate::base::units::{Fine, Masses, Shares};

/// The share of a row that no missing value has split.
pub const FULL_SHARE: u32 = Shares::ONE.0 as u32;
/// The mass of a whole row of weight 1.
pub const MASS_ONE: u128 = Masses::ONE.0;
/// The largest total weight for which every sum fits.
const MAX_TOTAL: f64 = (1u64 << 42) as f64;

/// The means from which on whole weights are rounded too, as an exponent.
const WHOLE_EXPONENT: u32 = 21;

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

/// Weights as they count, and what was done to the given ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// What every row counts; 0 for a row that leaves.
    pub weights: Weights,
    /// What every given weight was multiplied with, so that their mean is 1 at least.
    pub scale: f64,
    /// How many rows of positive weight leave, since theirs is next to nothing beside the mean.
    pub n_lost: usize,
}

/// Weights as they are given for the rows of a table.
#[derive(Debug, Clone, Copy)]
pub struct GivenWeights<'a> {
    /// One for each row; absent where all are 1.
    pub raw: Option<&'a [f64]>,
    /// One for each class, by which the weight of a row is multiplied; absent where all are 1.
    pub factors: Option<&'a [f64]>,
    /// The class of every row.
    pub classes: &'a [u16],
}

impl GivenWeights<'_> {
    /// What the rows count where a fit uses all of them.
    ///
    /// # Errors
    /// As [`Self::counted_for`].
    pub fn counted(&self) -> Result<Counted> {
        self.counted_over(|| 0..self.classes.len())
    }

    /// What the rows count where a fit uses those of `training`; the others are in the same unit.
    ///
    /// The rows in use never count for fewer samples than they are, nor than their `raw` weights say: where
    /// all together they do, all weights are multiplied with what brings them there. (Without factors: where
    /// the mean is below 1, with its inverse.) Then each is rounded to a multiple of 2^-20 times the largest
    /// power of two not above the mean. Whole `raw` of a mean below 2^21 need no more than multiples of
    /// 2^-20. So a row of weight 2 stays the same as the row twice, its class factor included.
    ///
    /// # Errors
    /// A weight that is negative or no finite number, no weight above 0, weights so small that no float
    /// brings them to a mean of 1, or a total above 2^42.
    pub fn counted_for(&self, training: &[u32]) -> Result<Counted> {
        self.counted_over(|| training.iter().map(|&row| row as usize))
    }

    fn counted_over<I: Iterator<Item = usize>>(&self, in_use: impl Fn() -> I) -> Result<Counted> {
        if self.raw.is_none() && self.factors.is_none() {
            return Ok(Counted { weights: Weights::Unit, scale: 1.0, n_lost: 0 });
        }
        self.raw.map_or(Ok(()), check_each)?;
        let products: Vec<f64> = (0..self.classes.len()).map(|row| self.product(row)).collect();
        let n_rows = in_use().filter(|&row| self.own(row) > 0.0).count() as u64;
        let are_whole = in_use().all(|row| self.own(row) % 1.0 == 0.0);
        let samples = ExactSum::of(in_use().map(|row| self.own(row))).max(ExactSum::of_count(n_rows));
        let total = ExactSum::of(in_use().map(|row| products[row]));
        let (scale, exponent) = grid(&total, &samples, n_rows, are_whole)?;
        let mut fine = rounded(&products, scale, exponent)?;
        if are_whole && exponent == 0 {
            self.repeat(&mut fine, scale);
        }
        let is_lost = |row: &usize| fine[*row] == 0 && self.own(*row) > 0.0;
        let n_lost = (0..fine.len()).filter(is_lost).count();
        Ok(Counted { weights: Weights::narrowest(fine), scale, n_lost })
    }

    /// Makes a row of whole weight count as often as it stands for, each time rounded by itself: so it stays
    /// the same as so many rows.
    fn repeat(&self, fine: &mut [u64], scale: f64) {
        for (row, weight) in fine.iter_mut().enumerate().filter(|(row, _)| self.own(*row) % 1.0 == 0.0) {
            *weight = self.own(row) as u64 * Fine::rounded(self.factor(row) * scale).0;
        }
    }

    fn own(&self, row: usize) -> f64 {
        self.raw.map_or(1.0, |raw| raw[row])
    }

    fn product(&self, row: usize) -> f64 {
        self.own(row) * self.factor(row)
    }

    fn factor(&self, row: usize) -> f64 {
        self.factors.map_or(1.0, |factors| factors[self.classes[row] as usize])
    }
}

impl Weights {
    fn narrowest(rounded: Vec<u64>) -> Self {
        let one = Fine::ONE.0;
        if rounded.iter().all(|&w| w == one) {
            Weights::Unit
        } else if rounded.iter().all(|&w| w % one == 0 && w / one <= u64::from(u32::MAX)) {
            Weights::Whole(rounded.into_iter().map(|w| (w / one) as u32).collect())
        } else {
            Weights::Fractional(rounded)
        }
    }

    /// Whether every weight is known as a whole number.
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

fn check_each(raw: &[f64]) -> Result<()> {
    match raw.iter().position(|w| !(*w >= 0.0 && w.is_finite())) {
        None => Ok(()),
        Some(row) => Err(Error::WeightOutOfRange { row, weight: raw[row] }),
    }
}

/// What weights of this total are multiplied with so that they count for that many samples, and the power of
/// two whose 2^-20 they are multiples of then.
fn grid(total: &ExactSum, samples: &ExactSum, n_rows: u64, are_whole: bool) -> Result<(f64, u32)> {
    if n_rows == 0 {
        return Err(Error::NoRows);
    }
    if total.max(samples).about() > MAX_TOTAL {
        return Err(Error::WeightsTooLarge { total: total.max(samples).about() });
    }
    let scale = match total < samples {
        true => samples.ratio(total).ok_or(Error::WeightsTooSmall { total: total.about() })?,
        false => 1.0,
    };
    let exponent = total.max(samples).mean_exponent(n_rows);
    Ok((scale, if are_whole && exponent < WHOLE_EXPONENT { 0 } else { exponent }))
}

/// The products, scaled and rounded, in units of 2^-20.
fn rounded(products: &[f64], scale: f64, exponent: u32) -> Result<Vec<u64>> {
    let total = products.iter().map(|product| product * scale).sum::<f64>();
    if total > MAX_TOTAL {
        return Err(Error::WeightsTooLarge { total });
    }
    let (up, down) = (2f64.powi(exponent as i32), 2f64.powi(-(exponent as i32)));
    Ok(products.iter().map(|product| Fine::rounded(product * scale * down).0 * up as u64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(raw: &[f64], factors: Option<&[f64]>) -> Result<Counted> {
        GivenWeights { raw: Some(raw), factors, classes: &[0, 1, 1, 1][..raw.len()] }.counted()
    }

    fn weights(raw: &[f64]) -> Weights {
        of(raw, None).expect("they can be counted").weights
    }

    #[test]
    fn weights_are_rounded_once_and_kept_as_narrow_as_they_are() {
        assert_eq!(weights(&[1.0, 1.0]), Weights::Unit);
        assert_eq!(of(&[0.5, 3.0], Some(&[2.0, 1.0])).unwrap().weights, Weights::Whole(vec![1, 3]));
        assert_eq!(weights(&[0.5, 1.5]), Weights::Fractional(vec![1 << 19, 3 << 19]));
        assert_eq!(weights(&[0.0, 7.0]), Weights::Whole(vec![0, 7]));
        assert_eq!(weights(&[1.0, 5e9]), Weights::Fractional(vec![0, 2_441_406 << 31]));
    }

    #[test]
    fn a_mean_below_one_is_brought_to_one() {
        for factor in [0.5, 2f64.powi(-30), 2f64.powi(-700)] {
            let given: Vec<f64> = [1.0, 2.0, 3.0, 1.5].iter().map(|w| w * factor / 4.0).collect();
            let counted = of(&given, None).unwrap();
            assert_eq!(counted.weights, of(&[0.125, 0.25, 0.375, 0.1875], None).unwrap().weights);
            assert_eq!((counted.n_lost, counted.scale), (0, 2.133_333_333_333_333_3 / factor));
        }
        assert_eq!(of(&[1.0, 3.0], None).unwrap().scale, 1.0);
    }

    #[test]
    fn a_row_of_weight_2_is_the_row_twice_whatever_the_factors() {
        let factors = Some(&[0.1, 0.3][..]);
        let twice = of(&[1.0, 1.0, 1.0, 1.0], Some(&[0.3, 0.3])).unwrap();
        let heavy = GivenWeights { raw: Some(&[2.0, 2.0]), factors: Some(&[0.3, 0.3]), classes: &[0, 1] };
        assert_eq!((twice.weights, twice.scale), (Weights::Unit, 1.0 / 0.3));
        assert_eq!(heavy.counted().unwrap().weights, Weights::Whole(vec![2, 2]));
        let one = GivenWeights { raw: None, factors, classes: &[0, 1, 0, 1, 0, 1] }.counted().unwrap();
        let three = of(&[3.0, 3.0], factors).unwrap();
        assert_eq!(
            [three.weights.fine(0), three.weights.fine(1)],
            [0, 1].map(|row| 3 * one.weights.fine(row))
        );
    }

    #[test]
    fn what_is_next_to_nothing_beside_the_mean_leaves() {
        let counted = of(&[1024.0, 1024.0, 2f64.powi(-13)], None).unwrap();
        assert_eq!((counted.weights.fine(2), counted.n_lost), (0, 1));
        assert_eq!(of(&[0.0, 1.0, 1e-30], None).unwrap().n_lost, 1);
    }

    #[test]
    fn rows_that_are_not_in_use_are_in_the_unit_of_the_others() {
        let given = GivenWeights { raw: Some(&[0.25, 0.25, 4.0]), factors: None, classes: &[0, 1, 1] };
        let counted = given.counted_for(&[0, 1]).unwrap();
        assert_eq!((counted.weights, counted.scale), (Weights::Whole(vec![1, 1, 16]), 4.0));
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        assert_eq!(of(&[1.0, -3.0], None), Err(Error::WeightOutOfRange { row: 1, weight: -3.0 }));
        assert!(of(&[f64::NAN, 1.0], None).is_err());
        assert_eq!(of(&[0.0, 0.0], None), Err(Error::NoRows));
        assert_eq!(of(&[1e13, 1.0], None), Err(Error::WeightsTooLarge { total: 1e13 + 1.0 }));
        assert_eq!(of(&[5e-324, 0.0], None), Err(Error::WeightsTooSmall { total: 5e-324 }));
    }

    #[test]
    fn mass_is_weight_times_share() {
        let weights = Weights::Fractional(vec![1 << 19]);
        assert_eq!(weights.mass(0, FULL_SHARE), MASS_ONE / 2);
        assert_eq!(Weights::Unit.mass(7, FULL_SHARE), MASS_ONE);
    }
}
