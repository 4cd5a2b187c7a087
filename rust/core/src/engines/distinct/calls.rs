//! Calls of the recursion as things by themselves, to be made by somebody else or somewhere else.

use super::enumerate::{Enumerator, Frame};
use super::grove::Grove;
use super::visitor::Visitor;
use crate::base::bits::{BitSet, Mask};
use crate::base::control::Control;
use crate::base::outcome::Status;

/// A call (R, S) of the recursion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call<M> {
    /// R: features that every tree uses.
    pub required: M,
    /// S: features that a tree may use.
    pub optional: M,
}

impl<M: Mask> Call<M> {
    /// The call for all trees.
    pub fn first(n_features: usize) -> Self {
        Self::requiring(&[], n_features)
    }

    /// The call for the trees that test all of some features.
    pub fn requiring(features: &[usize], n_features: usize) -> Self {
        let required = M::of_set(&BitSet::of(n_features, features.iter().copied()));
        let mut optional = M::of_set(&BitSet::full(n_features));
        optional.subtract(&required);
        Call { required, optional }
    }

    /// The same with masks of any width.
    pub fn widened(&self, n_features: usize) -> Call<BitSet> {
        Call { required: self.required.to_set(n_features), optional: self.optional.to_set(n_features) }
    }
}

impl Call<BitSet> {
    /// The same with masks as narrow as they may be.
    pub fn narrowed<M: Mask>(&self) -> Call<M> {
        Call { required: M::of_set(&self.required), optional: M::of_set(&self.optional) }
    }
}

/// A call with fewer optional features is not worth handing over.
const LEAST_OPTIONAL: usize = 4;

impl<M: Mask, F: Grove<M>> Enumerator<M, F> {
    /// Makes one call alone: tells of its tree if it is a new one, and returns the calls inside.
    ///
    /// # Errors
    /// The control's status.
    pub fn open<V: Visitor<M, F>>(
        &mut self,
        call: Call<M>,
        control: &Control,
        visitor: &mut V,
    ) -> Result<Vec<Call<M>>, Status> {
        self.restart(call);
        self.start(control, visitor)?;
        let mut inside = Vec::new();
        let Frame { mut required, mut optional, next, end, .. } = self.frames.remove(0);
        for &feature in &self.queue[next..end] {
            required.remove(feature as usize);
            inside.push(Call { required: required.clone(), optional: optional.clone() });
            optional.insert(feature as usize);
        }
        Ok(inside)
    }

    /// Leaves out the last call still to come of the outermost open one that has any, for somebody
    /// else to make; it has the most optional features. The innermost keeps one.
    pub(super) fn part_with(&mut self) -> Option<Call<M>> {
        let innermost = self.frames.len() - 1;
        let at = (0..=innermost).find(|&at| {
            let n_left = self.frames[at].end - self.frames[at].next;
            n_left > usize::from(at == innermost)
        })?;
        let frame = &mut self.frames[at];
        let Frame { next, end, .. } = *frame;
        let (mut required, mut optional) = (frame.required.clone(), frame.optional.clone());
        let left = &self.queue[next..end];
        left.iter().for_each(|&feature| required.remove(feature as usize));
        let open = (at < innermost).then(|| self.queue[next - 1]);
        let earlier = left[..left.len() - 1].iter().copied().chain(open);
        earlier.for_each(|feature| optional.insert(feature as usize));
        if optional.len() < LEAST_OPTIONAL {
            return None;
        }
        frame.end -= 1;
        Some(Call { required, optional })
    }
}
