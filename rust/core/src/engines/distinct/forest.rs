//! Persistent trees over case sets: later trees share the nodes that they have in common with
//! earlier ones.

use std::sync::Arc;

use super::adapt::{NEW, Task};
use super::case_store::{Branching, CaseId, CaseStore, Keeping};
use super::judging::Judging;
use super::pruned::{Opened, PrunedNode};
use crate::base::bits::Mask;
use crate::base::ordering::first_largest;
use crate::engines::induce::{Problem, recounted};
use crate::model::tree::{Ballot, Route, Step, Tree, TreeBuilder, Walk};

/// Index of a tree's root, or of any sub-tree, in its forest.
pub type TreeId = u32;

/// One node of a persistent tree.
#[derive(Debug, Clone)]
pub(super) struct TreeNode<M> {
    pub case: CaseId,
    /// Which branching of its case set it takes; `LEAF` for none.
    pub branching: u32,
    /// The feature it asks for; `LEAF` for none.
    pub feature: u32,
    pub first_child: u32,
    pub n_children: u32,
    /// Features that the sub-tree tests.
    pub used: M,
    /// Scored features that would change the sub-tree if they came.
    pub blocked: M,
    /// Features of which that is not known at some node, for want of a score.
    pub unknown: M,
    /// Leaves of the pruned sub-tree.
    pub n_leaves: u32,
    /// What its validation errors and leaves count and, of this, rows that lose their way at this very node.
    pub value: u64,
    pub own_value: u64,
}

/// The branching and the feature of a leaf.
pub(super) const LEAF: u32 = u32::MAX;

/// Trees over the case sets of one problem; later trees share nodes with earlier ones.
pub struct Forest<M: Mask> {
    pub store: CaseStore<M>,
    pub(super) nodes: Vec<TreeNode<M>>,
    /// One for each node, where trees are pruned.
    pub(super) pruned: Vec<PrunedNode>,
    pub(super) opened: Opened,
    /// Children of a split, from its `first_child` on.
    pub(super) children: Vec<TreeId>,
    pub(super) ballot: Ballot<TreeId>,
    pub(super) tasks: Vec<Task>,
    /// Splits that a bound has to look at yet, and sub-trees where it may find some.
    pub(super) open: Vec<TreeId>,
    pub(super) pending: Vec<TreeId>,
    pub(super) root: TreeId,
    /// Case sets there were after others were forgotten.
    pub(super) n_kept: usize,
}

/// How far the forest had grown, to cut it back to.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    n_nodes: usize,
    n_children: usize,
}

impl Mark {
    /// After so many trees that have no children here.
    pub fn at(n_trees: usize) -> Self {
        Mark { n_nodes: n_trees, n_children: 0 }
    }

    pub fn n_nodes(self) -> usize {
        self.n_nodes
    }
}

impl<M: Mask> Forest<M> {
    /// A forest without trees, which are judged as told.
    pub fn new(problem: Arc<Problem>, judging: impl Into<Judging>, keeping: Keeping) -> Self {
        Self::over(CaseStore::new(problem, judging.into(), keeping))
    }

    /// A forest for another thread over the same rows and scores.
    pub fn beside(&self) -> Self {
        Self::over(self.store.beside())
    }

    fn over(store: CaseStore<M>) -> Self {
        Forest {
            store,
            nodes: Vec::new(),
            pruned: Vec::new(),
            opened: Opened::default(),
            children: Vec::new(),
            ballot: Ballot::default(),
            tasks: Vec::new(),
            open: Vec::new(),
            pending: Vec::new(),
            root: NEW,
            n_kept: 0,
        }
    }

    /// Where the forest stands.
    pub fn mark(&self) -> Mark {
        Mark { n_nodes: self.nodes.len(), n_children: self.children.len() }
    }

    /// Forgets all trees made since `mark`.
    pub fn cut_back(&mut self, mark: Mark) {
        self.nodes.truncate(mark.n_nodes);
        self.pruned.truncate(mark.n_nodes);
        self.children.truncate(mark.n_children);
    }

    /// Forgets all trees.
    pub fn clear(&mut self) {
        self.cut_back(Mark { n_nodes: 0, n_children: 0 });
    }

    /// Bytes held by trees and case sets, about.
    pub fn n_bytes(&self) -> usize {
        let trees = self.nodes.len() * size_of::<TreeNode<M>>() + self.children.len() * size_of::<TreeId>();
        trees + self.pruned.len() * size_of::<PrunedNode>() + self.store.n_bytes()
    }

