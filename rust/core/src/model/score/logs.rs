//! F(x) = x·log2 x as an integer, tabulated for whole x.

/// Entries tabulated at the most; larger arguments are computed.
const MAX_TABLE: usize = 1 << 21;

/// F(x) = round(x·log2 x·2^s). The scale 2^s is 2^32, or smaller where the total weight would overflow.
///
/// A score is a sum of such integers, so it does not depend on the order of summation, and equal
/// partitions have equal scores. Logarithms come from `libm`, the same bits on every platform.
#[derive(Debug, Clone)]
pub struct Logs {
    table: Vec<i64>,
    scale: f64,
    kept_bits: u32,
    largest_error: i64,
}

impl Logs {
    /// For totals up to `total` weight.
    pub fn new(total: f64) -> Self {
        let mut scale = (1u64 << 32) as f64;
        let mut kept_bits = 20;
        if total > (1u64 << 26) as f64 {
            while kept_bits > 0 && total * f64::from(1u32 << kept_bits) > (1u64 << 46) as f64 {
                kept_bits -= 1;
            }
            while total * libm::log2(total) * scale > (1u64 << 62) as f64 {
                scale /= 2.0;
            }
        }
        let n_entries = (total.ceil() as usize).saturating_add(2).min(MAX_TABLE);
        let table = (0..n_entries).map(|k| x_log2_x(k as f64, scale)).collect();
        let largest_error = 1 + (x_log2_x(total, scale).max(0) >> 51);
        Logs { table, scale, kept_bits, largest_error }
    }

    /// F of a whole number.
    #[inline]
    pub fn whole(&self, k: u64) -> i64 {
        match self.table.get(k as usize) {
            Some(&value) => value,
            None => x_log2_x(k as f64, self.scale),
        }
    }

    /// F of any weight.
    #[inline]
    pub fn real(&self, x: f64) -> i64 {
        x_log2_x(x, self.scale)
    }

    /// log2 n in the units of F, for n of one or more.
    pub fn of_count(&self, n: usize) -> i64 {
        round(libm::log2(n as f64) * self.scale)
    }

    /// The factor 2^s.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// How far off a value of F may be: doubles of 53 bits are computed with.
    pub fn largest_error(&self) -> i64 {
        self.largest_error
    }

    /// Fraction bits kept of a weight that is to be squared.
    #[inline]
    pub fn kept_bits(&self) -> u32 {
        self.kept_bits
    }
}

fn x_log2_x(x: f64, scale: f64) -> i64 {
    if x == 0.0 {
        return 0;
    }
    round((x * libm::log2(x)) * scale)
}

/// Nearest integer, halves to even: adding 1.5·2^52 leaves no room for a fraction. Larger
/// numbers go the slow way.
#[inline]
fn round(x: f64) -> i64 {
    const ROOM: f64 = 6_755_399_441_055_744.0;
    if x.abs() < (1u64 << 51) as f64 { ((x + ROOM) - ROOM) as i64 } else { x.round_ties_even() as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact() {
        let logs = Logs::new(100.0);
        assert_eq!(logs.whole(0), 0);
        assert_eq!(logs.whole(1), 0);
        assert_eq!(logs.whole(8), 24 << 32);
        assert_eq!(logs.real(0.5), -(1i64 << 31));
        assert_eq!(logs.real(8.0), logs.whole(8));
        assert_eq!(logs.whole(1 << 20), 20 << 52);
    }

    #[test]
    fn rounding_is_to_the_nearest_even() {
        let near = 2f64.powi(51);
        for x in [0.5, 1.5, 2.5, -0.5, -1.5, 0.499_999_999, 1e15 + 0.5, near - 0.5, near + 0.5, -near, 1e18] {
            assert_eq!(round(x), x.round_ties_even() as i64, "{x}");
        }
    }

    #[test]
    fn the_logarithm_of_a_count_is_in_the_units_of_f() {
        let logs = Logs::new(100.0);
        assert_eq!([1, 2, 8].map(|n| logs.of_count(n)), [0, 1 << 32, 3 << 32]);
        assert!((3 * logs.of_count(3) - logs.whole(3)).abs() <= 2);
    }

    #[test]
    fn a_huge_total_lowers_the_scale_instead_of_overflowing() {
        let total = (1u64 << 40) as f64;
        let logs = Logs::new(total);
        assert!(logs.scale() < (1u64 << 32) as f64);
        assert!(logs.real(total) > 0);
    }
}
