//! The beta distribution: its tails and its quantiles, to the last digits of a double.
//!
//! The tails are D/a · K(x; a, b), where D = x^a (1-x)^b / B(a, b) and K is the classical continued
//! fraction, taken for the tail that is the smaller one; the other is what is left to 1. For large
//! a and b, D is the quotient of numbers near e^(a + b). It is therefore put together from
//! deviations: with n = a + b,
//!
//! ```text
//! ln D = a g(nx/a - 1) + b g(n(1-x)/b - 1) + ln(ab/n)/2 - ln(2 pi)/2 + s(n) - s(a) - s(b)
//! g(u) = ln(1 + u) - u      s(a) = what Stirling's formula lacks of ln Gamma(a)
//! ```

use std::f64::consts::PI;

/// From here on Stirling's series is exact in double precision.
const LARGE: f64 = 16.0;

/// Quotients closer to the one before than this change nothing.
const LAST_DIGIT: f64 = 1e-16;

/// Probability below and above x of a beta variable with parameters a and b.
pub(super) fn tails(x: f64, a: f64, b: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    if x >= 1.0 {
        return (1.0, 0.0);
    }
    let d = libm::exp(log_power(x, a, b));
    if x * (a + b + 2.0) <= a + 1.0 {
        let lower = d * fraction(x, a, b) / a;
        (lower, 1.0 - lower)
    } else {
        let upper = d * fraction(1.0 - x, b, a) / b;
        (1.0 - upper, upper)
    }
}

/// The x above which a beta variable lies with probability `upper`, strictly between 0 and 1.
///
/// Newton's method on the logarithm of the smaller tail, inside a bracket that only shrinks.
pub(super) fn upper_quantile(upper: f64, a: f64, b: f64, start: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = if start > 0.0 && start < 1.0 { start } else { a / (a + b) };
    for _ in 0..200 {
        let (below, above) = tails(x, a, b);
        let (excess, tail) = match upper <= 0.5 {
            true => (libm::log(above / upper), above),
            false => (libm::log((1.0 - upper) / below), below),
        };
        if excess > 0.0 {
            low = x; // too much lies above
        } else {
            high = x;
        }
        let slope = libm::exp(log_power(x, a, b)) / (x * (1.0 - x) * tail);
        let next = x + excess / slope;
        if (next - x).abs() <= 2.0 * LAST_DIGIT * x || high - low <= 2.0 * LAST_DIGIT * high {
            break;
        }
        x = if next > low && next < high { next } else { low + (high - low) / 2.0 };
    }
    x
}

/// ln of x^a (1-x)^b / B(a, b).
fn log_power(x: f64, a: f64, b: f64) -> f64 {
    let n = a + b;
    let deviation = n * x - a;
    a * log1p_minus(deviation / a) + b * log1p_minus(-deviation / b) + libm::log(a * (b / n)) / 2.0
        - libm::log(2.0 * PI) / 2.0
        + stirling_rest(n)
        - stirling_rest(a)
        - stirling_rest(b)
}

/// ln(1 + u) - u. With r = u / (2 + u) it is -ur + 2 r³ (1/3 + r²/5 + r⁴/7 + ...).
fn log1p_minus(u: f64) -> f64 {
    if !(-0.5..=0.5).contains(&u) {
        return libm::log1p(u) - u;
    }
    let r = u / (2.0 + u);
    let square = r * r;
    let (mut sum, mut power, mut odd) = (0.0, 1.0, 3.0);
    while power > LAST_DIGIT {
        sum += power / odd;
        power *= square;
        odd += 2.0;
    }
    2.0 * r * square * sum - u * r
}

/// ln Gamma(a) - ((a - 1/2) ln a - a + ln(2 pi)/2).
fn stirling_rest(a: f64) -> f64 {
    if a < LARGE {
        return libm::lgamma(a) - ((a - 0.5) * libm::log(a) - a + libm::log(2.0 * PI) / 2.0);
    }
    let r = 1.0 / (a * a);
    let terms = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    terms.iter().rev().fold(0.0, |sum, term| sum * r + term) / a
}

/// The continued fraction of the lower tail, by Lentz's method.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < f64::MIN_POSITIVE { f64::MIN_POSITIVE } else { value };
    let (mut above, mut value) = (1.0, 1.0);
    let mut below = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    value *= below;
    let mut m = 1.0;
    while m < 1e6 {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut factor = 1.0;
        for term in [even, odd] {
            below = 1.0 / away_from_zero(1.0 + term * below);
            above = away_from_zero(1.0 + term / above);
            factor = above * below;
            value *= factor;
        }
        if (factor - 1.0).abs() <= LAST_DIGIT {
            break;
        }
        m += 1.0;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lower tail by the sum over a binomial variable: whole a and b only.
    fn binomial(x: f64, a: u32, b: u32) -> f64 {
        let n = a + b - 1;
        let mut sum = 0.0;
        for k in a..=n {
            let mut term = libm::pow(x, f64::from(k)) * libm::pow(1.0 - x, f64::from(n - k));
            for i in 0..k {
                term *= f64::from(n - i) / f64::from(i + 1);
            }
            sum += term;
        }
        sum
    }

    #[test]
    fn tails_are_binomial_sums_for_whole_parameters() {
        for (a, b) in [(1, 1), (1, 9), (3, 4), (12, 3), (20, 25)] {
            for x in [0.01, 0.2, 0.5, 0.77, 0.999] {
                let (lower, upper) = tails(x, f64::from(a), f64::from(b));
                let expected = binomial(x, a, b);
                assert!((lower - expected).abs() <= 1e-13 * expected, "{a} {b} {x}: {lower} {expected}");
                assert!((lower + upper - 1.0).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn quantiles_turn_the_tails_around() {
        for (a, b) in [(1.0, 1.0), (1.5, 0.25), (4.0, 900.5), (2e5, 7e5), (0.3, 0.7)] {
            for upper in [1e-9, 0.01, 0.25, 0.5, 0.75, 0.99] {
                let x = upper_quantile(upper, a, b, 0.5);
                // Between the neighbours of x the tail passes the probability asked for.
                let (before, behind) = (tails(x * (1.0 - 4e-16), a, b).1, tails(x * (1.0 + 4e-16), a, b).1);
                let within = before * (1.0 + 1e-12) >= upper && behind * (1.0 - 1e-12) <= upper;
                assert!(within, "{a} {b} {upper}: {before} {behind}");
            }
        }
    }
}
