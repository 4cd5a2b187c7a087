//! Greedy trees of tables, branch and bound, the study of many tables: convert, run, wrap.

use std::sync::Arc;

use crate::arrays::Array;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::data;
use treewright_core::error::Error;
use treewright_core::tables::{
    Bounded, Comparison, Drawn, Heuristic, Impurity, SearchRules, TableLimits, Uncertainty, compare, greedy,
    minimum_bounded,
};

use crate::errors::{UnfinishedError, to_py};
use crate::grow::choice;
use crate::run::{self, Limits};
use crate::tables::{DecisionTable, cost as read_cost};
use crate::tree::Tree;

const IMPURITIES: [(&str, Impurity); 4] = [
    ("max", Impurity::Max),
    ("sum", Impurity::Sum),
    ("weighted_max", Impurity::WeightedMax),
    ("weighted_sum", Impurity::WeightedSum),
];
const UNCERTAINTIES: [(&str, Uncertainty); 4] = [
    ("entropy", Uncertainty::Entropy),
    ("gini", Uncertainty::Gini),
    ("misclassification", Uncertainty::Misclassification),
    ("rt", Uncertainty::Rt),
];

/// Where each column of a study stands among the core's costs: total path length comes first, as in
/// the paper.
const PAPER_ORDER: [usize; 5] = [1, 0, 2, 3, 4];

/// Grow the greedy trees of some heuristics in one pass.
#[pyfunction]
#[pyo3(signature = (table, *, heuristics, alpha=0, n_threads=1, time_limit=None, callback=None))]
pub fn greedy_trees(
    py: Python<'_>,
    table: &DecisionTable,
    heuristics: Vec<(String, String)>,
    alpha: u64,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Vec<Tree>> {
    let named = |(impurity, uncertainty): &(String, String)| -> PyResult<Heuristic> {
        Ok(Heuristic {
            impurity: choice("impurity", impurity, &IMPURITIES)?,
            uncertainty: choice("uncertainty", uncertainty, &UNCERTAINTIES)?,
        })
    };
    let heuristics = heuristics.iter().map(named).collect::<PyResult<Vec<_>>>()?;
    let limits = Limits { n_threads, time_limit, callback };
    let grown = run::detached(py, &limits, |control| {
        let plans = greedy(&table.inner, &heuristics, alpha, control)?;
        Ok(plans.iter().map(|plan| Tree { inner: plan.tree(&table.inner, &table.schema) }).collect())
    })?;
    grown.map_err(|interrupt| early("growing", interrupt))
}

/// Search for a tree of least cost by branch and bound.
#[pyfunction]
#[pyo3(signature = (table, *, cost, alpha=0, node_limit=None, memory_limit=None, n_threads=1, time_limit=None, callback=None))]
pub fn minimum_tree_bounded<'py>(
    py: Python<'py>,
    table: &DecisionTable,
    cost: &Bound<'_, PyAny>,
    alpha: u64,
    node_limit: Option<u64>,
    memory_limit: Option<usize>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = SearchRules { cost: read_cost(cost)?, alpha, node_limit, memory_limit };
    let limits = Limits { n_threads, time_limit, callback };
    let found = run::detached(py, &limits, |control| -> Result<_, Error> {
        let found = minimum_bounded(&table.inner, &rules, control)?;
        Ok(found.map(|found| {
            let tree = Tree { inner: found.plan.tree(&table.inner, &table.schema) };
            (found, tree, control.elapsed())
        }))
    })?;
    let (found, tree, elapsed) = found.map_err(to_py)?.map_err(|interrupt| early("the search", interrupt))?;
    let Bounded { cost, bound, status, n_searched, .. } = found;
    let result = PyDict::new(py);
    result.set_item("cost", cost)?;
    result.set_item("bound", bound)?;
    result.set_item("status", status.name())?;
    result.set_item("tree", tree)?;
    result.set_item("n_searched", n_searched)?;
    result.set_item("elapsed", elapsed)?;
    Ok(result)
}

/// Compare greedy trees with the least costs, over given tables or random ones.
#[pyfunction]
#[pyo3(signature = (tables=None, *, n_tables=0, n_rows=50, n_features=10, n_values=3, seed=0, first_table=0, node_limit=None, memory_limit=None, n_threads=1, time_limit=None, callback=None))]
pub fn compare_greedy<'py>(
    py: Python<'py>,
    tables: Option<Vec<PyRef<'py, DecisionTable>>>,
    n_tables: usize,
    n_rows: u32,
    n_features: u32,
    n_values: u32,
    seed: u64,
    first_table: u64,
    node_limit: Option<u64>,
    memory_limit: Option<usize>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let given: Option<Vec<Arc<data::DecisionTable>>> =
        tables.map(|tables| tables.iter().map(|table| table.inner.clone()).collect());
    let drawn = Drawn { n_rows, n_features, n_values, seed };
    let allowed = TableLimits { node_limit, memory_limit };
    let limits = Limits { n_threads, time_limit, callback };
    let found = run::detached(py, &limits, |control| {
        let found = match &given {
            Some(given) => compare(given.len(), |i| Ok(given[i].clone()), &allowed, control),
            None => {
                let table = |i: usize| drawn.table(first_table.wrapping_add(i as u64)).map(Arc::new);
                compare(n_tables, table, &allowed, control)
            }
        };
        found.map(|found| (found, control.elapsed()))
    })?;
    let (found, elapsed) = found.map_err(to_py)?;
    study(py, &found, elapsed)
}

fn study<'py>(py: Python<'py>, found: &Comparison, elapsed: f64) -> PyResult<Bound<'py, PyDict>> {
    let n_done = found.minima.len();
    let each = found.differences.iter().flatten();
    let differences = each.flat_map(|costs| PAPER_ORDER.map(|cost| costs[cost])).collect();
    let minima = found.minima.iter().flat_map(|costs| PAPER_ORDER.map(|cost| costs[cost] as i64)).collect();
    let result = PyDict::new(py);
    result.set_item("differences", Array::cube(differences, [n_done, Heuristic::ALL.len(), 5]))?;
    result.set_item("minima", Array::matrix(minima, 5))?;
    result.set_item("status", found.status.name())?;
    result.set_item("n_done", n_done)?;
    result.set_item("elapsed", elapsed)?;
    Ok(result)
}

fn early(what: &str, interrupt: treewright_core::outcome::Status) -> PyErr {
    UnfinishedError::new_err(format!(
        "{what} ended early ({}) before there was a whole tree; allow more time",
        interrupt.name()
    ))
}
