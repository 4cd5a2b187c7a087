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
}

impl From<Vec<u32>> for Judging {
    fn from(validation: Vec<u32>) -> Self {
        Judging { validation, pruning: None }
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

    pub fn judged<M: Mask>(&self, set: &CaseSet<M>) -> Judged {
        let class = usize::from(set.class());
        let (c, n) = match &self.prices {
            None => (set.class_weight(class), set.weight),
            Some(prices) => {
                let priced = |class: usize| set.class_weight(class) * prices[class];
                (priced(class), (0..prices.len()).map(priced).sum())
            }
        };
        let prior = self.priors[class];
        let rate = if n > 0.0 { self.rule.rates.rate(Leaf { c, n, prior }) } else { 0.0 };
        Judged { weight: n, rate }
    }
}
