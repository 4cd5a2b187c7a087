//! The distinct trees a few at a time, whatever the width of the masks.

use std::sync::Arc;

use super::calls::Call;
use super::count::EnumerationRules;
use super::enumerate::Enumerator;
use super::judging::Judging;
use crate::base::bits::{BitSet, Mask};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::induce::Problem;

/// A distinct tree, named by the features it tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistinctTree {
    /// Features it tests.
    pub used: BitSet,
    /// Features that would change it if they came.
    pub blocked: BitSet,
    /// Validation errors in units of 2^-20.
    pub errors: u64,
}

/// A paused enumeration.
pub struct DistinctTrees(Box<dyn Paused>);

trait Paused: Send {
    fn batch(&mut self, max_trees: usize, control: &Control) -> (Vec<DistinctTree>, Option<Status>);
    fn limit(&mut self, node_limit: u64);
    /// Trees built, and distinct ones among them.
    fn counts(&self) -> (u64, u64);
}

impl DistinctTrees {
    /// The trees of a problem, judged as told.
    pub fn new(problem: Arc<Problem>, judging: impl Into<Judging>, rules: &EnumerationRules) -> Self {
        let judging = judging.into();
        let mut trees = match problem.n_features() <= 64 {
            true => DistinctTrees(Box::new(begun::<u64>(problem, judging, rules))),
            false => DistinctTrees(Box::new(begun::<BitSet>(problem, judging, rules))),
        };
        trees.limit(rules.node_limit);
        trees
    }

    /// The next trees, and what ended the search for more; nothing did after `max_trees` of them.
    pub fn batch(&mut self, max_trees: usize, control: &Control) -> (Vec<DistinctTree>, Option<Status>) {
        self.0.batch(max_trees, control)
    }

    /// Sets how many trees may be built, those built so far included.
    pub fn limit(&mut self, node_limit: u64) {
        self.0.limit(node_limit);
    }

    /// Trees built so far.
    pub fn n_built(&self) -> u64 {
        self.0.counts().0
    }

    /// Distinct trees found so far.
    pub fn n_distinct(&self) -> u64 {
        self.0.counts().1
    }
}

/// An enumeration of the trees that test all that the rules require.
fn begun<M: Mask>(problem: Arc<Problem>, judging: Judging, rules: &EnumerationRules) -> Enumerator<M> {
    let first = Call::requiring(&rules.required, problem.n_features());
    let mut enumerator = Enumerator::new(problem, judging, rules.order, rules.cap);
    enumerator.restart(first);
    enumerator
}

impl<M: Mask> Paused for Enumerator<M> {
    fn batch(&mut self, max_trees: usize, control: &Control) -> (Vec<DistinctTree>, Option<Status>) {
        let (mut trees, n) = (Vec::new(), self.n_features());
        let ended = self.run(control, |found| {
            let (used, blocked) = (found.used.to_set(n), found.blocked.to_set(n));
            trees.push(DistinctTree { used, blocked, errors: found.value });
            trees.len() < max_trees
        });
        (trees, ended)
    }

    fn limit(&mut self, node_limit: u64) {
        Enumerator::limit(self, node_limit);
    }

    fn counts(&self) -> (u64, u64) {
        (self.n_built, self.n_distinct)
    }
}
