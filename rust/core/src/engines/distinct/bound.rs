//! Lower bounds on the errors of all trees of a sub-space.
//!
//! ```text
//! bound(t, R, A): fewest errors that a tree can have which uses all of R and only features of A, given
//!                 the tree t of a superset of A
//!   a leaf stays a leaf: its errors
//!   a split on a member of R stays: the sum over its children, and the rows that lose their way at
//!     it if nothing below can change
//!   any other split gives way to some feature f of the ranking, at most down to the first member of
//!     R, or to a leaf: the least bound over these, where from f's split down f is in R, and what
//!     ranks before f is out of A
//! ```
//! The last step looks ahead into case sets that no tree may have reached yet, so it goes on for a
//! given number of splits only; beyond them it counts nothing. Where R holds as many features as a
//! tree may use, A is R.
//!
//! Mostly the question is whether a bound is large enough, and nothing else. So every part of it is
//! held against its *ceiling*, which costs nothing: the errors of the given tree there, if that is
//! one of the trees bounded, or the weight of the rows to be judged. What cannot make the
//! difference is not looked at, let alone scored.
//!
//! # Source
//! distinct-trees, section 4 (a feature that wins among more features wins among fewer).

use super::case_store::CaseId;
use super::closed::Settled;
use super::forest::{Forest, TreeId, TreeNode};
use super::ranking::Ranked;
use crate::base::bits::Mask;
use crate::base::control::Control;
use crate::base::outcome::Status;

/// The trees that use all of `required`, a subset of `allowed`, and only features of `allowed`, at
/// most `max_used` of them.
#[derive(Debug, Clone)]
pub struct Space<M> {
    pub required: M,
    pub allowed: M,
    pub max_used: usize,
}

impl<M: Mask> Space<M> {
    /// The trees among these that use one more feature.
    fn with(&self, feature: usize) -> Self {
        let mut inside = self.clone();
        inside.required.insert(feature);
        inside
    }

    /// The features that a tree may use.
    fn narrow(&mut self) {
        if self.required.len() >= self.max_used {
            self.allowed = self.required.clone();
        }
    }
}

/// How closely a bound must be known.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Of a bound below this, no more than that it is.
    pub floor: u64,
    /// Of a bound from here on, no more than that it is.
    pub enough: u64,
}

impl Window {
    /// To the last error.
    pub const EXACT: Window = Window { floor: 0, enough: u64::MAX };

    /// Whether a bound is at least `enough`, and nothing else.
    pub fn whether(enough: u64) -> Self {
        Window { floor: enough, enough }
    }

    /// What is left to know where a part of a sum is `known` and another is at most `rest`.
    fn of_part(self, known: u64, rest: u64) -> Self {
        Window {
            floor: self.floor.saturating_sub(known.saturating_add(rest)),
            enough: self.enough.saturating_sub(known),
        }
    }
}

