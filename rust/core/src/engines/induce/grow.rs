//! DT(S): one whole tree, grown top down with an explicit stack, or best first.

use std::sync::Arc;

use rayon::prelude::*;

use super::best_first;
use super::c45;
use super::cases::{Cases, Totals};
use super::problem::Problem;
use super::rules::Growth;
use super::scorer::{Cut, Scorer, Verdict};
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::data::Weights;
use crate::model::tree::{Split, Tree, TreeBuilder};

/// A node with at least this many (row, feature) pairs has its features scored in parallel.
const PARALLEL_FROM: usize = 1 << 15;

/// A leaf that may become a split.
pub(super) struct Open {
    pub node: u32,
    pub cases: Cases,
    pub totals: Totals,
    /// Features not known to be constant here, ascending.
    pub live: Arc<[u32]>,
}

/// Grows the tree of all training rows with the features of `allowed`; none where the work ends before
/// the tree is whole, for half a tree is of no use.
///
/// # Errors
/// None so far: what cannot be grown from is refused when the problem is made.
pub fn grow(problem: &Problem, allowed: &BitSet, control: &Control) -> Result<Outcome<Option<Tree>>, Error> {
    let tree = grown(problem, allowed, control);
    Outcome::all_or_none(tree.map_err(Halt::from), Status::Complete, control.stats(1))
}

/// The tree of [`grow`].
///
/// # Errors
/// The control's status.
pub(crate) fn grown(problem: &Problem, allowed: &BitSet, control: &Control) -> Result<Tree, Status> {
    let cases = problem.root_cases();
    let totals = cases.totals(problem, 0);
    let averaged = c45::averaged(problem, allowed, Problem::weight(totals.mass));
    let plan = planned(problem, allowed, &averaged, control)?;
    let builder = TreeBuilder::new(
        problem.data.schema().clone(),
        problem.routing,
        totals.class,
        Problem::weight(totals.mass),
        &class_weights(&totals).collect::<Vec<_>>(),
    );
    let live = allowed.iter().map(|feature| feature as u32).collect();
    let collapses = problem.rules.collapse && plan.is_none();
    let grower = Grower { problem, control, averaged, plan, scorer: Scorer::default(), builder };
    let root = Open { node: 0, cases, totals, live };
    let tree = match problem.rules.max_leaf_nodes {
        None => grower.depth_first(root)?,
        Some(most) => best_first::grown(grower, root, most)?,
    };
    Ok(if collapses { c45::collapsed(&tree) } else { tree })
}

/// A tree in the making, and what choosing its splits needs.
pub(super) struct Grower<'a> {
    pub problem: &'a Problem,
    control: &'a Control,
    averaged: BitSet,
    plan: Option<c45::Follower>,
    scorer: Scorer,
    pub builder: TreeBuilder,
}

impl Grower<'_> {
    fn depth_first(mut self, root: Open) -> Result<Tree, Status> {
        let mut stack = vec![root];
        while let Some(open) = stack.pop() {
            let (split, live) = self.choose(&open)?;
            if let Some((feature, cut)) = split {
                self.expand(open, feature, cut, live, &mut stack);
            }
        }
        Ok(self.builder.finish())
    }

    /// The best feature of a node, if it may split and there is one, and the features still live below.
    pub(super) fn choose(&mut self, open: &Open) -> Result<Choice, Status> {
        if self.problem.is_closed(&open.totals, self.builder.node(open.node).depth) {
            return Ok((None, open.live.clone()));
        }
        match &self.plan {
            Some(plan) => Ok((plan.split_of(open.node), open.live.clone())),
            None => choose(self.problem, open, &self.averaged, &mut self.scorer, &self.builder, self.control),
        }
    }

    /// Splits a node; its branches that may split are added to `fresh`, the first of them last.
    pub(super) fn expand(
        &mut self,
        open: Open,
        feature: usize,
        cut: Cut,
        live: Arc<[u32]>,
        fresh: &mut Vec<Open>,
    ) {
        if let Some(plan) = &mut self.plan {
            plan.take_branches(open.node);
        }
        expand(self.problem, open, feature, cut, live, &mut self.builder, fresh);
    }
}

