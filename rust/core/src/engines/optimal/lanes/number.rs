//! Numbers that lanes count in.

use std::ops::{AddAssign, BitAnd, Sub};

use super::Lanes;

/// A signed number; sums of weights that fit never wrap, nor do those of two of them.
pub(in super::super) trait Lane:
    Copy + Ord + AddAssign + Sub<Output = Self> + BitAnd<Output = Self> + Send + Sync + 'static
{
    /// What sums over a whole order are kept in.
    type Wide: Lane;
    const ZERO: Self;
    const LEAST: Self;
    const MOST: Self;
    fn of(value: i64) -> Self;
    fn of_byte(value: i8) -> Self;
    fn wide(self) -> i64;
    fn widened(self) -> Self::Wide;
    fn plus(self, other: Self) -> Self;
}

macro_rules! lane {
    ($number:ty, $wide:ty, $plus:expr) => {
        impl Lane for $number {
            type Wide = $wide;
            const ZERO: Self = 0;
            const LEAST: Self = <$number>::MIN;
            const MOST: Self = <$number>::MAX;
            #[inline(always)]
            fn of(value: i64) -> Self {
                value as $number
            }
            #[inline(always)]
            fn of_byte(value: i8) -> Self {
                value as $number
            }
            #[inline(always)]
            fn wide(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn widened(self) -> $wide {
                self as $wide
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }
        }
    };
}

// Processors have saturating instructions for short numbers; of the long ones half the room is used.
lane!(i8, i32, i8::saturating_add);
lane!(i16, i32, i16::saturating_add);
lane!(i32, i32, i32::wrapping_add);
lane!(i64, i64, i64::wrapping_add);

/// What `of` makes of all lanes, in place wherever it is called: `map` of arrays may be a call, even in a kernel.
#[inline(always)]
pub(in super::super) fn mapped<A: Copy, B: Copy, const N: usize>(
    lanes: &[A; N],
    of: impl Fn(A) -> B,
) -> [B; N] {
    let mut made = [of(lanes[0]); N];
    for j in 0..N {
        made[j] = of(lanes[j]);
    }
    made
}

/// Numbers of all lanes in a narrower type.
pub(in super::super) fn narrow_lanes<T: Lane>(all: &[Lanes<i64>]) -> Vec<Lanes<T>> {
    all.iter().map(|lanes| mapped(lanes, T::of)).collect()
}
