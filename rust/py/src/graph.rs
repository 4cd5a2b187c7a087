//! The graph of subtables and what is asked of it: convert, run, wrap.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use treewright_core::control::Control;
use treewright_core::data::Schema;
use treewright_core::outcome::Status;
use treewright_core::tables::{self, Failure, GraphRules};
use treewright_core::tree::Cost;

use crate::errors::{UnfinishedError, to_py};
use crate::run::{self, Limits};
use crate::tables::{DecisionTable, cost};
use crate::tree::Tree;

/// All subtables of a table, with the least costs of each.
#[pyclass(frozen, module = "treewright._core")]
pub struct SubtableGraph {
    inner: Arc<tables::SubtableGraph>,
    schema: Arc<Schema>,
    elapsed: f64,
}

impl SubtableGraph {
    pub fn build(
        py: Python<'_>,
        table: &DecisionTable,
        rules: &GraphRules,
        limits: &Limits,
    ) -> PyResult<Self> {
        let (graph, elapsed) = run::detached(py, limits, |control| {
            (tables::SubtableGraph::build(&table.inner, rules, control), control.elapsed())
        })?;
        let inner = Arc::new(graph.map_err(to_py)?);
        Ok(SubtableGraph { inner, schema: table.schema.clone(), elapsed })
    }
}

#[pymethods]
impl SubtableGraph {
    #[getter]
    fn status(&self) -> &'static str {
        self.inner.status().name()
    }

    /// Seconds that building took.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.elapsed
    }

    #[getter]
    fn alpha(&self) -> u64 {
        self.inner.alpha()
    }

    #[getter]
    fn n_nonterminal(&self) -> u64 {
        self.inner.size().n_nonterminal
    }

    #[getter]
    fn n_terminal(&self) -> u64 {
        self.inner.size().n_terminal
    }

    #[getter]
    fn n_bundles(&self) -> u64 {
        self.inner.size().n_bundles
    }

    #[getter]
    fn n_edges(&self) -> u64 {
        self.inner.size().n_edges
    }

    /// Bytes in use when building ended.
    #[getter]
    fn n_bytes(&self) -> usize {
        self.inner.bytes()
    }

    /// The least of each named cost that the finished bundles of the root reach; None without any.
    #[getter]
    fn reached(&self) -> Option<[u64; 5]> {
        self.inner.reached()
    }

    /// What no tree goes below in the named costs; of use where the graph is unfinished.
    #[getter]
    fn floor(&self) -> [u64; 5] {
        self.inner.floor()
    }

    /// The least cost of a tree.
    #[pyo3(signature = (cost, *, time_limit=None, callback=None))]
    fn minimum(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = cost)] cost: Cost,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<u64> {
        self.ask(py, time_limit, callback, |control| self.inner.minimum(&cost, control))
    }

    /// A tree least in the first cost, among those least in the second, and so on.
    #[pyo3(signature = (costs, *, time_limit=None, callback=None))]
    fn tree(
        &self,
        py: Python<'_>,
        costs: Vec<Bound<'_, PyAny>>,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Tree> {
        let costs: Vec<Cost> = costs.iter().map(cost).collect::<PyResult<_>>()?;
        let inner =
            self.ask(py, time_limit, callback, |control| self.inner.tree(&self.schema, &costs, control))?;
        Ok(Tree { inner })
    }

    /// The number of trees of least cost.
    #[pyo3(signature = (cost, every_subtree=false, *, time_limit=None, callback=None))]
    fn count_optimal<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = cost)] cost: Cost,
        every_subtree: bool,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = self.ask(py, time_limit, callback, |control| {
            self.inner.count_optimal(&cost, every_subtree, control)
        })?;
        python_int(py, &count)
    }

    /// All trees of least cost, lazily.
    #[pyo3(signature = (cost, *, time_limit=None, callback=None))]
    fn enumerate_optimal(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = cost)] cost: Cost,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<OptimalTrees> {
        let (graph, schema) = (self.inner.clone(), self.schema.clone());
        let trees = self.ask(py, time_limit, callback, |control| {
            tables::OptimalTrees::new(graph, schema, cost, control)
        })?;
        Ok(OptimalTrees { inner: Mutex::new(trees) })
    }

    /// Undominated pairs of two costs, each with a tree.
    #[pyo3(signature = (a, b, *, time_limit=None, callback=None))]
    fn pareto_front(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = cost)] a: Cost,
        #[pyo3(from_py_with = cost)] b: Cost,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Vec<(u64, u64, Tree)>> {
        let front = self.ask(py, time_limit, callback, |control| {
            self.inner.pareto_front(&self.schema, [a, b], control)
        })?;
        Ok(front.into_iter().map(|(a, b, inner)| (a, b, Tree { inner })).collect())
    }
}

