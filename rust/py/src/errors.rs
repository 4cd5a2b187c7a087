//! Core errors as Python exceptions: one exhaustive match.

use std::io;

use pyo3::import_exception;
use pyo3::prelude::*;
use treewright_core::error::Error;

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
        | Error::NoInputs
        | Error::ValueType { .. }
        | Error::RowOutOfRange { .. } => DataError::new_err(text),
        Error::ColumnKind { .. } => DataTypeError::new_err(text),
        Error::Parameter { .. }
        | Error::Program { .. }
        | Error::NotAFormula { .. }
        | Error::FormulaNotFinite
        | Error::NoFiniteLoss
        | Error::ProgramType { .. } => ParameterError::new_err(text),
        Error::Format { .. } | Error::Checkpoint { .. } => FormatError::new_err(text),
        Error::NotRead { kind, .. } | Error::NotWritten { kind, .. } => io::Error::new(kind, text).into(),
    }
}
