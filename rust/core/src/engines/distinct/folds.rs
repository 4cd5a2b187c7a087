//! Cross-validation: one evaluator for each fold, all at the tree of the same features.
//!
//! A set of features has the errors of its trees in all folds together, and a feature is tested if the tree of
//! some fold tests it. So rounds go in step, and steps are judged by all rows.

use super::select::{Evaluator, Move, Probed};
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::model::tree::Tree;

/// Judges sets of features by their trees in several folds.
pub struct Folds<'a>(Vec<Box<dyn Evaluator + 'a>>);

impl<'a> Folds<'a> {
    /// Evaluators of the same features, one or more.
    pub fn new(folds: Vec<Box<dyn Evaluator + 'a>>) -> Self {
        assert!(!folds.is_empty(), "there is a fold");
        Folds(folds)
    }
}

impl Evaluator for Folds<'_> {
    fn start(&mut self, allowed: &BitSet, control: &Control) -> Result<(), Status> {
        self.0.iter_mut().try_for_each(|fold| fold.start(allowed, control))
    }

    fn value(&self) -> u64 {
        self.0.iter().map(|fold| fold.value()).sum()
    }

    fn errors(&self) -> u64 {
        self.0.iter().map(|fold| fold.errors()).sum()
    }

    fn n_leaves(&self) -> u64 {
        self.0.iter().map(|fold| fold.n_leaves()).sum()
    }

    fn used(&self) -> BitSet {
        let mut used = self.0[0].used();
        self.0[1..].iter().for_each(|fold| used.union_with(&fold.used()));
        used
    }

    /// Folds whose trees a step leaves as they are have their value at once, and the others are not below what is
    /// known of them. So each may stop as soon as all together cannot stay below the bound.
    fn probe(&mut self, step: &Move, bound: u64, control: &Control) -> Result<Option<Probed>, Status> {
        let stays = |fold: &dyn Evaluator| {
            !step.adds && !fold.tries_untested() && !fold.used().intersects(&step.dropped)
        };
        let (same, mut changing): (Vec<_>, Vec<_>) = self.0.iter_mut().partition(|fold| stays(&***fold));
        let mut value: u64 = same.iter().map(|fold| fold.value()).sum();
        let mut used = step.allowed.same_size();
        same.iter().for_each(|fold| used.union_with(&fold.used()));
        let least: Vec<u64> = changing.iter_mut().map(|fold| fold.least(step)).collect();
        let mut to_come: u64 = least.iter().sum();
        for (fold, least) in changing.into_iter().zip(least) {
            if value + to_come >= bound {
                return Ok(None);
            }
            to_come -= least;
            match fold.probe(step, bound - value - to_come, control)? {
                Some(own) => {
                    value += own.value;
                    used.union_with(&own.used);
                }
                None => return Ok(None),
            }
        }
        Ok((value < bound).then_some(Probed { value, used }))
    }

    fn kept(&self, step: &Move) -> BitSet {
        let mut kept = step.allowed.same_size();
        self.0.iter().for_each(|fold| kept.union_with(&fold.kept(step)));
        kept
    }

    fn accept(&mut self, step: &Move, control: &Control) -> Result<(), Status> {
        self.0.iter_mut().try_for_each(|fold| fold.accept(step, control))
    }

    /// That of the first fold.
    fn tree(&self) -> Tree {
        self.0[0].tree()
    }

    fn trees(&self) -> Vec<Tree> {
        self.0.iter().map(|fold| fold.tree()).collect()
    }

    fn tries_untested(&self) -> bool {
        self.0[0].tries_untested()
    }
}
