//! Layer 2: greedy top-down induction (paper: distinct-trees, sections 4 and 5).
//!
//! A tree DT(S) is grown from the training rows with the features of S. At a node with rows C the
//! split feature is the one of S with the largest score f(a, C), a function of the feature and the
//! rows alone; this is what lets the wrapper searches of `distinct` share work between subsets.
//!
//! Letters of the paper: C = `Cases`, S = allowed features, f = `Score`, m = `min_split`.

mod best_first;
mod c45;
mod cases;
mod charge;
mod counts;
mod criterion;
mod cuts;
mod groups;
mod grow;
mod id3;
mod problem;
mod rules;
mod runs;
mod scorer;
mod screen;
mod segments;
mod sorted;
#[cfg(test)]
mod tests;

pub(crate) use cases::{Cases, Part, Totals};
pub(crate) use counts::recounted;
pub use criterion::Criterion;
pub use grow::grow;
pub(crate) use grow::grown;
pub use problem::Problem;
pub use rules::{Growth, GrowthParams, NominalSplits};
pub(crate) use scorer::{Candidate, Cut, Scorer, Verdict};
