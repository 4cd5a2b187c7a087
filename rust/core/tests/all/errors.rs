//! Every error has an example here; a new variant without one does not compile, or fails.

use std::collections::BTreeSet;
use std::io::ErrorKind;

use treewright_core::error::{CheckpointFault, Error, Given, NominalOnly, PruningFault};
use treewright_core::outcome::Status;

const N_EXAMPLES: usize = 43;

/// The place of a variant in the catalogue. No wildcard: a new variant must be given a number.
fn number(error: &Error) -> usize {
    match error {
        Error::LengthMismatch { .. } => 0,
        Error::NoRows => 1,
        Error::CodeOutOfRange { .. } => 2,
        Error::ColumnKind { .. } => 3,
        Error::NotFinite { .. } => 4,
        Error::ClassOutOfRange { .. } => 5,
        Error::TooManyClasses { .. } => 6,
        Error::WeightOutOfRange { .. } => 7,
        Error::WeightsTooLarge { .. } => 8,
        Error::MissingValue { .. } => 9,
        Error::NumericFeature { .. } => 10,
        Error::NoTarget => 11,
        Error::NotTwoClasses { .. } => 12,
        Error::Parameter { .. } => 13,
        Error::Conflict { .. } => 14,
        Error::GrowthOfAllFeatures => 15,
        Error::RowOutOfRange { .. } => 16,
        Error::EqualRows { .. } => 17,
        Error::ConflictingRows { .. } => 18,
        Error::OtherDomain { .. } => 19,
        Error::Format { .. } => 20,
        Error::UnfinishedGraph { .. } => 21,
        Error::Program { .. } => 22,
        Error::NotAFormula { .. } => 23,
        Error::FormulaNotFinite => 24,
        Error::NoFiniteLoss => 25,
        Error::NoInputs => 26,
        Error::ValueType { .. } => 27,
        Error::ProgramType { .. } => 28,
        Error::Checkpoint { .. } => 29,
        Error::NotRead { .. } => 30,
        Error::NotWritten { .. } => 31,
        Error::WeightsTooSmall { .. } => 32,
        Error::Beyond { .. } => 33,
        Error::TooManyValues { .. } => 34,
        Error::NoPruning { .. } => 35,
    }
}

