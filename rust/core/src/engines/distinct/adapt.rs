//! Making one persistent tree from another.
//!
//! ```text
//! adapt(t, S):                              the tree of S at t's case set, given that t was the tree of S0
//!   if nothing was added and t uses nothing dropped: t itself
//!   f = best feature of S at t's case set
//!   if f is t's own feature: adapt every child; t itself if none changed, else a copy over the new ones
//!   else: grow a new sub-tree of S here
//! ```
//! The fast part is the first line. It may be taken because a sub-tree depends on the features it
//! uses and on nothing that was dropped (Remark 4.3). Errors are sums over leaves, plus those of
//! validation rows that lose their way at a node; both are kept at every node, so a tree's errors cost
//! what its new nodes cost. Where trees are pruned, so is every new node before its errors are counted; an
//! ancestor may become a leaf yet, which is taken into account in what is certain.

use super::case_store::{Branching, CaseId};
use super::forest::{Forest, LEAF, TreeId, TreeNode};
use crate::base::bits::Mask;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::model::tree::cast_votes;

/// The difference between the features of the tree at hand and those of the one wanted.
pub struct Change<'a, M> {
    pub allowed: &'a M,
    pub dropped: &'a M,
    /// Whether `allowed` holds features that the tree at hand could not use.
    pub adds: bool,
}

/// What is told of every sub-tree that leaves a tree and every split that comes into it.
pub trait Watch {
    fn split(&mut self, feature: u32, mass: u128);
    fn unsplit(&mut self, feature: u32, mass: u128);
    /// Whether to tell at all.
    const WATCHES: bool;
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {
    fn split(&mut self, _: u32, _: u128) {}
    fn unsplit(&mut self, _: u32, _: u128) {}
    const WATCHES: bool = false;
}

/// Something still to be done; the tree it gives goes to a place among the children.
pub(super) enum Task {
    /// Adapt a sub-tree.
    Visit(TreeId, Place),
    /// Grow a new one.
    Grow(CaseId, Place),
    /// Make a split over children that are all in their places.
    Finish { case: CaseId, branching: u32, first_child: u32, n_children: u32, from: TreeId, place: Place },
}

/// An index into the forest's children, or `ROOT`.
pub(super) type Place = u32;

const ROOT: Place = Place::MAX;
/// No tree: its place is still empty.
pub(super) const NEW: TreeId = TreeId::MAX;

impl<M: Mask> Forest<M> {
    /// DT(allowed), from the root.
    ///
    /// # Errors
    /// The control's status.
    pub fn grow<W: Watch>(
        &mut self,
        allowed: &M,
        watch: &mut W,
        control: &Control,
    ) -> Result<TreeId, Status> {
        let none = M::empty(self.store.problem.n_features());
        let change = Change { allowed, dropped: &none, adds: true };
        let tree = self.run(Task::Grow(0, ROOT), &change, 0, u64::MAX, watch, control)?;
        Ok(tree.expect("no tree reaches the largest bound"))
    }

    /// The tree of `change.allowed`, made from `tree`; none once it cannot have fewer than `bound`
    /// errors. Where there is none, nothing is left behind but case sets.
    ///
    /// # Errors
    /// The control's status.
    pub fn adapt<W: Watch>(
        &mut self,
        tree: TreeId,
        change: &Change<M>,
        bound: u64,
        watch: &mut W,
        control: &Control,
    ) -> Result<Option<TreeId>, Status> {
        let mark = self.mark();
        let result = match self.certain(tree, change, bound) {
            None => Ok(None),
            Some(certain) => self.run(Task::Visit(tree, ROOT), change, certain, bound, watch, control),
        };
        if !matches!(result, Ok(Some(_))) {
            self.cut_back(mark);
        }
        result
    }

    /// What the tree without the features of `dropped` counts at the least.
    pub fn least(&mut self, tree: TreeId, dropped: &M) -> u64 {
        match self.prunes() {
            true => self.least_errors(tree, dropped),
            false => self.value(tree) - self.errors_at_stake(tree, dropped),
        }
    }

    /// Features that the tree still tests without those of `dropped`, whatever is grown in their place.
    pub fn kept(&self, tree: TreeId, dropped: &M) -> M {
        let (mut kept, mut pending) = (M::empty(self.store.problem.n_features()), vec![tree]);
        while let Some(tree) = pending.pop() {
            match self.feature(tree) {
                Some(feature) if !dropped.contains(feature as usize) => {
                    kept.insert(feature as usize);
                    match self.node(tree).used.intersects(dropped) {
                        true => pending.extend_from_slice(self.children_of(tree)),
                        false => kept.union_with(&self.node(tree).used),
                    }
                }
                _ => {}
            }
        }
        kept
    }

