//! Growing with a limit on leaves: the leaf whose split gains most is opened next.
//!
//! What a leaf would split on does not depend on the order of opening, so the tree is the one that grows
//! without a limit, cut where the limit ends. [`BestFirst`] therefore only finds which leaves are opened; the
//! tree is then grown along this plan.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::c45::{Follower, Plan};
use super::cases::Cases;
use super::criterion::Criterion;
use super::grow::{Choice, Open, choose, class_weights};
use super::problem::Problem;
use super::scorer::{Cut, Scorer};
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::model::data::FULL_SHARE;
use crate::model::score::{Entropy, Exact, Gini, Side};
use crate::model::tree::TreeBuilder;

/// A leaf that may be opened.
struct Waiting {
    open: Open,
    feature: usize,
    cut: Cut,
    live: Arc<[u32]>,
}

/// Weight times gain, the node, and the place among those that wait. Of equal gains the lowest node is first.
type Rank = (i64, Reverse<u32>, usize);

/// The leaves met so far, and a tree without facts of those that were opened.
pub(super) struct BestFirst<'a> {
    problem: &'a Problem,
    averaged: &'a BitSet,
    control: &'a Control,
    /// The splits, where they are known.
    given: Option<Follower>,
    scorer: Scorer,
    scratch: TreeBuilder,
    plan: Plan,
    waiting: Vec<Option<Waiting>>,
    ranks: BinaryHeap<Rank>,
}

impl<'a> BestFirst<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        averaged: &'a BitSet,
        control: &'a Control,
        given: Option<Follower>,
        scratch: TreeBuilder,
    ) -> Self {
        BestFirst {
            problem,
            averaged,
            control,
            given,
            scorer: Scorer::default(),
            scratch,
            plan: Plan::new(),
            waiting: Vec::new(),
            ranks: BinaryHeap::new(),
        }
    }

    /// The splits of the tree of at most `most` leaves that a row reaches. A leaf whose split would make too
    /// many stays a leaf.
    ///
    /// # Errors
    /// The control's status.
    pub(super) fn plan(mut self, root: Open, most: u32) -> Result<Follower, Status> {
        self.look_at(root)?;
        let mut n_leaves = 1;
        while let Some((.., place)) = self.ranks.pop() {
            let Waiting { open, feature, cut, live } =
                self.waiting[place].take().expect("each is ranked once");
            let n_branches = n_filled(self.problem, &open.cases, feature, cut);
            if n_leaves - 1 + n_branches <= most as usize {
                n_leaves += n_branches - 1;
                self.open(open, feature, cut, live)?;
            }
        }
        Ok(Follower::new(self.plan))
    }

    fn look_at(&mut self, open: Open) -> Result<(), Status> {
        let (Some((feature, cut)), live) = self.choice(&open)? else { return Ok(()) };
        let gain = weight_times_gain(self.problem, &open.cases, feature, cut);
        self.ranks.push((gain, Reverse(open.node), self.waiting.len()));
        self.waiting.push(Some(Waiting { open, feature, cut, live }));
        Ok(())
    }

    fn choice(&mut self, open: &Open) -> Result<Choice, Status> {
        if self.problem.is_closed(&open.totals, self.scratch.node(open.node).depth) {
            return Ok((None, open.live.clone()));
        }
        match &self.given {
            Some(given) => Ok((given.split_of(open.node), open.live.clone())),
            None => choose(self.problem, open, self.averaged, &mut self.scorer, &self.scratch, self.control),
        }
    }

    fn open(&mut self, open: Open, feature: usize, cut: Cut, live: Arc<[u32]>) -> Result<(), Status> {
        let branches = open.cases.split(self.problem, feature, cut);
        self.plan.split(open.node as usize, feature, cut, branches.len());
        self.problem.split_node(&mut self.scratch, open.node, feature, cut, branches.len());
        if let Some(given) = &mut self.given {
            given.take_branches(open.node);
        }
        let mut fresh = Vec::new();
        for cases in branches {
            let totals = cases.totals(self.problem, open.totals.class);
            let weight = Problem::weight(totals.mass);
            let node = self.scratch.child(open.node, totals.class, weight, class_weights(&totals));
            fresh.push(Open { node, cases, totals, live: live.clone() });
        }
        fresh.into_iter().try_for_each(|open| self.look_at(open))
    }
}

/// How many branches a row reaches.
fn n_filled(problem: &Problem, cases: &Cases, feature: usize, cut: Cut) -> usize {
    let n_branches = cut.n_branches(problem.data.column(feature).domain());
    let mut is_filled = vec![false; n_branches];
    let set = problem.set_of(cut);
    for_each_known(problem, cases, feature, |_, _, code| {
        is_filled[cut.branch_by(set.as_deref(), code)] = true;
    });
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
    let set = problem.set_of(cut);
    for_each_known(problem, cases, feature, |row, share, code| {
        masses[cut.branch_by(set.as_deref(), code) * n_classes + problem.class_of(row)] +=
            problem.weights.mass(row, share);
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
