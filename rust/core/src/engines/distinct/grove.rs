//! Where the trees of a search grow: in one forest, or in one for each fold.
//!
//! The trees of some features in several folds are one tree of a search. They are as the children of a split
//! that every tree has: together they use what some of them uses, and are blocked by what blocks some of them.
//! So all that is said of trees and their features holds for them, and what bounds each bounds their sum.

use super::adapt::{Change, Watch};
use super::bound::{Query, Space};
use super::forest::{Forest, Mark, TreeId};
use crate::base::bits::Mask;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::model::tree::Tree;

/// What a search asks of its trees.
///
/// # Errors
/// The control's status, wherever there is a control.
pub trait Grove<M: Mask> {
    fn n_features(&self) -> usize;
    /// Where it stands.
    fn mark(&self) -> Mark;
    /// Forgets all trees made since `mark`.
    fn cut_back(&mut self, mark: Mark);
    /// Forgets all trees.
    fn clear(&mut self);
    /// The tree of the features of `allowed`.
    fn grow<W: Watch>(&mut self, allowed: &M, watch: &mut W, control: &Control) -> Result<TreeId, Status>;
    /// The tree of `change.allowed`, made from `tree`.
    fn follow<W: Watch>(
        &mut self,
        tree: TreeId,
        change: &Change<M>,
        watch: &mut W,
        control: &Control,
    ) -> Result<TreeId, Status>;
    /// Features that the tree tests.
    fn used(&self, tree: TreeId) -> &M;
    /// What its errors and leaves count together.
    fn value(&self, tree: TreeId) -> u64;
    /// Its validation errors, in units of 2^-20.
    fn errors(&self, tree: TreeId) -> u64;
    /// Features that would change it if they came.
    fn blocked(&mut self, tree: TreeId, control: &Control) -> Result<&M, Status>;
    /// The same, as far as it was asked for.
    fn known_blocked(&self, tree: TreeId) -> &M;
    /// A lower bound on what the trees of `space` count, given a tree grown from all its features and maybe more.
    fn bound(&mut self, tree: TreeId, space: &Space<M>, query: Query<'_>) -> Result<u64, Status>;
    /// Whether it is worth looking for what can be forgotten, over a limit of `cap` bytes.
    fn is_crowded(&self, cap: usize) -> bool;
    /// Forgets what only other trees than these need.
    fn collect(&mut self, roots: impl Iterator<Item = TreeId>);
    /// The tree as it leaves the engine, not pruned: one for each fold.
    fn to_trees(&self, tree: TreeId) -> Vec<Tree>;
}

impl<M: Mask> Grove<M> for Forest<M> {
    fn n_features(&self) -> usize {
        self.store.problem.n_features()
    }

    #[inline]
    fn mark(&self) -> Mark {
        Forest::mark(self)
    }

    #[inline]
    fn cut_back(&mut self, mark: Mark) {
        Forest::cut_back(self, mark);
    }

    fn clear(&mut self) {
        Forest::clear(self);
    }

    fn grow<W: Watch>(&mut self, allowed: &M, watch: &mut W, control: &Control) -> Result<TreeId, Status> {
        Forest::grow(self, allowed, watch, control)
    }

    #[inline]
    fn follow<W: Watch>(
        &mut self,
        tree: TreeId,
        change: &Change<M>,
        watch: &mut W,
        control: &Control,
    ) -> Result<TreeId, Status> {
        let tree = self.adapt(tree, change, u64::MAX, watch, control)?;
        Ok(tree.expect("no tree reaches the largest bound"))
    }

    #[inline]
    fn used(&self, tree: TreeId) -> &M {
        Forest::used(self, tree)
    }

    #[inline]
    fn value(&self, tree: TreeId) -> u64 {
        Forest::value(self, tree)
    }

    fn errors(&self, tree: TreeId) -> u64 {
        Forest::errors(self, tree)
    }

    #[inline]
    fn blocked(&mut self, tree: TreeId, control: &Control) -> Result<&M, Status> {
        Forest::blocked(self, tree, control)
    }

    #[inline]
    fn known_blocked(&self, tree: TreeId) -> &M {
        Forest::known_blocked(self, tree)
    }

    fn bound(&mut self, tree: TreeId, space: &Space<M>, query: Query<'_>) -> Result<u64, Status> {
        Forest::bound(self, tree, space, query)
    }

    #[inline]
    fn is_crowded(&self, cap: usize) -> bool {
        Forest::is_crowded(self, cap)
    }

    fn collect(&mut self, roots: impl Iterator<Item = TreeId>) {
        Forest::collect(self, roots);
    }

    fn to_trees(&self, tree: TreeId) -> Vec<Tree> {
        vec![self.to_tree(tree)]
    }
}

/// The trees of some features in all folds.
struct Joint<M> {
    used: M,
    blocked: M,
    value: u64,
    /// Where each fold stood before its tree was made, and the tree.
    folds: Vec<(Mark, TreeId)>,
}

/// A forest for each fold.
pub struct FoldForests<M: Mask> {
    folds: Vec<Forest<M>>,
    trees: Vec<Joint<M>>,
}

impl<M: Mask> FoldForests<M> {
    /// Forests of the same features, one or more.
    pub fn new(folds: Vec<Forest<M>>) -> Self {
        assert!(!folds.is_empty(), "there is a fold");
        FoldForests { folds, trees: Vec::new() }
    }

