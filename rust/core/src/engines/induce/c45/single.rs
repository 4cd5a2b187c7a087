//! Numbers as release 8 rounds them.

use std::f64::consts::LN_2;

/// Entries tabulated at the most; larger arguments are computed.
const MAX_TABLE: usize = 1 << 21;

/// Logarithms in double precision of numbers in single precision.
#[derive(Debug, Default)]
pub(crate) struct Single {
    /// n·log2 n of whole n.
    whole: Vec<f64>,
}

impl Single {
    /// With a table for totals up to `total`.
    pub(crate) fn new(total: f64) -> Self {
        let n_entries = (total.ceil() as usize).saturating_add(2).min(MAX_TABLE);
        Single { whole: (0..n_entries).map(|n| computed(n as f32)).collect() }
    }

    /// n·log2 n; nothing for what is not above zero.
    #[inline]
    pub(super) fn n_log_n(&self, n: f32) -> f64 {
        match self.whole.get(n as usize) {
            Some(&value) if n as usize as f32 == n => value,
            _ => computed(n),
        }
    }

    /// Weight times entropy of a distribution, in bits.
    #[inline]
    pub(super) fn information(&self, parts: impl Iterator<Item = f32>) -> f32 {
        let (mut sum, mut total) = (0.0f32, 0.0f32);
        for part in parts {
            sum = (f64::from(sum) + self.n_log_n(part)) as f32;
            total += part;
        }
        (self.n_log_n(total) - f64::from(sum)) as f32
    }
}

fn computed(n: f32) -> f64 {
    f64::from(n) * log2(n)
}

/// The base 2 logarithm; 0 of what is not above zero.
pub(super) fn log2(x: f32) -> f64 {
    if x <= 0.0 { 0.0 } else { libm::log(f64::from(x)) / LN_2 }
}

/// Gain of a split over all rows from what is known of those whose value is known: their entropy, the
/// weighted entropy within the branches, and their weight.
pub(super) fn gain(base: f32, within: f32, known: f32, unknown_rate: f32) -> f32 {
    (1.0 - unknown_rate) * (base - within / known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gives_what_is_computed() {
        let single = Single::new(50.0);
        for n in [0.0f32, 1.0, 2.5, 50.0, 51.0, 1e7, -1e-7] {
            assert_eq!(single.n_log_n(n), computed(n), "{n}");
        }
        assert_eq!(single.information([4.0, 4.0].into_iter()), 8.0);
        assert_eq!(single.information([0.0, 2.0].into_iter()), 0.0);
    }
}
