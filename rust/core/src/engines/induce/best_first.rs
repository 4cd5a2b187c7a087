//! Growing with a limit on leaves: the leaf whose split gains most is opened next.
//!
//! What a leaf would split on does not depend on the order of opening, so the tree is the one that grows
//! without a limit, cut where the limit ends. Its nodes are numbered as in that tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::cases::Cases;
use super::criterion::Criterion;
use super::grow::{Grower, Open};
use super::problem::Problem;
use super::scorer::Cut;
use crate::base::outcome::Status;
use crate::model::data::FULL_SHARE;
use crate::model::score::{Entropy, Exact, Gini, Side};
use crate::model::tree::Tree;

/// A leaf that may be opened.
struct Waiting {
    open: Open,
    feature: usize,
    cut: Cut,
    live: Arc<[u32]>,
}

/// Weight times gain, the node, and the place among those that wait. Of equal gains the lowest node is first.
type Rank = (i64, Reverse<u32>, usize);

/// The tree of the rows of `root` of at most `most` leaves that a row reaches. A leaf whose split would make
/// too many stays a leaf.
///
/// # Errors
/// The control's status.
pub(super) fn grown(mut grower: Grower, root: Open, most: u32) -> Result<Tree, Status> {
    let (mut waiting, mut ranks) = (Vec::new(), BinaryHeap::<Rank>::new());
    let mut fresh = vec![root];
    let mut n_leaves = 1;
    loop {
        for open in fresh.drain(..) {
            let (Some((feature, cut)), live) = grower.choose(&open)? else { continue };
            let gain = weight_times_gain(grower.problem, &open.cases, feature, cut);
            ranks.push((gain, Reverse(open.node), waiting.len()));
            waiting.push(Some(Waiting { open, feature, cut, live }));
        }
        let Some((.., place)) = ranks.pop() else { break };
        let Waiting { open, feature, cut, live } = waiting[place].take().expect("each is ranked once");
        let n_branches = n_filled(grower.problem, &open.cases, feature, cut);
        if n_leaves - 1 + n_branches <= most as usize {
            n_leaves += n_branches - 1;
            grower.expand(open, feature, cut, live, &mut fresh);
        }
    }
    Ok(grower.builder.finish().in_order_of_depth())
}

/// How many branches a row reaches.
fn n_filled(problem: &Problem, cases: &Cases, feature: usize, cut: Cut) -> usize {
    let n_branches = cut.n_branches(problem.data.column(feature).domain());
    let mut is_filled = vec![false; n_branches];
    for_each_known(problem, cases, feature, |_, _, code| is_filled[cut.branch(code)] = true);
    is_filled.iter().filter(|&&is_filled| is_filled).count()
}

/// What a split gains over the rows of known value: bits, or Gini decrease, times their weight.
fn weight_times_gain(problem: &Problem, cases: &Cases, feature: usize, cut: Cut) -> i64 {
    match problem.rules.criterion {
        Criterion::Gini => gain_by::<Gini<Exact>>(problem, cases, feature, cut),
        _ => gain_by::<Entropy<Exact>>(problem, cases, feature, cut),
    }
}

fn gain_by<S: Side<Exact>>(problem: &Problem, cases: &Cases, feature: usize, cut: Cut) -> i64 {
    let n_classes = problem.n_classes();
    let n_branches = cut.n_branches(problem.data.column(feature).domain());
    let mut masses = vec![0u128; n_branches * n_classes];
    for_each_known(problem, cases, feature, |row, share, code| {
        masses[cut.branch(code) * n_classes + problem.class_of(row)] += problem.weights.mass(row, share);
    });
    let mut known = vec![0u128; n_classes];
    let branches = masses.chunks_exact(n_classes);
    branches.clone().for_each(|branch| known.iter_mut().zip(branch).for_each(|(sum, mass)| *sum += mass));
    let uncertainty = |classes: &[u128]| {
        let mut side = S::new(n_classes);
        let masses = classes.iter().enumerate().filter(|(_, mass)| **mass > 0);
        masses.for_each(|(class, &mass)| side.add(&problem.logs, class, Exact(mass)));
        side.uncertainty(&problem.logs)
    };
    uncertainty(&known) - branches.map(uncertainty).sum::<i64>()
}

/// Calls `visit` with row, share and code of every row whose value is known.
fn for_each_known(problem: &Problem, cases: &Cases, feature: usize, mut visit: impl FnMut(u32, u32, u32)) {
    let column = problem.data.column(feature);
    let whole = cases.whole.iter().map(|&row| (row, FULL_SHARE));
    for (row, share) in whole.chain(cases.part.iter().map(|part| (part.row, part.share))) {
        let code = column.codes.get(row as usize);
        if (code as usize) < column.domain() {
            visit(row, share, code);
        }
    }
}
