//! Which splits release 8 would choose where missing values send rows down in shares.
//!
//! Its rows stand in one array, each with a weight in single precision. A node is a stretch of it. Every
//! numeric feature that is looked at sorts the stretch, every branch that is entered brings its rows to
//! the front, and a row whose value is unknown stays in front of them all with its weight multiplied by
//! the branch's part, divided by it again afterwards. Sums are taken in the order in which the rows stand
//! at that moment, so their last bits are what all that moving about has made of them, and they decide
//! which of two features that are equally good is taken.
//!
//! [`plan`] therefore moves the rows exactly so. It notes splits only; the tree is then made by the
//! package's own counting along them ([`Follower`]).
//!
//! Letters: rows `first..known` of a node have an unknown value at its split, `known..last` a known one.

mod counting;
mod nodes;
mod rows;
mod sort;

use std::ops::Range;

use super::choice::best;
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::ordering::C45_SLACK;
use crate::base::outcome::Status;
use crate::engines::induce::problem::Problem;
use crate::engines::induce::scorer::{Candidate, Cut};
use counting::Counting;
pub(in crate::engines::induce) use nodes::Follower;
use nodes::Open;
pub(in crate::engines::induce) use nodes::Plan;
use rows::Rows;

/// The splits of the tree of all training rows with the features of `allowed`.
///
/// # Errors
/// The control's status.
pub(in crate::engines::induce) fn plan(
    problem: &Problem,
    allowed: &BitSet,
    averaged: &BitSet,
    control: &Control,
) -> Result<Follower, Status> {
    let mut planner = Planner {
        problem,
        allowed: allowed.iter().collect(),
        averaged,
        control,
        rows: Rows::new(problem),
        counting: Counting::new(problem),
        plan: Plan::new(),
        on_path: BitSet::empty(problem.n_features()),
    };
    planner.run()?;
    Ok(Follower::new(planner.plan))
}

struct Planner<'a> {
    problem: &'a Problem,
    allowed: Vec<usize>,
    averaged: &'a BitSet,
    control: &'a Control,
    rows: Rows<'a>,
    counting: Counting,
    plan: Plan,
    /// Nominal features split on above.
    on_path: BitSet,
}

impl Planner<'_> {
    fn run(&mut self) -> Result<(), Status> {
        let mut stack = Vec::new();
        stack.extend(self.enter(0, 0, 0..self.rows.len())?);
        while let Some(open) = stack.last_mut() {
            self.come_back(open);
            let Some(child) = self.next_branch(open) else {
                self.close(stack.pop().expect("the last one is being looked at"));
                continue;
            };
            let (depth, rows) = (open.depth + 1, open.first..open.end);
            stack.extend(self.enter(child, depth, rows)?);
        }
        Ok(())
    }

    /// Looks at a node; returns it if it splits.
    fn enter(&mut self, node: usize, depth: u32, rows: Range<usize>) -> Result<Option<Open>, Status> {
        let all = self.rows.weight(rows.clone());
        let largest = self.counting.largest_class(&self.rows, rows.clone());
        self.plan.nodes[node].errors = all - largest;
        let rules = &self.problem.rules;
        let min_split = Problem::weight(rules.min_split) as f32;
        if largest == all || all < min_split || depth >= rules.max_depth {
            return Ok(None);
        }
        let Some((feature, candidate)) = self.choose(all, rows.clone())? else { return Ok(None) };
        Ok(Some(self.split(node, depth, rows, (all, largest), feature, candidate.cut)))
    }

    /// Scores the features in their order, each leaving the rows as it has sorted them.
    fn choose(&mut self, all: f32, rows: Range<usize>) -> Result<Option<(usize, Candidate)>, Status> {
        let mut offers = Vec::new();
        for &feature in &self.allowed {
            self.control.checkpoint()?;
            let candidate = match self.problem.data.column(feature).is_numeric() {
                true => self.counting.best_cut(
                    self.problem,
                    &mut self.rows,
                    feature,
                    rows.clone(),
                    self.control,
                )?,
                false if self.on_path.contains(feature) => None,
                false => self.counting.levels(self.problem, &self.rows, feature, all, rows.clone()),
            };
            offers.extend(candidate.map(|candidate| (feature, candidate)));
        }
        Ok(best(&self.problem.rules, self.averaged, &offers))
    }

    fn split(
        &mut self,
        node: usize,
        depth: u32,
        rows: Range<usize>,
        (all, largest): (f32, f32),
        feature: usize,
        cut: Cut,
    ) -> Open {
        let known = self.rows.bring_unknown_forward(feature, rows.clone());
        let were_whole = self.rows.are_whole;
        self.rows.are_whole &= known == rows.start;
        if cut == Cut::Levels {
            self.on_path.insert(feature);
        }
        let n_branches = cut.n_branches(self.problem.data.column(feature).domain());
        let first_child = self.plan.split(node, feature, cut, n_branches);
        Open {
            node,
            depth,
            feature,
            cut,
            first: rows.start,
            known,
            last: rows.end,
            known_weight: all - self.rows.weight(rows.start..known),
            as_leaf: all - largest,
            first_child,
            n_branches,
            next: 0,
            end: rows.start,
            part: None,
            were_whole,
            errors: 0.0,
        }
    }

    /// Undoes what entering the last branch did to the unknown rows, and takes note of its errors.
    fn come_back(&mut self, open: &mut Open) {
        if let Some(part) = open.part.take() {
            open.errors += self.plan.nodes[open.first_child + open.next - 1].errors;
            self.rows.bring_unknown_forward(open.feature, open.first..open.end);
            self.rows.scale(open.first..open.known, |weight| weight / part);
        }
    }

    /// The next branch that has known rows, they and the unknown ones made ready for it.
    fn next_branch(&mut self, open: &mut Open) -> Option<usize> {
        while open.next < open.n_branches {
            let branch = open.next;
            open.next += 1;
            let end = self.rows.bring_branch_forward(open.feature, open.cut, branch, open.known..open.last);
            if end > open.known {
                let part = self.rows.weight(open.known..end) / open.known_weight;
                self.rows.scale(open.first..open.known, |weight| weight * part);
                (open.end, open.part) = (end, Some(part));
                return Some(open.first_child + branch);
            }
        }
        None
    }

    /// Ends a node: a subtree that saves nothing collapses, if any may.
    fn close(&mut self, open: Open) {
        if open.cut == Cut::Levels {
            self.on_path.remove(open.feature);
        }
        self.rows.are_whole = open.were_whole;
        if self.problem.rules.collapse && f64::from(open.errors) >= f64::from(open.as_leaf) - C45_SLACK {
            self.plan.nodes[open.node].split = None;
        }
        self.plan.nodes[open.node].errors = open.errors;
    }
}
