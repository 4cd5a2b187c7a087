//! Unit tests, for they take programs apart, and make random ones, in the arena, which is private.

mod code;
mod examples;
mod generate;
pub(crate) mod interpret;
mod machine;
pub(crate) mod programs;
mod simplify;
mod text;
#[path = "../../../tests/all/common/values.rs"]
pub(crate) mod values;
