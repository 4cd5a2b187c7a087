//! Distinct trees: convert, run, wrap.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::arrays::Vector;
use pyo3::prelude::*;
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::distinct::{self, Call, DistinctTree, EnumerationRules, Order, Tally};
use treewright_core::error::Error;
use treewright_core::outcome::Status;
use treewright_core::units::Fine;

use crate::dataset::Dataset;
use crate::errors::{to_py, unfinished};
use crate::grow::{GrowthParameters, allowed, choice, positions, searched};
use crate::run::{self, Limits};

pub const ORDERS: [(&str, Order); 4] = [
    ("frontier", Order::Frontier),
    ("frontier_descending", Order::FrontierDescending),
    ("index", Order::Index),
    ("index_descending", Order::IndexDescending),
];

/// Bytes kept where the caller names no limit.
pub const DEFAULT_CAP: usize = 128 << 20;

/// Sums over distinct trees; those of parts of the search space add up to those of the whole.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct TreeCounts {
    n_built: u64,
    by_n_features: Vec<u64>,
    by_log_subsets: Vec<u64>,
}

#[pymethods]
impl TreeCounts {
    #[new]
    fn new(n_built: u64, by_n_features: Vec<u64>, by_log_subsets: Vec<u64>) -> Self {
        TreeCounts { n_built, by_n_features, by_log_subsets }
    }

    #[getter]
    fn n_distinct(&self) -> u64 {
        self.by_n_features.iter().sum()
    }

    fn __getnewargs__(&self) -> (u64, Vec<u64>, Vec<u64>) {
        (self.n_built, self.by_n_features.clone(), self.by_log_subsets.clone())
    }
}

impl From<Tally> for TreeCounts {
    fn from(tally: Tally) -> Self {
        TreeCounts::new(tally.n_built, tally.by_n_features, tally.by_log_subsets)
    }
}

/// How many distinct trees there are, and why counting ended.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct CountOutcome {
    counts: Py<TreeCounts>,
    status: &'static str,
    elapsed: f64,
}

/// Count the distinct trees over all feature subsets.
#[pyfunction]
#[pyo3(signature = (dataset, training, validation, *, growth, order="frontier", memory_limit=None,
                    node_limit=None, n_threads=1, time_limit=None, callback=None))]
pub fn count_distinct_trees(
    py: Python<'_>,
    dataset: &Dataset,
    training: Vector<i64>,
    validation: Vector<i64>,
    growth: &GrowthParameters,
    order: &str,
    memory_limit: Option<usize>,
    node_limit: Option<u64>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<CountOutcome> {
    let (params, data) = (growth.for_search()?, &dataset.inner);
    let rules = rules(order, memory_limit, node_limit)?;
    let limits = Limits { n_threads, time_limit, callback };
    let counted = run::detached(py, &limits, |control| -> Result<_, Error> {
        let (problem, validation) = searched(data, &training.0, &validation.0, &params)?;
        distinct::count(problem, validation, &rules, control)
    })?;
    let counted = counted.map_err(to_py)?;
    Ok(CountOutcome {
        counts: Py::new(py, TreeCounts::from(counted.value))?,
        status: counted.status.name(),
        elapsed: counted.stats.elapsed,
    })
}

fn rules(order: &str, memory_limit: Option<usize>, node_limit: Option<u64>) -> PyResult<EnumerationRules> {
    Ok(EnumerationRules {
        order: choice("order", order, &ORDERS)?,
        cap: memory_limit.unwrap_or(DEFAULT_CAP),
        node_limit: node_limit.unwrap_or(u64::MAX),
    })
}

/// A part of the search space, named by its required and its optional features.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "treewright._core")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SearchPart {
    required_features: Vec<usize>,
    optional_features: Vec<usize>,
}

#[pymethods]
impl SearchPart {
    #[new]
    fn new(required_features: Vec<usize>, optional_features: Vec<usize>) -> Self {
        SearchPart { required_features, optional_features }
    }

