//! C4.5 release 8: what its growing does that no other does.
//!
//! 1. A node is a leaf when pure or below twice the minimum of a branch in weight.
//! 2. A numeric feature tries the cuts that leave enough on each side (`sides`), takes the one of
//!    largest gain and pays log2(cuts tried) / |C| for the choice; nothing left, no split.
//! 3. A nominal feature is judged by all its levels, two of which must be large enough; a gain of
//!    nothing is a gain too. Below such a split the feature has one known value, so it is not used
//!    again on a path.
//! 4. Features that gain at least the average are ranked by gain ratio, the first among equals wins
//!    (`choice`).
//! 5. A subtree that saves no errors over a leaf collapses (`collapse`).
//!
//! A row whose value is unknown goes down every branch in shares, as under standard growing; gains
//! are of the known rows by their part of the weight, and split information has the unknown ones as
//! one more branch. Scores are the integers of the crate, where C4.5 has single precision: a tie
//! that its rounding broke is a tie here, and the first wins.
//!
//! # Source
//! Quinlan, "C4.5: Programs for Machine Learning", 1993, chapters 2 and 3; Quinlan, "Improved Use of
//! Continuous Attributes in C4.5", JAIR 4, 1996, for the charge; and the behaviour of release 8, with
//! whose trees these are compared.

mod choice;
mod collapse;
mod cuts;
mod sides;

pub(super) use choice::{averaged, best};
pub(super) use collapse::collapsed;
