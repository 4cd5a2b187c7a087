//! How a node's class is chosen from its weights, and how its probabilities are told.

use serde::{Deserialize, Serialize};

use super::builder::malformed;
use super::cost_matrix::CostMatrix;
use super::node::Tree;
use crate::base::error::Result;
use crate::base::units::Masses;

/// By how much of itself a sum of weights may be off: weights are rounded once they are counted.
pub(super) const ROUNDING: f64 = 1e-9;

/// Below this total, sums of whole weights and of shares are exact in doubles, and so are their ties.
const EXACT_BELOW: f64 = (1u64 << 22) as f64;

/// Which of several equally good classes a node has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// The lowest; a node that no row reaches has its parent's class.
    #[default]
    Lowest,
    /// The parent's class if it is one of them, else the lowest.
    Parent,
    /// The one it had before the tree was pruned or put together anew, like a node that no row reaches.
    Kept,
}

/// Where classes come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// They are chosen from the weights.
    #[default]
    Weights,
    /// They stand for themselves, whatever the weights: those of a chain of planes, or of a tree that holds
    /// the weights of other rows than it was grown from.
    Given,
}

/// The rule by which a class is chosen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Where classes come from.
    #[serde(default)]
    pub source: Source,
    /// Which of equally good classes is taken.
    #[serde(default)]
    pub tie: Tie,
    /// What a wrong answer costs: rows are true classes, columns are answers. The class of least expected
    /// cost is taken; without, the heaviest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_matrix: Option<Vec<Vec<f64>>>,
    /// Of two classes, the share of the second above which it is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
}

/// Which weights probabilities are shares of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shares {
    /// Those that grew the tree.
    #[default]
    Weighted,
    /// The same without the factors of the classes.
    Raw,
}

/// How probabilities are smoothed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Smoothing {
    /// By a rule of this name.
    Named(SmoothingRule),
    /// By so many rows of the root's shares.
    Rows(f64),
}

/// Smoothing that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SmoothingRule {
    /// One more row of every class.
    Laplace,
}

/// How probabilities are told.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probability {
    /// Which weights they are shares of.
    #[serde(default)]
    pub shares: Shares,
    /// The factor of every class in the weights; without, all are 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_factors: Option<Vec<f64>>,
    /// How they are smoothed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smoothing: Option<Smoothing>,
    /// What one row weighs, as smoothing adds it; without, 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_weight: Option<f64>,
}

/// Factors that are in the weights and stay there make no difference.
impl PartialEq for Probability {
    fn eq(&self, other: &Self) -> bool {
        let factors = |told: &Self| (told.shares == Shares::Raw).then(|| told.class_factors.clone());
        let added = |told: &Self| told.smoothing.map(|smoothing| (smoothing, told.row_weight));
        self.shares == other.shares && added(self) == added(other) && factors(self) == factors(other)
    }
}

impl Decision {
    /// A rule by the heaviest class.
    pub fn heaviest(tie: Tie) -> Self {
        Decision { tie, ..Decision::default() }
    }

    /// A rule by the class of least expected cost.
    pub fn cheapest(cost_matrix: Vec<Vec<f64>>) -> Self {
        Decision { cost_matrix: Some(cost_matrix), ..Decision::default() }
    }

    /// What wrong answers cost, if that decides.
    pub fn costs(&self) -> Option<CostMatrix> {
        self.cost_matrix.as_deref().map(CostMatrix::new)
    }

    /// How bad every class is as the answer for these weights: the least is taken.
    fn badness(&self, weights: &[f64]) -> Vec<f64> {
        let total: f64 = weights.iter().sum();
        match (self.costs(), self.threshold) {
            (Some(costs), _) => (0..weights.len()).map(|answer| costs.of_weights(weights, answer)).collect(),
            (None, Some(threshold)) => vec![weights[1] - threshold * total, 0.0],
            (None, None) => weights.iter().map(|&weight| total - weight).collect(),
        }
    }

