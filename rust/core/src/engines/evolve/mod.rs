//! Layer 2: evolution of programs.
//!
//! One search for every task: programs are changed at random by small typed steps, judged, and kept if
//! no other one beats them. What a task adds is how programs are judged, changed and laid out:
//!
//! | task | programs | how |
//! | --- | --- | --- |
//! | [`Evolution`] | pruning rules, formulas of two numbers | thousands a second, on columns |
//! | [`Examples`] | any, by right outputs | on the machine of `program` |
//! | [`ScoredInputs`] | any, by a user's score of all outputs | the same |
//! | [`TreePruning`] | from a tree to the pruned tree | the same |
//!
//! | file | what |
//! | --- | --- |
//! | `task` | what a search needs to know of the programs that it evolves |
//! | `search` | generations; a run with its limits and its file |
//! | `state` | what a search depends on, and where it stands |
//! | `population` | which programs are kept, and which get children |
//! | `checkpoint` | where a search stands, as a file |
//! | `moves` | how programs are changed |
//! | `corpus` | trees as pairs, distinct subtrees and sums of errors |
//! | `source` | where they come from: drawn from networks, grown elsewhere or from given data |
//!
//! # Source
//! pruning-by-automatic-programming, sections 2 and 3.

mod checkpoint;
mod corpus;
mod moves;
mod population;
mod search;
mod source;
mod state;
mod task;
mod tasks;

pub use checkpoint::seed_of;
pub use corpus::{GrownNode, GrownTree};
pub use population::{Member, Population};
pub use search::Files;
pub use source::{OwnSet, Sample, Source, Wanted, grow_own};
pub use state::{Plan, State, Tally};
pub use task::{Outputs, Scored};
pub use tasks::evaluate::{input_digests, outputs, scores};
pub use tasks::examples::Examples;
pub use tasks::formula::{
    Columns, Estimate, Evolution, Evolved, Extent, NAIVE, Objective, Row, Rule, Scratch, Trees, tree_errors,
};
pub use tasks::machine::{Bench, Inputs, Problem, ProgramSearch, Scorer, score, symbols};
pub use tasks::scored::ScoredInputs;
pub use tasks::tree_pruning::{TreePruning, check_pruning, full_form, naive, prune_by};
