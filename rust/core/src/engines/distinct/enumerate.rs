//! All and only the distinct trees over feature subsets.
//!
//! ```text
//! distinct(R, S):                            trees that use all of R and some of S
//!   T = DT(R u S); U = features that T does not use
//!   if R and U are disjoint: output T
//!   R' = R u (S \ U); S' = S n U
//!   for a in S \ U, in the order asked for:
//!     R' = R' \ {a}; distinct(R', S'); S' = S' u {a}
//! ```
//! The recursion is an explicit stack. A child's features are its parent's without `a`, so its tree
//! is adapted from the parent's. Trees, and under a memory limit case sets, made within a call are
//! forgotten when it returns.
//!
//! # Source
//! distinct-trees, Algorithm 2; its line 8 reads S \ U (the printed S' \ U is empty).

use std::sync::Arc;

use super::adapt::{Change, Unwatched, Watch};
use super::bound::{Query, Space};
use super::calls::Call;
use super::case_store::Keeping;
use super::forest::{Forest, Mark, TreeId};
use super::grove::Grove;
use super::judging::Judging;
use super::visitor::{EveryTree, Found, Visitor};
use crate::base::bits::Mask;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::induce::Problem;

/// Order in which the features of a tree are taken away in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Fewest rows at nodes split on the feature first.
    Frontier,
    /// Most rows first.
    FrontierDescending,
    /// Lowest feature first.
    Index,
    /// Highest feature first.
    IndexDescending,
}

impl Order {
    /// Orders features that come by their index; equal ones stay so. Apart from what asks, to be compiled once.
    pub(super) fn arrange(self, features: &mut [u32], frontier: &dyn Fn(u32) -> u128) {
        match self {
            Order::Index => {}
            Order::IndexDescending => features.reverse(),
            Order::Frontier => features.sort_by_key(|&feature| frontier(feature)),
            Order::FrontierDescending => features.sort_by_key(|&feature| !frontier(feature)),
        }
    }
}

/// Calls between two looks at the clock.
const CALLS_PER_CHECK: u32 = 256;

/// One open call of the recursion.
pub(super) struct Frame<M> {
    tree: TreeId,
    /// R' and S' as they stand.
    pub required: M,
    pub optional: M,
    /// This call's features still to be taken away: `queue[next..end]`.
    pub next: usize,
    pub end: usize,
    before: Mark,
}

/// A paused or running enumeration.
pub struct Enumerator<M: Mask, F = Forest<M>> {
    forest: F,
    pub(super) frames: Vec<Frame<M>>,
    pub(super) queue: Vec<u32>,
    /// Frontier of every feature, `n_features` entries an open call.
    frontiers: Vec<u128>,
    order: Order,
    cap: usize,
    node_limit: u64,
    first: Call<M>,
    started: bool,
    n_reported: u64,
    until_check: u32,
    pub n_built: u64,
    pub n_distinct: u64,
}

/// Frontiers of the tree at hand, kept up to date.
struct Frontier<'a>(&'a mut [u128]);

impl Watch for Frontier<'_> {
    const WATCHES: bool = true;

    #[inline]
    fn split(&mut self, feature: u32, mass: u128) {
        self.0[feature as usize] += mass;
    }

    #[inline]
    fn unsplit(&mut self, feature: u32, mass: u128) {
        self.0[feature as usize] -= mass;
    }
}

impl<M: Mask> Enumerator<M> {
    /// Trees of `problem`, judged as told; about `cap` bytes are kept.
    pub fn new(problem: Arc<Problem>, judging: impl Into<Judging>, order: Order, cap: usize) -> Self {
        Self::over(Forest::new(problem, judging, Keeping::All), order, cap)
    }

    /// An enumerator for another thread over the same rows and scores.
    pub fn beside(&self) -> Self {
        Self::over(self.forest.beside(), self.order, self.cap)
    }
}

impl<M: Mask, F: Grove<M>> Enumerator<M, F> {
    /// The trees that grow in a forest; about `cap` bytes are kept.
    pub fn over(forest: F, order: Order, cap: usize) -> Self {
        Enumerator {
            first: Call::first(forest.n_features()),
            forest,
            frames: Vec::new(),
            queue: Vec::new(),
            frontiers: Vec::new(),
            order,
            cap,
            node_limit: u64::MAX,
            started: false,
            n_reported: 0,
            until_check: 0,
            n_built: 0,
            n_distinct: 0,
        }
    }

