//! The engine for drawn sets prunes as the general one does.

use std::sync::Arc;

use crate::common::drawn::{id3, networks};
use treewright_core::control::Control;
use treewright_core::data::{LinearSet, RawColumn};
use treewright_core::prune::{ErrorLimit, Estimator, Limit, Slack, prune};
use treewright_core::prune_study::{
    LeafEstimate, LeafRule, StudyPlan, StudyRule, TunedRule, study, training_rows,
};
use treewright_core::random::Random;
use treewright_core::tree::Tree;

fn error_based(confidence: f64) -> LeafRule {
    let limit = ErrorLimit::new(Limit::C45, confidence).unwrap();
    let estimate = LeafEstimate::Known(Estimator::ErrorBased(limit));
    LeafRule { estimate, slack: Slack { errors: 0.1, rate: 0.0 } }
}

fn plain(estimator: Estimator, rate: f64) -> LeafRule {
    LeafRule { estimate: LeafEstimate::Known(estimator), slack: Slack { errors: 0.0, rate } }
}

/// A formula, not finite at some pairs.
fn formula(of: fn(f64, f64) -> f64) -> LeafRule {
    LeafRule { estimate: LeafEstimate::Formula(Arc::new(of)), slack: Slack::default() }
}

fn leaf_rules() -> Vec<LeafRule> {
    let by_confidence = [0.01, 0.25, 0.5].map(error_based);
    let others = [
        plain(Estimator::Observed, 0.0),
        plain(Estimator::Score { z: 0.674_489_750_196_081_7 }, 0.0),
        plain(Estimator::Published, 0.02),
        plain(Estimator::PerLeaf { alpha: 2.0 }, 0.0),
    ];
    let formulas = [
        formula(|c, n| (n - c + 0.6) / n),
        formula(|c, n| 1.0 / (n - c - 1.0)),
        formula(|c, n| -1.0 / (c - 3.0).abs() + (n - c) / n),
        formula(|c, n| (n - c - 2.0).sqrt()),
    ];
    [by_confidence.to_vec(), others.to_vec(), formulas.to_vec()].concat()
}

fn test_errors(tree: &Tree, set: &LinearSet) -> u32 {
    let rows: Vec<usize> = (0..set.classes.len()).filter(|&row| !set.is_training[row]).collect();
    let column = |j: u32| RawColumn::Nominal(rows.iter().map(|row| (row >> j & 1) as i32).collect());
    let columns: Vec<RawColumn> = (0..set.n_features).map(column).collect();
    let predicted = tree.predict(&columns, &Control::unlimited()).unwrap().value.unwrap();
    let wrong = predicted.iter().zip(&rows).filter(|(class, row)| **class != i32::from(set.classes[**row]));
    wrong.count() as u32
}

#[test]
fn every_rule_leaves_what_the_general_pass_leaves() {
    let (networks, rules) = (networks(), leaf_rules());
    let asked: Vec<StudyRule> =
        [StudyRule::Keep].into_iter().chain(rules.iter().cloned().map(StudyRule::Leaf)).collect();
    let n_rules = asked.len();
    let plan = StudyPlan { seed: 5, first: 0, rules: asked };
    let found = study(&networks, &plan, &Control::unlimited()).unwrap().value;
    for (number, network) in networks.iter().enumerate() {
        let set = network.draw(&mut Random::stream(5, number as u64));
        let tree = id3(set.n_features, &training_rows(&set));
        let found = &found.pruned[number * n_rules..][..n_rules];
        let seen = |tree: &Tree| (tree.nodes().len() as u32, test_errors(tree, &set));
        assert_eq!((found[0].n_nodes, found[0].n_errors), seen(&tree), "{network:?}");
        for (rule, found) in rules.iter().zip(&found[1..]) {
            let weights = |id: usize| {
                let node = &tree.nodes()[id];
                (tree.class_weights()[2 * id + node.class as usize], node.weight)
            };
            let rates: Vec<f64> =
                (0..tree.nodes().len()).map(weights).map(|(c, n)| rule.estimate.rate(c, n)).collect();
            let pruned =
                prune(&tree, &tree, &rates, rule.slack, &Control::unlimited()).unwrap().value.unwrap().tree;
            assert_eq!((found.n_nodes, found.n_errors), seen(&pruned), "{rule:?} {network:?}");
        }
    }
}

#[test]
fn threads_change_nothing_and_a_chosen_candidate_prunes_as_it_does_alone() {
    let networks = networks();
    let candidates: Vec<LeafRule> = [0.25, 0.01, 0.5].map(error_based).to_vec();
    let tuned = StudyRule::Tuned(TunedRule { candidates: candidates.clone(), n_folds: 5, seed: 3 });
    let rules: Vec<StudyRule> =
        [tuned].into_iter().chain(candidates.into_iter().map(StudyRule::Leaf)).collect();
    let plan = StudyPlan { seed: 5, first: 0, rules };
    let found = study(&networks, &plan, &Control::unlimited()).unwrap().value;
    assert_eq!(study(&networks, &plan, &Control::unlimited().threads(3)).unwrap().value, found);
    let mut seen = [0; 3];
    for (pruned, chosen) in found.pruned.chunks(4).zip(found.chosen.chunks(4)) {
        seen[chosen[0] as usize] += 1;
        assert_eq!(pruned[0], pruned[1 + chosen[0] as usize]);
    }
    assert!(seen.iter().all(|&n| n > 0), "every candidate is chosen somewhere: {seen:?}");
}

#[test]
fn a_stopped_study_returns_what_is_done() {
    let control = Control::unlimited();
    control.stop();
    let plan = StudyPlan { seed: 0, first: 0, rules: vec![StudyRule::Keep] };
    let found = study(&networks(), &plan, &control).unwrap();
    assert!(found.value.pruned.is_empty());
    assert_eq!(found.status.name(), "stopped");
}
