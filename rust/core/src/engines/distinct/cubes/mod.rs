//! Counting the distinct trees of a table of few features, cube by cube.
//!
//! A path of splits is taken under certain subsets and no others: those that hold every feature the
//! path splits on and none that would have been chosen before one of these. They are a *cube*: some
//! features are inside, some outside, the others may be either. A case set with its cube needs to be
//! looked at once, whatever trees it is part of:
//!
//! ```text
//! explore(C, inside, outside):
//!   for every feature f not outside, the best first:
//!     the subsets with f, inside, and without outside split C on f: note f, outside and |C| for them
//!     explore(every branch of f, inside + f, outside)
//!     if f is inside: done, no subset of the cube is left
//!     outside = outside + f
//!   the subsets left have C as a leaf: note outside for them
//! ```
//! What was noted for a subset in the end is what its tree uses, what blocks it (whatever is outside
//! somewhere, since it was better there) and its frontiers: all that the enumeration asks of a tree.
//! So no tree is ever held, and Algorithm 2 is run over the notes to count as it would have counted.
//!
//! Memory: a path puts each feature outside once at the most, and what waits beside it is one list
//! of branches for each of them; so it is linear in the number of features, plus the notes.

mod cube;
mod explore;
mod kernel;
mod notes;
mod plain;
mod replay;
mod two_class;

pub(super) use explore::{count_by_cubes, is_of_use};
