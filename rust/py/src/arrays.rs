//! Numpy's arrays, read and made through the buffer protocol: nothing of numpy is compiled in.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// What an array may hold, with numpy's name for it.
pub trait Cell: Element {
    const DTYPE: &'static str;
}

macro_rules! cells {
    ($($cell:ty: $name:literal),+) => {
        $(impl Cell for $cell {
            const DTYPE: &'static str = $name;
        })+
    };
}

cells!(f64: "float64", i64: "int64", i32: "int32", u32: "uint32", u8: "uint8");

/// A one-dimensional array of the caller's, copied: another thread may write to the original.
pub struct Vector<T>(pub Vec<T>);

impl<'py, T: Cell> FromPyObject<'_, 'py> for Vector<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let buffer = read(&object, 1)?;
        if buffer.is_c_contiguous() {
            return Ok(Vector(buffer.to_vec(py)?));
        }
        // Python copies a column of a matrix item by item, through a second buffer; numpy does not.
        let packed = contiguous(py)?.call1((object,))?;
        Ok(Vector(read(&packed, 1)?.to_vec(py)?))
    }
}

/// A two-dimensional array of the caller's, copied row by row.
pub struct Matrix<T> {
    values: Vec<T>,
    n_columns: usize,
}

impl<T: Cell> Matrix<T> {
    /// The rows, each of the same length.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.values.chunks(self.n_columns.max(1))
    }
}

impl<'py, T: Cell> FromPyObject<'_, 'py> for Matrix<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let buffer = read(&object, 2)?;
        Ok(Matrix { values: buffer.to_vec(object.py())?, n_columns: buffer.shape()[1] })
    }
}

fn read<T: Cell>(object: &Bound<'_, PyAny>, n_dimensions: usize) -> PyResult<PyBuffer<T>> {
    let buffer = PyBuffer::<T>::get(object)?;
    if buffer.dimensions() == n_dimensions {
        return Ok(buffer);
    }
    let found = buffer.dimensions();
    let wanted = T::DTYPE;
    Err(pyo3::exceptions::PyTypeError::new_err(format!(
        "an array of {wanted} must have {n_dimensions} dimensions, not {found}"
    )))
}

/// Values on their way to Python, where they become an array of numpy.
pub struct Array<T> {
    values: Vec<T>,
    shape: Vec<usize>,
}

impl<T: Cell> Array<T> {
    /// Of one dimension.
    pub fn new(values: Vec<T>) -> Self {
        Array { shape: vec![values.len()], values }
    }

    /// Rows of `n_columns`.
    pub fn matrix(values: Vec<T>, n_columns: usize) -> Self {
        let n_rows = values.len().checked_div(n_columns).unwrap_or(0);
        Array { values, shape: vec![n_rows, n_columns] }
    }

    /// The array itself, for a class that holds it.
    pub fn held(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.into_pyobject(py).map(Bound::unbind)
    }

    /// Of three dimensions, the last running fastest.
    pub fn cube(values: Vec<T>, shape: [usize; 3]) -> Self {
        Array { values, shape: shape.to_vec() }
    }
}

impl<'py, T: Cell> IntoPyObject<'py> for Array<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = empty(py)?.call1((PyTuple::new(py, self.shape)?, T::DTYPE))?;
        if !self.values.is_empty() {
            PyBuffer::<T>::get(&array)?.copy_from_slice(py, &self.values)?;
        }
        Ok(array)
    }
}

/// Truth values on their way to Python.
pub struct Flags(pub Vec<bool>);

impl<'py> IntoPyObject<'py> for Flags {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = Array::new(self.0.into_iter().map(u8::from).collect()).into_pyobject(py)?;
        bytes.call_method1(intern!(py, "view"), ("bool",))
    }
}

/// `numpy.ascontiguousarray`.
fn contiguous(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static CONTIGUOUS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    CONTIGUOUS.import(py, "numpy", "ascontiguousarray")
}

/// `numpy.empty`.
fn empty(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    EMPTY.import(py, "numpy", "empty")
}
