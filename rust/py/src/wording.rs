//! Numbers, names and values as people see them, for texts that Python makes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use treewright_core::decimals::{Room, exact};
use treewright_core::tree;
use treewright_core::visible;

use crate::convert::labels;

/// A number with as many digits as read back to the same one.
#[pyfunction]
pub fn number_text(value: f64) -> String {
    exact(value)
}

/// Numbers with as few digits as stay at least `low` and below `high`.
#[pyfunction]
pub fn numbers_between(values: Vec<f64>, low: Vec<f64>, high: Vec<f64>) -> PyResult<Vec<String>> {
    if values.len() != low.len() || values.len() != high.len() {
        return Err(PyValueError::new_err("there must be two ends for every number"));
    }
    let rooms = low.into_iter().zip(high).map(|(low, high)| Room { low, high });
    Ok(values.into_iter().zip(rooms).map(|(value, room)| exact(room.shortest(value))).collect())
}

/// A text as it is, or in quotes and escaped where something in it cannot be seen.
#[pyfunction]
pub fn visible_text(text: &str) -> String {
    visible::visible(text).into_owned()
}

/// Labels as texts, no two alike.
#[pyfunction]
pub fn label_texts(values: &Bound<'_, PyAny>, may_miss: bool) -> PyResult<Vec<String>> {
    Ok(tree::label_texts(&labels(values)?, may_miss))
}
