//! The table, handed over once.

use crate::arrays::{Array, Vector};
use pyo3::prelude::*;
use treewright_core::data::{self, Column, Label, check_rows};
use treewright_core::units::Fine;

use crate::convert;
use crate::errors::to_py;
use crate::files::CodedColumn;

/// Columns, target and weights in the form engines read.
#[pyclass(frozen, module = "treewright._core")]
pub struct Dataset {
    pub inner: data::Dataset,
}

#[pymethods]
impl Dataset {
    /// Build from columns: float64 with NaN for missing, int32 codes with -1 for missing, or columns of a file,
    /// which are handed over and are gone then.
    #[staticmethod]
    #[pyo3(signature = (names, columns, levels, target=None, classes=None, weights=None))]
    fn from_columns(
        py: Python<'_>,
        names: Vec<String>,
        columns: &Bound<'_, PyAny>,
        levels: Vec<Option<Bound<'_, PyAny>>>,
        target: Option<Vector<i32>>,
        classes: Option<Bound<'_, PyAny>>,
        weights: Option<Vector<f64>>,
    ) -> PyResult<Self> {
        let levels = levels
            .iter()
            .map(|level| level.as_ref().map(convert::labels).transpose())
            .collect::<PyResult<Vec<Option<Vec<Label>>>>>()?;
        let mut coded = Vec::new();
        for (i, array) in columns.try_iter()?.enumerate() {
            py.check_signals()?;
            coded.push(code_column(py, &array?, &names, &levels, i)?);
        }
        let n_rows = match (coded.first(), &target) {
            (Some(column), _) => column.codes.len(),
            (None, Some(target)) => target.0.len(),
            (None, None) => 0,
        };
        let table = data::Dataset::from_columns(names, coded, levels, n_rows).map_err(to_py)?;
        let this = Dataset { inner: table };
        match (target, classes) {
            (Some(target), Some(classes)) => this.with_target(target, &classes, weights),
            _ => Ok(this),
        }
    }

    /// The same columns with another target.
    #[pyo3(signature = (target, classes, weights=None))]
    fn with_target(
        &self,
        target: Vector<i32>,
        classes: &Bound<'_, PyAny>,
        weights: Option<Vector<f64>>,
    ) -> PyResult<Self> {
        let weights = weights.map(|weights| weights.0);
        let classes = convert::labels(classes)?;
        let inner = self.inner.with_target(target.0, classes, weights);
        Ok(Dataset { inner: inner.map_err(to_py)? })
    }

    /// The table of the given rows.
    fn take(&self, py: Python<'_>, rows: Vector<i64>) -> PyResult<Self> {
        let rows = rows.0;
        let inner = py.detach(|| self.inner.take(&rows)).map_err(to_py)?;
        Ok(Dataset { inner })
    }

    #[getter]
    fn n_rows(&self) -> usize {
        self.inner.n_rows()
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.inner.n_features()
    }

    #[getter]
    fn n_classes(&self) -> usize {
        self.inner.n_classes()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.inner.schema().features.iter().map(|f| f.name.clone()).collect()
    }

    #[getter]
    fn classes(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        convert::label_objects(py, &self.inner.schema().classes)
    }

    #[getter]
    fn levels(&self, py: Python<'_>) -> PyResult<Vec<Option<Vec<Py<PyAny>>>>> {
        let features = self.inner.schema().features.iter();
        features.map(|f| f.levels.as_ref().map(|l| convert::label_objects(py, l)).transpose()).collect()
    }

    /// Number of missing values of every column.
    #[getter]
    fn n_missing(&self) -> Vec<usize> {
        self.inner.columns().iter().map(|column| column.n_missing()).collect()
    }

    /// A number for all that the table has.
    fn fingerprint(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.inner.fingerprint())
    }

    /// Column `i` as it was handed over.
    fn column<'py>(&self, py: Python<'py>, i: usize) -> PyResult<Bound<'py, PyAny>> {
        match self.inner.columns().get(i) {
            Some(column) => convert::column_array(py, column.to_raw()),
            None => Err(pyo3::exceptions::PyIndexError::new_err(format!("there is no column {i}"))),
        }
    }

    #[getter]
    fn target(&self) -> Option<Array<i32>> {
        let target = self.inner.target().ok()?;
        Some(Array::new(target.iter().map(|&class| class.into()).collect()))
    }

    #[getter]
    fn weights(&self) -> Option<Array<f64>> {
        self.inner.weights().map(|weights| Array::new(weights.to_vec()))
    }
}

/// What the rows of a fit count, and what was done to the weights as they were given.
#[pyclass(frozen, get_all, new = "from_fields", module = "treewright._core")]
pub struct CountedWeights {
    values: Py<PyAny>,
    scale: f64,
    n_lost: usize,
}

#[pymethods]
impl CountedWeights {
    fn __getnewargs__(&self, py: Python<'_>) -> (Py<PyAny>, f64, usize) {
        (self.values.clone_ref(py), self.scale, self.n_lost)
    }
}

/// Count the rows of a fit: their weights times the factors of their classes, scaled and rounded; `training`
/// are those that are in use, where not all are.
#[pyfunction]
#[pyo3(signature = (dataset, *, class_weight=None, training=None))]
pub fn counted_weights(
    py: Python<'_>,
    dataset: &Dataset,
    class_weight: Option<Vec<f64>>,
    training: Option<Vector<i64>>,
) -> PyResult<CountedWeights> {
    let data = &dataset.inner;
    let classes = data.target().map_err(to_py)?;
    let given = data::GivenWeights { raw: data.weights(), factors: class_weight.as_deref(), classes };
    let counted = match training {
        None => given.counted(),
        Some(rows) => check_rows("the training part", &rows.0, data.n_rows())
            .and_then(|training| given.counted_for(&training)),
    };
    let data::Counted { weights, scale, n_lost } = counted.map_err(to_py)?;
    let values = (0..data.n_rows() as u32).map(|row| Fine(weights.fine(row)).weight());
    Ok(CountedWeights { values: Array::new(values.collect()).held(py)?, scale, n_lost })
}

/// Copies one column and codes it with the interpreter released.
fn code_column(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    names: &[String],
    levels: &[Option<Vec<Label>>],
    i: usize,
) -> PyResult<Column> {
    if let Ok(coded) = array.cast::<CodedColumn>() {
        return coded.get().take();
    }
    let raw = convert::raw_column(array)?;
    let name = names.get(i).map_or("", String::as_str);
    let n_levels = levels.get(i).and_then(Option::as_ref).map_or(0, Vec::len);
    py.detach(|| Column::new(raw, n_levels, name, i)).map_err(to_py)
}