    fn __getnewargs__(&self) -> (Vec<usize>, Vec<usize>) {
        (self.required_features.clone(), self.optional_features.clone())
    }
}

impl SearchPart {
    fn call(&self, n_features: usize) -> PyResult<Call<BitSet>> {
        let set = |features: &[usize]| allowed(Some(features.to_vec()), n_features);
        Ok(Call { required: set(&self.required_features)?, optional: set(&self.optional_features)? })
    }
}

/// Parts of a search space, and the sums of what lies around them.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct SplitSearch {
    around: Py<TreeCounts>,
    parts: Vec<SearchPart>,
}

/// Cut the search for all distinct trees into parts that can be counted anywhere.
#[pyfunction]
#[pyo3(signature = (dataset, training, *, growth, n_parts, order="frontier", memory_limit=None,
                    time_limit=None))]
pub fn split_distinct_search(
    py: Python<'_>,
    dataset: &Dataset,
    training: Vector<i64>,
    growth: &GrowthParameters,
    n_parts: usize,
    order: &str,
    memory_limit: Option<usize>,
    time_limit: Option<f64>,
) -> PyResult<SplitSearch> {
    let (params, data) = (growth.for_search()?, &dataset.inner);
    let rules = rules(order, memory_limit, None)?;
    let limits = Limits { n_threads: 1, time_limit, callback: None };
    let split = run::detached(py, &limits, |control| -> Result<_, Error> {
        let (problem, validation) = searched(data, &training.0, &[], &params)?;
        distinct::split_search(problem, validation, &rules, n_parts, control)
    })?;
    let early = |status| unfinished("the search was not cut up in time", status, "; allow more time");
    let split = split.map_err(to_py)?.found().map_err(early)?;
    let part = |call: &Call<BitSet>| SearchPart::new(positions(&call.required), positions(&call.optional));
    let around = Py::new(py, TreeCounts::from(split.around))?;
    Ok(SplitSearch { around, parts: split.calls.iter().map(part).collect() })
}

/// Sums of parts that were counted one after the other, and why counting ended.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct PartCounts {
    counts: Vec<Py<TreeCounts>>,
    status: &'static str,
}

/// Count some parts, each by itself.
#[pyfunction]
#[pyo3(signature = (dataset, training, parts, *, growth, order="frontier", memory_limit=None,
                    time_limit=None))]
pub fn count_distinct_parts(
    py: Python<'_>,
    dataset: &Dataset,
    training: Vector<i64>,
    parts: Vec<SearchPart>,
    growth: &GrowthParameters,
    order: &str,
    memory_limit: Option<usize>,
    time_limit: Option<f64>,
) -> PyResult<PartCounts> {
    let (params, data) = (growth.for_search()?, &dataset.inner);
    let rules = rules(order, memory_limit, None)?;
    let calls = parts.iter().map(|part| part.call(data.n_features())).collect::<PyResult<Vec<_>>>()?;
    let limits = Limits { n_threads: 1, time_limit, callback: None };
    let counted = run::detached(py, &limits, |control| -> Result<_, Error> {
        let (problem, validation) = searched(data, &training.0, &[], &params)?;
        distinct::count_parts(problem, validation, &rules, &calls, control)
    })?;
    let counted = counted.map_err(to_py)?;
    let counts = counted.value.into_iter().map(|tally| Py::new(py, TreeCounts::from(tally)));
    Ok(PartCounts { counts: counts.collect::<PyResult<_>>()?, status: counted.status.name() })
}

/// A distinct tree in passing, named by the features it tests.
#[pyclass(frozen, get_all, module = "treewright._core")]
#[derive(Clone)]
pub struct FoundTree {
    used_features: Vec<usize>,
    blocked_features: Vec<usize>,
    n_errors: f64,
}

