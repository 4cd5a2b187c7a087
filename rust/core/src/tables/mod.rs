//! Layer 2: decision tables.

mod fractions;
mod greedy;
mod impurity;
mod parts;
mod plan;

pub use greedy::greedy;
pub use impurity::{Heuristic, Impurity, Uncertainty};
pub use plan::{Plan, Step};
