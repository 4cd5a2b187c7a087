//! What engines work on: data, trees, scores and programs.

pub mod data;
pub mod program;
pub(crate) mod score;
pub mod tree;
