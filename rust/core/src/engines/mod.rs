//! The engines, one folder each: `Result<Outcome<T>, Error>` from data, parameters and a control.

pub mod distinct;
pub mod evolve;
pub mod fixed_depth;
pub mod induce;
pub mod optimal;
pub mod prune;
pub mod tables;
