//! The white box: every tree adapted from the one at hand.

use std::sync::Arc;

use super::adapt::{Change, Unwatched};
use super::case_store::Keeping;
use super::forest::{Forest, TreeId};
use super::judging::Judging;
use super::select::{Evaluator, Move, Probed};
use crate::base::bits::{BitSet, Mask};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::induce::Problem;
use crate::model::tree::Tree;

/// Adapts trees in a forest.
pub struct Incremental<M: Mask> {
    forest: Forest<M>,
    current: TreeId,
    /// Bytes kept, about.
    cap: usize,
}

impl<M: Mask> Incremental<M> {
    /// Trees that are judged as told; about `cap` bytes are kept.
    pub fn new(problem: Arc<Problem>, judging: Judging, cap: usize) -> Self {
        Incremental { forest: Forest::new(problem, judging, Keeping::Best), current: 0, cap }
    }

    /// Forgets the case sets that only other trees had, where they take too much.
    fn tidy(&mut self) {
        if self.forest.is_crowded(self.cap) {
            self.forest.collect([self.current]);
        }
    }

    fn used_by(&self, tree: TreeId) -> BitSet {
        self.forest.used(tree).to_set(self.forest.store.problem.n_features())
    }

    fn adapt(&mut self, step: &Move, bound: u64, control: &Control) -> Result<Option<TreeId>, Status> {
        let (allowed, dropped) = (M::of_set(&step.allowed), M::of_set(&step.dropped));
        let change = Change { allowed: &allowed, dropped: &dropped, adds: step.adds };
        self.forest.adapt(self.current, &change, bound, &mut Unwatched, control)
    }
}

/// The incremental evaluator with masks as narrow as the number of features allows.
pub fn incremental(problem: Arc<Problem>, judging: impl Into<Judging>) -> Box<dyn Evaluator> {
    incremental_within(usize::MAX, problem, judging)
}

/// The same where about `cap` bytes are kept; what was forgotten is made again.
pub fn incremental_within(
    cap: usize,
    problem: Arc<Problem>,
    judging: impl Into<Judging>,
) -> Box<dyn Evaluator> {
    let judging = judging.into();
    match problem.n_features() <= 64 {
        true => Box::new(Incremental::<u64>::new(problem, judging, cap)),
        false => Box::new(Incremental::<BitSet>::new(problem, judging, cap)),
    }
}

impl<M: Mask> Evaluator for Incremental<M> {
    fn start(&mut self, allowed: &BitSet, control: &Control) -> Result<(), Status> {
        self.current = self.forest.grow(&M::of_set(allowed), &mut Unwatched, control)?;
        Ok(())
    }

    fn value(&self) -> u64 {
        self.forest.value(self.current)
    }

    fn errors(&self) -> u64 {
        self.forest.errors(self.current)
    }

    fn n_leaves(&self) -> u64 {
        self.forest.n_leaves(self.current)
    }

    fn used(&self) -> BitSet {
        self.used_by(self.current)
    }

    fn probe(&mut self, step: &Move, bound: u64, control: &Control) -> Result<Option<Probed>, Status> {
        let mark = self.forest.mark();
        let tree = self.adapt(step, bound, control);
        let probed = |tree| Probed { value: self.forest.value(tree), used: self.used_by(tree) };
        let tree = tree.map(|tree| tree.map(probed));
        self.forest.cut_back(mark);
        self.tidy();
        tree
    }

    fn least(&mut self, step: &Move) -> u64 {
        if step.adds { 0 } else { self.forest.least(self.current, &M::of_set(&step.dropped)) }
    }

    fn kept(&self, step: &Move) -> BitSet {
        match step.adds {
            true => step.allowed.same_size(),
            false => {
                let kept = self.forest.kept(self.current, &M::of_set(&step.dropped));
                kept.to_set(self.forest.store.problem.n_features())
            }
        }
    }

    fn accept(&mut self, step: &Move, control: &Control) -> Result<(), Status> {
        let tree = self.adapt(step, u64::MAX, control)?;
        self.current = tree.expect("no tree reaches the largest bound");
        self.tidy();
        Ok(())
    }

    fn tree(&self) -> Tree {
        self.forest.to_tree(self.current)
    }

    fn tries_untested(&self) -> bool {
        false
    }
}
