//! Distinct trees: convert, run, wrap.

use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::data::check_rows;
use treewright_core::distinct::{self, EnumerationRules, Order};
use treewright_core::error::Error;
use treewright_core::induce::Problem;

use crate::convert;
use crate::dataset::Dataset;
use crate::errors::to_py;
use crate::grow::{choice, growing};
use crate::run::{self, Limits};

const ORDERS: [(&str, Order); 4] = [
    ("frontier", Order::Frontier),
    ("frontier_descending", Order::FrontierDescending),
    ("index", Order::Index),
    ("index_descending", Order::IndexDescending),
];

/// Count the distinct trees over all feature subsets.
#[pyfunction]
#[pyo3(signature = (dataset, building, search, *, growth, order="frontier", memory_limit=None, node_limit=None, n_threads=1, time_limit=None, callback=None))]
pub fn count_distinct_trees<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    building: PyReadonlyArray1<'_, i64>,
    search: PyReadonlyArray1<'_, i64>,
    growth: &Bound<'_, PyDict>,
    order: &str,
    memory_limit: Option<usize>,
    node_limit: Option<u64>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (params, data) = (growing(Some(growth))?, &dataset.inner);
    let rules = EnumerationRules {
        order: choice("order", order, &ORDERS)?,
        cap: memory_limit.unwrap_or(usize::MAX),
        node_limit: node_limit.unwrap_or(u64::MAX),
    };
    let (building, search) = (convert::vector(&building), convert::vector(&search));
    let limits = Limits { n_threads, time_limit, callback };
    let counted = run::detached(py, &limits, |control| -> Result<_, Error> {
        let building = check_rows("the building set", &building, data.n_rows())?;
        let search = check_rows("the search set", &search, data.n_rows())?;
        let problem = Arc::new(Problem::new(data, building, &params)?);
        let (tally, status) = distinct::count(problem, search, &rules, control);
        Ok((tally, status, control.elapsed()))
    })?;
    let (tally, status, elapsed) = counted.map_err(to_py)?;
    let result = PyDict::new(py);
    result.set_item("n_built", tally.n_built)?;
    result.set_item("n_distinct", tally.n_distinct())?;
    result.set_item("by_n_features", &tally.by_n_features)?;
    result.set_item("by_log_subsets", &tally.by_log_subsets)?;
    result.set_item("status", status.name())?;
    result.set_item("elapsed", elapsed)?;
    Ok(result)
}
