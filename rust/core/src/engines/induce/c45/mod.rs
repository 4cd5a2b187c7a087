//! C4.5 release 8: what its growing does that no other does.
//!
//! 1. A node is a leaf when pure or below twice the minimum of a branch in weight.
//! 2. A numeric feature tries the cuts that leave enough on each side, takes the one of largest gain
//!    and pays log2(cuts tried) / |C| for the choice; nothing left, no split (`cuts`).
//! 3. A nominal feature is judged by all its levels, two of which must be large enough; a gain of
//!    nothing is a gain too (`levels`). Below such a split the feature has one known value, so it is
//!    not used again on a path.
//! 4. Of the features that gain about the average at least the one of largest gain ratio is taken, the
//!    first among equals (`choice`).
//! 5. A subtree that saves no errors over a leaf collapses (`choice`).
//!
//! # Single precision
//! Release 8 computes in single precision, and so are its formulas computed here, step by step
//! (`single`): features that tell the classes apart equally well are common, and which of them its
//! rounding prefers decides the size of a tree. Weights are still counted as exact integers and only
//! then rounded, so trees depend neither on the order of the rows nor on threads.
//!
//! There is one exception. Where missing values send rows down in shares, release 8 sums rounded
//! shares in the order in which its sorting happened to leave the rows, and which of two equal features
//! wins depends on that. `in_parts` goes through the same motions to arrive at the same choices; it is
//! taken for rows of weight 1, the only ones release 8 knows.
//!
//! # Source
//! Quinlan, "C4.5: Programs for Machine Learning", 1993, chapters 2 and 3; Quinlan, "Improved Use of
//! Continuous Attributes in C4.5", JAIR 4, 1996, for the charge; and the behaviour of release 8, with
//! whose trees these are compared.

mod choice;
mod cuts;
mod feature;
mod in_parts;
mod levels;
mod single;

pub(super) use choice::{averaged, best, collapsed};
pub(super) use cuts::threshold_middle;
pub(super) use feature::Bench;
pub(super) use in_parts::{Follower, Plan, plan};
pub(super) use single::Single;
