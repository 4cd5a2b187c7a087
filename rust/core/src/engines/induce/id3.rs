//! f(a, C) as ID3 has it: gains in n·nats, computed in doubles, by which a split without gain is one too.

use super::runs::{Gather, Runs};
use super::scorer::{Candidate, Cut, Node, Verdict};
use crate::base::ordering::{ID3_ZERO, Score, WEIGHT_SLACK};
use crate::model::score::weight_of;

/// ID3's gain in n·nats; zero gain and empty branches do not disqualify.
pub(super) fn id3_verdict<M: Gather>(node: &Node, feature: usize, runs: &Runs<M>) -> Verdict {
    let Node { problem, totals, .. } = node;
    let n_classes = problem.n_classes();
    let mut table = vec![0u128; problem.data.column(feature).domain() * n_classes];
    runs.for_each(|code, class, mass| table[code as usize * n_classes + class] += mass.exact());
    let branches = || table.chunks_exact(n_classes);
    let mut known = vec![0u128; n_classes];
    for branch in branches() {
        known.iter_mut().zip(branch).for_each(|(sum, &mass)| *sum += mass);
    }
    if known.iter().all(|&mass| mass == 0) {
        return Verdict::Rejected; // nothing tells the branches apart
    }
    let within: f64 = branches().map(id3_uncertainty).fold(0.0, |sum, u| sum + u);
    let gain = id3_uncertainty(&known) - within;
    let gain = if gain < ID3_ZERO { 0.0 } else { gain };
    let rules = &problem.rules;
    let masses = || branches().map(|branch| branch.iter().sum::<u128>());
    let n_large = || masses().filter(|mass| mass + WEIGHT_SLACK >= rules.min_branch).count();
    let too_small = (rules.min_branch > 0 && n_large() < 2) || !rules.are_leaves(masses());
    let least = problem.rules.min_gain * weight_of(totals.mass) * std::f64::consts::LN_2;
    if too_small || (problem.rules.min_gain > 0.0 && gain < least) {
        return Verdict::Rejected;
    }
    Verdict::Candidate(Candidate { score: Score::Nats(gain), cut: Cut::Levels })
}

fn id3_uncertainty(classes: &[u128]) -> f64 {
    let x_log_x = |mass: u128| match weight_of(mass) {
        0.0 => 0.0,
        x => x * libm::log(x),
    };
    let sum = classes.iter().fold(0.0, |sum, &mass| sum + x_log_x(mass));
    x_log_x(classes.iter().sum()) - sum
}
