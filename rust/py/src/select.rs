//! Wrapper selection: convert, run, wrap.

use std::sync::Arc;

use crate::arrays::Vector;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use treewright_core::bits::BitSet;
use treewright_core::data::check_rows;
use treewright_core::distinct::{
    Direction, Evaluator, Retrain, Selection, SelectionRules, incremental, select,
};
use treewright_core::error::Error;
use treewright_core::induce::Problem;

use crate::dataset::Dataset;
use crate::errors::{UnfinishedError, to_py};
use crate::grow::{allowed, choice, search_growing};
use crate::run::{self, Limits};
use crate::tree::Tree;

#[derive(Clone, Copy)]
enum Strategy {
    Incremental,
    Retrain,
}

const STRATEGIES: [(&str, Strategy); 2] =
    [("incremental", Strategy::Incremental), ("retrain", Strategy::Retrain)];
const DIRECTIONS: [(&str, Direction); 2] =
    [("backward", Direction::Backward), ("forward", Direction::Forward)];

/// What a selection may do, as keyword arguments; weights in samples.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PyRules {
    direction: String,
    floating: bool,
    tolerance: f64,
    parsimonious: bool,
    min_features: usize,
    max_features: Option<usize>,
    units: Option<Vec<Vec<usize>>>,
    fixed: Vec<usize>,
    start: Option<Vec<usize>>,
}

impl PyRules {
    fn rules(self, n_features: usize) -> PyResult<SelectionRules> {
        let direction = choice("direction", &self.direction, &DIRECTIONS)?;
        let singles = || (0..n_features).map(|feature| vec![feature]).collect();
        let units = self.units.unwrap_or_else(singles);
        let fixed = allowed(Some(self.fixed), n_features)?;
        let mut start = match (self.start, direction) {
            (None, Direction::Forward) => BitSet::empty(n_features),
            (start, _) => allowed(start, n_features)?,
        };
        start.union_with(&fixed);
        let rules = SelectionRules {
            direction,
            floating: self.floating,
            tolerance: (self.tolerance * (1u64 << 20) as f64).round() as u64,
            parsimonious: self.parsimonious,
            min_features: self.min_features,
            max_features: self.max_features.unwrap_or(n_features),
            units: units.into_iter().map(|unit| allowed(Some(unit), n_features)).collect::<PyResult<_>>()?,
            fixed,
            start,
        };
        rules.check().map_err(to_py)?;
        Ok(rules)
    }
}

/// Select features by single steps.
#[pyfunction]
#[pyo3(signature = (dataset, building, search, *, growth, rules, strategy="incremental", n_threads=1, time_limit=None, callback=None))]
pub fn select_features<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    building: Vector<i64>,
    search: Vector<i64>,
    growth: &Bound<'_, PyDict>,
    rules: &Bound<'_, PyDict>,
    strategy: &str,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (params, data) = (search_growing(Some(growth))?, &dataset.inner);
    let rules = rules.extract::<PyRules>()?.rules(data.n_features())?;
    let strategy = choice("strategy", strategy, &STRATEGIES)?;
    let (building, search) = (building.0, search.0);
    let limits = Limits { n_threads, time_limit, callback };
    let found = run::detached(py, &limits, |control| -> Result<_, Error> {
        let building = check_rows("the building set", &building, data.n_rows())?;
        let search = check_rows("the search set", &search, data.n_rows())?;
        let problem = Arc::new(Problem::new(data, building, &params)?);
        let mut evaluator: Box<dyn Evaluator> = match strategy {
            Strategy::Incremental => incremental(problem, search),
            Strategy::Retrain => Box::new(Retrain::new(problem, data, search)),
        };
        Ok(select(&mut *evaluator, &rules, control).map(|found| (found, control.elapsed())))
    })?;
    match found.map_err(to_py)? {
        Ok((selection, elapsed)) => as_dict(py, selection, elapsed),
        Err(interrupt) => Err(UnfinishedError::new_err(format!(
            "the search ended ({}) before its first tree was grown; allow more time",
            interrupt.name()
        ))),
    }
}

fn as_dict<'py>(py: Python<'py>, selection: Selection, elapsed: f64) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let history = PyList::empty(py);
    for step in &selection.history {
        history.append((
            &step.changed,
            step.added,
            in_samples(step.errors),
            step.n_selected,
            step.n_built,
            step.seconds,
        ))?;
    }
    result.set_item("selected", selection.selected.iter().collect::<Vec<_>>())?;
    result.set_item("used", selection.used.iter().collect::<Vec<_>>())?;
    result.set_item("n_search_errors", in_samples(selection.errors))?;
    result.set_item("n_trees_built", selection.n_built)?;
    result.set_item("history", history)?;
    result.set_item("status", selection.status.name())?;
    result.set_item("elapsed", elapsed)?;
    result.set_item("tree", Tree { inner: selection.tree }.into_pyobject(py)?)?;
    Ok(result)
}

/// A weight in units of 2^-20 as a number of samples.
pub fn in_samples(fine: u64) -> f64 {
    fine as f64 / (1u64 << 20) as f64
}
