//! Typed errors of the core. A variant carries facts; `Display` says what, where and the remedy.

use std::fmt;
use std::io::ErrorKind;

use crate::base::status::Status;

/// A value as a message shows it. Each surface writes it in its own way: Python with quotes around a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Whole(i64),
    /// A real number.
    Real(f64),
    /// One of several words that may be chosen.
    Word(&'static str),
    /// What a value looks like that is none of these.
    Text(String),
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Flag(value) => write!(f, "{value}"),
            Given::Whole(value) => write!(f, "{value}"),
            Given::Real(value) => write!(f, "{value:?}"),
            Given::Word(word) => write!(f, "{word}"),
            Given::Text(text) => write!(f, "{text}"),
        }
    }
}

impl From<f64> for Given {
    fn from(value: f64) -> Self {
        Given::Real(value)
    }
}

impl From<usize> for Given {
    fn from(value: usize) -> Self {
        i64::try_from(value).map_or_else(|_| Given::Text(value.to_string()), Given::Whole)
    }
}

impl From<u32> for Given {
    fn from(value: u32) -> Self {
        Given::Whole(value.into())
    }
}

impl From<String> for Given {
    fn from(text: String) -> Self {
        Given::Text(text)
    }
}

/// What can go wrong before or while an engine runs.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // a variant's line and the names of its fields say which facts they hold
pub enum Error {
    /// Two arrays that must agree in length do not.
    LengthMismatch { what: String, expected: usize, found: usize },
    /// A table without rows or a training set without weight.
    NoRows,
    /// A nominal code outside its domain.
    CodeOutOfRange { feature: String, column: usize, row: usize, code: i64, n_levels: usize },
    /// A numeric column where a nominal one belongs, or the other way round.
    ColumnKind { feature: String, column: usize, expected: &'static str },
    /// A numeric value that is not finite.
    NotFinite { feature: String, column: usize, row: usize, value: f64 },
    /// A class code outside the classes.
    ClassOutOfRange { row: usize, code: i64, n_classes: usize },
    /// More classes than a class code can tell apart.
    TooManyClasses { n_classes: usize },
    /// More of something than the search for optimal trees has room for.
    Beyond { what: &'static str, found: usize, most: usize },
    /// A nominal feature of more values than all sets of which can be tried.
    TooManyValues { feature: String, column: usize, n_values: usize, most: usize },
    /// A weight that is negative or not finite.
    WeightOutOfRange { row: usize, weight: f64 },
    /// The weights of all rows together exceed what exact sums can hold.
    WeightsTooLarge { total: f64 },
    /// The weights are so small that no float brings them to a mean of 1.
    WeightsTooSmall { total: f64 },
    /// A missing value where missing values are refused.
    MissingValue { feature: String, column: usize, row: usize },
    /// An engine or a way of growing for nominal features met a numeric one.
    NumericFeature { taker: NominalOnly, feature: String, column: usize },
    /// An engine that needs classes got a table without a target.
    NoTarget,
    /// An engine for two classes met another number of them.
    NotTwoClasses { n_classes: usize },
    /// A parameter outside its range; `name` is a field of the engine's parameters.
    Parameter { name: &'static str, found: Given, allowed: &'static str },
    /// A parameter whose value does not go with that of another.
    Conflict { name: &'static str, found: Given, other: &'static str, given: Given, reason: &'static str },
    /// Growing by C4.5 in a search over features.
    GrowthOfAllFeatures,
    /// A row position outside the table.
    RowOutOfRange { what: &'static str, position: usize, row: i64, n_rows: usize },
    /// Two rows of a decision table agree in every column.
    EqualRows { first: usize, second: usize },
    /// Two rows of a decision table agree in every column and differ in their decisions.
    ConflictingRows { first: usize, second: usize, first_decision: String, second_decision: String },
    /// Rows whose classes or levels are not those of the tree they are led through.
    OtherDomain { what: String },
    /// A question to a graph of subtables that was not built to its end: where it ended, and the bounds of
    /// the least of each named cost where some are known.
    UnfinishedGraph { status: Status, n_subtables: u64, bounds: Option<[(u64, u64); 5]> },
    /// Text that is not a tree in the package's format.
    Format { detail: String },
    /// Text that is not a program, or parts that make none.
    Program { detail: String },
    /// A program that is no pruning rule: one formula of two floats.
    NotAFormula { text: String },
    /// A pruning rule to start from that is not finite for a leaf up to the largest of the trees.
    FormulaNotFinite,
    /// A program to start from that has no finite loss.
    NoFiniteLoss,
    /// A task without inputs.
    NoInputs,
    /// A value of another type than its place asks for.
    ValueType { what: &'static str, example: usize, expected: String },
    /// A program of another type than its role asks for.
    ProgramType { role: &'static str, expected: String, found: String },
    /// A program that was to prune a tree and did not.
    NoPruning { n_nodes: usize, fault: PruningFault },
    /// A checkpoint that cannot be gone on from.
    Checkpoint { path: String, fault: CheckpointFault },
    /// A file that cannot be read.
    NotRead { path: String, kind: ErrorKind, detail: String },
    /// A file that cannot be written.
    NotWritten { path: String, kind: ErrorKind, detail: String },
}

/// Why a program did not prune a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // as above
pub enum PruningFault {
    /// It used up its steps.
    Steps { most: u64 },
    /// It used up its memory, data or stack.
    Memory { most: usize },
    /// What it returned is not the tree with some of its nodes made leaves.
    OtherTree,
}

/// Why a checkpoint cannot be gone on from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // as above
pub enum CheckpointFault {
    /// It is none.
    Unreadable { detail: String },
    /// It is of another format.
    OtherVersion { found: u32, expected: u32 },
    /// It is of other data, another start or other parameters.
    OtherWork,
    /// It is of another seed.
    OtherSeed { found: u64, expected: u64 },
    /// What is in it has other losses on this data.
    OtherLosses,
}

impl fmt::Display for PruningFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PruningFault::Steps { most } => write!(f, "used up its {most} steps; allow it more"),
            PruningFault::Memory { most } => write!(f, "used up its {most} words of memory; allow it more"),
            PruningFault::OtherTree => write!(
                f,
                "returned something else than the tree with some of its nodes made leaves; \
                 choose a program that only prunes"
            ),
        }
    }
}

impl fmt::Display for CheckpointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointFault::Unreadable { detail } => write!(f, "{detail}"),
            CheckpointFault::OtherVersion { found, expected } => {
                write!(f, "it is of version {found}, and version {expected} is read")
            }
            CheckpointFault::OtherWork => {
                write!(f, "it is of other data or parameters; give those that it was made with")
            }
            CheckpointFault::OtherSeed { found, expected } => {
                write!(f, "it is of seed {found}, not {expected}")
            }
            CheckpointFault::OtherLosses => write!(f, "its programs have other losses on this data"),
        }
    }
}

