//! The graph of subtables and what is asked of it: convert, run, wrap.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use treewright_core::control::Control;
use treewright_core::data::Schema;
use treewright_core::error::Error;
use treewright_core::outcome::{Outcome, Status};
use treewright_core::tables::{self, GraphRules};

use crate::errors::{to_py, unfinished};
use crate::run::{self, Limits};
use crate::tables::{DecisionTable, TableCost, costs_of};
use crate::tree::Tree;

/// All subtables of a table, with the least costs of each.
#[pyclass(frozen, module = "treewright._core")]
pub struct SubtableGraph {
    inner: Arc<tables::SubtableGraph>,
    schema: Arc<Schema>,
    /// Seconds that building took.
    #[pyo3(get)]
    elapsed: f64,
}

impl SubtableGraph {
    pub fn build(
        py: Python<'_>,
        table: &DecisionTable,
        rules: &GraphRules,
        limits: &Limits,
    ) -> PyResult<Self> {
        let build = |control: &Control| tables::SubtableGraph::build(&table.inner, rules, control);
        let built = run::detached(py, limits, build)?.map_err(to_py)?;
        let (inner, elapsed) = (Arc::new(built.value), built.stats.elapsed);
        Ok(SubtableGraph { inner, schema: table.schema.clone(), elapsed })
    }
}

/// Two costs that no tree betters in both, and a tree that has them.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct FrontPoint {
    a: u64,
    b: u64,
    tree: Py<Tree>,
}

#[pymethods]
impl SubtableGraph {
    #[getter]
    fn status(&self) -> &'static str {
        self.inner.status().name()
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
        cost: PyRef<'_, TableCost>,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<u64> {
        let cost = cost.inner;
        self.ask(py, time_limit, callback, |control| self.inner.minimum(&cost, control))
    }

    /// A tree least in the first cost, among those least in the second, and so on.
    #[pyo3(signature = (costs, *, time_limit=None, callback=None))]
    fn tree(
        &self,
        py: Python<'_>,
        costs: Vec<PyRef<'_, TableCost>>,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Tree> {
        let costs = costs_of(&costs);
        let inner =
            self.ask(py, time_limit, callback, |control| self.inner.tree(&self.schema, &costs, control))?;
        Ok(Tree { inner })
    }

    /// The number of trees of least cost.
    #[pyo3(signature = (cost, every_subtree=false, *, time_limit=None, callback=None))]
    fn count_optimal<'py>(
        &self,
        py: Python<'py>,
        cost: PyRef<'_, TableCost>,
        every_subtree: bool,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let cost = cost.inner;
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
        cost: PyRef<'_, TableCost>,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<OptimalTrees> {
        let (graph, schema, cost) = (self.inner.clone(), self.schema.clone(), cost.inner);
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
        a: PyRef<'_, TableCost>,
        b: PyRef<'_, TableCost>,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Vec<FrontPoint>> {
        let costs = [a.inner, b.inner];
        let front = self
            .ask(py, time_limit, callback, |control| self.inner.pareto_front(&self.schema, costs, control))?;
        let point = |tables::FrontPoint { costs: [a, b], tree }| {
            Ok(FrontPoint { a, b, tree: Py::new(py, Tree { inner: tree })? })
        };
        front.into_iter().map(point).collect()
    }
}

impl SubtableGraph {
    /// Runs a query in the gateway.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
        query: impl FnOnce(&Control) -> Result<Outcome<Option<T>>, Error> + Send,
    ) -> PyResult<T> {
        let limits = Limits { n_threads: 1, time_limit, callback };
        run::detached(py, &limits, query)?.map_err(to_py)?.found().map_err(answer_ended)
    }
}

fn answer_ended(status: Status) -> PyErr {
    unfinished("the answer was not complete when it ended", status, "; allow it more time")
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
        match found.map_err(to_py)?.status {
            Status::Complete => {}
            status => return Err(answer_ended(status)),
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
