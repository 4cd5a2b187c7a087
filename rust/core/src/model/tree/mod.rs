//! Layer 1: the one tree type, whatever grew it.

mod builder;
mod check;
mod cost;
mod cost_matrix;
mod cut;
mod decision;
mod estimates;
mod facts;
mod json;
mod node;
mod origin;
mod predict;
mod probability;
mod split;
mod tally;
mod text;
mod walk;
mod words;

pub(crate) use builder::TreeBuilder;
pub use cost::{Combine, Cost};
pub use cost_matrix::CostMatrix;
pub use decision::{Answers, Decision, Probability, Shares, Smoothing, SmoothingRule, Source, Tie};
pub use facts::{CutValues, Facts, Histogram};
pub use node::{Node, Tree};
pub use origin::{DataName, DerivedColumn, Origin, Provenance, Reading, ReadingStep};
pub use predict::{Reader, Sparse};
pub use split::{Plane, Route, Routing, Split};
pub use text::TextOptions;
pub(crate) use walk::{Ballot, Step, Walk, cast_votes};
pub use words::label_texts;
