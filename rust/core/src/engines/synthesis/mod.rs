//! Layer 2: synthesis of programs from graded examples.
//!
//! A problem says how wrong a program's outputs are; the search changes programs by small typed
//! transformations and keeps those that no other one beats in score, size and run time at once. Unlike
//! `evolve`, which judges formulas a column at a time, programs here have data, recursion and local
//! functions that the search itself invents, and run on the machine.
//!
//! | file | what |
//! | --- | --- |
//! | `draft` | a program taken apart, and what all transformations share |
//! | `replacement` | R and constants: the only changes that add information |
//! | `calls` | recursion in one step: an expression becomes a call |
//! | `abstraction`, `embedding`, `distribution`, `traversal` | changes that keep the meaning and make room for R |
//! | `forms` | short sequences of these, bound to each other, as data |
//! | `problem`, `grade`, `judge` | inputs, how wrong an output is, what a program is worth |
//! | `population` | which programs are kept, and which get children |
//! | `scored` | problems that score all outputs of many programs at once, by any finite loss |
//! | `search` | generations, the same for any number of threads |
//! | `checkpoint`, `rejudge` | where a search stands, as text, and whether that is true |
//!
//! # Source
//! The transformations are those of the system that pruning-by-automatic-programming used: replacement
//! (R), abstraction (ABSTR), distribution over case (CASE-DIST), embedding (EMB), duplication (DUPL).

mod abstraction;
mod calls;
mod checkpoint;
mod distribution;
mod draft;
mod embedding;
mod forms;
mod grade;
mod judge;
mod population;
mod problem;
mod rejudge;
mod replacement;
mod scored;
mod search;
mod traversal;

pub use checkpoint::seed_of;
pub use draft::Draft;
pub use forms::{At, FORMS, Form, Op, Step, apply, vary};
pub use grade::mix;
pub use judge::{Bench, Scored, judge};
pub use population::{Member, Population};
pub use problem::{Examples, Problem, SynthesisError, UNIT};
pub use scored::{Outputs, ScoredInputs, Scorer, loss_of, rank_of};
pub use search::{Plan, Search, State, symbols};
