//! Sums of floats without rounding: a mean is compared and inverted as if there were no last bit.

use std::cmp::Ordering;

use num_bigint::BigUint;

/// Limbs for 2^32 of the largest floats, in units of the smallest, 2^-1074.
const LIMBS: usize = 34;
/// The bit that stands for 1.
const ONE_BIT: usize = 1074;

/// A sum of floats that are not negative, exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactSum {
    limbs: [u64; LIMBS],
}

impl ExactSum {
    /// The sum of numbers, 0 or above; infinity is a number beyond all others.
    pub fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut sum = ExactSum { limbs: [0; LIMBS] };
        numbers.for_each(|number| sum.add(number));
        sum
    }

    fn add(&mut self, number: f64) {
        let (exponent, fraction) = ((number.to_bits() >> 52) as usize, number.to_bits() & ((1 << 52) - 1));
        match exponent {
            0 => self.add_at(fraction, 0),
            _ => self.add_at(fraction | 1 << 52, exponent - 1),
        }
    }

    fn add_at(&mut self, number: u64, bit: usize) {
        let wide = u128::from(number) << (bit % 64);
        let (low, high) = (wide as u64, (wide >> 64) as u64);
        let first = bit / 64;
        let mut carry = false;
        (self.limbs[first], carry) = carrying_add(self.limbs[first], low, carry);
        (self.limbs[first + 1], carry) = carrying_add(self.limbs[first + 1], high, carry);
        for limb in &mut self.limbs[first + 2..] {
            if !carry {
                return;
            }
            (*limb, carry) = limb.overflowing_add(1);
        }
    }

    /// In units of 2^-1074.
    fn units(&self) -> BigUint {
        let halves = self.limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
        BigUint::new(halves.collect())
    }

    /// The sum of `n` ones.
    pub fn of_count(n: u64) -> Self {
        let mut sum = ExactSum { limbs: [0; LIMBS] };
        sum.add_at(n, ONE_BIT);
        sum
    }

    /// The sum, rounded: for messages and limits; infinite where no float is so large.
    pub fn about(&self) -> f64 {
        let unit = 2f64.powi(-(ONE_BIT as i32) / 2);
        self.limbs.iter().rev().fold(0.0, |sum, &limb| sum * 2f64.powi(64) + limb as f64 * unit) * unit
    }

    /// The largest power of two not above the mean of `n` numbers, as its exponent; the mean is 1 or above.
    pub fn mean_exponent(&self, n: u64) -> u32 {
        let whole_mean = (self.units() >> ONE_BIT) / n;
        whole_mean.bits() as u32 - 1
    }

    /// The float nearest to this sum divided by another; none where the other is so small that it is no float.
    pub fn ratio(&self, other: &Self) -> Option<f64> {
        let (mut dividend, mut divisor) = (self.units(), other.units());
        if divisor.bits() == 0 {
            return None;
        }
        let shift = divisor.bits() as i32 + 57 - dividend.bits() as i32;
        match shift > 0 {
            true => dividend <<= shift,
            false => divisor <<= -shift,
        }
        let quotient = u64::try_from(&dividend / &divisor).ok()?; // of 57 or 58 bits
        let has_rest = divisor * quotient != dividend;
        let nearest = (quotient | u64::from(has_rest)) as f64;
        Some(nearest * 2f64.powi(-shift)).filter(|ratio| ratio.is_finite())
    }
}

impl PartialOrd for ExactSum {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ExactSum {
    fn cmp(&self, other: &Self) -> Ordering {
        self.limbs.iter().rev().cmp(other.limbs.iter().rev())
    }
}

fn carrying_add(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    (sum, first || second)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[f64]) -> ExactSum {
        ExactSum::of(numbers.iter().copied())
    }

    #[test]
    fn nothing_is_lost_whatever_the_order() {
        let numbers = [1e300, 1e-300, 0.1, 5e-324, 3.0];
        let back: Vec<f64> = numbers.iter().rev().copied().collect();
        assert_eq!(of(&numbers), of(&back));
        assert_ne!(of(&numbers), of(&numbers[..4]));
        assert_eq!(of(&[0.5, 0.25]).about(), 0.75);
    }

    #[test]
    fn ten_tenths_are_more_than_one_and_nine_are_less() {
        assert!(of(&[0.1; 10]) > ExactSum::of_count(1)); // 0.1 is above a tenth
        assert!(of(&[0.1; 9]) < ExactSum::of_count(1));
        assert_eq!(of(&[1.0; 4]), ExactSum::of_count(4));
    }

    #[test]
    fn exponents_of_means_are_exact_at_powers_of_two() {
        for (total, n, exponent) in [(3.0, 3, 0), (6.0, 3, 1), (5.999, 3, 0), (12.0, 3, 2), (4.0, 4, 0)] {
            assert_eq!(of(&[total]).mean_exponent(n), exponent, "{total} {n}");
        }
    }

    #[test]
    fn ratios_are_the_nearest_floats() {
        let one = ExactSum::of_count(1);
        assert_eq!(ExactSum::of_count(3).ratio(&of(&[7.0])), Some(3.0 / 7.0));
        assert_eq!(ExactSum::of_count(2).ratio(&of(&[0.3, 0.3])), Some(1.0 / 0.3));
        assert_eq!(one.ratio(&of(&[2f64.powi(-900)])), Some(2f64.powi(900)));
        assert_eq!(of(&[12.5, 1e-9]).ratio(&of(&[12.5])), Some(1.0 + 8e-11));
        assert_eq!((one.ratio(&of(&[5e-324])), one.ratio(&of(&[]))), (None, None));
    }
}