    /// What the validation errors and the leaves of a tree count together.
    #[inline]
    pub fn value(&self, tree: TreeId) -> u64 {
        self.node(tree).value
    }

    /// Weight of wrongly predicted validation rows, in units of 2^-20.
    #[inline]
    pub fn errors(&self, tree: TreeId) -> u64 {
        let node = self.node(tree);
        self.store.price.errors(node.value, node.n_leaves.into())
    }

    /// Leaves of the pruned tree.
    pub fn n_leaves(&self, tree: TreeId) -> u64 {
        self.node(tree).n_leaves.into()
    }

    /// Features that some node of the tree tests.
    pub fn used(&self, tree: TreeId) -> &M {
        &self.node(tree).used
    }

    #[inline]
    pub(super) fn node(&self, tree: TreeId) -> &TreeNode<M> {
        &self.nodes[tree as usize]
    }

    #[inline]
    pub(super) fn child_range(&self, tree: TreeId) -> std::ops::Range<usize> {
        let node = self.node(tree);
        node.first_child as usize..(node.first_child + node.n_children) as usize
    }

    #[inline]
    pub(super) fn children_of(&self, tree: TreeId) -> &[TreeId] {
        &self.children[self.child_range(tree)]
    }

    #[inline]
    pub(super) fn branching(&self, tree: TreeId) -> Option<&Branching<M>> {
        let node = self.node(tree);
        (node.branching != LEAF).then(|| self.store.branching(node.case, node.branching as usize))
    }

    #[inline]
    pub(super) fn feature(&self, tree: TreeId) -> Option<u32> {
        let feature = self.node(tree).feature;
        (feature != LEAF).then_some(feature)
    }

    /// The tree, not pruned, in the form that leaves the engine; equal to the one grown from scratch.
    pub fn to_tree(&self, root: TreeId) -> Tree {
        let problem = &self.store.problem;
        let class_weights = |tree: TreeId| {
            (0..problem.n_classes()).map(|class| self.class_weight(tree, class)).collect::<Vec<_>>()
        };
        let schema = problem.schema.clone();
        let (class, weight) = (self.class(root) as u16, self.weight(root));
        let mut builder = TreeBuilder::new(schema, problem.routing, class, weight, &class_weights(root));
        let mut stack = vec![(0, root)];
        while let Some((id, tree)) = stack.pop() {
            let Some(branching) = self.branching(tree) else { continue };
            let children = self.children_of(tree);
            problem.split_node(
                &mut builder,
                id,
                branching.feature() as usize,
                branching.cut(),
                children.len(),
            );
            let first = stack.len();
            for &child in children {
                let class = self.class(child) as u16;
                stack.push((builder.child(id, class, self.weight(child), class_weights(child)), child));
            }
            stack[first..].reverse();
        }
        problem.answering(recounted(problem, builder.finish()))
    }
}

impl<M: Mask> Walk for Forest<M> {
    type Node = TreeId;

    fn step(&self, tree: TreeId, row: usize) -> Step<TreeId> {
        let Some(branching) = self.branching(tree).filter(|_| !self.is_cut(tree)) else {
            return Step::Leaf;
        };
        let column = self.store.problem.data.column(branching.feature() as usize);
        let code = column.codes.get(row);
        if code as usize == column.domain() {
            return Step::Unknown;
        }
        Step::Child(self.children[self.child_range(tree).start + branching.branch(code)])
    }

    fn children(&self, tree: TreeId) -> impl DoubleEndedIterator<Item = TreeId> {
        self.children_of(tree).iter().copied()
    }

    fn weight(&self, tree: TreeId) -> f64 {
        self.store.get(self.node(tree).case).weight
    }

    fn class(&self, tree: TreeId) -> usize {
        self.store.get(self.node(tree).case).class().into()
    }

    fn class_weight(&self, tree: TreeId, class: usize) -> f64 {
        self.store.get(self.node(tree).case).class_weight(class)
    }

    fn n_classes(&self) -> usize {
        self.store.problem.n_classes()
    }

    #[inline]
    fn route(&self, _: TreeId) -> Route {
        Route::By(self.store.problem.routing)
    }

    fn decide(&self, votes: &[u64]) -> usize {
        match &self.store.problem.costs {
            None => first_largest(votes.iter().copied()).expect("there is a class"),
            Some(costs) => costs.answer(&votes.iter().map(|&votes| votes.into()).collect::<Vec<_>>()),
        }
    }
}
