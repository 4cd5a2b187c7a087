//! The units in which weights, shares and masses are whole numbers, so that sums of them are exact.

use num_bigint::BigUint;

/// A weight in units of 2^-20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Fine(pub u64);

impl Fine {
    const BITS: u32 = 20;
    /// The weight 1, which is also the number of units in it.
    pub const ONE: Fine = Fine(1 << Self::BITS);

    /// A weight rounded to the unit, ties to even.
    #[inline]
    pub fn rounded(weight: f64) -> Self {
        Fine((weight * Self::ONE.0 as f64).round_ties_even() as u64)
    }

    /// A whole weight.
    #[inline]
    pub fn whole(weight: u32) -> Self {
        Fine(u64::from(weight) << Self::BITS)
    }

    /// The weight where it is a whole number.
    #[inline]
    pub fn as_whole(self) -> Option<u64> {
        self.0.is_multiple_of(Self::ONE.0).then_some(self.0 >> Self::BITS)
    }

    /// The weight, rounded to the nearest float.
    #[inline]
    pub fn weight(self) -> f64 {
        self.0 as f64 / Self::ONE.0 as f64
    }
}

/// The part of a row that goes down a path, or a sum of such parts, in units of 2^-30.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Shares(pub u64);

impl Shares {
    const BITS: u32 = 30;
    /// A whole row.
    pub const ONE: Shares = Shares(1 << Self::BITS);

    /// The number of rows where it is whole.
    #[inline]
    pub fn as_whole(self) -> Option<u64> {
        (self.0 & (Self::ONE.0 - 1) == 0).then_some(self.0 >> Self::BITS)
    }

    /// The number of rows, rounded to the nearest float.
    #[inline]
    pub fn rows(self) -> f64 {
        self.0 as f64 / Self::ONE.0 as f64
    }

    /// The mass of so many rows of weight 1.
    #[inline]
    pub fn mass(self) -> Masses {
        Masses(u128::from(self.0) << (Masses::BITS - Self::BITS))
    }
}

/// Weights times shares, in units of 2^-50.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Masses(pub u128);

impl Masses {
    const BITS: u32 = Fine::BITS + Shares::BITS;
    /// A whole row of weight 1.
    pub const ONE: Masses = Masses(1 << Self::BITS);

    /// The mass of so many whole rows of weight 1.
    #[inline]
    pub fn whole(n_rows: u32) -> Self {
        Masses(u128::from(n_rows) << Self::BITS)
    }

    /// The weight, rounded to the nearest float.
    #[inline]
    pub fn weight(self) -> f64 {
        self.0 as f64 / Self::ONE.0 as f64
    }

    /// The mass of a weight, rounded to the nearest.
    pub fn of(weight: f64) -> Self {
        Masses((weight * Self::ONE.0 as f64).round_ties_even() as u128)
    }
}

/// A share of a mass, the next whole one above: of the share as the decimal that is written, exactly.
pub fn share_of(total: u128, share: f64) -> u128 {
    let written = share.to_string(); // the shortest that reads back as the same
    let digits = written.strip_prefix("0.").expect("it is above 0 and below 1");
    let (number, power) = (digits.parse::<BigUint>(), BigUint::from(10u32).pow(digits.len() as u32));
    let part = number.expect("they are digits") * total;
    let whole = (part + &power - 1u32) / power;
    u128::try_from(whole).expect("it is not above the total")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_decimals_that_are_written() {
        for (total, share, least) in [(100, 0.07, 7), (100, 0.29, 29), (100, 0.071, 8), (3, 1e-300, 1)] {
            assert_eq!(share_of(total, share), least, "{share} of {total}");
        }
        assert_eq!(share_of(100 * Masses::ONE.0, 0.07), 7 * Masses::ONE.0);
    }
}
