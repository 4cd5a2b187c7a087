//! Core errors as Python exceptions that hold their facts: one exhaustive match for each core error.
//!
//! A message is a row of texts and facts (`treewright._base.wording`), so that `DataError.column` and
//! the words of the command line come from the facts and not from a text.

use std::io;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyErrArguments, import_exception};
use treewright_core::error::{Error, Given, NominalOnly, PruningFault};
use treewright_core::outcome::Status;
use treewright_core::program::ProgramError as CoreError;
use treewright_core::tree::Cost;

import_exception!(treewright._base.errors, DataError);
import_exception!(treewright._base.errors, DataTypeError);
import_exception!(treewright._base.errors, FormatError);
import_exception!(treewright._base.errors, MemoryLimitError);
import_exception!(treewright._base.errors, ParameterError);
import_exception!(treewright._base.errors, ProgramError);
import_exception!(treewright._base.errors, StepLimitError);
import_exception!(treewright._base.errors, UnfinishedError);

/// A text or a fact of a message.
enum Part {
    Text(String),
    /// A parameter with the values it may have.
    Param(&'static str, Vec<Given>),
    Value(Given),
    Feature(String, usize),
    Row(usize),
    /// A method of the Python library.
    Attribute(&'static str),
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Part::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Part::Text(text)
    }
}

impl Part {
    fn into_object<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let wording = py.import("treewright._base.wording")?;
        match self {
            Part::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
            Part::Param(name, values) => {
                let values = values.into_iter().map(|value| object(py, value));
                let name = Ok(name.into_pyobject(py)?.into_any());
                let args: Vec<_> = std::iter::once(name).chain(values).collect::<PyResult<_>>()?;
                wording.getattr("Param")?.call1(PyTuple::new(py, args)?)
            }
            Part::Value(value) => wording.getattr("Value")?.call1((object(py, value)?,)),
            Part::Feature(name, column) => wording.getattr("Feature")?.call1((name, column)),
            Part::Row(row) => wording.getattr("Row")?.call1((row,)),
            Part::Attribute(code) => wording.getattr("Attribute")?.call1((code,)),
        }
    }
}

