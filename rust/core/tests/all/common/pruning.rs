//! Pruning rules, and trees pruned by them one at a time.

use std::sync::Arc;

use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::Dataset;
use treewright_core::distinct::{Judging, Leaf, LeafRates, MEstimate, PruningRule, Retrain};
use treewright_core::induce::{Problem, grow};
use treewright_core::prune::{ErrorLimit, Estimator, Limit, Slack, prune};
use treewright_core::tree::Tree;

/// A rule that goes with a search: another for every number.
pub fn rule(number: u64) -> PruningRule {
    let limit = [Limit::C45, Limit::Weka, Limit::Exact, Limit::Wilson][number as usize / 7 % 4];
    let confidence = [0.25, 0.05, 0.5][number as usize % 3];
    let rates: Arc<dyn LeafRates> = match number % 7 {
        0 | 1 => Arc::new(Estimator::ErrorBased(ErrorLimit::new(limit, confidence).unwrap())),
        2 => Arc::new(Estimator::Pessimistic),
        3 => Arc::new(Estimator::PerLeaf { alpha: [0.0, 0.7, 2.0][number as usize % 3] }),
        4 => Arc::new(Estimator::Observed),
        5 => Arc::new(Estimator::Published),
        _ => Arc::new(MEstimate { m: [0.0, 2.0, 5.0][number as usize % 3] }),
    };
    let slack = match number % 7 {
        0 | 1 => Slack { errors: 0.1, rate: 0.0 },
        5 => Slack { errors: 0.0, rate: 0.02 },
        _ => Slack::default(),
    };
    PruningRule { rates, slack }
}

/// A tree pruned by a rule.
pub fn pruned(tree: &Tree, rule: &PruningRule) -> Tree {
    let priced = tree.priced();
    let rate = |id: usize| {
        let (weights, n) = (priced.class_weights_of(id), priced.nodes()[id].weight);
        let class = usize::from(tree.nodes()[id].class);
        let prior = tree.class_weights_of(0)[class] / tree.nodes()[0].weight;
        rule.rates.rate(Leaf { c: weights[class], n, prior })
    };
    let rates: Vec<f64> = (0..tree.nodes().len()).map(rate).collect();
    let pruned = prune(tree, &priced, &rates, rule.slack, &Control::unlimited()).unwrap();
    pruned.value.unwrap().tree
}

/// The black box, with a rule or without.
pub fn black_box(problem: &Arc<Problem>, data: &Dataset, judging: &Judging) -> Retrain<'static> {
    let Judging { validation, pruning, price } = judging.clone();
    let Some(rule) = pruning else { return Retrain::new(problem.clone(), data, validation).priced(price) };
    let grower = problem.clone();
    let growing = move |allowed: &BitSet, control: &Control| {
        let tree = grow(&grower, allowed, control).unwrap().found()?;
        let pruned = pruned(&tree, &rule);
        Ok((tree, pruned))
    };
    Retrain::with(problem.clone(), data, validation, Box::new(growing)).priced(price)
}