impl From<DistinctTree> for FoundTree {
    fn from(tree: DistinctTree) -> Self {
        FoundTree {
            used_features: positions(&tree.used),
            blocked_features: positions(&tree.blocked),
            n_errors: Fine(tree.errors).weight(),
        }
    }
}

/// A lazy enumeration of distinct trees.
#[pyclass(frozen, module = "treewright._core")]
pub struct DistinctTrees {
    state: Mutex<State>,
}

struct State {
    source: Option<distinct::DistinctTrees>,
    /// Not known to have arrived: a signal may come while they are handed over.
    ready: Vec<FoundTree>,
    status: Option<Status>,
    n_built: u64,
    n_distinct: u64,
}

#[pymethods]
impl DistinctTrees {
    #[new]
    #[pyo3(signature = (dataset, training, validation, *, growth, order="frontier", memory_limit=None,
                        node_limit=None))]
    fn new(
        py: Python<'_>,
        dataset: &Dataset,
        training: Vector<i64>,
        validation: Vector<i64>,
        growth: &GrowthParameters,
        order: &str,
        memory_limit: Option<usize>,
        node_limit: Option<u64>,
    ) -> PyResult<Self> {
        let (params, data) = (growth.for_search()?, &dataset.inner);
        let rules = rules(order, memory_limit, node_limit)?;
        let made = py.detach(|| -> Result<_, Error> {
            let (problem, validation) = searched(data, &training.0, &validation.0, &params)?;
            Ok(distinct::DistinctTrees::new(problem, validation, &rules))
        });
        let source = Some(made.map_err(to_py)?);
        Ok(DistinctTrees {
            state: Mutex::new(State { source, ready: Vec::new(), status: None, n_built: 0, n_distinct: 0 }),
        })
    }

    /// The trees after the first `n_received`; none at the end or at a limit.
    ///
    /// Those found already come before any search.
    #[pyo3(signature = (max_trees, n_received, *, n_threads=1, time_limit=None, callback=None))]
    fn next_batch(
        &self,
        py: Python<'_>,
        max_trees: usize,
        n_received: u64,
        n_threads: usize,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<Vec<FoundTree>> {
        let limits = Limits { n_threads, time_limit, callback };
        run::detached(py, &limits, |control| self.lock().fetch(max_trees.max(1), n_received, control))?;
        Ok(py.detach(|| self.lock().ready.clone()))
    }

    /// Trees built at the most from now on, those built so far included.
    fn limit(&self, py: Python<'_>, node_limit: u64) {
        py.detach(|| self.lock().source.iter_mut().for_each(|source| source.limit(node_limit)));
    }

    #[getter]
    fn n_built(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.lock().n_built)
    }

    #[getter]
    fn n_distinct(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.lock().n_distinct)
    }

    /// Why it ended or paused; None while it may go on.
    #[getter]
    fn status(&self, py: Python<'_>) -> Option<&'static str> {
        py.detach(|| self.lock().status.map(Status::name))
    }

    /// Frees what the enumeration holds; it cannot go on then.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let mut state = self.lock();
            state.source = None;
            state.ready.clear();
        });
    }
}

impl State {
    /// Drops what has arrived and, with nothing left, searches on.
    fn fetch(&mut self, max_trees: usize, n_received: u64, control: &Control) {
        let n_kept = self.n_distinct.saturating_sub(n_received) as usize;
        self.ready.drain(..self.ready.len().saturating_sub(n_kept));
        let Some(source) = self.source.as_mut() else {
            return;
        };
        if !self.ready.is_empty() {
            self.status = None;
            return;
        }
        let (trees, status) = source.batch(max_trees, control);
        (self.ready, self.status) = (trees.into_iter().map(FoundTree::from).collect(), status);
        (self.n_built, self.n_distinct) = (source.n_built(), source.n_distinct());
        if self.status == Some(Status::Complete) {
            self.source = None;
        }
    }
}

impl DistinctTrees {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
