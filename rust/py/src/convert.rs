//! Between Python's arrays and the core's columns: labels, columns and numbers.

use crate::arrays::{Array, Vector};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyMapping, PySet, PyString};
use treewright_core::data::{Label, RawColumn};

use crate::errors::{DataError, DataTypeError};

/// Copies a column: float64 is numeric, int32 holds nominal codes.
pub fn raw_column(array: &Bound<'_, PyAny>) -> PyResult<RawColumn> {
    if let Ok(values) = array.extract::<Vector<f64>>() {
        return Ok(RawColumn::Numeric(values.0));
    }
    if let Ok(codes) = array.extract::<Vector<i32>>() {
        return Ok(RawColumn::Nominal(codes.0));
    }
    let found = array.get_type().name()?;
    Err(DataTypeError::new_err(format!(
        "a column must be a one-dimensional array of float64 (numbers) or int32 (codes), not {found}"
    )))
}

/// Columns of the caller's, copied.
pub struct Columns(pub Vec<RawColumn>);

impl<'py> FromPyObject<'_, 'py> for Columns {
    type Error = PyErr;

    fn extract(arrays: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        arrays.try_iter()?.map(|array| raw_column(&array?)).collect::<PyResult<_>>().map(Columns)
    }
}

/// Copies numbers: an array of float64, or anything that lists them; `what` returned them.
pub fn numbers(values: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f64>> {
    if let Ok(array) = values.extract::<Vector<f64>>() {
        return Ok(array.0);
    }
    let misfit = |object: &Bound<'_, PyAny>, part: &str| {
        let found = object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        DataError::new_err(format!("{what} returned {part}{found}; return one number for each program"))
    };
    let is_mapping = values.cast::<PyMapping>().is_ok();
    let items = values.try_iter().ok().filter(|_| !is_mapping && !values.is_instance_of::<PySet>());
    let items = items.ok_or_else(|| misfit(values, "an object of type "))?;
    let number = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        real(&item).ok_or_else(|| misfit(&item, "an entry of type "))
    };
    items.map(number).collect()
}

/// A real number; numpy would take complex numbers and arrays of one entry, with a warning.
pub fn real(object: &Bound<'_, PyAny>) -> Option<f64> {
    let is_complex = || object.getattr("dtype")?.getattr("kind")?.eq("c");
    let is_array = || object.getattr("ndim")?.ne(0);
    let is_plain = object.is_exact_instance_of::<PyFloat>() || object.is_exact_instance_of::<PyInt>();
    let is_misfit = !is_plain && (is_complex().unwrap_or(false) || is_array().unwrap_or(false));
    if is_misfit { None } else { object.extract().ok() }
}

/// A column as it was handed over.
pub fn column_array(py: Python<'_>, raw: RawColumn) -> PyResult<Bound<'_, PyAny>> {
    match raw {
        RawColumn::Numeric(values) => Array::new(values).into_pyobject(py),
        RawColumn::Nominal(codes) => Array::new(codes).into_pyobject(py),
    }
}

/// A label of any of the four types.
pub fn label(value: &Bound<'_, PyAny>) -> PyResult<Label> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Label::Bool(flag.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        let too_large =
            |_| DataError::new_err(format!("label {value} does not fit in 64 bits; use text labels"));
        return value.extract().map(Label::Int).map_err(too_large);
    }
    if value.is_instance_of::<PyFloat>() {
        return value.extract().map(Label::Float);
    }
    if value.is_instance_of::<PyString>() {
        return value.extract().map(Label::Text);
    }
    let found = value.get_type().name()?;
    Err(DataTypeError::new_err(format!("a label must be text, a number or a boolean, not {found}")))
}

/// Labels in their order.
pub fn labels(values: &Bound<'_, PyAny>) -> PyResult<Vec<Label>> {
    values.try_iter()?.map(|value| label(&value?)).collect()
}

/// A label with its own Python type.
pub fn label_object(py: Python<'_>, label: &Label) -> PyResult<Py<PyAny>> {
    Ok(match label {
        Label::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any().unbind(),
        Label::Int(value) => value.into_pyobject(py)?.into_any().unbind(),
        Label::Float(value) => value.into_pyobject(py)?.into_any().unbind(),
        Label::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
    })
}

/// Labels with their own Python types.
pub fn label_objects(py: Python<'_>, labels: &[Label]) -> PyResult<Vec<Py<PyAny>>> {
    labels.iter().map(|l| label_object(py, l)).collect()
}
