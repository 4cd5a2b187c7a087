//! Layer 2: evolution of pruning rules, as programs of two numbers.
//!
//! A rule says in (c, n) how often a leaf errs on new rows: n training rows reached it, c of them of its
//! class. It is worth what the trees of a corpus err on their test rows once pruned by it, and is varied,
//! judged and kept thousands of times a second:
//!
//! | file | what |
//! | --- | --- |
//! | `columns` | a formula over all distinct pairs at once |
//! | `corpus`, `source` | trees as pairs, distinct subtrees and sums of errors; where they come from |
//! | `judge`, `finite`, `erring` | what a rule is worth; screening, fingerprints; where it is defined |
//! | `draft`, `moves`, `neutral`, `forms`, `tune` | how rules are varied |
//! | `population`, `beginnings`, `archive`, `seen` | which are kept |
//! | `search`, `tally` | generations; what became of rules |
//! | `bootstrap`, `watch` | when training and validation part, when no rule gets better |
//! | `checkpoint`, `run`, `shown` | files, a run from its sources to its end, what is seen meanwhile |
//! | `report`, `simpler`, `baseline` | what is shown: the front in few words, rules to compare with |
//!
//! # Source
//! pruning-by-automatic-programming, sections 2 and 3. est and a * est + b with a > 0 prune alike, so
//! rules are compared up to that.

mod archive;
mod baseline;
mod beginnings;
mod bootstrap;
mod checkpoint;
mod columns;
mod corpus;
mod draft;
mod erring;
mod error;
mod finite;
mod forms;
mod judge;
mod moves;
mod neutral;
mod population;
mod report;
mod run;
mod search;
mod seen;
mod shown;
mod simpler;
mod source;
mod tally;
mod tune;
mod watch;

pub use archive::Archive;
pub use baseline::{NAIVE, rivals, two_constants};
pub use beginnings::Beginnings;
pub use bootstrap::{Estimate, estimate, gain};
pub use columns::{Columns, Scratch};
pub use corpus::{Corpus, Decisions, GrownNode, GrownTree, Part};
pub use draft::{Draft, vocabulary};
pub use erring::tree_errors;
pub use error::EvolveError;
pub use finite::{WHOLE_GRID, is_finite_on_all, is_finite_up_to};
pub use forms::{FORMS, Form, KINDS, Step, vary};
pub use judge::{Bench, Bounds, Judge, Objective, Rival, Scored, Verdict};
pub use moves::Move;
pub use neutral::{Neutral, apply_kind as apply_neutral};
pub use population::{Effort, Member, Population};
pub use report::{Evolved, Extent, Row, Rule};
pub use run::{Evolution, Files, Trees};
pub use search::{Plan, State, compiled};
pub use simpler::simpler;
pub use source::Source;
pub use tally::Tally;
pub use watch::{Validation, Watch};