    /// Errors that the tree of `change` has for certain, counted in from the start; none if it reaches the bound.
    fn certain(&mut self, tree: TreeId, change: &Change<M>, bound: u64) -> Option<u64> {
        self.opened.knows_least = false;
        if change.adds || bound == u64::MAX {
            return Some(0);
        }
        if self.prunes() {
            self.opened.knows_least = true;
            return (self.least_errors(tree, change.dropped) < bound).then_some(0);
        }
        Some(self.value(tree) - self.errors_at_stake(tree, change.dropped))
    }

    /// Errors that may change when features are dropped: those of the sub-trees that must be grown
    /// anew, and of the rows that lose their way at a node above one.
    fn errors_at_stake(&self, tree: TreeId, dropped: &M) -> u64 {
        let (mut errors, mut pending) = (0, vec![tree]);
        while let Some(tree) = pending.pop() {
            match self.feature(tree) {
                Some(feature) if dropped.contains(feature as usize) => errors += self.value(tree),
                Some(_) if self.node(tree).used.intersects(dropped) => {
                    errors += self.node(tree).own_value;
                    pending.extend_from_slice(self.children_of(tree));
                }
                _ => {}
            }
        }
        errors
    }

    /// Works off a task and all that follow from it. `errors` are those of the wanted tree that are
    /// certain already.
    fn run<W: Watch>(
        &mut self,
        first: Task,
        change: &Change<M>,
        mut errors: u64,
        bound: u64,
        watch: &mut W,
        control: &Control,
    ) -> Result<Option<TreeId>, Status> {
        self.tasks.clear();
        self.tasks.push(first);
        self.opened.clear();
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(tree, place) => {
                    self.opened.know(self.known_least(tree), 0);
                    self.visit(tree, place, change, &mut errors, watch, control)?;
                }
                Task::Grow(case, place) => match self.store.choose(case, change.allowed, control)? {
                    Some(branching) => errors += self.open(case, branching, place, watch),
                    None => errors += self.leaf(case, place),
                },
                Task::Finish { case, branching, first_child, n_children, from, place } => {
                    self.opened.close();
                    let tree = self.finish(case, branching, first_child, n_children, from);
                    errors += self.node(tree).own_value;
                    self.put(tree, place);
                }
            }
            let reaches = if self.prunes() { self.opened.reaches(bound) } else { errors >= bound };
            if reaches {
                return Ok(None);
            }
        }
        Ok(Some(self.root).filter(|&tree| !self.prunes() || self.value(tree) < bound))
    }

    #[inline]
    fn put(&mut self, tree: TreeId, place: Place) {
        if self.prunes() {
            self.opened.know(0, self.value(tree));
        }
        match place {
            ROOT => self.root = tree,
            place => self.children[place as usize] = tree,
        }
    }

    fn visit<W: Watch>(
        &mut self,
        tree: TreeId,
        place: Place,
        change: &Change<M>,
        errors: &mut u64,
        watch: &mut W,
        control: &Control,
    ) -> Result<(), Status> {
        if !change.adds && !self.node(tree).used.intersects(change.dropped) {
            self.put(tree, place);
            return Ok(());
        }
        let TreeNode { case, branching, value: own, .. } = *self.node(tree);
        let kept = match self.feature(tree) {
            Some(feature) if change.adds => {
                let best = self.store.best(case, change.allowed, control)?;
                best.is_some_and(|ranked| ranked.feature == feature)
            }
            Some(feature) => !change.dropped.contains(feature as usize),
            None => self.store.choose(case, change.allowed, control)?.is_none(),
        };
        if !kept {
            self.unwatch(tree, watch);
            self.tasks.push(Task::Grow(case, place));
        } else if branching == LEAF {
            *errors += own;
            self.put(tree, place);
        } else {
            self.copy(tree, place, change);
        }
        Ok(())
    }

    /// Plans a copy of a split whose sub-trees may change; those that cannot are in place at once.
    fn copy(&mut self, tree: TreeId, place: Place, change: &Change<M>) {
        let TreeNode { case, branching, n_children, .. } = *self.node(tree);
        let range = self.child_range(tree);
        let first_child = self.children.len() as u32;
        self.children.extend_from_within(range);
        // Whatever loses a feature changes; what is offered new ones may stay as it is.
        let from = if change.adds { tree } else { NEW };
        self.tasks.push(Task::Finish { case, branching, first_child, n_children, from, place });
        let mut below = 0;
        for place in (first_child..first_child + n_children).rev() {
            let child = self.children[place as usize];
            if change.adds || self.node(child).used.intersects(change.dropped) {
                below += self.known_least(child);
                self.tasks.push(Task::Visit(child, place));
            } else {
                below += self.value(child);
            }
        }
        self.open_split(case, below);
    }

    /// Begins a split of which so much is known, where that is asked for.
    #[inline]
    fn open_split(&mut self, case: CaseId, below: u64) {
        if self.prunes() {
            self.opened.open(self.store.get(case).leaf_value, below);
        }
    }

    /// Tells of the splits that go with a sub-tree.
    fn unwatch<W: Watch>(&self, tree: TreeId, watch: &mut W) {
        if !W::WATCHES {
            return;
        }
        let mut pending = vec![tree];
        while let Some(tree) = pending.pop() {
            if let Some(feature) = self.feature(tree) {
                watch.unsplit(feature, self.store.get(self.node(tree).case).mass);
                pending.extend_from_slice(self.children_of(tree));
            }
        }
    }

    /// Plans the sub-tree of a case set that takes a branching; children that must be leaves are made
    /// at once. Returns the errors of those.
    fn open<W: Watch>(&mut self, case: CaseId, branching: usize, place: Place, watch: &mut W) -> u64 {
        let split = self.store.branching(case, branching);
        let &Branching { first_child: first_case, n_children, .. } = split;
        if W::WATCHES {
            watch.split(split.feature(), self.store.get(case).mass);
        }
        let branching = branching as u32;
        let first_child = self.children.len() as u32;
        self.children.resize((first_child + n_children) as usize, NEW);
        self.tasks.push(Task::Finish { case, branching, first_child, n_children, from: NEW, place });
        self.open_split(case, 0);
        let mut errors = 0;
        for branch in (0..n_children).rev() {
            let (case, place) = (first_case + branch, first_child + branch);
            if self.store.is_closed(case) {
                errors += self.leaf(case, place);
            } else {
                self.tasks.push(Task::Grow(case, place));
            }
        }
        errors
    }

    /// Makes a leaf; returns its errors.
    fn leaf(&mut self, case: CaseId, place: Place) -> u64 {
        let set = self.store.get(case);
        let value = set.leaf_value;
        self.nodes.push(TreeNode {
            case,
            branching: LEAF,
            feature: LEAF,
            first_child: 0,
            n_children: 0,
            used: M::empty(self.store.problem.n_features()),
            blocked: set.leaf_blocked().clone(),
            unknown: self.store.unscored(case).clone(),
            n_leaves: 1,
            value,
            own_value: 0,
        });
        self.keep_leaf();
        self.put(self.nodes.len() as TreeId - 1, place);
        value
    }

    /// A split over children in their places; `from` itself if these are its own.
    fn finish(
        &mut self,
        case: CaseId,
        branching: u32,
        first_child: u32,
        n_children: u32,
        from: TreeId,
    ) -> TreeId {
        let places = first_child as usize..(first_child + n_children) as usize;
        if from != NEW && self.children_of(from) == &self.children[places.clone()] {
            return from;
        }
        let split = self.store.branching(case, branching as usize);
        let mut used = M::empty(self.store.problem.n_features());
        let feature = split.feature();
        used.insert(feature as usize);
        let mut blocked = split.blocked.clone();
        let mut unknown = self.store.unscored(case).clone();
        let (mut value, mut n_leaves, has_lost) = (0u64, 0, !split.lost().is_empty());
        for &child in &self.children[places] {
            let child = &self.nodes[child as usize];
            value = value.saturating_add(child.value);
            n_leaves += child.n_leaves;
            used.union_with(&child.used);
            blocked.union_with(&child.blocked);
            unknown.union_with(&child.unknown);
        }
        let tree = self.nodes.len() as TreeId;
        self.nodes.push(TreeNode {
            case,
            branching,
            feature,
            first_child,
            n_children,
            used,
            blocked,
            unknown,
            n_leaves,
            value,
            own_value: 0,
        });
        if !self.cut() && has_lost {
            let own_value = self.store.price.value(self.errors_of_lost(tree), 0);
            let node = &mut self.nodes[tree as usize];
            node.own_value = own_value;
            node.value += own_value;
        }
        tree
    }

    /// Errors among the validation rows that are whole at a node and miss the value it asks for.
    fn errors_of_lost(&mut self, tree: TreeId) -> u64 {
        let mut ballot = std::mem::take(&mut self.ballot);
        let problem = &self.store.problem;
        let branching = self.branching(tree).expect("asked of a split");
        let mut errors = 0;
        for &row in branching.lost() {
            cast_votes(self, tree, row as usize, &mut ballot, |_, _| {});
            errors += problem.loss(row, ballot.class(self) as u16);
        }
        self.ballot = ballot;
        errors
    }
}
