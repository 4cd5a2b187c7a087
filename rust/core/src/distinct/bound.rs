//! Lower bounds on the errors of all trees of a sub-space.
//!
//! ```text
//! bound(t, R, A): fewest errors that a tree can have which uses all of R and only features of A, given
//!                 the tree t of a superset of A
//!   a leaf stays a leaf: its errors
//!   a split on a member of R stays: the sum over its children, and the rows that lose their way at
//!     it if nothing below can change
//!   any other split gives way to some feature of the ranking, at most down to the first member of
//!     R, or to a leaf: the least bound over these
//! ```
//! The last step looks ahead into case sets that no tree may have reached yet, so it goes on for a
//! given number of splits only; beyond them it counts nothing.
//!
//! # Source
//! distinct-trees, section 4 (a feature that wins among more features wins among fewer).

use super::case_store::CaseId;
use super::forest::{Forest, TreeId, TreeNode};
use super::ranking::Ranked;
use crate::bits::Mask;
use crate::control::{Control, Interrupt};

/// The trees that use all of `required`, a subset of `allowed`, and only features of `allowed`.
pub struct Space<'a, M> {
    pub required: &'a M,
    pub allowed: &'a M,
}

impl<M: Mask> Forest<M> {
    /// A lower bound on the errors of the trees of `space`, given a tree grown from all its
    /// features and maybe more. Looks ahead `depth` splits. May end at `enough`.
    ///
    /// # Errors
    /// The control's interrupt.
    pub fn bound(
        &mut self,
        tree: TreeId,
        space: &Space<M>,
        enough: u64,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Interrupt> {
        let mut open = Vec::new();
        let mut errors = self.fixed_errors(tree, space, &mut open);
        if depth == 0 {
            return Ok(errors);
        }
        for tree in open {
            if errors >= enough {
                break;
            }
            errors += self.split_bound(tree, space, enough - errors, depth, control)?;
        }
        Ok(errors)
    }

    /// Errors of the part that no tree of the space lacks; the splits where it ends go to `open`.
    fn fixed_errors(&self, tree: TreeId, space: &Space<M>, open: &mut Vec<TreeId>) -> u64 {
        let (mut errors, mut pending) = (0, vec![tree]);
        while let Some(tree) = pending.pop() {
            let node = self.node(tree);
            if node.used.is_subset(space.required) {
                errors += node.errors;
            } else if self.feature(tree).is_some_and(|f| space.required.contains(f as usize)) {
                pending.extend_from_slice(self.children_of(tree));
            } else {
                open.push(tree);
            }
        }
        errors
    }

    /// The bound at a split of a tree that may give way.
    fn split_bound(
        &mut self,
        tree: TreeId,
        space: &Space<M>,
        enough: u64,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Interrupt> {
        let TreeNode { case, .. } = *self.node(tree);
        let feature = self.feature(tree).expect("a leaf has no features to lose") as usize;
        let mut least = enough;
        let mut allowed = space.allowed.clone();
        if allowed.contains(feature) {
            least = self.children_bound(tree, space, least, depth, control)?;
            allowed.remove(feature);
        }
        self.case_bound(case, allowed, space, least, depth, control)
    }

    /// The bound if the split stays.
    fn children_bound(
        &mut self,
        tree: TreeId,
        space: &Space<M>,
        enough: u64,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Interrupt> {
        let mut errors = 0;
        for at in self.child_range(tree) {
            if errors >= enough {
                break;
            }
            errors += self.bound(self.children[at], space, enough - errors, depth - 1, control)?;
        }
        Ok(errors.min(enough))
    }

    /// The least bound over the splits that features of `allowed` may make at a case set, at most
    /// `enough`.
    fn case_bound(
        &mut self,
        case: CaseId,
        mut allowed: M,
        space: &Space<M>,
        enough: u64,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Interrupt> {
        let mut least = enough;
        while least > 0 {
            let Some(ranked) = self.store.best(case, &allowed, control)? else {
                return Ok(least.min(self.store.get(case).leaf_errors));
            };
            least = self.branches_bound(case, ranked, space, least, depth, control)?;
            let feature = ranked.feature as usize;
            if space.required.contains(feature) {
                break;
            }
            allowed.remove(feature);
        }
        Ok(least)
    }

    /// The bound if a case set is split on a feature, at most `enough`.
    fn branches_bound(
        &mut self,
        case: CaseId,
        ranked: Ranked,
        space: &Space<M>,
        enough: u64,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Interrupt> {
        let branching = self.store.branch(case, ranked);
        let branching = self.store.branching(case, branching);
        let children = branching.first_child..branching.first_child + branching.n_children;
        let mut errors = 0;
        for child in children {
            if errors >= enough {
                return Ok(enough);
            }
            if self.store.is_closed(child) {
                errors += self.store.get(child).leaf_errors;
            } else if depth > 1 {
                let allowed = space.allowed.clone();
                errors += self.case_bound(child, allowed, space, enough - errors, depth - 1, control)?;
            }
        }
        Ok(errors.min(enough))
    }
}