impl<M: Mask> Forest<M> {
    /// A lower bound on the errors of the trees of `space`, given a tree grown from all its
    /// features and maybe more. Looks ahead `depth` splits.
    ///
    /// # Errors
    /// The control's status.
    pub fn bound(
        &mut self,
        tree: TreeId,
        space: &Space<M>,
        window: Window,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Status> {
        let first = self.open.len();
        let errors = self.fixed_errors(tree, space);
        let bound = match depth {
            0 => Ok(errors),
            _ => self.open_bound(first, errors, space, window, depth, control),
        };
        self.open.truncate(first);
        bound
    }

    /// Errors of the part that no tree of the space lacks; the splits where it ends are added to
    /// the open ones.
    fn fixed_errors(&mut self, tree: TreeId, space: &Space<M>) -> u64 {
        let mut pending = std::mem::take(&mut self.pending);
        let mut errors = 0;
        pending.push(tree);
        while let Some(tree) = pending.pop() {
            let node = self.node(tree);
            if node.used.is_subset(&space.required) {
                errors += node.errors;
            } else if self.feature(tree).is_some_and(|f| space.required.contains(f as usize)) {
                pending.extend_from_slice(self.children_of(tree));
            } else {
                self.open.push(tree);
            }
        }
        self.pending = pending;
        errors
    }

    /// The bound, given the errors of the fixed part and where the open splits begin.
    fn open_bound(
        &mut self,
        first: usize,
        mut errors: u64,
        space: &Space<M>,
        window: Window,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Status> {
        let end = self.open.len();
        let mut rest: u64 = (first..end).map(|at| self.ceiling(self.open[at], space)).sum();
        for at in first..end {
            if errors >= window.enough || errors + rest < window.floor {
                break;
            }
            let tree = self.open[at];
            let ceiling = self.ceiling(tree, space);
            if ceiling > 0 {
                rest -= ceiling;
                errors += self.split_bound(tree, space, window.of_part(errors, rest), depth, control)?;
            }
        }
        Ok(errors)
    }

    /// No bound at a split of a tree is above this: it is not above the errors of the tree that all
    /// features allowed give, nor above the rows to be judged.
    fn ceiling(&self, tree: TreeId, space: &Space<M>) -> u64 {
        let node = self.node(tree);
        let mut used = node.used.clone();
        let fits = used.is_subset(&space.allowed) && {
            used.union_with(&space.required);
            used.len() <= space.max_used
        };
        if fits { node.errors } else { self.store.get(node.case).validation_weight }
    }

    /// The bound at a split of a tree that may give way.
    fn split_bound(
        &mut self,
        tree: TreeId,
        space: &Space<M>,
        mut window: Window,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Status> {
        let TreeNode { case, .. } = *self.node(tree);
        let feature = self.feature(tree).expect("a leaf has no features to lose") as usize;
        let mut space = space.clone();
        space.narrow();
        if space.allowed.contains(feature) {
            window.enough = self.children_bound(tree, &space.with(feature), window, depth, control)?;
            if window.enough < window.floor {
                return Ok(window.enough);
            }
            space.allowed.remove(feature);
        }
        self.case_bound(case, space, window, depth, control)
    }

    /// The bound if the split stays.
    fn children_bound(
        &mut self,
        tree: TreeId,
        space: &Space<M>,
        window: Window,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Status> {
        let range = self.child_range(tree);
        let mut rest: u64 = range.clone().map(|at| self.ceiling(self.children[at], space)).sum();
        let mut errors = 0;
        for at in range {
            if errors >= window.enough || errors + rest < window.floor {
                break;
            }
            let child = self.children[at];
            rest -= self.ceiling(child, space);
            errors += self.bound(child, space, window.of_part(errors, rest), depth - 1, control)?;
        }
        Ok(errors.min(window.enough))
    }

    /// The least bound over the splits that features of `allowed` may make at a case set, at most
    /// `enough`.
    fn case_bound(
        &mut self,
        case: CaseId,
        mut space: Space<M>,
        mut window: Window,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Status> {
        window.enough = window.enough.min(self.store.get(case).validation_weight);
        space.narrow();
        if window.floor > 0 {
            let last = self.last_ceiling(case, &space, depth, control)?;
            if last < window.floor {
                return Ok(last);
            }
        }
        while window.enough > 0 && window.enough >= window.floor {
            let Some(ranked) = self.store.best(case, &space.allowed, control)? else {
                return Ok(window.enough.min(self.store.get(case).leaf_errors));
            };
            let feature = ranked.feature as usize;
            let inside = space.with(feature);
            window.enough = self.branches_bound(case, ranked, &inside, window, depth, control)?;
            if space.required.contains(feature) {
                break;
            }
            space.allowed.remove(feature);
        }
        Ok(window.enough)
    }

    /// No bound at a case set is above this, which the last of its splits gives: that on the best of
    /// the required features, or none at all. Takes the scores of these only.
    fn last_ceiling(
        &mut self,
        case: CaseId,
        space: &Space<M>,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Status> {
        let Some(ranked) = self.store.best(case, &space.required, control)? else {
            return Ok(self.store.get(case).leaf_errors);
        };
        let settled = self.store.settled(case, ranked);
        Ok(settled.errors + if depth > 1 { settled.open } else { 0 })
    }

    /// No bound at a branch is above this.
    fn branch_ceiling(&self, child: CaseId) -> u64 {
        let set = self.store.get(child);
        if set.is_closed() { set.leaf_errors } else { set.validation_weight }
    }

    /// The bound if a case set is split on a feature, at most `enough`.
    fn branches_bound(
        &mut self,
        case: CaseId,
        ranked: Ranked,
        space: &Space<M>,
        window: Window,
        depth: u32,
        control: &Control,
    ) -> Result<u64, Status> {
        let Settled { errors, open, .. } = self.store.settled(case, ranked);
        if depth == 1 || open == 0 || errors >= window.enough || errors + open < window.floor {
            return Ok(errors.min(window.enough));
        }
        control.checkpoint()?;
        let children = self.store.branches(case, ranked);
        let mut rest: u64 = children.clone().map(|child| self.branch_ceiling(child)).sum();
        let mut errors = 0;
        for child in children {
            if errors >= window.enough || errors + rest < window.floor {
                break;
            }
            let ceiling = self.branch_ceiling(child);
            rest -= ceiling;
            if ceiling == 0 {
                continue;
            }
            errors += match self.store.is_closed(child) {
                true => ceiling,
                false => {
                    let window = window.of_part(errors, rest);
                    self.case_bound(child, space.clone(), window, depth - 1, control)?
                }
            };
        }
        Ok(errors.min(window.enough))
    }
}
