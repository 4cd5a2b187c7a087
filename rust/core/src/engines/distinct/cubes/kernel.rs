//! How case sets are held, ranked and split.

use super::cube::Few;
use crate::engines::induce::Cut;

/// A feature and how it would split a case set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub feature: u32,
    pub cut: Cut,
}

/// A way to hold case sets.
pub(super) trait Kernel: Sync {
    /// The rows of a case set.
    type Set: Send;
    /// What one thread needs to work on them.
    type Bench;

    fn bench(&self) -> Self::Bench;

    /// All training rows.
    fn root(&self) -> Self::Set;

    /// Whether the set is a leaf whatever features there are.
    fn is_closed(&self, set: &Self::Set, depth: u32) -> bool;

    /// Puts those of `features` that may split the set into `choices`, the best first; returns those
    /// that are constant here. What comes after the first that is `inside` is of no account.
    fn rank(
        &self,
        bench: &mut Self::Bench,
        set: &Self::Set,
        features: Few,
        inside: Few,
        choices: &mut Vec<Choice>,
    ) -> Few;

    /// Hands `take` the branches of a split, those not closed at `depth`.
    fn split(
        &self,
        bench: &mut Self::Bench,
        set: &Self::Set,
        choice: Choice,
        depth: u32,
        take: impl FnMut(Self::Set),
    );

    /// In units of 2^-50.
    fn mass(set: &Self::Set) -> u128;

    fn n_rows(set: &Self::Set) -> usize;
}
