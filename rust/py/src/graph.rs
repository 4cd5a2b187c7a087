//! The graph of subtables and what is asked of it: convert, run, wrap.

use std::sync::Arc;

use pyo3::prelude::*;
use treewright_core::data::Schema;
use treewright_core::tables::{self, GraphRules};

use crate::errors::to_py;
use crate::run::{self, Limits};
use crate::tables::DecisionTable;

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

    /// The least of each named cost that the finished part reaches, None where it reaches the root with none.
    #[getter]
    fn reached(&self) -> Option<[u64; 5]> {
        self.inner.reached()
    }
}
