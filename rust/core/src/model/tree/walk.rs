//! Following rows through any tree-shaped thing, and casting votes where a value is unknown.
//!
//! A row that knows every value asked for ends at one leaf and has its class. A row that does not
//! votes at every leaf it reaches; votes are integers, so their sums do not depend on the order of
//! the leaves.

use super::split::{Route, Routing};
use crate::base::ordering::first_largest;

/// Votes of a row that is whole: 2^52.
const ALL_VOTES: f64 = (1u64 << 52) as f64;

/// Where a node sends a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step<N> {
    Leaf,
    Child(N),
    Unknown,
}

/// A tree that rows can be led through.
pub trait Walk {
    type Node: Copy;
    fn step(&self, node: Self::Node, row: usize) -> Step<Self::Node>;
    fn children(&self, node: Self::Node) -> impl DoubleEndedIterator<Item = Self::Node>;
    fn weight(&self, node: Self::Node) -> f64;
    fn class(&self, node: Self::Node) -> usize;
    /// Weight of `class` at the node.
    fn class_weight(&self, node: Self::Node, class: usize) -> f64;
    fn n_classes(&self) -> usize;
    /// Where a node sends a row whose value is unknown.
    fn route(&self, node: Self::Node) -> Route;
    /// The class of a row with these votes.
    fn decide(&self, votes: &[u64]) -> usize {
        first_largest(votes.iter().copied()).expect("there is a class")
    }
}

/// Votes of one row, and the buffers to collect them.
pub struct Ballot<N> {
    pub votes: Vec<u64>,
    /// Leaves reached and the share that came there.
    pub leaves: Vec<(N, f64)>,
    pending: Vec<(N, f64)>,
}

impl<N> Default for Ballot<N> {
    fn default() -> Self {
        Ballot { votes: Vec::new(), leaves: Vec::new(), pending: Vec::new() }
    }
}

impl<N: Copy> Ballot<N> {
    /// The class of the row, from the votes or, where one leaf took it whole, from that leaf.
    pub fn class<W: Walk<Node = N>>(&self, tree: &W) -> usize {
        match self.leaves[..] {
            [(leaf, 1.0)] => tree.class(leaf),
            _ => tree.decide(&self.votes),
        }
    }
}

impl Ballot<u32> {
    /// Votes anew, by the class probabilities of the nodes, a row a node.
    pub fn tell(&mut self, probabilities: &[f64]) {
        let n_classes = self.votes.len();
        self.votes.fill(0);
        for &(leaf, share) in &self.leaves {
            let told = &probabilities[leaf as usize * n_classes..(leaf as usize + 1) * n_classes];
            for (votes, part) in self.votes.iter_mut().zip(told) {
                *votes += (share * part * ALL_VOTES).round_ties_even() as u64;
            }
        }
    }
}

/// Leads `row` from `root` to its leaves and collects its votes.
///
/// `visit` sees every node reached, with the share that reaches it.
pub fn cast_votes<W: Walk>(
    tree: &W,
    root: W::Node,
    row: usize,
    ballot: &mut Ballot<W::Node>,
    mut visit: impl FnMut(W::Node, f64),
) {
    if ballot.votes.len() != tree.n_classes() {
        ballot.votes.resize(tree.n_classes(), 0);
    }
    ballot.votes.iter_mut().for_each(|votes| *votes = 0);
    ballot.leaves.clear();
    ballot.pending.clear();
    ballot.pending.push((root, 1.0));
    while let Some((mut node, share)) = ballot.pending.pop() {
        loop {
            visit(node, share);
            match tree.step(node, row) {
                Step::Child(child) => node = child,
                Step::Leaf => break vote(tree, node, share, ballot),
                Step::Unknown => match tree.route(node) {
                    Route::By(Routing::Distribute) => break distribute(tree, node, share, ballot),
                    Route::By(Routing::NodeMajority) => node = heaviest(tree, node),
                    Route::By(Routing::Stop | Routing::Mean) => break vote(tree, node, share, ballot),
                    Route::Branch(branch) => {
                        let child = tree.children(node).nth(branch as usize);
                        node = child.expect("a route leads to a branch");
                    }
                },
            }
        }
    }
}

#[inline]
fn vote<W: Walk>(tree: &W, leaf: W::Node, share: f64, ballot: &mut Ballot<W::Node>) {
    ballot.leaves.push((leaf, share));
    let weight = tree.weight(leaf);
    if weight == 0.0 {
        ballot.votes[tree.class(leaf)] += (share * ALL_VOTES).round_ties_even() as u64;
        return;
    }
    for class in 0..tree.n_classes() {
        let part = share * (tree.class_weight(leaf, class) / weight);
        ballot.votes[class] += (part * ALL_VOTES).round_ties_even() as u64;
    }
}

fn distribute<W: Walk>(tree: &W, node: W::Node, share: f64, ballot: &mut Ballot<W::Node>) {
    let weight = tree.weight(node);
    for child in tree.children(node).rev() {
        let own = tree.weight(child);
        if own > 0.0 {
            ballot.pending.push((child, share * (own / weight)));
        }
    }
}

/// The branch that most of the training weight took.
pub(super) fn heaviest<W: Walk>(tree: &W, node: W::Node) -> W::Node {
    let largest = first_largest(tree.children(node).map(|child| tree.weight(child)));
    let branch = largest.expect("a split has branches");
    tree.children(node).nth(branch).expect("the branch is one of them")
}
