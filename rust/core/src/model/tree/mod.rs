//! Layer 1: the one tree type, whatever grew it.

mod builder;
mod cost;
mod cut;
mod estimates;
mod json;
mod node;
mod predict;
mod text;
mod walk;

pub(crate) use builder::TreeBuilder;
pub use cost::{Combine, Cost};
pub use node::{Node, Plane, Routing, Split, Tree};
pub use predict::{Reader, Sparse};
pub use text::TextOptions;
pub(crate) use walk::{Ballot, Step, Walk, cast_votes};
