//! Optimal trees: of all trees of at most some depth one of least cost, with proof, on data as they are.
//!
//! The cost of a tree is that of its wrong answers plus a price for each leaf. Every threshold between two values of
//! a numeric feature is a test, and every value of a nominal one; nothing is put into bins.
//!
//! ```text
//! solve(S, d):
//!     best = S as a leaf, solve(S, d - 1)
//!     for every feature: open the interval of all its tests
//!     while an interval is open:                    # all its tests cost at least its bound
//!         k = a test in its middle
//!         best = min(best, solve(left of k, d - 1) + solve(right of k, d - 1))
//!         open what is left and right of k, as far as the bounds leave of it
//! ```
//!
//! Neighbouring tests part the rows almost alike. So what one test costs bounds the cost of others (`bounds`),
//! and most tests are never looked at. At depth 2 thirty-two tests are looked at together: one walk over the rows in
//! the order of every feature tells what both sides of all of them cost at depth 1 (`lanes`). That is where the
//! time goes. Where all tests are few, rows are bits instead, and all pairs of tests are counted (`bits`).
//! The bounds hold for lower bounds in place of costs too, so a search can stop at a cut-off (`solve`),
//! and whatever is still open when it is ended says how much better a tree could be (`search`). The tests of the whole set
//! are looked at in rounds, which threads share (`rounds`), and between which a search can be gone on with (`saved`).
//!
//! | here | in the specification |
//! | --- | --- |
//! | `best` | ub, the least cost known |
//! | `cutoff`, `known` | the caller's cut-off, lb0 |
//! | `End { pos, left, right }` | a or b with pos, L, R |
//! | `reach` | w, what rows cost at the most |
//! | `price.leaf` | lambda |
//!
//! # Source
//! optimal-trees; in the line of DL8.5, MurTree, STreeD and ConTree (Brița, van der Linden, Demirović, 2025).

mod axes;
mod bits;
mod borders;
mod bottom;
mod bounds;
mod crew;
mod cuts;
mod desk;
mod front;
mod lanes;
mod params;
mod part;
mod plan;
mod plant;
mod price;
mod rounds;
mod rules;
mod saved;
mod search;
mod solve;
mod space;
mod strict;
mod strict_two;
mod stump;
#[cfg(test)]
mod tests;
mod unit;
mod worth;

pub use lanes::Instructions;
pub use params::{NominalTests, Params};
pub use saved::Journal;
pub use search::{Found, optimal_tree, optimal_tree_by_walks, optimal_tree_kept, optimal_tree_with};