    /// Whether the rule gives a node its class, within rounding; `is_exact` where ties are no rounding.
    fn gives(&self, weights: &[f64], class: usize, parent: usize, is_exact: bool) -> bool {
        let badness = self.badness(weights);
        let largest: f64 = badness.iter().map(|bad| bad.abs()).fold(0.0, f64::max);
        let least = badness.iter().copied().fold(f64::INFINITY, f64::min);
        let scale = if self.cost_matrix.is_some() { largest } else { largest.max(weights.iter().sum()) };
        if badness[class] > least + ROUNDING * scale {
            return false;
        }
        let by_weight = self.cost_matrix.is_none() && self.threshold.is_none();
        if !(is_exact && by_weight && weights[class] == weights.iter().copied().fold(0.0, f64::max)) {
            return true;
        }
        let lowest = weights.iter().position(|&weight| weight == weights[class]);
        match self.tie {
            Tie::Kept => true,
            Tie::Parent if weights[parent] == weights[class] => class == parent,
            Tie::Parent | Tie::Lowest => lowest == Some(class),
        }
    }

    pub(super) fn check(&self, n_classes: usize) -> Result<()> {
        if let Some(costs) = &self.cost_matrix {
            let is_square = costs.len() == n_classes && costs.iter().all(|row| row.len() == n_classes);
            if !is_square || costs.iter().flatten().any(|cost| !(cost.is_finite() && *cost >= 0.0)) {
                return Err(malformed("its cost matrix has no cost, 0 or above, for every pair of classes"));
            }
        }
        match self.threshold {
            None => Ok(()),
            Some(_) if n_classes != 2 => Err(malformed("it has a threshold, and not two classes")),
            Some(_) if self.cost_matrix.is_some() => Err(malformed("it has a threshold and a cost matrix")),
            Some(threshold) if (0.0..=1.0).contains(&threshold) => Ok(()),
            Some(_) => Err(malformed("its threshold is no probability")),
        }
    }
}

/// How a caller wants the nodes of a tree to answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answers {
    /// What wrong answers cost; without, the heaviest class is taken.
    pub cost_matrix: Option<Vec<Vec<f64>>>,
    /// Which weights probabilities are shares of.
    pub shares: Shares,
    /// How probabilities are smoothed.
    pub smoothing: Option<Smoothing>,
}

impl Answers {
    /// The rule that decides, if it is by costs.
    ///
    /// # Errors
    /// Costs that are not one a pair of classes, 0 or above.
    pub fn by_cost(&self, n_classes: usize) -> Result<Option<Decision>> {
        let decision = self.cost_matrix.clone().map(Decision::cheapest);
        decision.as_ref().map_or(Ok(()), |decision| decision.check(n_classes))?;
        Ok(decision)
    }

    /// How probabilities are told, given the factors of the classes in the weights.
    ///
    /// # Errors
    /// Factors that are not one a class, 0 or above; a smoothing that is not 0 or above.
    pub fn probability(&self, class_factors: Option<&[f64]>, n_classes: usize) -> Result<Probability> {
        let class_factors = class_factors.map(<[f64]>::to_vec);
        let row_weight = None;
        let probability =
            Probability { shares: self.shares, class_factors, smoothing: self.smoothing, row_weight };
        probability.check(n_classes)?;
        Ok(probability)
    }
}

impl Probability {
    pub(super) fn check(&self, n_classes: usize) -> Result<()> {
        let is_good = |factor: &f64| factor.is_finite() && *factor >= 0.0;
        if self.class_factors.as_ref().is_some_and(|all| all.len() != n_classes || !all.iter().all(is_good)) {
            return Err(malformed("its class factors are not one a class, 0 or above"));
        }
        if self.row_weight.is_some_and(|weight| !(weight.is_finite() && weight > 0.0)) {
            return Err(malformed("what a row weighs is not above 0"));
        }
        match self.smoothing {
            Some(Smoothing::Rows(rows)) if !(rows.is_finite() && rows >= 0.0) => {
                Err(malformed("its smoothing is not 0 or above"))
            }
            _ => Ok(()),
        }
    }
}

