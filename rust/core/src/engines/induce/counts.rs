//! Raw counts of the training rows at the nodes of a grown tree: for people, and for nothing that is decided.
//!
//! Every row ends in leaves, so only these are counted; what is above has their sums. Where every row weighs 1
//! the weights are the counts.

use super::cases::Cases;
use super::problem::Problem;
use super::scorer::Cut;
use crate::base::units::Shares;
use crate::model::data::{FULL_SHARE, Weights};
use crate::model::tree::{Split, Tree};

/// Counts of the leaves of a tree in the making, by node and class.
pub(super) struct LeafCounts {
    /// Nothing where the weights are the counts.
    counts: Option<Vec<f64>>,
    n_classes: usize,
}

impl LeafCounts {
    pub(super) fn new(problem: &Problem) -> Self {
        let counts = (problem.weights != Weights::Unit).then(Vec::new);
        LeafCounts { counts, n_classes: problem.n_classes() }
    }

    /// Counts the rows of a node that stays a leaf.
    pub(super) fn leaf(&mut self, problem: &Problem, node: u32, cases: &Cases) {
        let Some(counts) = &mut self.counts else { return };
        let mut shares = vec![0u64; self.n_classes];
        cases.whole.iter().for_each(|&row| shares[problem.class_of(row)] += u64::from(FULL_SHARE));
        cases.part.iter().for_each(|part| shares[problem.class_of(part.row)] += u64::from(part.share));
        let first = node as usize * self.n_classes;
        if counts.len() < first + self.n_classes {
            counts.resize(first + self.n_classes, 0.0);
        }
        let counted = shares.into_iter().map(|share| Shares(share).rows());
        counts[first..first + self.n_classes].iter_mut().zip(counted).for_each(|(to, count)| *to = count);
    }

    /// The tree with these counts.
    pub(super) fn into_tree(self, tree: Tree) -> Tree {
        match self.counts {
            None => {
                let weights = tree.class_weights().to_vec();
                tree.with_counts(weights)
            }
            Some(mut counts) => {
                counts.resize(tree.nodes().len() * self.n_classes, 0.0);
                tree.with_counts_below(counts)
            }
        }
    }
}

/// A tree of the problem's training rows with their counts, its rows handed down once more.
pub(crate) fn recounted(problem: &Problem, tree: Tree) -> Tree {
    let mut counts = LeafCounts::new(problem);
    if counts.counts.is_some() {
        let mut pending = vec![(0, problem.root_cases())];
        while let Some((id, cases)) = pending.pop() {
            let node = &tree.nodes()[id as usize];
            match cut_of(problem, &tree, node.split) {
                None => counts.leaf(problem, id, &cases),
                Some((feature, cut)) => {
                    pending.extend(node.children().zip(cases.split(problem, feature, cut)))
                }
            }
        }
    }
    counts.into_tree(tree)
}

/// The feature and the cut of a question that growing asks.
fn cut_of(problem: &Problem, tree: &Tree, split: Split) -> Option<(usize, Cut)> {
    let feature = split.feature()? as usize;
    let cut = match split {
        Split::Threshold { threshold, .. } => {
            let values =
                problem.data.column(feature).values().expect("a threshold belongs to a numeric feature");
            let n_below = values.partition_point(|&value| value <= threshold) as u32;
            Cut::Between(n_below - 1, n_below)
        }
        Split::Group { list, .. } => {
            let codes = tree.lists()[list as usize].clone();
            Cut::Group(problem.sets.number(codes, problem.data.column(feature).domain()))
        }
        _ => Cut::Levels,
    };
    Some((feature, cut))
}
