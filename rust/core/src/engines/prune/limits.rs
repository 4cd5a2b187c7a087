//! Upper limits of an error rate: how many errors a leaf will make beyond those it has made.

use super::{beta, normal};
use crate::base::error::{Error, Result};

/// Which upper limit error-based pruning takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// C4.5 release 8: the score limit with continuity correction, its quantile from a table of nine.
    C45,
    /// Weka's J48: the same with the exact quantile, and another value next to e = n.
    Weka,
    /// Clopper and Pearson: the rate at which e errors or fewer have just the given probability.
    Exact,
    /// The score limit without continuity correction.
    Wilson,
}

/// C4.5's table: probabilities and the normal quantiles that it gives them.
const TABLE: [(f64, f64); 9] = [
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.00, 0.00),
];

/// Below this many errors C4.5 takes a leaf to have none.
const NO_ERRORS: f64 = 1e-6;

/// From here on C4.5 takes a leaf to have one error or more.
const ONE_ERROR: f64 = 0.9999;

/// An upper limit at a confidence, its quantile worked out once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorLimit {
    limit: Limit,
    confidence: f64,
    log_confidence: f64,
    /// The normal quantile.
    z: f64,
}

impl ErrorLimit {
    /// The limit that is passed with probability `confidence`.
    ///
    /// # Errors
    /// A confidence that is not between 0 and 1.
    pub fn new(limit: Limit, confidence: f64) -> Result<Self> {
        if !(confidence > 0.0 && confidence < 1.0) {
            let allowed = "above 0 and below 1; 0.25 is usual, less prunes more";
            return Err(Error::Parameter { name: "confidence", found: confidence.into(), allowed });
        }
        let z = match limit {
            Limit::C45 => interpolated_quantile(confidence),
            Limit::Weka | Limit::Exact | Limit::Wilson => normal::upper_quantile(confidence),
        };
        Ok(ErrorLimit { limit, confidence, log_confidence: libm::log(confidence), z })
    }

    /// Whether its numbers are found by iteration, so that it pays to keep them.
    pub(super) fn is_costly(&self) -> bool {
        self.limit == Limit::Exact
    }

    /// Errors expected beyond the `e` made on `n` rows; 0 where there are no rows.
    ///
    /// # Examples
    /// ```
    /// use treewright_core::prune::{ErrorLimit, Limit};
    ///
    /// let extra = ErrorLimit::new(Limit::C45, 0.25)?.extra(16.0, 1.0);
    /// assert!((extra - 1.507).abs() < 5e-4);
    /// # Ok::<(), treewright_core::error::Error>(())
    /// ```
    pub fn extra(&self, n: f64, e: f64) -> f64 {
        if n.is_nan() || e.is_nan() {
            return f64::NAN;
        }
        if n <= 0.0 {
            return 0.0;
        }
        match self.limit {
            Limit::C45 => self.c45(n, e),
            Limit::Weka => self.weka(n, e),
            Limit::Exact => n * self.exact(n, e) - e,
            Limit::Wilson => n * score_limit(n, e, self.z) - e,
        }
    }

    fn c45(&self, n: f64, e: f64) -> f64 {
        if e < NO_ERRORS {
            self.without_errors(n)
        } else if e < ONE_ERROR {
            let none = self.without_errors(n);
            none + e * (self.c45(n, 1.0) - none)
        } else if e + 0.5 >= n {
            0.67 * (n - e)
        } else {
            n * score_limit(n, e + 0.5, self.z) - e
        }
    }

    fn weka(&self, n: f64, e: f64) -> f64 {
        if self.confidence > 0.5 {
            0.0
        } else if e < 1.0 {
            let none = self.without_errors(n);
            if e <= 0.0 { none } else { none + e * (self.weka(n, 1.0) - none) }
        } else if e + 0.5 >= n {
            (n - e).max(0.0)
        } else {
            n * score_limit(n, e + 0.5, self.z) - e
        }
    }

    /// n (1 - confidence^(1/n)): the rate at which n rows without an error have the probability of
    /// the confidence, times n.
    fn without_errors(&self, n: f64) -> f64 {
        -n * libm::expm1(self.log_confidence / n)
    }

    /// The rate U with P(X <= e | n, U) = confidence; e and n may be fractional.
    fn exact(&self, n: f64, e: f64) -> f64 {
        if e >= n {
            return e / n;
        }
        if e <= 0.0 {
            return self.without_errors(n) / n;
        }
        let start = score_limit(n, (e + 0.5).min(n), self.z);
        beta::upper_quantile(self.confidence, e + 1.0, n - e, start)
    }
}

/// Upper end of the score interval for e errors on n rows.
pub(super) fn score_limit(n: f64, e: f64, z: f64) -> f64 {
    let square = z * z;
    let spread = (e * (1.0 - e / n)).max(0.0) + square / 4.0;
    (e + square / 2.0 + z * libm::sqrt(spread)) / (n + square)
}

/// The quantile that C4.5 reads off its table.
fn interpolated_quantile(p: f64) -> f64 {
    let next = TABLE.iter().position(|&(known, _)| p <= known).expect("p is above 0 and below 1");
    let ((low, at_low), (high, at_high)) = (TABLE[next - 1], TABLE[next]);
    at_low + (at_high - at_low) * (p - low) / (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quinlans_own_values() {
        let cases = [
            (6.0, 0.0, 1.238, 1.238, 1.238),
            (9.0, 0.0, 1.285, 1.285, 1.285),
            (1.0, 0.0, 0.75, 0.75, 0.75),
            (16.0, 1.0, 1.507, 1.476, 1.554),
            (10.0, 3.0, 1.591, 1.562, 1.577),
        ];
        for (n, e, c45, weka, exact) in cases {
            for (limit, expected) in [(Limit::C45, c45), (Limit::Weka, weka), (Limit::Exact, exact)] {
                let found = ErrorLimit::new(limit, 0.25).unwrap().extra(n, e);
                assert!((found - expected).abs() < 6e-4, "{limit:?} {n} {e}: {found}");
            }
        }
    }

    #[test]
    fn the_table_is_read_between_its_entries() {
        assert!((interpolated_quantile(0.25) - 0.6925).abs() < 1e-15);
        assert_eq!(interpolated_quantile(0.05), 1.65);
        assert_eq!(interpolated_quantile(0.0005), (4.0 + 3.09) / 2.0);
    }

    #[test]
    fn the_confidence_is_a_probability() {
        for wrong in [0.0, 1.0, -0.1, 2.0, f64::NAN] {
            assert!(matches!(ErrorLimit::new(Limit::C45, wrong), Err(Error::Parameter { .. })));
        }
    }
}