/// Who takes nominal features only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NominalOnly {
    /// Growing by ID3.
    Id3,
    /// The naive Bayes model of fixed-depth trees.
    NaiveBayes,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::LengthMismatch { what, expected, found } => {
                write!(f, "{what} has {found} entries where {expected} are needed; give one entry for each")
            }
            Error::NoRows => write!(
                f,
                "no row with positive weight is left; give at least one sample whose weight is above 0"
            ),
            Error::CodeOutOfRange { feature, column, row, code, n_levels } => write!(
                f,
                "feature '{feature}' (column {column}) has code {code} at row {row}; \
                 codes go from 0 to {}, and -1 stands for missing",
                *n_levels as i64 - 1
            ),
            Error::ColumnKind { feature, column, expected } => write!(
                f,
                "feature '{feature}' (column {column}) must be {expected} here; \
                 give it in the kind that the tree was grown from"
            ),
            Error::NotFinite { feature, column, row, value } => write!(
                f,
                "feature '{feature}' (column {column}) has {value} at row {row}; \
                 replace it by a finite number, or by NaN if it is missing"
            ),
            Error::ClassOutOfRange { row, code, n_classes } => write!(
                f,
                "the target has class code {code} at row {row}; codes go from 0 to {}",
                *n_classes as i64 - 1
            ),
            Error::TooManyClasses { n_classes } => write!(
                f,
                "the target has {n_classes} classes, more than the 65535 a tree can tell apart; \
                 if it is a number to be estimated, cut it into bins"
            ),
            Error::Beyond { what, found, most } => write!(
                f,
                "the search for an optimal tree takes at most {most} {what}, and there are {found}; \
                 give it a part of the data, or grow a greedy tree"
            ),
            Error::TooManyValues { feature, column, n_values, most } => write!(
                f,
                "feature '{feature}' (column {column}) has {n_values} values, and all groups of values are \
                 tried of at most {most}; test one value at a time, or put values together"
            ),
            Error::WeightOutOfRange { row, weight } => write!(
                f,
                "the sample weight at row {row} is {weight}; a weight is a finite number, 0 or above"
            ),
            Error::WeightsTooLarge { total } => write!(
                f,
                "the sample weights, times the factors of their classes, sum to {total:e}, above 2**42 (about \
                 4.4e12); divide them by a common factor, for instance so that their mean is 1"
            ),
            Error::WeightsTooSmall { total } => write!(
                f,
                "the sample weights, times the factors of their classes, sum to {total:e}, too little to be \
                 brought to a mean of 1; multiply them with a common factor"
            ),
            Error::MissingValue { feature, column, row } => write!(
                f,
                "feature '{feature}' (column {column}) is missing at row {row}; \
                 drop the row, or choose a treatment that takes missing values"
            ),
            Error::NumericFeature { taker, feature, column } => write!(
                f,
                "{} takes nominal features only, and feature '{feature}' (column {column}) is numeric; \
                 cut it into bins",
                match taker {
                    NominalOnly::Id3 => "growing by ID3",
                    NominalOnly::NaiveBayes => "naive Bayes",
                }
            ),
            Error::NotTwoClasses { n_classes } => write!(
                f,
                "an opt-feature list is of two classes, and the target has {n_classes}; \
                 choose another method"
            ),
            Error::NoTarget => write!(f, "the data set has no target; give the class of each row"),
            Error::Parameter { name, found, allowed } => {
                write!(f, "{name} is {found}; it must be {allowed}")
            }
            Error::Conflict { name, found, other, given, reason } => {
                write!(f, "{name} {found} does not go with {other} {given}: {reason}")
            }
            Error::GrowthOfAllFeatures => write!(
                f,
                "growing by C4.5 cannot be used in a feature search: its average-gain rule and its collapse \
                 look at the whole set of features, so that dropping an unused feature could change the tree; \
                 choose standard growing or ID3"
            ),
            Error::RowOutOfRange { what, position, row, n_rows } => write!(
                f,
                "{what} has row {row} at position {position}; rows go from 0 to {}",
                *n_rows as i64 - 1
            ),
            Error::EqualRows { first, second } => write!(
                f,
                "rows {first} and {second} have the same values in every column; \
                 a decision table has no equal rows, so merge them"
            ),
            Error::ConflictingRows { first, second, first_decision, second_decision } => write!(
                f,
                "rows {first} and {second} have the same values and different decisions, \
                 {first_decision} and {second_decision}; merge them by their most common decision, \
                 or add a column that tells them apart"
            ),
            Error::OtherDomain { what } => write!(
                f,
                "the rows and the tree differ in {what}; \
                 code the rows by the tree's own classes and levels, in their order"
            ),
            Error::UnfinishedGraph { status, n_subtables, .. } => write!(
                f,
                "the graph ended ({}) after {n_subtables} subtables that are not terminal, before the whole \
                 table; search one cost at a time by branch and bound, or allow the graph more",
                status.name()
            ),
            Error::Format { detail } => write!(
                f,
                "this is not a tree in treewright's format: {detail}; give the text that `Tree::to_json` returned"
            ),
            Error::Program { detail } => write!(f, "{detail}"),
            Error::NotAFormula { text } => write!(
                f,
                "'{}' is no pruning rule; a rule is one formula of two floats, \
                 fun estimate(c: float, n: float): float = ...",
                text.trim()
            ),
            Error::FormulaNotFinite => write!(
                f,
                "the rule to start from is not finite for some leaf up to the largest of the trees; \
                 start from one that is defined for all 1 <= c <= n, such as 'naive'"
            ),
            Error::NoFiniteLoss => {
                write!(f, "the program to start from has no finite loss; start from one that has")
            }
            Error::NoInputs => write!(f, "a problem needs at least one input"),
            Error::ValueType { what, example, expected } => {
                write!(f, "the {what} of example {example} is not of type {expected}")
            }
            Error::ProgramType { role, expected, found } => {
                write!(f, "the {role} program must be of type {expected}, and is of type {found}")
            }
            Error::NoPruning { n_nodes, fault } => {
                let ending = if *n_nodes == 1 { "" } else { "s" };
                write!(f, "of a tree of {n_nodes} node{ending} the program {fault}")
            }
            Error::Checkpoint { path, fault: fault @ CheckpointFault::Unreadable { .. } } => write!(
                f,
                "'{path}' is no checkpoint ({fault}); give a file that an earlier run wrote as its checkpoint"
            ),
            Error::Checkpoint { path, fault } => {
                write!(f, "the checkpoint '{path}' cannot be resumed: {fault}")
            }
            Error::NotRead { path, detail, .. } => write!(f, "'{path}' cannot be read: {detail}"),
            Error::NotWritten { path, detail, .. } => {
                write!(f, "the checkpoint '{path}' cannot be written ({detail}); choose another place")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Shorthand for results of the core.
pub type Result<T, E = Error> = std::result::Result<T, E>;
