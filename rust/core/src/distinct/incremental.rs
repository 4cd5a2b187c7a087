//! The white box: every tree adapted from the one at hand.

use super::forest::{Abandoned, Change, Forest, TreeId};
use super::select::{Evaluator, Move};
use crate::bits::BitSet;
use crate::control::{Control, Interrupt};
use crate::induce::Problem;
use crate::tree::Tree;

/// Adapts trees in a forest.
pub struct Incremental<'p> {
    forest: Forest<'p>,
    current: TreeId,
}

impl<'p> Incremental<'p> {
    pub fn new(problem: &'p Problem, search: Vec<u32>) -> Self {
        Incremental { forest: Forest::new(problem, search), current: 0 }
    }

    fn adapt(&mut self, step: &Move, bound: u64, control: &Control) -> Result<TreeId, Abandoned> {
        let change = Change { allowed: &step.allowed, dropped: &step.dropped, adds: step.adds };
        self.forest.adapt(self.current, &change, bound, control)
    }
}

impl Evaluator for Incremental<'_> {
    fn start(&mut self, allowed: &BitSet, control: &Control) -> Result<(), Interrupt> {
        self.current = self.forest.grow(allowed, control)?;
        Ok(())
    }

    fn errors(&self) -> u64 {
        self.forest.errors(self.current)
    }

    fn used(&self) -> BitSet {
        self.forest.used(self.current)
    }

    fn probe(&mut self, step: &Move, bound: u64, control: &Control) -> Result<u64, Abandoned> {
        let mark = self.forest.mark();
        let errors = self.adapt(step, bound, control).map(|tree| self.forest.errors(tree));
        self.forest.cut_back(mark);
        errors
    }

    fn accept(&mut self, step: &Move, control: &Control) -> Result<(), Interrupt> {
        match self.adapt(step, u64::MAX, control) {
            Ok(tree) => self.current = tree,
            Err(Abandoned::Interrupted(interrupt)) => return Err(interrupt),
            Err(Abandoned::TooManyErrors) => unreachable!("no tree reaches the largest bound"),
        }
        Ok(())
    }

    fn tree(&self) -> Tree {
        self.forest.to_tree(self.current)
    }

    fn tries_untested(&self) -> bool {
        false
    }
}