    fn joint(&self, tree: TreeId) -> &Joint<M> {
        &self.trees[tree as usize]
    }

    /// The tree of one fold.
    fn part(&self, tree: TreeId, fold: usize) -> TreeId {
        self.joint(tree).folds[fold].1
    }

    /// Each fold beside its tree.
    fn parts(&self, tree: TreeId) -> impl Iterator<Item = (&Forest<M>, TreeId)> {
        self.folds.iter().zip(self.joint(tree).folds.iter().map(|&(_, part)| part))
    }

    /// Makes the tree of every fold; none at all where one cannot be made.
    fn make(
        &mut self,
        mut part: impl FnMut(&mut Forest<M>, usize) -> Result<TreeId, Status>,
    ) -> Result<TreeId, Status> {
        let mut parts = Vec::with_capacity(self.folds.len());
        for fold in 0..self.folds.len() {
            let forest = &mut self.folds[fold];
            let before = forest.mark();
            match part(forest, fold) {
                Ok(tree) => parts.push((before, tree)),
                Err(status) => {
                    self.folds
                        .iter_mut()
                        .zip(parts)
                        .for_each(|(forest, (before, _))| forest.cut_back(before));
                    return Err(status);
                }
            }
        }
        let none = M::empty(self.n_features());
        let mut joint = Joint { used: none.clone(), blocked: none, value: 0, folds: parts };
        for (forest, &(_, part)) in self.folds.iter().zip(&joint.folds) {
            joint.used.union_with(forest.used(part));
            joint.value += forest.value(part);
        }
        self.trees.push(joint);
        Ok(self.trees.len() as TreeId - 1)
    }
}

impl<M: Mask> Grove<M> for FoldForests<M> {
    fn n_features(&self) -> usize {
        self.folds[0].n_features()
    }

    /// How many trees there are; each knows where its folds stood before.
    fn mark(&self) -> Mark {
        Mark::at(self.trees.len())
    }

    fn cut_back(&mut self, mark: Mark) {
        if let Some(first) = self.trees.get(mark.n_nodes()) {
            let folds = self.folds.iter_mut().zip(&first.folds);
            folds.for_each(|(forest, &(before, _))| forest.cut_back(before));
            self.trees.truncate(mark.n_nodes());
        }
    }

    fn clear(&mut self) {
        self.folds.iter_mut().for_each(Forest::clear);
        self.trees.clear();
    }

    fn grow<W: Watch>(&mut self, allowed: &M, watch: &mut W, control: &Control) -> Result<TreeId, Status> {
        self.make(|forest, _| forest.grow(allowed, watch, control))
    }

    fn follow<W: Watch>(
        &mut self,
        tree: TreeId,
        change: &Change<M>,
        watch: &mut W,
        control: &Control,
    ) -> Result<TreeId, Status> {
        let from: Vec<TreeId> = self.joint(tree).folds.iter().map(|&(_, part)| part).collect();
        self.make(|forest, fold| forest.follow(from[fold], change, watch, control))
    }

    fn used(&self, tree: TreeId) -> &M {
        &self.joint(tree).used
    }

    fn value(&self, tree: TreeId) -> u64 {
        self.joint(tree).value
    }

    fn errors(&self, tree: TreeId) -> u64 {
        self.parts(tree).map(|(forest, part)| forest.errors(part)).sum()
    }

    fn blocked(&mut self, tree: TreeId, control: &Control) -> Result<&M, Status> {
        let mut blocked = M::empty(self.n_features());
        for fold in 0..self.folds.len() {
            let part = self.part(tree, fold);
            blocked.union_with(self.folds[fold].blocked(part, control)?);
        }
        let joint = &mut self.trees[tree as usize];
        joint.blocked = blocked;
        Ok(&joint.blocked)
    }

    fn known_blocked(&self, tree: TreeId) -> &M {
        &self.joint(tree).blocked
    }

    /// The sum of the folds' bounds, looked at as far as the question needs.
    fn bound(&mut self, tree: TreeId, space: &Space<M>, query: Query<'_>) -> Result<u64, Status> {
        let mut rest: u64 = self.parts(tree).map(|(forest, part)| forest.ceiling(part, space)).sum();
        let mut value = 0;
        for fold in 0..self.folds.len() {
            if query.is_settled(value, rest) {
                break;
            }
            let part = self.part(tree, fold);
            rest -= self.folds[fold].ceiling(part, space);
            value += self.folds[fold].bound(part, space, query.of_part(value, rest))?;
        }
        Ok(value)
    }

    fn is_crowded(&self, cap: usize) -> bool {
        self.folds.iter().any(|forest| forest.is_crowded(cap / self.folds.len()))
    }

    fn collect(&mut self, roots: impl Iterator<Item = TreeId>) {
        let roots: Vec<TreeId> = roots.collect();
        for fold in 0..self.folds.len() {
            let parts: Vec<TreeId> = roots.iter().map(|&root| self.part(root, fold)).collect();
            self.folds[fold].collect(parts);
        }
    }

    fn to_trees(&self, tree: TreeId) -> Vec<Tree> {
        self.parts(tree).map(|(forest, part)| forest.to_tree(part)).collect()
    }
}
