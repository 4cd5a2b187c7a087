//! Complete wrapper selection: convert, run, wrap.

use std::sync::Arc;

use crate::arrays::Vector;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use treewright_core::data::check_rows;
use treewright_core::distinct::{CompleteRules, CompleteSearch, complete};
use treewright_core::error::Error;
use treewright_core::induce::Problem;

use crate::dataset::Dataset;
use crate::enumerate::{DEFAULT_CAP, ORDERS};
use crate::errors::{UnfinishedError, to_py};
use crate::grow::{choice, search_growing};
use crate::run::{self, Limits};
use crate::select::in_samples;
use crate::tree::Tree;

/// What a search is after, as keyword arguments; weights in samples.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PyRules {
    order: String,
    memory_limit: Option<usize>,
    tolerance: f64,
    max_features: Option<usize>,
    n_best: usize,
    counts_ties: bool,
}

impl PyRules {
    fn rules(self, n_features: usize) -> PyResult<CompleteRules> {
        let rules = CompleteRules {
            order: choice("order", &self.order, &ORDERS)?,
            cap: self.memory_limit.unwrap_or(DEFAULT_CAP),
            tolerance: (self.tolerance * (1u64 << 20) as f64).round() as u64,
            max_features: self.max_features.unwrap_or(n_features),
            n_best: self.n_best,
            counts_ties: self.counts_ties,
        };
        rules.check().map_err(to_py)?;
        Ok(rules)
    }
}

/// Search all feature subsets for the trees with the fewest search errors.
///
/// What a signal handler or the callback raises stops the search, and is told beside what was found.
#[pyfunction]
#[pyo3(signature = (dataset, building, search, *, growth, rules, n_threads=1, time_limit=None, callback=None))]
pub fn complete_search<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    building: Vector<i64>,
    search: Vector<i64>,
    growth: &Bound<'_, PyDict>,
    rules: &Bound<'_, PyDict>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (params, data) = (search_growing(Some(growth))?, &dataset.inner);
    let rules = rules.extract::<PyRules>()?.rules(data.n_features())?;
    let (building, search) = (building.0, search.0);
    let limits = Limits { n_threads, time_limit, callback };
    let (found, raised) = run::kept(py, &limits, |control| -> Result<_, Error> {
        let building = check_rows("the building set", &building, data.n_rows())?;
        let search = check_rows("the search set", &search, data.n_rows())?;
        let problem = Arc::new(Problem::new(data, building, &params)?);
        Ok(complete(problem, search, &rules, control).map(|found| (found, control.elapsed())))
    });
    match found.map_err(to_py)? {
        Ok((found, elapsed)) => {
            let result = as_dict(py, found, elapsed)?;
            result.set_item("raised", raised.map(|raised| raised.into_value(py)))?;
            Ok(result)
        }
        Err(interrupt) => Err(raised.unwrap_or_else(|| {
            let why = interrupt.name();
            UnfinishedError::new_err(format!(
                "the search ended ({why}) before its first tree was grown; allow more time"
            ))
        })),
    }
}

fn as_dict<'py>(py: Python<'py>, found: CompleteSearch, elapsed: f64) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let best = PyList::empty(py);
    for tree in found.best {
        let list = |set: &treewright_core::bits::BitSet| set.iter().collect::<Vec<_>>();
        let errors = in_samples(tree.errors);
        best.append((list(&tree.used), list(&tree.blocked), errors, Tree { inner: tree.tree }))?;
    }
    result.set_item("best", best)?;
    result.set_item("n_ties", found.n_ties)?;
    result.set_item("bound", in_samples(found.bound))?;
    result.set_item("n_trees_built", found.n_built)?;
    result.set_item("status", found.status.name())?;
    result.set_item("elapsed", elapsed)?;
    Ok(result)
}
