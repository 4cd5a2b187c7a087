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
//! Where trees are pruned before they are judged, see `pruned_bound`.
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

/// How closely a bound must be known, and how far it may be looked for.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Of a bound below this, no more than that it is.
    pub floor: u64,
    /// Of a bound from here on, no more than that it is.
    pub enough: u64,
    /// How many splits are looked ahead.
    pub depth: u32,
    pub control: &'a Control,
}

impl<'a> Query<'a> {
    /// To the last error.
    pub fn exact(depth: u32, control: &'a Control) -> Self {
        Query { floor: 0, enough: u64::MAX, depth, control }
    }

    /// Whether a bound is at least `enough`, and nothing else.
    pub fn whether(enough: u64, depth: u32, control: &'a Control) -> Self {
        Query { floor: enough, enough, depth, control }
    }

    /// Whether nothing is left to know where a part of a sum is `known` and the rest is at most `rest`.
    pub(super) fn is_settled(self, known: u64, rest: u64) -> bool {
        known >= self.enough || known + rest < self.floor
    }

    /// What is left to know where a part of a sum is `known` and another is at most `rest`.
    pub(super) fn of_part(self, known: u64, rest: u64) -> Self {
        Query {
            floor: self.floor.saturating_sub(known.saturating_add(rest)),
            enough: self.enough.saturating_sub(known),
            ..self
        }
    }

    /// The same, one split further down.
    fn below(self) -> Self {
        Query { depth: self.depth - 1, ..self }
    }
}

/// A bound, or the control's status.
pub(super) type Bound = Result<u64, Status>;

impl<M: Mask> Forest<M> {
    /// A lower bound on the errors of the trees of `space`, given a tree grown from all its
    /// features and maybe more.
    ///
    /// # Errors
    /// The control's status.
    pub fn bound(&mut self, tree: TreeId, space: &Space<M>, query: Query<'_>) -> Bound {
        if self.prunes() {
            return self.pruned_bound(tree, space, query);
        }
        let first = self.open.len();
        let errors = self.fixed_errors(tree, space);
        let bound = match query.depth {
            0 => Ok(errors + (self.open.len() - first) as u64 * self.store.price.per_leaf),
            _ => self.open_bound(first, errors, space, query),
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
                errors += node.value;
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
    fn open_bound(&mut self, first: usize, mut errors: u64, space: &Space<M>, query: Query<'_>) -> Bound {
        let end = self.open.len();
        let mut rest: u64 = (first..end).map(|at| self.ceiling(self.open[at], space)).sum();
        for at in first..end {
            if query.is_settled(errors, rest) {
                break;
            }
            let tree = self.open[at];
            let ceiling = self.ceiling(tree, space);
            if ceiling > 0 {
                rest -= ceiling;
                errors += self.split_bound(tree, space, query.of_part(errors, rest))?;
            }
        }
        Ok(errors)
    }

    /// No bound at a split of a tree is above this: it is not above the errors of the tree that all
    /// features allowed give, nor above the rows to be judged.
    pub(super) fn ceiling(&self, tree: TreeId, space: &Space<M>) -> u64 {
        let node = self.node(tree);
        let mut used = node.used.clone();
        let fits = used.is_subset(&space.allowed) && {
            used.union_with(&space.required);
            used.len() <= space.max_used
        };
        if fits { node.value } else { self.most(node.case) }
    }

    /// What no bound at a case set is above.
    fn most(&self, case: CaseId) -> u64 {
        let set = self.store.get(case);
        if self.prunes() { set.leaf_value } else { set.most }
    }

    /// The bound at a split of a tree that may give way.
    pub(super) fn split_bound(&mut self, tree: TreeId, space: &Space<M>, mut query: Query<'_>) -> Bound {
        let TreeNode { case, .. } = *self.node(tree);
        let feature = self.feature(tree).expect("a leaf has no features to lose") as usize;
        query.enough = query.enough.min(self.most(case));
        let mut space = space.clone();
        space.narrow();
        if space.allowed.contains(feature) {
            query.enough = self.children_bound(tree, &space.with(feature), query)?;
            if query.enough < query.floor {
                return Ok(query.enough);
            }
            space.allowed.remove(feature);
        }
        self.case_bound(case, space, query)
    }

    /// The bound if the split stays.
    fn children_bound(&mut self, tree: TreeId, space: &Space<M>, query: Query<'_>) -> Bound {
        let range = self.child_range(tree);
        let mut rest: u64 = range.clone().map(|at| self.ceiling(self.children[at], space)).sum();
        let mut errors = 0;
        for at in range {
            if query.is_settled(errors, rest) {
                break;
            }
            let child = self.children[at];
            let ceiling = self.ceiling(child, space);
            rest -= ceiling;
            let bound = self.bound(child, space, query.of_part(errors, rest).below())?;
            errors += bound.min(ceiling); // fixed leaves may count more than a bound does
        }
        Ok(errors.min(query.enough))
    }

    /// The least bound over the splits that features of `allowed` may make at a case set, at most
    /// `enough`.
    fn case_bound(&mut self, case: CaseId, mut space: Space<M>, mut query: Query<'_>) -> Bound {
        query.enough = query.enough.min(self.most(case));
        space.narrow();
        if query.floor > 0 {
            let last = self.last_ceiling(case, &space, query)?;
            if last < query.floor {
                return Ok(last);
            }
        }
        while query.enough > 0 && query.enough >= query.floor {
            let Some(ranked) = self.store.best(case, &space.allowed, query.control)? else {
                return Ok(query.enough.min(self.store.get(case).leaf_value));
            };
            let feature = ranked.feature as usize;
            let inside = space.with(feature);
            query.enough = self.branches_bound(case, ranked, &inside, query)?;
            if space.required.contains(feature) {
                break;
            }
            space.allowed.remove(feature);
        }
        Ok(query.enough)
    }

    /// No bound at a case set is above this, which the last of its splits gives: that on the best of
    /// the required features, or none at all. Takes the scores of these only.
    fn last_ceiling(&mut self, case: CaseId, space: &Space<M>, query: Query<'_>) -> Bound {
        let Some(ranked) = self.store.best(case, &space.required, query.control)? else {
            return Ok(self.store.get(case).leaf_value);
        };
        let settled = self.store.settled(case, ranked);
        Ok(settled.value + if query.depth > 1 { settled.open } else { 0 })
    }

    /// The bound if a case set is split on a feature, at most `enough`.
    fn branches_bound(&mut self, case: CaseId, ranked: Ranked, space: &Space<M>, query: Query<'_>) -> Bound {
        let Settled { value: errors, open, .. } = self.store.settled(case, ranked);
        if query.depth == 1 || open == 0 || query.is_settled(errors, open) {
            return Ok(errors.min(query.enough));
        }
        query.control.checkpoint()?;
        let children = self.store.branches(case, ranked);
        let mut rest: u64 = children.clone().map(|child| self.most(child)).sum();
        let mut errors = 0;
        for child in children {
            if query.is_settled(errors, rest) {
                break;
            }
            let ceiling = self.most(child);
            rest -= ceiling;
            if ceiling == 0 {
                continue;
            }
            errors += match self.store.is_closed(child) {
                true => ceiling,
                false => self.case_bound(child, space.clone(), query.of_part(errors, rest).below())?,
            };
        }
        Ok(errors.min(query.enough))
    }
}
