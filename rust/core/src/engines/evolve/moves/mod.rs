//! How programs are changed.
//!
//! | file | what |
//! | --- | --- |
//! | `draft` | a program taken apart, and what all changes share |
//! | `formula` | R in a formula of floats |
//! | `neutral` | identities of formulas |
//! | `replacement` | R, calls and constants: the only changes that add information |
//! | `abstraction`, `distribution`, `traversal` | changes that keep the meaning and make room for R |
//! | `forms` | short sequences of these, bound to each other, as data |
//!
//! # Source
//! The transformations are those of the system that pruning-by-automatic-programming used: replacement
//! (R), abstraction (ABSTR), distribution over case (CASE-DIST), embedding (EMB), duplication (DUPL).

mod abstraction;
mod distribution;
mod draft;
mod forms;
mod formula;
mod neutral;
mod replacement;
#[cfg(test)]
mod tests;
mod traversal;

pub(super) use draft::Draft;
pub(super) use forms::{FORMULAS, Material, PROGRAMS, vary};
pub(super) use formula::{constants, few_digits, with_constant};
#[cfg(test)]
pub(super) use neutral::{Neutral, apply_kind as apply_neutral};
