//! Sums of fractions compared exactly, digit by digit.
//!
//! The difference of two sums is one signed sum of fractions. Its digits in base 2^64 come by long
//! division of all terms side by side; what is still to come is less than one unit of the last digit
//! a term, so the sign is known as soon as the digits so far outweigh that. A difference other than
//! zero is at least 1 / (product of the denominators), so finitely many digits settle equality.

use std::cmp::Ordering;

/// A fraction that is not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fraction {
    pub numerator: u64,
    /// Not zero.
    pub denominator: u64,
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let cross = |a: &Fraction, b: &Fraction| u128::from(a.numerator) * u128::from(b.denominator);
        Some(cross(self, other).cmp(&cross(other, self)))
    }
}

/// One term of the difference: sign, what is left to divide, and by what.
struct Term {
    sign: i128,
    rest: u64,
    denominator: u64,
}

/// Compares the sum of `a` with the sum of `b`.
///
/// # Complexity
/// A division a term and digit; one digit nearly always, at most the bits of all denominators / 64
/// when the sums are equal.
pub(super) fn compare_sums(
    a: impl IntoIterator<Item = Fraction>,
    b: impl IntoIterator<Item = Fraction>,
) -> Ordering {
    let mut digits: i128 = 0;
    let mut terms = Vec::new();
    let mut add = |sign: i128, fraction: Fraction| {
        digits += sign * i128::from(fraction.numerator / fraction.denominator);
        terms.push(Term {
            sign,
            rest: fraction.numerator % fraction.denominator,
            denominator: fraction.denominator,
        });
    };
    a.into_iter().for_each(|fraction| add(1, fraction));
    b.into_iter().for_each(|fraction| add(-1, fraction));
    cancel(&mut terms);
    let bits: u64 = terms.iter().map(|term| u64::from(u64::BITS - term.denominator.leading_zeros())).sum();
    for _ in 0..=bits / 64 + 1 {
        if terms.is_empty() || digits.unsigned_abs() >= terms.len() as u128 {
            return digits.cmp(&0);
        }
        digits <<= 64;
        for term in &mut terms {
            let wide = u128::from(term.rest) << 64;
            let denominator = u128::from(term.denominator);
            digits += term.sign * (wide / denominator) as i128;
            term.rest = (wide % denominator) as u64;
        }
        terms.retain(|term| term.rest > 0);
    }
    Ordering::Equal
}

/// Drops terms without a rest and pairs of equal terms of opposite sign.
fn cancel(terms: &mut Vec<Term>) {
    terms.retain(|term| term.rest > 0);
    terms.sort_unstable_by_key(|term| (term.denominator, term.rest, term.sign));
    let groups = terms.chunk_by(|x, y| (x.denominator, x.rest) == (y.denominator, y.rest));
    let kept = groups.flat_map(|group| {
        let net: i128 = group.iter().map(|term| term.sign).sum();
        let copies = net.unsigned_abs() as usize;
        let Term { rest, denominator, .. } = group[0];
        std::iter::repeat_with(move || Term { sign: net.signum(), rest, denominator }).take(copies)
    });
    *terms = kept.collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fractions(pairs: &[(u64, u64)]) -> Vec<Fraction> {
        pairs.iter().map(|&(numerator, denominator)| Fraction { numerator, denominator }).collect()
    }

    fn compare(a: &[(u64, u64)], b: &[(u64, u64)]) -> Ordering {
        compare_sums(fractions(a), fractions(b))
    }

    #[test]
    fn sums_that_are_equal_in_other_terms_are_equal() {
        assert_eq!(compare(&[(1, 2)], &[(1, 3), (1, 6)]), Ordering::Equal);
        assert_eq!(compare(&[(7, 3), (1, 7)], &[(2, 14), (2, 1), (1, 3)]), Ordering::Equal);
        assert_eq!(compare(&[], &[]), Ordering::Equal);
        assert_eq!(compare(&[(0, 5)], &[]), Ordering::Equal);
    }

    #[test]
    fn a_difference_far_behind_the_point_is_seen() {
        let (p, q) = (u64::MAX - 58, u64::MAX - 82);
        assert_eq!(compare(&[(1, p)], &[(1, q)]), Ordering::Less);
        assert_eq!(compare(&[(p - 1, p), (1, 3)], &[(q - 1, q), (1, 3)]), Ordering::Greater);
        assert_eq!(compare(&[(1, 3), (1, 6), (1, p)], &[(1, 2), (1, q)]), Ordering::Less);
        assert_eq!(compare(&[(1, 3), (1, 6)], &[(1, 2), (1, u64::MAX)]), Ordering::Less);
    }

    #[test]
    fn small_sums_compare_as_over_their_common_denominator() {
        let all: Vec<(u64, u64)> = (1..=6).flat_map(|d| (0..=3).map(move |n| (n, d))).collect();
        let over_60 = |terms: &[(u64, u64)]| terms.iter().map(|(n, d)| n * 60 / d).sum::<u64>();
        for &a in &all {
            for &b in &all {
                for &c in &all {
                    let (left, right) = ([a, b], [c, (1, 4)]);
                    assert_eq!(compare(&left, &right), over_60(&left).cmp(&over_60(&right)));
                }
            }
        }
    }
}
