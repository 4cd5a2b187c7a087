//! Counting the distinct trees, with the certificate that none is missing and none came twice.

use std::sync::Arc;

use super::crew::count_together;
use super::enumerate::{Call, Enumerator, Found, Order, Pause};
use crate::bits::{BitSet, Mask};
use crate::control::Control;
use crate::induce::Problem;
use crate::outcome::Status;

/// What an enumeration may use and how it goes.
#[derive(Debug, Clone, Copy)]
pub struct EnumerationRules {
    pub order: Order,
    /// Bytes kept, about.
    pub cap: usize,
    /// Trees built at the most.
    pub node_limit: u64,
}

/// Sums over distinct trees. Sums of parts of the search space add up to those of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    pub n_built: u64,
    /// Entry k: distinct trees that use k features.
    pub by_n_features: Vec<u64>,
    /// Entry k: distinct trees that 2^k subsets give.
    pub by_log_subsets: Vec<u64>,
    /// Fewest search errors met, in units of 2^-20, and how many trees have them.
    pub fewest_errors: u64,
    pub n_fewest: u64,
}

impl Tally {
    /// Nothing counted, for `n` features.
    pub fn new(n: usize) -> Self {
        let zeros = vec![0; n + 1];
        Tally {
            n_built: 0,
            by_n_features: zeros.clone(),
            by_log_subsets: zeros,
            fewest_errors: u64::MAX,
            n_fewest: 0,
        }
    }

    /// Counts a tree.
    #[inline]
    pub fn add<M: Mask>(&mut self, found: &Found<M>) {
        let n_used = found.used.len();
        self.by_n_features[n_used] += 1;
        let fixed = n_used + found.blocked.len();
        let last = self.by_log_subsets.len() - 1;
        self.by_log_subsets[last - fixed] += 1;
        self.note_errors(found.errors, 1);
    }

    fn note_errors(&mut self, errors: u64, n_trees: u64) {
        if errors < self.fewest_errors {
            (self.fewest_errors, self.n_fewest) = (errors, 0);
        }
        if errors == self.fewest_errors {
            self.n_fewest += n_trees;
        }
    }

    /// Adds the sums of another part.
    pub fn merge(&mut self, other: &Tally) {
        self.n_built += other.n_built;
        let add =
            |mine: &mut Vec<u64>, theirs: &[u64]| mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        add(&mut self.by_n_features, &other.by_n_features);
        add(&mut self.by_log_subsets, &other.by_log_subsets);
        if other.n_fewest > 0 {
            self.note_errors(other.fewest_errors, other.n_fewest);
        }
    }

    pub fn n_distinct(&self) -> u64 {
        self.by_n_features.iter().sum()
    }
}

/// Counts all distinct trees, or as many as the limits allow.
pub fn count(
    problem: Arc<Problem>,
    search: Vec<u32>,
    rules: &EnumerationRules,
    control: &Control,
) -> (Tally, Status) {
    match problem.n_features() <= 64 {
        true => count_with::<u64>(problem, search, rules, control),
        false => count_with::<BitSet>(problem, search, rules, control),
    }
}

fn count_with<M: Mask>(
    problem: Arc<Problem>,
    search: Vec<u32>,
    rules: &EnumerationRules,
    control: &Control,
) -> (Tally, Status) {
    let n_features = problem.n_features();
    let mut tally = Tally::new(n_features);
    let mut enumerator = Enumerator::<M>::new(problem, search, rules.order, rules.cap);
    // Which trees a limit on their number leaves out would depend on the threads.
    if control.is_parallel() && rules.node_limit == u64::MAX {
        let (tally, pause) = count_together(&enumerator, Call::first(n_features), n_features, control);
        return (tally, status_of(pause));
    }
    enumerator.limit(rules.node_limit);
    let pause = enumerator.run(control, |found| {
        tally.add(found);
        true
    });
    tally.n_built = enumerator.n_built;
    (tally, status_of(pause))
}

fn status_of(pause: Pause) -> Status {
    match pause {
        Pause::Finished => Status::Complete,
        Pause::NodeLimit => Status::NodeLimit,
        Pause::Interrupted(interrupt) => interrupt.into(),
        Pause::Visitor => unreachable!("the visitor never pauses"),
    }
}
