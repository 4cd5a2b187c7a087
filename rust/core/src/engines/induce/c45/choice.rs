//! Which feature splits a node, and which subtrees save nothing and become leaves.

use crate::base::bits::BitSet;
use crate::base::ordering::{C45_MANY_LEVELS, C45_SLACK, Score};
use crate::engines::induce::criterion::Criterion;
use crate::engines::induce::problem::Problem;
use crate::engines::induce::rules::Rules;
use crate::engines::induce::scorer::Candidate;
use crate::model::tree::Tree;

type Offer = (usize, Candidate);

/// The features whose gains make the average in a tree of this weight: those without very many
/// levels, or all where every one has.
pub(in crate::engines::induce) fn averaged(problem: &Problem, allowed: &BitSet, weight: f64) -> BitSet {
    let few = |&feature: &usize| {
        let column = problem.data.column(feature);
        column.is_numeric() || (column.domain() as f64) < C45_MANY_LEVELS * weight
    };
    let counted = BitSet::of(problem.n_features(), allowed.iter().filter(few));
    if counted.is_empty() { allowed.clone() } else { counted }
}

/// The best candidate of a node, the first among equals: by gain, or by gain ratio among those whose
/// gain is about average at least, where that is asked, and whose split information is not next to nothing.
pub(in crate::engines::induce) fn best(rules: &Rules, averaged: &BitSet, offers: &[Offer]) -> Option<Offer> {
    let criterion = rules.criterion;
    let least = match rules.average_gain {
        true => f64::from(average_gain(averaged, offers)?) - C45_SLACK,
        false => f64::NEG_INFINITY,
    };
    let (mut best, mut largest) = (None, -C45_SLACK as f32);
    for &offer in offers {
        let (gain, information) = scores(&offer);
        let worth = match criterion {
            Criterion::GainRatio if f64::from(gain) >= least && f64::from(information) > C45_SLACK => {
                gain / information
            }
            Criterion::InfoGain if information > 0.0 => gain,
            _ => continue,
        };
        if worth > largest {
            (best, largest) = (Some(offer), worth);
        }
    }
    best
}

/// The mean gain of the candidates that count; `None` where there are none.
fn average_gain(averaged: &BitSet, offers: &[Offer]) -> Option<f32> {
    let counted = offers.iter().filter(|(feature, _)| averaged.contains(*feature));
    let (sum, n) = counted.fold((0.0f32, 0u32), |(sum, n), offer| (sum + scores(offer).0, n + 1));
    (n > 0).then(|| sum / n as f32)
}

/// Gain and split information.
fn scores((_, candidate): &Offer) -> (f32, f32) {
    match candidate.score {
        Score::Gain { gain, information } => (gain, information),
        _ => unreachable!("one growth rule gives one kind of score"),
    }
}

/// The tree with every subtree cut whose leaves, as grown, make no fewer errors than its node as a
/// leaf. What a collapse below a node hides still counts as saved above it, as in release 8.
/// Where wrong answers have costs these count, not the errors.
pub(in crate::engines::induce) fn collapsed(tree: &Tree) -> Tree {
    let as_leaf = tree.losses();
    let below = losses_below(tree, &as_leaf);
    tree.cut_where(|node| below[node] >= as_leaf[node] - C45_SLACK)
}

/// For every node the losses of the leaves below it; for a leaf its own.
fn losses_below(tree: &Tree, as_leaf: &[f64]) -> Vec<f64> {
    let mut below = as_leaf.to_vec();
    for (id, node) in tree.nodes().iter().enumerate().rev() {
        if !node.is_leaf() {
            below[id] = node.children().map(|child| below[child as usize]).sum();
        }
    }
    below
}
