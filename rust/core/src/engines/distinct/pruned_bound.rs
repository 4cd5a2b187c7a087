//! Lower bounds on the errors of all trees of a sub-space whose trees are pruned before they are judged.
//!
//! ```text
//! bound(t, R, A): as for trees that are not pruned, but
//!   a split on a member of R stays, or becomes a leaf: the lesser of the sum over its children and its errors
//!     as a leaf; if nothing below it can change, its pruned errors
//!   any other split: no more than its errors as a leaf either
//! ```
//! So it is a bound. A tree of the space has every split that is fixed. Pruning keeps it, and it errs no less
//! than its children together, or makes it a leaf, and it errs as one. What pruning makes of a node depends on
//! the sub-tree of the node alone, so one that is wholly fixed has the same pruned errors in all trees. The
//! errors of a fixed leaf alone bound nothing: they vanish where a node above it becomes a better leaf.

use super::bound::{Bound, Query, Space};
use super::forest::{Forest, TreeId};
use crate::base::bits::Mask;

/// A node of the fixed part, or an open split where it ends.
struct Part {
    tree: TreeId,
    /// The part that it is below.
    above: usize,
    /// Errors of what is below, and what they count at the most.
    errors: u64,
    most: u64,
}

impl Part {
    fn value(&self) -> u64 {
        self.errors.min(self.most)
    }
}

/// Sets what an open split errs, and what follows for all above it.
fn set(parts: &mut [Part], mut at: usize, errors: u64) {
    let mut before = parts[at].value();
    parts[at].errors = errors;
    while at > 0 && parts[at].value() != before {
        let (value, above) = (parts[at].value(), parts[at].above);
        let before_above = parts[above].value();
        parts[above].errors = parts[above].errors - before + value;
        (at, before) = (above, before_above);
    }
}

impl<M: Mask> Forest<M> {
    pub(super) fn pruned_bound(&mut self, tree: TreeId, space: &Space<M>, query: Query<'_>) -> Bound {
        let (mut parts, open) = self.fixed_parts(tree, space);
        if query.depth == 0 || open.is_empty() || parts[0].value() >= query.enough {
            return Ok(parts[0].value());
        }
        let mut ceilings = self.fixed_parts(tree, space).0;
        for &at in &open {
            set(&mut ceilings, at, self.ceiling(parts[at].tree, space));
        }
        for at in open {
            if parts[0].value() >= query.enough || ceilings[0].value() < query.floor {
                break;
            }
            let enough = ceilings[at].value();
            if enough > 0 {
                let part = Query { floor: 0, enough, ..query };
                let errors = self.split_bound(parts[at].tree, space, part)?;
                set(&mut parts, at, errors);
                set(&mut ceilings, at, errors);
            }
        }
        Ok(parts[0].value())
    }

    /// The part that no tree of the space lacks, parents first, and where open splits are in it, which count
    /// nothing yet.
    fn fixed_parts(&self, tree: TreeId, space: &Space<M>) -> (Vec<Part>, Vec<usize>) {
        let (mut parts, mut open) = (vec![self.part(tree, 0)], Vec::new());
        let mut at = 0;
        while at < parts.len() {
            let tree = parts[at].tree;
            if self.node(tree).used.is_subset(&space.required) {
                (parts[at].errors, parts[at].most) = (self.value(tree), u64::MAX);
            } else if self.feature(tree).is_some_and(|f| space.required.contains(f as usize)) {
                parts.extend(self.children_of(tree).iter().map(|&child| self.part(child, at)));
            } else {
                parts[at].errors = self.store.price.value(0, 1);
                open.push(at);
            }
            at += 1;
        }
        for at in (1..parts.len()).rev() {
            let (value, above) = (parts[at].value(), parts[at].above);
            parts[above].errors += value;
        }
        (parts, open)
    }

    fn part(&self, tree: TreeId, above: usize) -> Part {
        Part { tree, above, errors: 0, most: self.store.get(self.node(tree).case).leaf_value }
    }
}
