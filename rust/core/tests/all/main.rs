//! The public face of the core, as one program: linked once, its tests run side by side.

#[allow(dead_code, reason = "unit tests take what is left")]
mod common;

mod bounded;
mod compare;
mod complete;
mod cubes;
mod determinism;
mod distinct;
mod enumerate;
mod error_limits;
mod errors;
mod evolve;
mod evolve_kill;
mod evolve_programs_checkpoint;
mod evolve_programs_search;
mod evolve_watch;
mod fixed_depth;
mod grafting;
mod greedy;
mod layers;
mod optimal;
mod program_words;
mod prune;
mod prune_study;
mod pruned_search;
mod tables;
mod take;
