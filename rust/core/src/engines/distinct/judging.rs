//! How the trees of a search are judged: by which rows, and pruned by which rule.
//!
//! A rule that looks at a node and its branches only, as the training rows count there, goes with the search:
//! the forest keeps trees as they are grown, and beside every node what pruning makes of it. So a tree's
//! used features, and whatever follows from them, stay what they are; its errors are those of the pruned one.

use std::sync::Arc;

use super::case_store::CaseSet;
use crate::base::bits::Mask;
use crate::engines::induce::Problem;
use crate::engines::prune::{Estimator, Slack};
use crate::model::tree::Routing;

/// What the trees of a search are judged by.
#[derive(Clone, Default)]
pub struct Judging {
    /// Rows whose wrong predictions are counted.
    pub validation: Vec<u32>,
    /// What prunes the trees first.
    pub pruning: Option<PruningRule>,
    /// What errors and leaves count.
    pub price: Price,
}

impl From<Vec<u32>> for Judging {
    fn from(validation: Vec<u32>) -> Self {
        Judging { validation, ..Judging::default() }
    }
}

/// What errors and leaves count when trees are compared: the fewer together, the better.
///
/// Both are whole numbers, so that a comparison is exact. Errors count more than once where a leaf counts for
/// several trees: in cross-validation, a leaf in each of them costs once what a leaf costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Of an error.
    pub per_error: u64,
    /// Of a leaf of a tree, in units of 2^-20.
    pub per_leaf: u64,
}

impl Default for Price {
    /// Errors alone count.
    fn default() -> Self {
        Price { per_error: 1, per_leaf: 0 }
    }
}

impl Price {
    /// A leaf must save so many errors, in units of 2^-20, in the sum of so many folds.
    pub fn of_leaf(penalty: u64, n_folds: usize) -> Self {
        match penalty {
            0 => Price::default(),
            per_leaf => Price { per_error: n_folds as u64, per_leaf },
        }
    }

    /// What errors and leaves count together.
    #[inline]
    pub fn value(self, errors: u64, n_leaves: u64) -> u64 {
        self.per_error.saturating_mul(errors).saturating_add(self.per_leaf.saturating_mul(n_leaves))
    }

    /// The errors behind a value.
    pub fn errors(self, value: u64, n_leaves: u64) -> u64 {
        (value - self.per_leaf.saturating_mul(n_leaves).min(value)) / self.per_error
    }
}

/// A rule that makes a node a leaf where that is estimated to err no more than what is below it.
#[derive(Clone)]
pub struct PruningRule {
    /// The rates of leaves.
    pub rates: Arc<dyn LeafRates>,
    /// By how much a leaf may be worse.
    pub slack: Slack,
}

/// Estimates of the error rates of leaves that rows reach.
pub trait LeafRates: Send + Sync {
    /// As the rates of [`prune`](crate::prune::prune).
    fn rate(&self, leaf: Leaf) -> f64;

    /// Those of several leaves.
    fn rates(&self, leaves: &[Leaf]) -> Vec<f64> {
        leaves.iter().map(|&leaf| self.rate(leaf)).collect()
    }
}

/// A leaf as training rows count there.
#[derive(Debug, Clone, Copy)]
pub struct Leaf {
    /// Weight of the rows of its class.
    pub c: f64,
    /// Weight of all rows.
    pub n: f64,
    /// The share of its class among all training rows.
    pub prior: f64,
}

impl LeafRates for Estimator {
    fn rate(&self, leaf: Leaf) -> f64 {
        Estimator::rate(self, leaf.c, leaf.n)
    }
}

/// The m-estimate: rates as if so many rows more had been seen, their classes as at the root.
pub struct MEstimate {
    /// Weight of those rows.
    pub m: f64,
}

impl LeafRates for MEstimate {
    fn rate(&self, Leaf { c, n, prior }: Leaf) -> f64 {
        if c > 0.0 { 1.0 - (c + self.m * prior) / (n + self.m) } else { f64::INFINITY }
    }
}

/// A rule at work on the case sets of one problem.
pub(super) struct Pruning {
    rule: PruningRule,
    /// What a row of each class counts, where wrong answers have costs.
    prices: Option<Vec<f64>>,
    /// Shares of the classes at the root.
    priors: Vec<f64>,
    /// Whether rows of unknown value stay at a node.
    pub stays: bool,
}

/// What a case set is as a leaf.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Judged {
    pub weight: f64,
    /// 0 where no row comes.
    pub rate: f64,
}

impl Pruning {
    pub fn new<M: Mask>(rule: PruningRule, problem: &Problem, root: &CaseSet<M>) -> Self {
        let weights: Vec<f64> = (0..problem.n_classes()).map(|class| root.class_weight(class)).collect();
        Pruning {
            rule,
            prices: problem.costs.as_ref().map(|costs| costs.prices(&weights)),
            priors: weights.iter().map(|weight| weight / root.weight).collect(),
            stays: matches!(problem.routing, Routing::Stop | Routing::Mean),
        }
    }

    pub fn slack(&self) -> Slack {
        self.rule.slack
    }

    /// Says of case sets what they are as leaves.
    pub fn judge<M: Mask>(&self, sets: &mut [CaseSet<M>]) {
        let leaves: Vec<Leaf> = sets.iter().map(|set| self.leaf(set)).collect();
        let reached: Vec<Leaf> = leaves.iter().filter(|leaf| leaf.n > 0.0).copied().collect();
        let mut rates = self.rule.rates.rates(&reached).into_iter();
        for (set, Leaf { n, .. }) in sets.iter_mut().zip(leaves) {
            let rate = if n > 0.0 { rates.next().expect("each has a rate") } else { 0.0 };
            set.judged = Judged { weight: n, rate };
        }
    }

    fn leaf<M: Mask>(&self, set: &CaseSet<M>) -> Leaf {
        let class = usize::from(set.class());
        let (c, n) = match &self.prices {
            None => (set.class_weight(class), set.weight),
            Some(prices) => {
                let priced = |class: usize| set.class_weight(class) * prices[class];
                (priced(class), (0..prices.len()).map(priced).sum())
            }
        };
        Leaf { c, n, prior: self.priors[class] }
    }
}
