//! The units in which weights, shares and masses are whole numbers, so that sums of them are exact.

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
        (self.0 % Self::ONE.0 == 0).then_some(self.0 >> Self::BITS)
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
