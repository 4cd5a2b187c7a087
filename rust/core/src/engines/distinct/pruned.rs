//! Persistent trees with what pruning makes of their nodes.

use super::forest::{Forest, TreeId};
use crate::base::bits::Mask;
use crate::engines::prune::verdict;

/// What a node is once what is below it is pruned.
#[derive(Debug, Clone, Copy)]
pub(super) struct PrunedNode {
    /// The estimated error rate.
    pub rate: f64,
    /// Whether a split becomes a leaf.
    pub is_cut: bool,
}

impl<M: Mask> Forest<M> {
    /// Whether trees are pruned before they are judged.
    #[inline]
    pub(super) fn prunes(&self) -> bool {
        self.store.pruning.is_some()
    }

    /// Whether a split is a leaf of the pruned tree.
    #[inline]
    pub(super) fn is_cut(&self, tree: TreeId) -> bool {
        self.prunes() && self.pruned[tree as usize].is_cut
    }

    /// Notes what pruning makes of the leaf made last.
    #[inline]
    pub(super) fn keep_leaf(&mut self) {
        if self.prunes() {
            let leaf = self.nodes.last().expect("it was made just now");
            self.pruned.push(PrunedNode { rate: self.store.get(leaf.case).judged.rate, is_cut: false });
        }
    }

    /// Notes what pruning makes of the split made last; whether that is a leaf, with the errors of one.
    #[inline]
    pub(super) fn cut(&mut self) -> bool {
        let Some(pruning) = &self.store.pruning else { return false };
        let tree = self.nodes.len() as TreeId - 1;
        let set = self.store.get(self.node(tree).case);
        let branch = |&child: &TreeId| {
            (self.store.get(self.node(child).case).judged.weight, self.pruned[child as usize].rate)
        };
        let branches = self.children_of(tree).iter().map(branch);
        let (rate, is_cut) =
            verdict(set.judged.weight, set.judged.rate, branches, pruning.stays, pruning.slack());
        let value = set.leaf_value;
        self.pruned.push(PrunedNode { rate: if is_cut { set.judged.rate } else { rate }, is_cut });
        if is_cut {
            let node = &mut self.nodes[tree as usize];
            (node.value, node.n_leaves) = (value, 1);
        }
        is_cut
    }

    /// No tree without the features of `dropped` has fewer errors: a sub-tree that tests none of them stays,
    /// and what tests them above may become a leaf. Notes the same of every sub-tree that changes.
    pub(super) fn least_errors(&mut self, tree: TreeId, dropped: &M) -> u64 {
        let mut changing = vec![(tree, 0, 0)];
        let mut at = 0;
        while at < changing.len() {
            let tree = changing[at].0;
            if self.feature(tree).is_some_and(|feature| !dropped.contains(feature as usize)) {
                for &child in self.children_of(tree) {
                    match self.node(child).used.intersects(dropped) {
                        true => changing.push((child, at, 0)),
                        false => changing[at].2 += self.value(child),
                    }
                }
            }
            at += 1;
        }
        self.opened.least.resize(self.nodes.len(), 0);
        for at in (0..changing.len()).rev() {
            let (tree, above, below) = changing[at];
            let least = below.min(self.store.get(self.node(tree).case).leaf_value);
            self.opened.least[tree as usize] = least;
            changing[above].2 += if at > 0 { least } else { 0 };
        }
        self.opened.least[tree as usize]
    }

    /// Fewest errors that a sub-tree about to change may have, as far as that is known.
    #[inline]
    pub(super) fn known_least(&self, tree: TreeId) -> u64 {
        if self.opened.knows_least { self.opened.least[tree as usize] } else { 0 }
    }
}

/// Splits that are being made, from the root down, and what their trees err at the least.
///
/// A split errs as its children do together, or as a leaf. So along a path the whole tree errs at least as the
/// least of: what is beside the path down to some split, and that split's errors as a leaf; or all that is
/// beside the path.
#[derive(Debug, Default)]
pub(super) struct Opened {
    splits: Vec<OpenedSplit>,
    /// By sub-tree, of those that change.
    least: Vec<u64>,
    pub knows_least: bool,
}

#[derive(Debug, Clone, Copy)]
struct OpenedSplit {
    /// What is beside the path above.
    beside: u64,
    /// The least if this split, or one above it, becomes a leaf.
    as_leaf: u64,
    /// What the children done so far err, and the others at the least.
    below: u64,
}

impl Opened {
    /// Begins a tree.
    pub fn clear(&mut self) {
        self.splits.clear();
    }

    /// Begins a split.
    pub fn open(&mut self, leaf_value: u64, below: u64) {
        let above = self.splits.last();
        let beside = above.map_or(0, |above| above.beside + above.below);
        let as_leaf = above.map_or(u64::MAX, |above| above.as_leaf).min(beside + leaf_value);
        self.splits.push(OpenedSplit { beside, as_leaf, below });
    }

    /// Ends the split begun last.
    pub fn close(&mut self) {
        self.splits.pop();
    }

    /// Knows more of a child of the split begun last: what it errs, in place of what it errs at the least.
    pub fn know(&mut self, least: u64, errors: u64) {
        if let Some(split) = self.splits.last_mut() {
            split.below = split.below - least + errors;
        }
    }

    /// Whether the tree errs so much for certain.
    pub fn reaches(&self, bound: u64) -> bool {
        self.splits.last().is_some_and(|split| split.as_leaf.min(split.beside + split.below) >= bound)
    }
}
