//! What blocks a tree: the features that would change it if they came.

use super::forest::{Forest, TreeId, TreeNode};
use crate::base::bits::Mask;
use crate::base::control::Control;
use crate::base::outcome::Status;

impl<M: Mask> Forest<M> {
    /// Features that would change the tree if they came. Scores what that takes, which is little:
    /// a feature that was taken away is mostly blocked where it used to be.
    ///
    /// # Errors
    /// The control's status.
    pub fn blocked(&mut self, tree: TreeId, control: &Control) -> Result<&M, Status> {
        let mut open = self.node(tree).unknown.clone();
        open.subtract(&self.node(tree).blocked);
        if !open.is_empty() {
            self.find_blocked(tree, open, control)?;
        }
        Ok(&self.node(tree).blocked)
    }

    /// What [`Forest::blocked`] found.
    pub fn known_blocked(&self, tree: TreeId) -> &M {
        &self.node(tree).blocked
    }

    /// Scores the features of `open` at node after node until each is found blocked or all nodes
    /// have been asked, and brings what the nodes know up to date.
    fn find_blocked(&mut self, tree: TreeId, mut open: M, control: &Control) -> Result<(), Status> {
        let mut pending = vec![(tree, false)];
        while let Some((tree, children_done)) = pending.pop() {
            if children_done {
                self.refresh(tree);
                continue;
            }
            let TreeNode { case, .. } = *self.node(tree);
            if !self.node(tree).unknown.intersects(&open) {
                continue;
            }
            self.store.score_too(case, &open, control)?;
            let here = self.branching(tree).map_or(self.store.get(case).leaf_blocked(), |b| &b.blocked);
            open.subtract(here);
            pending.push((tree, true));
            pending.extend(self.children_of(tree).iter().rev().map(|&child| (child, false)));
        }
        Ok(())
    }

    /// Takes over what a node's case set and children know by now.
    fn refresh(&mut self, tree: TreeId) {
        let TreeNode { case, .. } = *self.node(tree);
        let mut blocked =
            self.branching(tree).map_or(self.store.get(case).leaf_blocked(), |b| &b.blocked).clone();
        let mut unknown = self.store.unscored(case).clone();
        for &child in self.children_of(tree) {
            blocked.union_with(&self.node(child).blocked);
            unknown.union_with(&self.node(child).unknown);
        }
        let node = &mut self.nodes[tree as usize];
        (node.blocked, node.unknown) = (blocked, unknown);
    }
}
