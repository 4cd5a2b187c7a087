//! DT(S): one whole tree, grown top down with an explicit stack.

use std::sync::Arc;

use super::best_first::BestFirst;
use super::c45;
use super::cases::{Cases, Totals};
use super::counts::LeafCounts;
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
#[derive(Clone)]
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
    let builder = started(problem, &totals);
    let mut scorer = Scorer::default();
    let averaged = c45::averaged(problem, allowed, Problem::weight(totals.mass));
    let live = allowed.iter().map(|feature| feature as u32).collect();
    let mut plan = planned(problem, allowed, &averaged, control)?;
    let collapses = problem.rules.collapse && plan.is_none();
    let root = Open { node: 0, cases, totals, live };
    if let Some(most) = problem.rules.max_leaf_nodes {
        let scratch = started(problem, &root.totals);
        plan = Some(BestFirst::new(problem, &averaged, control, plan, scratch).plan(root.clone(), most)?);
    }
    let stack = vec![root];
    let mut making = Making { builder, stack, counts: LeafCounts::new(problem) };
    while let Some(open) = making.stack.pop() {
        if problem.is_closed(&open.totals, making.builder.node(open.node).depth) {
            making.counts.leaf(problem, open.node, &open.cases);
            continue;
        }
        let (split, live) = match &mut plan {
            Some(plan) => (plan.split_next(open.node), open.live.clone()),
            None => choose(problem, &open, &averaged, &mut scorer, &making.builder, control)?,
        };
        match split {
            None => making.counts.leaf(problem, open.node, &open.cases),
            Some((feature, cut)) => making.expand(problem, open, feature, cut, live),
        }
    }
    let tree = problem.answering(making.counts.into_tree(making.builder.finish()));
    Ok(if collapses { c45::collapsed(&tree) } else { tree })
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
pub(super) fn choose(
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
        return control.map(&open.live, Scorer::default, score).into_iter().collect();
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

/// A tree in the making, and the leaves that may still become splits.
struct Making {
    builder: TreeBuilder,
    stack: Vec<Open>,
    counts: LeafCounts,
}

impl Making {
    fn expand(&mut self, problem: &Problem, open: Open, feature: usize, cut: Cut, live: Arc<[u32]>) {
        let branches = open.cases.split(problem, feature, cut);
        drop(open.cases);
        problem.split_node(&mut self.builder, open.node, feature, cut, branches.len());
        let first_open = self.stack.len();
        for cases in branches {
            let totals = cases.totals(problem, open.totals.class);
            let weight = Problem::weight(totals.mass);
            let node = self.builder.child(open.node, totals.class, weight, class_weights(&totals));
            match totals.is_pure() {
                true => self.counts.leaf(problem, node, &cases),
                false => self.stack.push(Open { node, cases, totals, live: live.clone() }),
            }
        }
        self.stack[first_open..].reverse();
    }
}

/// A tree in the making that is its root.
fn started(problem: &Problem, totals: &Totals) -> TreeBuilder {
    TreeBuilder::new(
        problem.schema.clone(),
        problem.routing,
        totals.class,
        Problem::weight(totals.mass),
        &class_weights(totals).collect::<Vec<_>>(),
    )
}

pub(super) fn class_weights(totals: &Totals) -> impl Iterator<Item = f64> + '_ {
    totals.classes.iter().map(|&mass| Problem::weight(mass))
}
