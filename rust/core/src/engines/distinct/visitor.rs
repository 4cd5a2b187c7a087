//! What sees the trees of an enumeration, and may shorten it.

use super::bound::Space;
use super::calls::Call;
use super::forest::{Forest, TreeId};
use crate::base::bits::Mask;
use crate::base::control::Control;
use crate::base::outcome::Status;

/// A distinct tree in passing.
pub struct Found<'a, M: Mask, F = Forest<M>> {
    pub forest: &'a F,
    pub tree: TreeId,
    pub used: &'a M,
    pub blocked: &'a M,
    pub value: u64,
}

/// What goes with an enumeration and may shorten it.
pub trait Visitor<M: Mask, F = Forest<M>> {
    /// Whether it asks for what blocks a tree.
    const WANTS_BLOCKED: bool = true;
    /// Whether it may ask for calls that others work on.
    const GIVES_CALLS: bool = false;

    /// Sees a distinct tree; false pauses the enumeration.
    fn visit(&mut self, found: &Found<M, F>) -> bool;

    /// Whether none of the trees of `space` is wanted, all of which come from `parent` by dropping
    /// features.
    ///
    /// # Errors
    /// The control's status.
    fn skips(
        &mut self,
        _forest: &mut F,
        _parent: TreeId,
        _space: &Space<M>,
        _control: &Control,
    ) -> Result<bool, Status> {
        Ok(false)
    }

    /// Whether somebody could use a call now.
    fn is_asked_for_calls(&self) -> bool {
        false
    }

    /// Takes a call that this enumeration will leave out.
    fn give(&mut self, _call: Call<M>) {}
}

/// Sees every tree.
pub(super) struct EveryTree<V>(pub V);

impl<M: Mask, F, V: FnMut(&Found<M, F>) -> bool> Visitor<M, F> for EveryTree<V> {
    fn visit(&mut self, found: &Found<M, F>) -> bool {
        self.0(found)
    }
}