impl SubtableGraph {
    /// Runs a query in the gateway.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
        query: impl FnOnce(&Control) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let limits = Limits { n_threads: 1, time_limit, callback };
        run::detached(py, &limits, query)?.map_err(|failure| self.refuse(failure))
    }

    fn refuse(&self, failure: Failure) -> PyErr {
        match failure {
            Failure::Refused(error) => to_py(error),
            Failure::Interrupted(interrupt) => answer_ended(interrupt),
            Failure::Unfinished => {
                let n = self.inner.size().n_nonterminal;
                UnfinishedError::new_err(format!(
                    "the graph ended ({}) after {n} subtables that are not terminal, before the whole table; \
                     {}minimum_tree searches one cost at a time without the graph: depth and total path \
                     length usually come through, numbers of nodes where trees are small; or allow the \
                     graph more",
                    self.inner.status().name(),
                    self.known_so_far(),
                ))
            }
        }
    }

    /// Bounds of the named costs, where some bundle of the root was finished.
    fn known_so_far(&self) -> String {
        let Some(reached) = self.inner.reached() else { return String::new() };
        let floor = self.inner.floor();
        let bounds = (0..5).map(|i| format!("{} {} to {}", Cost::NAMES[i], floor[i], reached[i]));
        format!("the least costs lie within {}; ", bounds.collect::<Vec<_>>().join(", "))
    }
}

fn answer_ended(status: Status) -> PyErr {
    UnfinishedError::new_err(format!(
        "the answer was not complete when it ended ({}); allow it more time",
        status.name()
    ))
}

/// A number of any size as a Python int.
fn python_int<'py>(py: Python<'py>, number: &BigUint) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, &number.to_bytes_le());
    py.get_type::<pyo3::types::PyInt>().call_method1("from_bytes", (bytes, "little"))
}

/// A lazy enumeration of the trees of least cost.
#[pyclass(frozen, module = "treewright._core")]
pub struct OptimalTrees {
    inner: Mutex<tables::OptimalTrees>,
}

#[pymethods]
impl OptimalTrees {
    /// The next trees, at most `n`; fewer only at the end.
    #[pyo3(signature = (n, *, time_limit=None, callback=None))]
    fn take(
        &self,
        py: Python<'_>,
        n: usize,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Tree>> {
        let limits = Limits { n_threads: 1, time_limit, callback };
        let found = run::detached(py, &limits, |control| self.lock().find(n, control))?;
        match found {
            Ok(()) => {}
            Err(Failure::Refused(error)) => return Err(to_py(error)),
            Err(Failure::Interrupted(interrupt)) => return Err(answer_ended(interrupt)),
            Err(Failure::Unfinished) => unreachable!("an enumeration begins with a complete graph"),
        }
        let trees = py.detach(|| self.lock().drain(n));
        Ok(trees.into_iter().map(|inner| Tree { inner }).collect())
    }
}

impl OptimalTrees {
    fn lock(&self) -> MutexGuard<'_, tables::OptimalTrees> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