/// Splits that must be known before the tree is made: where C4.5 lets rows go down in shares.
fn planned(
    problem: &Problem,
    allowed: &BitSet,
    averaged: &BitSet,
    control: &Control,
) -> Result<Option<c45::Follower>, Status> {
    if problem.rules.growth != Growth::C45 || problem.weights != Weights::Unit || !problem.parts_rows(allowed)
    {
        return Ok(None);
    }
    c45::plan(problem, allowed, averaged, control).map(Some)
}

/// The best feature, if there is one, and the features still live below.
pub(super) type Choice = (Option<(usize, Cut)>, Arc<[u32]>);

/// Scores all live features; returns the best and those still live below.
fn choose(
    problem: &Problem,
    open: &Open,
    averaged: &BitSet,
    scorer: &mut Scorer,
    builder: &TreeBuilder,
    control: &Control,
) -> Result<Choice, Status> {
    let verdicts = score_all(problem, open, scorer, control)?;
    let used = features_above(problem, open.node, builder);
    let candidates = open.live.iter().zip(&verdicts).filter_map(|(feature, verdict)| match verdict {
        Verdict::Candidate(candidate) if !used.contains(feature) => Some((*feature as usize, *candidate)),
        _ => None,
    });
    let best = match problem.rules.growth {
        Growth::C45 => c45::best(&problem.rules, averaged, &candidates.collect::<Vec<_>>()),
        _ => candidates.reduce(|best, next| if next.1.score.beats(best.1.score) { next } else { best }),
    };
    let best = best.map(|(feature, candidate)| (feature, candidate.cut));
    if !verdicts.contains(&Verdict::Constant) {
        return Ok((best, open.live.clone()));
    }
    let alive = |(_, verdict): &(&u32, &Verdict)| **verdict != Verdict::Constant;
    let live = open.live.iter().zip(&verdicts).filter(alive).map(|(&feature, _)| feature).collect();
    Ok((best, live))
}

/// One verdict a live feature, with a look at the control before each.
fn score_all(
    problem: &Problem,
    open: &Open,
    scorer: &mut Scorer,
    control: &Control,
) -> Result<Vec<Verdict>, Status> {
    let score = |scorer: &mut Scorer, &feature: &u32| {
        control.checkpoint()?;
        Ok(scorer.score(problem, &open.cases, &open.totals, feature as usize))
    };
    if control.is_parallel() && open.cases.len() * open.live.len() >= PARALLEL_FROM {
        return open.live.par_iter().map_init(Scorer::default, score).collect();
    }
    open.live.iter().map(|feature| score(scorer, feature)).collect()
}

/// Under ID3, the features that must not be asked again; otherwise none.
fn features_above(problem: &Problem, node: u32, builder: &TreeBuilder) -> Vec<u32> {
    let mut used = Vec::new();
    if problem.rules.growth != Growth::Id3 {
        return used;
    }
    let mut at = node;
    while at != 0 {
        at = builder.node(at).parent;
        if let Split::ByValue { feature } = builder.node(at).split {
            used.push(feature);
        }
    }
    used
}

fn expand(
    problem: &Problem,
    open: Open,
    feature: usize,
    cut: Cut,
    live: Arc<[u32]>,
    builder: &mut TreeBuilder,
    stack: &mut Vec<Open>,
) {
    let branches = open.cases.split(problem, feature, cut);
    drop(open.cases);
    builder.split(open.node, split_of(problem, feature, cut), branches.len());
    let first_open = stack.len();
    for cases in branches {
        let totals = cases.totals(problem, open.totals.class);
        let weight = Problem::weight(totals.mass);
        let node = builder.child(open.node, totals.class, weight, class_weights(&totals));
        if !totals.is_pure() {
            stack.push(Open { node, cases, totals, live: live.clone() });
        }
    }
    stack[first_open..].reverse();
}

/// The question of a cut.
fn split_of(problem: &Problem, feature: usize, cut: Cut) -> Split {
    match cut {
        Cut::Levels => Split::ByValue { feature: feature as u32 },
        Cut::Between(low, high) => problem.threshold_split(feature, low, high),
    }
}

fn class_weights(totals: &Totals) -> impl Iterator<Item = f64> + '_ {
    totals.classes.iter().map(|&mass| Problem::weight(mass))
}