fn object(py: Python<'_>, value: Given) -> PyResult<Bound<'_, PyAny>> {
    Ok(match value {
        Given::Flag(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Given::Whole(value) => value.into_pyobject(py)?.into_any(),
        Given::Real(value) => value.into_pyobject(py)?.into_any(),
        Given::Word(word) => word.into_pyobject(py)?.into_any(),
        Given::Text(text) => py.import("treewright._base.wording")?.getattr("Shown")?.call1((text,))?,
    })
}

/// The arguments of an exception whose message is a row of parts.
struct Message(Vec<Part>);

impl Message {
    fn tuple<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let parts: Vec<_> = self.0.into_iter().map(|part| part.into_object(py)).collect::<PyResult<_>>()?;
        PyTuple::new(py, parts)
    }
}

impl PyErrArguments for Message {
    fn arguments(self, py: Python<'_>) -> Py<PyAny> {
        let parts = self.tuple(py).expect("the classes of a message are in the package");
        parts.into_any().unbind()
    }
}

/// The arguments of a `ParameterError`.
struct Refused {
    name: &'static str,
    value: Given,
    allowed: Vec<Part>,
    remedy: Vec<Part>,
}

impl PyErrArguments for Refused {
    fn arguments(self, py: Python<'_>) -> Py<PyAny> {
        let made = || -> PyResult<Py<PyAny>> {
            let (value, allowed) = (object(py, self.value)?, Message(self.allowed).tuple(py)?);
            let facts = (self.name, value, allowed, Message(self.remedy).tuple(py)?);
            Ok(facts.into_pyobject(py)?.into_any().unbind())
        };
        made().expect("the classes of a message are in the package")
    }
}

/// The arguments of a `ParameterError` about a program; the text shows what is wrong in it.
struct NoProgram(String);

impl PyErrArguments for NoProgram {
    fn arguments(self, py: Python<'_>) -> Py<PyAny> {
        let made = || -> PyResult<Py<PyAny>> {
            let unset = py.import("treewright._base.wording")?.getattr("UNSET")?;
            Ok(("program", unset, format!(": {}", self.0)).into_pyobject(py)?.into_any().unbind())
        };
        made().expect("the classes of a message are in the package")
    }
}

macro_rules! message {
    ($($part:expr),+ $(,)?) => { Message(vec![$(Part::from($part)),+]) };
}

/// The Python parameter for a field of the core's parameters; most have the same name.
fn parameter(field: &'static str) -> &'static str {
    match field {
        "n_best" => "top_k",
        "units" => "feature_groups",
        other => other,
    }
}

fn refused(name: &'static str, value: Given, allowed: Vec<Part>, remedy: Vec<Part>) -> PyErr {
    ParameterError::new_err(Refused { name: parameter(name), value, allowed, remedy })
}

fn data(message: Message) -> PyErr {
    DataError::new_err(message)
}

/// The exception that stands for a core error.
pub fn to_py(error: Error) -> PyErr {
    let last = |n: usize| n as i64 - 1;
    let param = |name, value| Part::Param(name, vec![Given::Word(value)]);
    match error {
        Error::LengthMismatch { .. }
        | Error::NoRows
        | Error::TooManyClasses { .. }
        | Error::Beyond { .. }
        | Error::WeightsTooLarge { .. }
        | Error::WeightsTooSmall { .. }
        | Error::EqualRows { .. }
        | Error::OtherDomain { .. }
        | Error::NoInputs
        | Error::ValueType { .. } => data(message![error.to_string()]),
        Error::CodeOutOfRange { feature, column, row, code, n_levels } => data(message![
            Part::Feature(feature, column),
            " has code ",
            Part::Value(Given::Whole(code)),
            " at ",
            Part::Row(row),
            format!("; codes go from 0 to {}, and -1 stands for missing", last(n_levels)),
        ]),
        Error::ColumnKind { feature, column, expected } => DataTypeError::new_err(message![
            Part::Feature(feature, column),
            format!(" must be {expected} here; give it in the kind that the tree was grown from"),
        ]),
        Error::NotFinite { feature, column, row, value } => data(message![
            Part::Feature(feature, column),
            " has ",
            Part::Value(Given::Real(value)),
            " at ",
            Part::Row(row),
            "; replace it by a finite number, or by NaN if it is missing",
        ]),
        Error::TooManyValues { feature, column, n_values, most } => data(message![
            Part::Feature(feature, column),
            format!(" has {n_values} values, and all groups of values are tried of at most {most}; choose "),
            param("nominal_splits", "one_value"),
            ", or put values together",
        ]),
        Error::ClassOutOfRange { row, code, n_classes } => data(message![
            "the target has class code ",
            Part::Value(Given::Whole(code)),
            " at ",
            Part::Row(row),
            format!("; codes go from 0 to {}", last(n_classes)),
        ]),
        Error::WeightOutOfRange { row, weight } => data(message![
            "the sample weight at ",
            Part::Row(row),
            " is ",
            Part::Value(Given::Real(weight)),
            "; a weight is a finite number, 0 or above",
        ]),
        Error::MissingValue { feature, column, row } => {
            let others = ["distribution", "most_frequent", "value"].map(Given::Word);
            data(message![
                Part::Feature(feature, column),
                " is missing at ",
                Part::Row(row),
                "; choose ",
                Part::Param("missing", others.into()),
                ", or drop the row",
            ])
        }
        Error::NumericFeature { taker, feature, column } => data(message![
            match taker {
                NominalOnly::Id3 => param("growth", "id3"),
                NominalOnly::NaiveBayes => Part::from("a fixed-depth tree"),
            },
            " takes nominal features only, and ",
            Part::Feature(feature, column),
            " is numeric; cut it into bins or name it in ",
            Part::Param("categorical_features", vec![]),
        ]),
        Error::NoTarget => data(message![
            "the data set has no target; give ",
            Part::Param("y", vec![]),
            ", the class of each sample",
        ]),
        Error::NotTwoClasses { n_classes } => {
            let noun = if n_classes == 1 { "class" } else { "classes" };
            let reason = format!("is of two classes, and y has {n_classes} {noun}");
            let others = ["auto", "bounded", "sets", "exhaustive"].map(Given::Word).map(|word| vec![word]);
            let others = Part::Param("solver", others.concat());
            refused("solver", Given::Word("feature_list"), message![reason].0, message!["choose ", others].0)
        }
        Error::Parameter { name, found, allowed } => {
            refused(name, found, message![format!("must be {allowed}")].0, vec![])
        }
        Error::Conflict { name, found, other, given, reason } => {
            let other = Part::Param(parameter(other), vec![given]);
            refused(name, found, message!["does not go with ", other, format!(": {reason}")].0, vec![])
        }
        Error::GrowthOfAllFeatures => {
            let reason = "cannot be used in a feature search: its average-gain rule and its collapse look at \
                          the whole set of features, so that dropping an unused feature could change the tree";
            let others = Part::Param("growth", vec![Given::Word("standard"), Given::Word("id3")]);
            refused("growth", Given::Word("c45"), message![reason].0, message!["choose ", others].0)
        }
        Error::RowOutOfRange { what, position, row, n_rows } => data(message![
            format!("{what} has row "),
            Part::Value(Given::Whole(row)),
            format!(" at position {position}; rows go from 0 to {}", last(n_rows)),
        ]),
        Error::ConflictingRows { first, second, first_decision, second_decision } => data(message![
            format!(
                "rows {first} and {second} have the same values and different decisions, \
                 {first_decision} and {second_decision}; choose "
            ),
            param("on_conflict", "most_common"),
            ", or add a column that tells them apart",
        ]),
        Error::UnfinishedGraph { status, n_subtables, bounds } => UnfinishedError::new_err(message![
            format!(
                "the graph ended ({}) after {n_subtables} subtables that are not terminal, before the whole table; \
                 {}",
                status.name(),
                least_costs(bounds),
            ),
            Part::Attribute("minimum_tree"),
            " searches one cost at a time without the graph: depth and total path length usually come through, \
             numbers of nodes where trees are small; or allow the graph more",
        ]),
        Error::Program { .. }
        | Error::NotAFormula { .. }
        | Error::FormulaNotFinite
        | Error::NoFiniteLoss
        | Error::ProgramType { .. } => ParameterError::new_err(NoProgram(error.to_string())),
        Error::NoPruning { n_nodes, fault } => not_pruned(n_nodes, fault),
        Error::Checkpoint { .. } => FormatError::new_err(error.to_string()),
        Error::NotRead { kind, .. } | Error::NotWritten { kind, .. } => {
            io::Error::new(kind, error.to_string()).into()
        }
        Error::Format { detail } => FormatError::new_err(message![
            format!("this is not a tree in treewright's format: {detail}; give the text that "),
            Part::Attribute("Tree.to_json()"),
            " returned",
        ]),
    }
}

/// The exception of a program that did not prune a tree.
fn not_pruned(n_nodes: usize, fault: PruningFault) -> PyErr {
    let ending = if n_nodes == 1 { "" } else { "s" };
    let of = format!("the pruning program, run on a tree of {n_nodes} node{ending},");
    match fault {
        PruningFault::Steps { most } => StepLimitError::new_err(format!(
            "{of} used up its {most} steps; raise max_steps, or choose another program"
        )),
        PruningFault::Memory { most } => MemoryLimitError::new_err(format!(
            "{of} used up its {most} words of memory; raise max_memory, or choose another program"
        )),
        PruningFault::OtherTree => data(message![format!(
            "{of} returned something else than the tree with some of its nodes made leaves; \
             choose a program that only prunes"
        )]),
    }
}

/// The exception for work that ended without what was asked for: what ended, and what that means.
pub fn unfinished(what: &str, status: Status, meaning: &str) -> PyErr {
    UnfinishedError::new_err(format!("{what} ({}){meaning}", status.name()))
}

/// The exception that stands for a fault of a program.
pub fn of_program(error: CoreError) -> PyErr {
    let message = error.reason();
    let (place, error) = match error {
        CoreError::At { line, column, error } => (Some((line, column)), *error),
        CoreError::Syntax { line, column, .. } => (Some((line, column)), error),
        error => (None, error),
    };
    let none = String::new;
    let (kind, what, expected, found) = match error {
        CoreError::Name { what, name, .. } => ("name", what.to_owned(), none(), name),
        CoreError::Uninhabited { name } => ("uninhabited", "type".to_owned(), none(), name),
        CoreError::Tuple { n_parts, .. } => ("tuple", "tuple".to_owned(), none(), n_parts.to_string()),
        CoreError::TooMany { what, limit } => ("too_many", what.to_owned(), limit.to_string(), none()),
        CoreError::Arity { what, expected, found } => {
            ("arity", what, expected.to_string(), found.to_string())
        }
        CoreError::Mismatch { what, expected, found } => ("mismatch", what, expected, found),
        CoreError::NotStructural { function } => ("not_structural", "function".to_owned(), none(), function),
        CoreError::Unbound { what, name } => ("unbound", what.to_owned(), none(), name),
        CoreError::TooLarge { what, limit } => ("too_large", what.to_owned(), limit.to_string(), none()),
        CoreError::Syntax { expected, found, .. } => ("syntax", "text".to_owned(), expected, found),
        CoreError::At { error, .. } => return of_program(*error),
        CoreError::Format { .. } => return FormatError::new_err(message),
    };
    ProgramError::new_err((message, kind, place, what, expected, found))
}

/// What is known of the least of each named cost, as the beginning of a sentence.
fn least_costs(bounds: Option<[(u64, u64); 5]>) -> String {
    let Some(bounds) = bounds else { return String::new() };
    let within = Cost::NAMES.iter().zip(bounds).map(|(name, (low, high))| format!("{name} {low} to {high}"));
    format!("the least costs lie within {}; ", within.collect::<Vec<_>>().join(", "))
}