/// Errors, and what their messages must tell.
fn examples() -> Vec<(Error, &'static [&'static str])> {
    let feature = || "age".to_owned();
    vec![
        (
            Error::LengthMismatch { what: "the target".to_owned(), expected: 3, found: 2 },
            &["the target", "2 entries", "3 are needed"],
        ),
        (Error::NoRows, &["positive weight", "at least one"]),
        (
            Error::CodeOutOfRange { feature: feature(), column: 3, row: 17, code: 9, n_levels: 4 },
            &["'age' (column 3)", "code 9", "row 17", "0 to 3"],
        ),
        (
            Error::ColumnKind { feature: feature(), column: 3, expected: "numeric" },
            &["'age' (column 3)", "numeric"],
        ),
        (
            Error::NotFinite { feature: feature(), column: 3, row: 17, value: f64::INFINITY },
            &["'age' (column 3)", "inf", "row 17", "replace"],
        ),
        (Error::ClassOutOfRange { row: 17, code: 2, n_classes: 2 }, &["class code 2", "row 17", "0 to 1"]),
        (Error::TooManyClasses { n_classes: 70_000 }, &["70000 classes", "65535", "bins"]),
        (Error::Beyond { what: "classes", found: 200, most: 128 }, &["128 classes", "200", "greedy"]),
        (
            Error::TooManyValues { feature: feature(), column: 3, n_values: 12, most: 8 },
            &["'age' (column 3)", "12 values", "8", "one value at a time"],
        ),
        (Error::WeightOutOfRange { row: 17, weight: -1e9 }, &["row 17", "-1000000000", "0 or above"]),
        (Error::WeightsTooLarge { total: 1e13 }, &["1e13", "2**42", "divide"]),
        (Error::WeightsTooSmall { total: 5e-324 }, &["5e-324", "mean of 1", "multiply"]),
        (
            Error::MissingValue { feature: feature(), column: 3, row: 17 },
            &["'age' (column 3)", "row 17", "drop the row"],
        ),
        (
            Error::NumericFeature { taker: NominalOnly::Id3, feature: feature(), column: 3 },
            &["ID3", "'age' (column 3)", "bins"],
        ),
        (
            Error::NumericFeature { taker: NominalOnly::NaiveBayes, feature: feature(), column: 3 },
            &["naive Bayes", "'age' (column 3)", "bins"],
        ),
        (Error::NoTarget, &["no target", "class of each row"]),
        (Error::NotTwoClasses { n_classes: 3 }, &["two classes", "3"]),
        (
            Error::Parameter { name: "min_gain", found: Given::Real(-1.0), allowed: "0 or above" },
            &["min_gain", "-1.0", "0 or above"],
        ),
        (
            Error::Conflict {
                name: "mdl_correction",
                found: Given::Flag(true),
                other: "growth",
                given: Given::Word("id3"),
                reason: "it takes no numeric features",
            },
            &["mdl_correction true", "growth id3", "no numeric features"],
        ),
        (Error::GrowthOfAllFeatures, &["C4.5", "feature search", "choose"]),
        (
            Error::RowOutOfRange { what: "the part", position: 1, row: 9, n_rows: 4 },
            &["the part", "row 9", "position 1", "0 to 3"],
        ),
        (Error::EqualRows { first: 1, second: 4 }, &["rows 1 and 4", "merge"]),
        (
            Error::ConflictingRows {
                first: 1,
                second: 4,
                first_decision: "no".to_owned(),
                second_decision: "yes".to_owned(),
            },
            &["rows 1 and 4", "no and yes", "most common"],
        ),
        (Error::OtherDomain { what: "their classes".to_owned() }, &["their classes", "own"]),
        (
            Error::UnfinishedGraph { status: Status::NodeLimit, n_subtables: 7, bounds: None },
            &["node_limit", "7 subtables", "branch and bound"],
        ),
        (Error::Format { detail: "no root".to_owned() }, &["no root", "to_json"]),
        (Error::Program { detail: "no variable 'x' is in scope".to_owned() }, &["variable 'x'"]),
        (Error::NotAFormula { text: "fun f(n: int): int = n".to_owned() }, &["fun f", "two floats"]),
        (Error::FormulaNotFinite, &["not finite", "start from one"]),
        (Error::NoFiniteLoss, &["no finite loss", "start from one"]),
        (Error::NoInputs, &["at least one input"]),
        (
            Error::ValueType { what: "output", example: 3, expected: "list".to_owned() },
            &["output of example 3", "list"],
        ),
        (
            Error::ProgramType { role: "starting", expected: "int".to_owned(), found: "list".to_owned() },
            &["starting program", "of type int", "is of type list"],
        ),
        (
            Error::NoPruning { n_nodes: 1, fault: PruningFault::Steps { most: 1400 } },
            &["1 node the", "1400 steps", "allow it more"],
        ),
        (
            Error::NoPruning { n_nodes: 9, fault: PruningFault::Memory { most: 64 } },
            &["9 nodes", "64 words of memory", "allow it more"],
        ),
        (
            Error::NoPruning { n_nodes: 9, fault: PruningFault::OtherTree },
            &["9 nodes", "something else", "choose a program"],
        ),
        (
            checkpoint(CheckpointFault::Unreadable { detail: "it is empty".to_owned() }),
            &["run.json", "empty"],
        ),
        (checkpoint(CheckpointFault::OtherVersion { found: 3, expected: 4 }), &["run.json", "version 3"]),
        (checkpoint(CheckpointFault::OtherWork), &["run.json", "other data or parameters"]),
        (checkpoint(CheckpointFault::OtherSeed { found: 0, expected: 1 }), &["run.json", "seed 0, not 1"]),
        (checkpoint(CheckpointFault::OtherLosses), &["run.json", "other losses"]),
        (
            Error::NotRead {
                path: "run.json".to_owned(),
                kind: ErrorKind::NotFound,
                detail: "none".to_owned(),
            },
            &["run.json", "cannot be read", "none"],
        ),
        (
            Error::NotWritten {
                path: "run.json".to_owned(),
                kind: ErrorKind::Other,
                detail: "full".to_owned(),
            },
            &["run.json", "full", "another place"],
        ),
    ]
}

fn checkpoint(fault: CheckpointFault) -> Error {
    Error::Checkpoint { path: "run.json".to_owned(), fault }
}

#[test]
fn every_variant_has_an_example() {
    let shown: BTreeSet<usize> = examples().iter().map(|(error, _)| number(error)).collect();
    assert_eq!(shown, (0..=35).collect(), "give every variant an example");
    assert_eq!(examples().len(), N_EXAMPLES);
}

#[test]
fn messages_tell_what_where_and_the_remedy() {
    for (error, facts) in examples() {
        let text = error.to_string();
        for fact in facts {
            assert!(text.contains(fact), "{fact:?} is not in {text:?}");
        }
    }
}

#[test]
fn messages_speak_no_python() {
    for (error, _) in examples() {
        let text = error.to_string();
        for word in
            ["='", "=True", "=False", "=None", "Tree.to_json", "categorical_features", "sample_weight"]
        {
            assert!(!text.contains(word), "{word:?} is Python's, in {text:?}");
        }
    }
}