    /// Trees built at the most, those built so far included.
    pub fn limit(&mut self, node_limit: u64) {
        self.node_limit = node_limit;
    }

    /// Begins anew with the trees of a call, all that was open left out; the sums go on.
    pub fn restart(&mut self, first: Call<M>) {
        self.forest.clear();
        self.frames.clear();
        self.queue.clear();
        self.frontiers.clear();
        (self.first, self.started) = (first, false);
    }

    pub(super) fn n_features(&self) -> usize {
        self.forest.n_features()
    }

    /// Goes on until `visit` returns false, or all trees were found, or a limit is reached. Returns what
    /// ended it, none where `visit` paused it. May be called again after a pause or a limit.
    pub fn run(&mut self, control: &Control, visit: impl FnMut(&Found<M, F>) -> bool) -> Option<Status> {
        self.n_reported = 0;
        self.run_with(control, &mut EveryTree(visit))
    }

    /// The same with a visitor that may skip sub-spaces.
    pub fn run_with<V: Visitor<M, F>>(&mut self, control: &Control, visitor: &mut V) -> Option<Status> {
        match self.go_on(control, visitor) {
            Ok(true) => Some(Status::Complete),
            Ok(false) => None,
            Err(status) => Some(status),
        }
    }

    /// Goes on; false when the visitor pauses.
    ///
    /// # Errors
    /// The limit that ends it.
    fn go_on<V: Visitor<M, F>>(&mut self, control: &Control, visitor: &mut V) -> Result<bool, Status> {
        self.until_check = 0;
        if !self.started && !self.start(control, visitor)? {
            return Ok(false);
        }
        while let Some(frame) = self.frames.last() {
            if frame.next == frame.end {
                self.leave();
                continue;
            }
            if self.n_built >= self.node_limit {
                return Err(Status::NodeLimit);
            }
            if self.until_check == 0 {
                control.checkpoint()?;
                self.report(control);
                self.until_check = CALLS_PER_CHECK;
            }
            if V::GIVES_CALLS
                && visitor.is_asked_for_calls()
                && let Some(call) = self.part_with()
            {
                visitor.give(call);
                continue;
            }
            self.until_check -= 1;
            if !self.descend(control, visitor)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Errors that no tree still to come goes below, where each feature that it tests counts so much besides, as
    /// far as that can be told at once.
    ///
    /// Of every open call, the trees to come use what it will still require at its end, and only
    /// what its tree was grown from.
    ///
    /// # Errors
    /// The control's status.
    pub fn bound_to_come(&mut self, per_feature: u64, control: &Control) -> Result<u64, Status> {
        let mut least = if self.started { u64::MAX } else { 0 };
        for at in 0..self.frames.len() {
            let Frame { tree, ref required, ref optional, next, end, .. } = self.frames[at];
            if next == end {
                continue;
            }
            let (mut required, mut allowed) = (required.clone(), required.clone());
            allowed.union_with(optional);
            if at + 1 < self.frames.len() {
                allowed.insert(self.queue[next - 1] as usize); // the feature its open call left out
            }
            self.queue[next..end].iter().for_each(|&feature| required.remove(feature as usize));
            let space = Space { required, allowed, max_used: usize::MAX };
            let features = per_feature.saturating_mul(space.required.len() as u64);
            let bound = self.forest.bound(tree, &space, Query::exact(0, control))?;
            least = least.min(bound.saturating_add(features));
        }
        Ok(least)
    }

    /// Looks at the tree of some features, beside the enumeration.
    ///
    /// # Errors
    /// The control's status.
    pub fn look_at<T>(
        &mut self,
        features: &M,
        control: &Control,
        look: impl FnOnce(&mut F, TreeId) -> Result<T, Status>,
    ) -> Result<T, Status> {
        let mark = self.forest.mark();
        let tree = self.forest.grow(features, &mut Unwatched, control)?;
        let seen = look(&mut self.forest, tree);
        self.forest.cut_back(mark);
        seen
    }

    /// Enters the first call; false when the visitor pauses.
    pub(super) fn start<V: Visitor<M, F>>(
        &mut self,
        control: &Control,
        visitor: &mut V,
    ) -> Result<bool, Status> {
        let Call { required, optional } = self.first.clone();
        let mut allowed = required.clone();
        allowed.union_with(&optional);
        self.frontiers.clear();
        self.frontiers.resize(self.n_features(), 0);
        let tree = self.forest.grow(&allowed, &mut Frontier(&mut self.frontiers), control)?;
        let before = self.forest.mark();
        let go_on = self.enter(tree, required, optional, before, control, visitor)?;
        self.started = true;
        Ok(go_on)
    }

    /// Adds the trees built since the last report.
    fn report(&mut self, control: &Control) {
        control.advance(self.n_built - self.n_reported);
        self.n_reported = self.n_built;
    }

    /// Takes the next feature away and enters the call that follows, unless the visitor skips it;
    /// false when the visitor pauses.
    fn descend<V: Visitor<M, F>>(&mut self, control: &Control, visitor: &mut V) -> Result<bool, Status> {
        let n_features = self.n_features();
        let frame = self.frames.last().expect("a call is open");
        let feature = self.queue[frame.next] as usize;
        let (parent, mut required, optional) = (frame.tree, frame.required.clone(), frame.optional.clone());
        required.remove(feature);
        let mut allowed = required.clone();
        allowed.union_with(&optional);
        let space = Space { required, allowed, max_used: n_features };
        if visitor.skips(&mut self.forest, parent, &space, control)? {
            let frame = self.frames.last_mut().expect("a call is open");
            (frame.required, frame.next) = (space.required, frame.next + 1);
            frame.optional.insert(feature);
            return Ok(true);
        }
        let Space { required, allowed, .. } = space;
        let mut dropped = M::empty(n_features);
        dropped.insert(feature);
        let before = self.forest.mark();
        let top = self.frontiers.len();
        self.frontiers.extend_from_within(top - n_features..);
        let change = Change { allowed: &allowed, dropped: &dropped, adds: false };
        let mut watch = Frontier(&mut self.frontiers[top..]);
        let tree = match self.forest.follow(parent, &change, &mut watch, control) {
            Ok(tree) => tree,
            Err(status) => {
                self.frontiers.truncate(top);
                return Err(status);
            }
        };
        let entered = self.enter(tree, required.clone(), optional, before, control, visitor);
        let depth = self.frames.len();
        match entered {
            Err(status) => {
                self.frontiers.truncate(top);
                self.forest.cut_back(before);
                Err(status)
            }
            Ok(go_on) => {
                let frame = &mut self.frames[depth - 2];
                frame.required = required;
                frame.next += 1;
                Ok(go_on)
            }
        }
    }

    /// Opens the call (R, S) with its tree, and tells the visitor of it if it is a new one. At a
    /// limit nothing is opened.
    fn enter<V: Visitor<M, F>>(
        &mut self,
        tree: TreeId,
        mut required: M,
        mut optional: M,
        before: Mark,
        control: &Control,
        visitor: &mut V,
    ) -> Result<bool, Status> {
        let is_new = required.is_subset(self.forest.used(tree));
        if is_new && V::WANTS_BLOCKED {
            self.forest.blocked(tree, control)?;
        }
        self.n_built += 1;
        let used = self.forest.used(tree);
        let mut going = optional.clone();
        going.intersect_with(used);
        required.union_with(&going);
        optional.subtract(used);
        let next = self.queue.len();
        going.for_each(|feature| self.queue.push(feature as u32));
        self.sort_queue(next);
        let end = self.queue.len();
        self.frames.push(Frame { tree, required, optional, next, end, before });
        if !is_new {
            return Ok(true);
        }
        self.n_distinct += 1;
        let forest = &self.forest;
        let (used, blocked, value) = (forest.used(tree), forest.known_blocked(tree), forest.value(tree));
        Ok(visitor.visit(&Found { forest, tree, used, blocked, value }))
    }

    fn sort_queue(&mut self, from: usize) {
        let queue = &mut self.queue[from..];
        let frontier = &self.frontiers[self.frontiers.len() - self.forest.n_features()..];
        self.order.arrange(queue, &|feature| frontier[feature as usize]);
    }

    /// Closes the innermost call; its last feature becomes optional in the call around it.
    fn leave(&mut self) {
        let frame = self.frames.pop().expect("a call is open");
        self.frontiers.truncate(self.frontiers.len() - self.n_features());
        self.forest.cut_back(frame.before);
        if self.forest.is_crowded(self.cap) {
            self.forest.collect(self.frames.iter().map(|frame| frame.tree));
        }
        let Some(outer) = self.frames.last_mut() else { return };
        self.queue.truncate(outer.end);
        outer.optional.insert(self.queue[outer.next - 1] as usize);
    }
}
