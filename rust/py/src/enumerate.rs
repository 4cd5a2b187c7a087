//! Distinct trees: convert, run, wrap.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::distinct::{self, Call, DistinctTree, EnumerationRules, Order, Price, Tally};
use treewright_core::outcome::Status;
use treewright_core::units::Fine;

use crate::errors::{to_py, unfinished};
use crate::grow::{SearchData, allowed, choice, positions};
use crate::run::{self, Limits};

pub const ORDERS: [(&str, Order); 4] = [
    ("frontier", Order::Frontier),
    ("frontier_descending", Order::FrontierDescending),
    ("index", Order::Index),
    ("index_descending", Order::IndexDescending),
];

/// Sums over distinct trees; those of parts of the search space add up to those of the whole.
#[pyclass(frozen, get_all, new = "from_fields", module = "treewright._core")]
pub struct TreeCounts {
    n_built: u64,
    by_n_features: Vec<u64>,
    by_log_subsets: Vec<u64>,
}

#[pymethods]
impl TreeCounts {
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
        let Tally { n_built, by_n_features, by_log_subsets, .. } = tally;
        TreeCounts { n_built, by_n_features, by_log_subsets }
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
#[pyo3(signature = (data, *, rules, limits=Limits::none(1)))]
pub fn count_distinct_trees(
    py: Python<'_>,
    data: &SearchData,
    rules: Rules,
    limits: Limits,
) -> PyResult<CountOutcome> {
    let rules = rules.of_engine(data.dataset().n_features())?;
    let counted =
        run::detached(py, &limits, |control| distinct::count(data.problem()?, Vec::new(), &rules, control))?;
    let counted = counted.map_err(to_py)?;
    Ok(CountOutcome {
        counts: Py::new(py, TreeCounts::from(counted.value))?,
        status: counted.status.name(),
        elapsed: counted.stats.elapsed,
    })
}

/// The order of an enumeration, and what it may use: `EnumerationRules` of Python.
#[derive(FromPyObject)]
pub struct Rules {
    order: String,
    node_limit: Option<u64>,
    memory_limit: usize,
    required_features: Vec<usize>,
}

impl Rules {
    fn of_engine(&self, n_features: usize) -> PyResult<EnumerationRules> {
        let required = allowed(Some(self.required_features.clone()), n_features)?;
        Ok(EnumerationRules {
            order: choice("order", &self.order, &ORDERS)?,
            cap: self.memory_limit,
            node_limit: self.node_limit.unwrap_or(u64::MAX),
            required: positions(&required),
        })
    }
}

/// A part of the search space, named by its required and its optional features.
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", from_py_object, module = "treewright._core")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SearchPart {
    required_features: Vec<usize>,
    optional_features: Vec<usize>,
}

#[pymethods]
impl SearchPart {
    fn __getnewargs__(&self) -> (Vec<usize>, Vec<usize>) {
        (self.required_features.clone(), self.optional_features.clone())
    }
}

impl SearchPart {
    fn of(call: &Call<BitSet>) -> Self {
        let (required, optional) = (positions(&call.required), positions(&call.optional));
        SearchPart { required_features: required, optional_features: optional }
    }

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
#[pyo3(signature = (data, *, rules, n_parts, limits=Limits::none(1)))]
pub fn split_distinct_search(
    py: Python<'_>,
    data: &SearchData,
    rules: Rules,
    n_parts: usize,
    limits: Limits,
) -> PyResult<SplitSearch> {
    let rules = rules.of_engine(data.dataset().n_features())?;
    let split = run::detached(py, &limits, |control| {
        distinct::split_search(data.problem()?, Vec::new(), &rules, n_parts, control)
    })?;
    let early = |status| unfinished("the search was not cut up in time", status, "; allow more time");
    let split = split.map_err(to_py)?.found().map_err(early)?;
    let around = Py::new(py, TreeCounts::from(split.around))?;
    Ok(SplitSearch { around, parts: split.calls.iter().map(SearchPart::of).collect() })
}

/// Sums of parts that were counted one after the other, and why counting ended.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct PartCounts {
    counts: Vec<Py<TreeCounts>>,
    status: &'static str,
}

/// Count some parts, each by itself.
#[pyfunction]
#[pyo3(signature = (data, parts, *, rules, limits=Limits::none(1)))]
pub fn count_distinct_parts(
    py: Python<'_>,
    data: &SearchData,
    parts: Vec<SearchPart>,
    rules: Rules,
    limits: Limits,
) -> PyResult<PartCounts> {
    let n_features = data.dataset().n_features();
    let rules = rules.of_engine(n_features)?;
    let calls = parts.iter().map(|part| part.call(n_features)).collect::<PyResult<Vec<_>>>()?;
    let counted = run::detached(py, &limits, |control| {
        distinct::count_parts(data.problem()?, Vec::new(), &rules, &calls, control)
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

impl FoundTree {
    /// A tree of a search with this unit of cost.
    fn of(tree: DistinctTree, unit: f64) -> Self {
        FoundTree {
            used_features: positions(&tree.used),
            blocked_features: positions(&tree.blocked),
            n_errors: Fine(tree.errors).weight() * unit,
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
    cost_unit: f64,
}

#[pymethods]
impl DistinctTrees {
    #[new]
    #[pyo3(signature = (data, *, rules))]
    fn new(py: Python<'_>, data: &SearchData, rules: Rules) -> PyResult<Self> {
        let rules = rules.of_engine(data.dataset().n_features())?;
        let made = py.detach(|| {
            Ok(distinct::DistinctTrees::new(data.problem()?, data.judging(Price::default())?, &rules))
        });
        let source = Some(made.map_err(to_py)?);
        let state = State {
            source,
            ready: Vec::new(),
            status: None,
            n_built: 0,
            n_distinct: 0,
            cost_unit: data.cost_unit(),
        };
        Ok(DistinctTrees { state: Mutex::new(state) })
    }

    /// The trees after the first `n_received`; none at the end or at a limit.
    ///
    /// Those found already come before any search.
    fn next_batch(
        &self,
        py: Python<'_>,
        max_trees: usize,
        n_received: u64,
        limits: Limits,
    ) -> PyResult<Vec<FoundTree>> {
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
        (self.ready, self.status) =
            (trees.into_iter().map(|tree| FoundTree::of(tree, self.cost_unit)).collect(), status);
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
