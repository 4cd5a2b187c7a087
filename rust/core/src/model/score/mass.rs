//! The integer types in which weight is counted at a node: as narrow as the node allows, all
//! standing for the same real numbers, so all giving the same scores.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{AddAssign, SubAssign};

use super::logs::Logs;
use crate::base::units::{Masses, Shares};

/// Weight counted as an integer.
pub trait Mass: Copy + Ord + Default + Debug + AddAssign + SubAssign + Send + Sync + 'static {
    /// In units of 2^-50.
    fn exact(self) -> u128;
    /// The weight, rounded.
    fn weight(self) -> f64;
    /// F of the weight.
    fn log(self, logs: &Logs) -> i64;
    /// Whether F is computed rather than looked up.
    const DEAR_LOGS: bool;
}

/// Whole weight: no row here is split and all weights are whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Count(pub u32);

/// Multiples of 2^-30: whole weights, shares below one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Share(pub u64);

/// Multiples of 2^-50: any weights, any shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Exact(pub u128);

macro_rules! add_and_subtract {
    ($($mass:ty),*) => {$(
        impl AddAssign for $mass {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }
        impl SubAssign for $mass {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }
    )*};
}

add_and_subtract!(Count, Share, Exact);

impl Mass for Count {
    const DEAR_LOGS: bool = false;

    #[inline]
    fn exact(self) -> u128 {
        Masses::whole(self.0).0
    }

    #[inline]
    fn weight(self) -> f64 {
        self.0.into()
    }

    #[inline]
    fn log(self, logs: &Logs) -> i64 {
        logs.whole(self.0.into())
    }
}

impl Mass for Share {
    const DEAR_LOGS: bool = true;

    #[inline]
    fn exact(self) -> u128 {
        Shares(self.0).mass().0
    }

    #[inline]
    fn weight(self) -> f64 {
        Shares(self.0).rows()
    }

    #[inline]
    fn log(self, logs: &Logs) -> i64 {
        Shares(self.0).as_whole().map_or_else(|| logs.real(self.weight()), |n_rows| logs.whole(n_rows))
    }
}

impl Mass for Exact {
    const DEAR_LOGS: bool = true;

    #[inline]
    fn exact(self) -> u128 {
        self.0
    }

    #[inline]
    fn weight(self) -> f64 {
        weight_of(self.0)
    }

    #[inline]
    fn log(self, logs: &Logs) -> i64 {
        logs.real(self.weight())
    }
}

/// The weight that a mass in units of 2^-50 stands for.
#[inline]
pub fn weight_of(mass: u128) -> f64 {
    Masses(mass).weight()
}

/// Whether part·whole_total == whole·part_total, exactly: the test for equal class distributions.
pub fn proportional(part: u128, whole_total: u128, whole: u128, part_total: u128) -> bool {
    if (part | whole_total | whole | part_total) >> 64 == 0 {
        return part * whole_total == whole * part_total;
    }
    wide_product(part, whole_total) == wide_product(whole, part_total)
}

/// How the share a part has of a total compares with that of another, exactly; totals are above zero.
pub fn compare_shares((part, total): (u128, u128), (other, of): (u128, u128)) -> Ordering {
    if (part | total | other | of) >> 64 == 0 {
        return (part * of).cmp(&(other * total));
    }
    wide_product(part, of).cmp(&wide_product(other, total))
}

/// The 256-bit product, high half first.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    let low = |x: u128| x & u128::from(u64::MAX);
    let (a1, a0, b1, b0) = (a >> 64, low(a), b >> 64, low(b));
    let (p00, p01, p10, p11) = (a0 * b0, a0 * b1, a1 * b0, a1 * b1);
    let middle = (p00 >> 64) + low(p01) + low(p10);
    let high = p11 + (p01 >> 64) + (p10 >> 64) + (middle >> 64);
    (high, (middle << 64) | low(p00))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_types_give_one_logarithm() {
        let logs = Logs::new(1000.0);
        for k in [0u32, 1, 7, 1000] {
            let (count, share, exact) = (Count(k), Share(u64::from(k) << 30), Exact(u128::from(k) << 50));
            assert_eq!(count.log(&logs), share.log(&logs));
            assert_eq!(count.log(&logs), exact.log(&logs));
            assert_eq!((count.exact(), share.exact()), (exact.0, exact.0));
        }
        let (share, exact) = (Share(12_345_678_901), Exact(12_345_678_901 << 20));
        assert_eq!(share.log(&logs), exact.log(&logs));
    }

    #[test]
    fn wide_products_agree_with_narrow_ones_and_do_not_wrap() {
        assert_eq!(wide_product(3, 5), (0, 15));
        assert_eq!(wide_product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
        let big = 1u128 << 90;
        assert!(proportional(big, 2 * big, 2 * big, big) == (big * 2 == 2 * big));
        assert!(!proportional(big, 2 * big + 1, 2 * big, big));
    }
}
