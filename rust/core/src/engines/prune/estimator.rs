//! Estimates of a leaf's error rate from what it saw in training.

use super::limits::{ErrorLimit, score_limit};

/// An estimate of the error rate on new rows. `n` is the weight of the rows that reached the leaf,
/// `c` the weight of those of its class, e = n - c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Estimator {
    /// e / n.
    Observed,
    /// Upper end of the score (Wilson) interval without continuity correction.
    Score {
        /// The normal quantile.
        z: f64,
    },
    /// (e + extra errors) / n.
    ErrorBased(ErrorLimit),
    /// (e + 1/2) / n.
    Pessimistic,
    /// (e + alpha) / n.
    PerLeaf {
        /// Errors added.
        alpha: f64,
    },
    /// The formula that evolved in the paper on pruning by automatic programming, figure 1.
    Published,
}

impl Estimator {
    /// The estimated rate: infinite where the leaf got nothing right, 0 where nothing reached it.
    ///
    /// # Examples
    /// ```
    /// use treewright_core::prune::Estimator;
    ///
    /// assert_eq!(Estimator::Pessimistic.rate(8.0, 10.0), 0.25);
    /// assert_eq!(Estimator::Observed.rate(0.0, 10.0), f64::INFINITY);
    /// ```
    pub fn rate(&self, c: f64, n: f64) -> f64 {
        if n == 0.0 {
            return 0.0;
        }
        if c == 0.0 {
            return f64::INFINITY;
        }
        let e = (n - c).max(0.0);
        match self {
            Estimator::Observed => e / n,
            Estimator::Score { z } => score_limit(n, e, *z),
            Estimator::ErrorBased(limit) => (e + limit.extra(n, e)) / n,
            Estimator::Pessimistic => (e + 0.5) / n,
            Estimator::PerLeaf { alpha } => (e + alpha) / n,
            Estimator::Published => published(c, n),
        }
    }
}

/// (tanh(tanh(tanh(e/n))) + sqrt(tanh(tanh(sqrt n)))) / tanh(c^(1/4)).
fn published(c: f64, n: f64) -> f64 {
    let errors = libm::tanh(libm::tanh(libm::tanh((n - c) / n)));
    let size = libm::sqrt(libm::tanh(libm::tanh(libm::sqrt(n))));
    (errors + size) / libm::tanh(libm::sqrt(libm::sqrt(c)))
}
