//! Between Python's arrays and the core's columns: the only file that names numpy.

use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArray3, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyMapping, PySet, PyString};
use treewright_core::data::{Label, RawColumn};
use treewright_core::tree::Sparse;

use crate::errors::{DataError, DataTypeError};

/// Copies a column: float64 is numeric, int32 holds nominal codes.
pub fn raw_column(array: &Bound<'_, PyAny>) -> PyResult<RawColumn> {
    if let Ok(values) = array.extract::<PyReadonlyArray1<f64>>() {
        return Ok(RawColumn::Numeric(values.as_array().to_vec()));
    }
    if let Ok(codes) = array.extract::<PyReadonlyArray1<i32>>() {
        return Ok(RawColumn::Nominal(codes.as_array().to_vec()));
    }
    let found = array.get_type().name()?;
    Err(DataTypeError::new_err(format!(
        "a column must be a one-dimensional array of float64 (numbers) or int32 (codes), not {found}"
    )))
}

/// Copies all columns.
pub fn raw_columns(arrays: &Bound<'_, PyAny>) -> PyResult<Vec<RawColumn>> {
    arrays.try_iter()?.map(|array| raw_column(&array?)).collect()
}

/// Copies a one-dimensional array.
pub fn vector<T: Element + Clone>(array: &PyReadonlyArray1<'_, T>) -> Vec<T> {
    array.as_array().to_vec()
}

/// Copies numbers: an array of float64, or anything that lists them; `what` returned them.
pub fn numbers(values: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f64>> {
    if let Ok(array) = values.extract::<PyReadonlyArray1<'_, f64>>() {
        return Ok(vector(&array));
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

/// Hands a vector over to numpy.
pub fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyArray1<T>> {
    values.into_pyarray(py)
}

/// Hands rows of `n_columns` over to numpy.
pub fn matrix<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    n_columns: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    use numpy::PyArrayMethods;
    let n_rows = values.len().checked_div(n_columns).unwrap_or(0);
    values.into_pyarray(py).reshape([n_rows, n_columns])
}

/// Hands values of three dimensions over to numpy, the last running fastest.
pub fn cube<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    shape: [usize; 3],
) -> PyResult<Bound<'_, PyArray3<T>>> {
    use numpy::PyArrayMethods;
    values.into_pyarray(py).reshape(shape)
}

/// A column as it was handed over.
pub fn column_array(py: Python<'_>, raw: RawColumn) -> Bound<'_, PyAny> {
    match raw {
        RawColumn::Numeric(values) => values.into_pyarray(py).into_any(),
        RawColumn::Nominal(codes) => codes.into_pyarray(py).into_any(),
    }
}

/// The three arrays of a compressed sparse row matrix.
pub type SparseArrays<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// Hands a sparse matrix over to numpy: row starts, columns, values.
pub fn sparse(py: Python<'_>, sparse: Sparse) -> SparseArrays<'_> {
    (array(py, sparse.starts), array(py, sparse.columns), array(py, sparse.values))
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
