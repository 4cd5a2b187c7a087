//! Quantiles of the standard normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// The z above which a standard normal variable lies with probability `p`.
///
/// Starts from a rational approximation (Abramowitz and Stegun, 26.2.23) and solves
/// P(Z > z) = p by Halley's method, near the middle on `erf`, in the tails on `erfc`, so that no
/// digit of p is lost. All from `libm`: the same bits on every platform.
///
/// # Examples
/// ```
/// use treewright_core::prune::upper_quantile;
///
/// assert_eq!(upper_quantile(0.5), 0.0);
/// assert!((upper_quantile(0.25) - 0.674_489_750_196_081_7).abs() < 1e-15);
/// ```
pub fn upper_quantile(p: f64) -> f64 {
    if p.is_nan() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    match p {
        0.0 => f64::INFINITY,
        1.0 => f64::NEG_INFINITY,
        p if p > 0.5 => -upper_half(1.0 - p),
        p => upper_half(p),
    }
}

/// The quantile for p in (0, 1/2].
fn upper_half(p: f64) -> f64 {
    let mut z = rough(p);
    for _ in 0..8 {
        let step = newton_ratio(z, p);
        let change = step / (1.0 + z * step / 2.0);
        z += change;
        if change.abs() <= 1e-16 * z.abs() {
            break;
        }
    }
    z.max(0.0)
}

/// (P(Z > z) - p) / density(z).
fn newton_ratio(z: f64, p: f64) -> f64 {
    let density = libm::exp(-z * z / 2.0) / libm::sqrt(2.0 * PI);
    let excess = match p > 0.25 {
        true => ((1.0 - 2.0 * p) - libm::erf(z * FRAC_1_SQRT_2)) / 2.0,
        false => libm::erfc(z / SQRT_2) / 2.0 - p,
    };
    excess / density
}

/// Good to 4.5e-4.
fn rough(p: f64) -> f64 {
    let t = libm::sqrt(-2.0 * libm::log(p));
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_turns_the_tail_around() {
        for i in 1..2000 {
            let z = f64::from(i) * 0.01;
            let tail = libm::erfc(z * FRAC_1_SQRT_2) / 2.0;
            assert!((upper_quantile(tail) - z).abs() <= 4e-15 * z, "z = {z}");
        }
    }

    #[test]
    fn it_is_odd_about_one_half_and_ends_at_infinity() {
        for p in [0.001, 0.05, 0.25, 0.375] {
            assert_eq!(upper_quantile(1.0 - p), -upper_quantile(1.0 - (1.0 - p)));
        }
        assert_eq!(upper_quantile(0.0), f64::INFINITY);
        assert_eq!(upper_quantile(1.0), f64::NEG_INFINITY);
        assert!(upper_quantile(f64::NAN).is_nan() && upper_quantile(1.5).is_nan());
    }
}
