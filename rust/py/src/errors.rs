//! Core errors as Python exceptions: one exhaustive match.

use pyo3::import_exception;
use pyo3::prelude::*;
use treewright_core::error::Error;
use treewright_core::tree::Cost;

import_exception!(treewright._base.errors, DataError);
import_exception!(treewright._base.errors, DataTypeError);
import_exception!(treewright._base.errors, FormatError);
import_exception!(treewright._base.errors, MemoryLimitError);
import_exception!(treewright._base.errors, ParameterError);
import_exception!(treewright._base.errors, StepLimitError);
import_exception!(treewright._base.errors, UnfinishedError);

/// The exception that stands for a core error.
pub fn to_py(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::LengthMismatch { .. }
        | Error::NoRows
        | Error::CodeOutOfRange { .. }
        | Error::NotFinite { .. }
        | Error::ClassOutOfRange { .. }
        | Error::TooManyClasses { .. }
        | Error::EqualRows { .. }
        | Error::ConflictingRows { .. }
        | Error::WeightOutOfRange { .. }
        | Error::WeightsTooLarge { .. }
        | Error::MissingValue { .. }
        | Error::NumericFeature { .. }
        | Error::NoTarget
        | Error::OtherDomain { .. }
        | Error::RowOutOfRange { .. } => DataError::new_err(text),
        Error::ColumnKind { .. } => DataTypeError::new_err(text),
        Error::Parameter { .. } => ParameterError::new_err(text),
        Error::UnfinishedGraph { status, n_subtables, bounds } => UnfinishedError::new_err(format!(
            "the graph ended ({}) after {n_subtables} subtables that are not terminal, before the whole table; \
             {}minimum_tree searches one cost at a time without the graph: depth and total path length usually \
             come through, numbers of nodes where trees are small; or allow the graph more",
            status.name(),
            least_costs(bounds),
        )),
        Error::Format { .. } => FormatError::new_err(text),
    }
}

/// What is known of the least of each named cost, as the beginning of a sentence.
fn least_costs(bounds: Option<[(u64, u64); 5]>) -> String {
    let Some(bounds) = bounds else { return String::new() };
    let within = Cost::NAMES.iter().zip(bounds).map(|(name, (low, high))| format!("{name} {low} to {high}"));
    format!("the least costs lie within {}; ", within.collect::<Vec<_>>().join(", "))
}
