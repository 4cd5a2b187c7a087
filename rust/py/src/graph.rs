//! The graph of subtables and what is asked of it: convert, run, wrap.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use num_bigint::BigUint;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use treewright_core::control::Control;
use treewright_core::data::Schema;
use treewright_core::tables::{self, GraphRules};

use crate::arrays::Array;
use crate::errors::to_py;
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
    fn minimum(&self, py: Python<'_>, cost: PyRef<'_, TableCost>) -> PyResult<u64> {
        let cost = cost.inner;
        run::whole(py, 1, |control| self.inner.minimum(&cost, control))
    }

    /// A tree least in the first cost, among those least in the second, and so on.
    fn tree(&self, py: Python<'_>, costs: Vec<PyRef<'_, TableCost>>) -> PyResult<Tree> {
        let costs = costs_of(&costs);
        let inner = run::whole(py, 1, |control| self.inner.tree(&self.schema, &costs, control))?;
        Ok(Tree { inner })
    }

    /// The graph written out, None where the control ended it: rows of every subtable, children first; where its
    /// bundles end; their features; where their edges end; the subtables that these lead to.
    #[pyo3(signature = (*, limits=Limits::none(1)))]
    fn unroll(&self, py: Python<'_>, limits: Limits) -> PyResult<Option<UnrolledArrays>> {
        let found = run::detached(py, &limits, |control| self.inner.unroll(control))?.map_err(to_py)?;
        Ok(found.value.map(|tables::Unrolled { n_rows, ends, features, edge_ends, children }| {
            let [n_rows, ends, features, edge_ends, children] =
                [n_rows, ends, features, edge_ends, children].map(Array::new);
            (n_rows, ends, features, edge_ends, children)
        }))
    }

    /// The number of trees of least cost.
    #[pyo3(signature = (cost, every_subtree=false))]
    fn count_optimal<'py>(
        &self,
        py: Python<'py>,
        cost: PyRef<'_, TableCost>,
        every_subtree: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let cost = cost.inner;
        let count = run::whole(py, 1, |control| self.inner.count_optimal(&cost, every_subtree, control))?;
        python_int(py, &count)
    }

    /// All trees of least cost, lazily.
    fn enumerate_optimal(&self, py: Python<'_>, cost: PyRef<'_, TableCost>) -> PyResult<OptimalTrees> {
        let (graph, schema, cost) = (self.inner.clone(), self.schema.clone(), cost.inner);
        let trees = run::whole(py, 1, |control| tables::OptimalTrees::new(graph, schema, cost, control))?;
        Ok(OptimalTrees { inner: Mutex::new(trees) })
    }

    /// Undominated pairs of two costs, each with a tree.
    fn pareto_front(
        &self,
        py: Python<'_>,
        a: PyRef<'_, TableCost>,
        b: PyRef<'_, TableCost>,
    ) -> PyResult<Vec<FrontPoint>> {
        let costs = [a.inner, b.inner];
        let front = run::whole(py, 1, |control| self.inner.pareto_front(&self.schema, costs, control))?;
        let point = |tables::FrontPoint { costs: [a, b], tree }| {
            Ok(FrontPoint { a, b, tree: Py::new(py, Tree { inner: tree })? })
        };
        front.into_iter().map(point).collect()
    }
}

/// The lists of a graph that is written out.
type UnrolledArrays = (Array<u32>, Array<u32>, Array<u32>, Array<u32>, Array<u32>);

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
    fn take(&self, py: Python<'_>, n: usize) -> PyResult<Vec<Tree>> {
        let found = run::detached(py, &Limits::none(1), |control| self.lock().find(n, control))?;
        found.map_err(to_py)?;
        let trees = py.detach(|| self.lock().drain(n));
        Ok(trees.into_iter().map(|inner| Tree { inner }).collect())
    }
}

impl OptimalTrees {
    fn lock(&self) -> MutexGuard<'_, tables::OptimalTrees> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