impl Tree {
    /// The first node whose class the rule does not give.
    pub(super) fn undecided(&self) -> Option<usize> {
        if self.decision.source == Source::Given {
            return None;
        }
        let is_exact = self.is_exact();
        (0..self.nodes.len()).find(|&id| !self.is_decided(id, is_exact))
    }

    fn is_decided(&self, id: usize, is_exact: bool) -> bool {
        let node = &self.nodes[id];
        let (class, parent) = (usize::from(node.class), usize::from(self.nodes[node.parent as usize].class));
        if !node.is_reached && id > 0 && (self.decision.tie == Tie::Kept || class == parent) {
            return true;
        }
        if !node.is_reached && id > 0 && node.weight == 0.0 {
            return false;
        }
        self.decision.gives(self.class_weights_of(id), class, parent, is_exact)
    }

    /// Whether weights are whole and few enough for their sums to be exact.
    fn is_exact(&self) -> bool {
        let root = self.class_weights_of(0);
        root.iter().sum::<f64>() < EXACT_BELOW && root.iter().all(|weight| weight.fract() == 0.0)
    }

    /// What the class of every node costs for its weights: the weight of the other classes, unless wrong
    /// answers have costs.
    pub fn losses(&self) -> Vec<f64> {
        let costs = self.decision.costs();
        let loss = |id: usize| match &costs {
            None => self.errors_of(id),
            Some(costs) => costs.of_weights(self.class_weights_of(id), self.nodes[id].class.into()),
        };
        (0..self.nodes.len()).map(loss).collect()
    }

    /// The same tree as errors are estimated in it: a row weighs as much as wrong answers to its class cost
    /// on the mean, scaled to 1. The tree itself where they have no costs.
    pub fn priced(&self) -> Tree {
        let Some(costs) = self.decision.costs() else { return self.clone() };
        let prices = costs.prices(self.class_weights_of(0));
        let mut priced = self.clone();
        priced.decision = Decision { source: Source::Given, ..Decision::default() };
        priced
            .class_weights
            .iter_mut()
            .zip(prices.iter().cycle())
            .for_each(|(weight, price)| *weight *= price);
        for id in 0..priced.nodes.len() {
            priced.nodes[id].weight = priced.class_weights_of(id).iter().sum();
        }
        priced
    }

    /// The same tree with the classes of least expected cost, from the weights of its nodes; one that no row
    /// reaches has its parent's class.
    ///
    /// # Errors
    /// Costs that are not one a pair of classes, 0 or above.
    pub fn decided_by_cost(mut self, cost_matrix: Vec<Vec<f64>>) -> Result<Self> {
        let decision = Decision::cheapest(cost_matrix);
        decision.check(self.n_classes())?;
        let costs = decision.costs().expect("it is a rule by costs");
        for id in 0..self.nodes.len() {
            let node = &self.nodes[id];
            self.nodes[id].class = match node.is_reached || id == 0 {
                true => costs.answer(&masses(self.class_weights_of(id))) as u16,
                false => self.nodes[node.parent as usize].class,
            };
        }
        Ok(self.with_decision(decision))
    }

    /// The same tree that tells its probabilities in another way.
    ///
    /// # Errors
    /// Factors that are not one a class, 0 or above; a smoothing that is not 0 or above.
    pub fn with_probability(self, probability: Probability) -> Result<Self> {
        probability.check(self.n_classes())?;
        Ok(Tree { probability, ..self })
    }

    /// The same tree with the rule by which its classes are chosen.
    pub(crate) fn with_decision(self, decision: Decision) -> Self {
        Tree { decision, ..self }
    }

    /// The same tree with a rule that gives its classes: its own if that does, else the first of the weaker
    /// ones that does.
    pub(crate) fn with_fitting_decision(mut self) -> Self {
        for tie in [self.decision.tie, Tie::Lowest, Tie::Kept] {
            self.decision.tie = tie;
            if self.undecided().is_none() {
                return self;
            }
        }
        self.decision.source = Source::Given;
        self
    }
}

/// Weights in whole units of 2^-50.
fn masses(weights: &[f64]) -> Vec<u128> {
    weights.iter().map(|&weight| Masses::of(weight).0).collect()
}
