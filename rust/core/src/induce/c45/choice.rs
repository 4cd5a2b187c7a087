//! Which feature splits a node.

use crate::bits::BitSet;
use crate::induce::cases::Totals;
use crate::induce::problem::Problem;
use crate::induce::rules::Criterion;
use crate::induce::scorer::{Candidate, ratio};
use crate::ordering::{C45_MANY_LEVELS, C45_SLACK, Score, first_largest};

type Offer = (usize, Candidate);

/// The features whose gains make the average in a tree of this weight: those without very many
/// levels, or all where every one has.
pub(in crate::induce) fn averaged(problem: &Problem, allowed: &BitSet, weight: f64) -> BitSet {
    let few = |&feature: &usize| {
        let column = problem.data.column(feature);
        column.is_numeric() || (column.domain() as f64) < C45_MANY_LEVELS * weight
    };
    let counted = BitSet::of(problem.n_features(), allowed.iter().filter(few));
    if counted.is_empty() { allowed.clone() } else { counted }
}

/// The best candidate of a node, the first among equals: by gain, or by gain ratio among those whose
/// gain is about average at least and whose split information is not next to nothing.
pub(in crate::induce) fn best(
    problem: &Problem,
    totals: &Totals,
    averaged: &BitSet,
    offers: &[Offer],
) -> Option<Offer> {
    if problem.rules.criterion == Criterion::InfoGain {
        return first_largest_by(offers.iter().copied(), |(gain, _)| gain);
    }
    // One bit of gain at this node, times the slack.
    let slack = C45_SLACK * problem.logs.scale() * Problem::weight(totals.mass);
    let least = average_gain(averaged, offers)? - slack;
    let considered = offers.iter().copied().filter(|offer| {
        let (gain, information) = scores(offer);
        gain as f64 >= least && information as f64 > slack
    });
    first_largest_by(considered, |(gain, information)| ratio(gain, information))
}

/// The mean gain of the candidates that count, in the units of gains; `None` where there are none.
fn average_gain(averaged: &BitSet, offers: &[Offer]) -> Option<f64> {
    let counted = offers.iter().filter(|(feature, _)| averaged.contains(*feature));
    let (sum, n) = counted.fold((0i128, 0u32), |(sum, n), offer| (sum + i128::from(scores(offer).0), n + 1));
    (n > 0).then(|| sum as f64 / f64::from(n))
}

fn first_largest_by(offers: impl Iterator<Item = Offer>, value: impl Fn((i64, i64)) -> i64) -> Option<Offer> {
    let offers: Vec<Offer> = offers.collect();
    first_largest(offers.iter().map(|offer| value(scores(offer)))).map(|index| offers[index])
}

/// Gain and split information.
fn scores((_, candidate): &Offer) -> (i64, i64) {
    match candidate.score {
        Score::Gain { gain, information } => (gain, information),
        _ => unreachable!("one growth rule gives one kind of score"),
    }
}
