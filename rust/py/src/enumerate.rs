//! Distinct trees: convert, run, wrap.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::arrays::Vector;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::bits::{BitSet, Mask};
use treewright_core::control::Control;
use treewright_core::data::{Dataset as CoreDataset, check_rows};
use treewright_core::distinct::{self, Call, EnumerationRules, Enumerator, Order, Pause, Tally};
use treewright_core::error::Error;
use treewright_core::induce::{GrowthParams, Problem};
use treewright_core::outcome::Status;

use crate::dataset::Dataset;
use crate::errors::{UnfinishedError, to_py};
use crate::grow::{allowed, choice, search_growing};
use crate::run::{self, Limits};
use crate::select::in_samples;

pub const ORDERS: [(&str, Order); 4] = [
    ("frontier", Order::Frontier),
    ("frontier_descending", Order::FrontierDescending),
    ("index", Order::Index),
    ("index_descending", Order::IndexDescending),
];

/// Bytes kept where the caller names no limit.
pub const DEFAULT_CAP: usize = 128 << 20;

/// Count the distinct trees over all feature subsets.
#[pyfunction]
#[pyo3(signature = (dataset, building, search, *, growth, order="frontier", memory_limit=None, node_limit=None, n_threads=1, time_limit=None, callback=None))]
pub fn count_distinct_trees<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    building: Vector<i64>,
    search: Vector<i64>,
    growth: &Bound<'_, PyDict>,
    order: &str,
    memory_limit: Option<usize>,
    node_limit: Option<u64>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (params, data) = (search_growing(Some(growth))?, &dataset.inner);
    let rules = rules(order, memory_limit, node_limit)?;
    let (building, search) = (building.0, search.0);
    let limits = Limits { n_threads, time_limit, callback };
    let counted = run::detached(py, &limits, |control| -> Result<_, Error> {
        let search = check_rows("the search set", &search, data.n_rows())?;
        let problem = problem(data, &building, &params)?;
        let (tally, status) = distinct::count(problem, search, &rules, control);
        Ok((tally, status, control.elapsed()))
    })?;
    let (tally, status, elapsed) = counted.map_err(to_py)?;
    let result = as_dict(py, &tally)?;
    result.set_item("status", status.name())?;
    result.set_item("elapsed", elapsed)?;
    Ok(result)
}

fn rules(order: &str, memory_limit: Option<usize>, node_limit: Option<u64>) -> PyResult<EnumerationRules> {
    Ok(EnumerationRules {
        order: choice("order", order, &ORDERS)?,
        cap: memory_limit.unwrap_or(DEFAULT_CAP),
        node_limit: node_limit.unwrap_or(u64::MAX),
    })
}

fn problem(data: &CoreDataset, building: &[i64], params: &GrowthParams) -> Result<Arc<Problem>, Error> {
    let building = check_rows("the building set", building, data.n_rows())?;
    Ok(Arc::new(Problem::new(data, building, params)?))
}

fn as_dict<'py>(py: Python<'py>, tally: &Tally) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    result.set_item("n_built", tally.n_built)?;
    result.set_item("n_distinct", tally.n_distinct())?;
    result.set_item("by_n_features", &tally.by_n_features)?;
    result.set_item("by_log_subsets", &tally.by_log_subsets)?;
    Ok(result)
}

/// Required and optional features.
type Part = (Vec<usize>, Vec<usize>);

/// Cut the search for all distinct trees into parts that can be counted anywhere.
#[pyfunction]
#[pyo3(signature = (dataset, building, *, growth, n_parts, order="frontier", memory_limit=None, time_limit=None))]
pub fn split_distinct_search<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    building: Vector<i64>,
    growth: &Bound<'_, PyDict>,
    n_parts: usize,
    order: &str,
    memory_limit: Option<usize>,
    time_limit: Option<f64>,
) -> PyResult<(Bound<'py, PyDict>, Vec<Part>)> {
    let (params, data) = (search_growing(Some(growth))?, &dataset.inner);
    let rules = rules(order, memory_limit, None)?;
    let building = building.0;
    let limits = Limits { n_threads: 1, time_limit, callback: None };
    let split = run::detached(py, &limits, |control| -> Result<_, Error> {
        let problem = problem(data, &building, &params)?;
        Ok(distinct::split_search(problem, Vec::new(), &rules, n_parts, control))
    })?;
    let (tally, parts) = split.map_err(to_py)?.map_err(|interrupt| {
        let why = interrupt.name();
        UnfinishedError::new_err(format!("the search was not cut up in time ({why}); allow more time"))
    })?;
    let list = |set: &BitSet| set.iter().collect();
    let parts = parts.iter().map(|part| (list(&part.required), list(&part.optional))).collect();
    Ok((as_dict(py, &tally)?, parts))
}

/// Count some parts, each by itself.
#[pyfunction]
#[pyo3(signature = (dataset, building, parts, *, growth, order="frontier", memory_limit=None, time_limit=None))]
pub fn count_distinct_parts<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    building: Vector<i64>,
    parts: Vec<Part>,
    growth: &Bound<'_, PyDict>,
    order: &str,
    memory_limit: Option<usize>,
    time_limit: Option<f64>,
) -> PyResult<(Vec<Bound<'py, PyDict>>, &'static str)> {
    let (params, data) = (search_growing(Some(growth))?, &dataset.inner);
    let rules = rules(order, memory_limit, None)?;
    let set = |features: Vec<usize>| allowed(Some(features), data.n_features());
    let parts = parts
        .into_iter()
        .map(|(required, optional)| Ok(Call { required: set(required)?, optional: set(optional)? }))
        .collect::<PyResult<Vec<_>>>()?;
    let building = building.0;
    let limits = Limits { n_threads: 1, time_limit, callback: None };
    let counted = run::detached(py, &limits, |control| -> Result<_, Error> {
        let problem = problem(data, &building, &params)?;
        Ok(distinct::count_parts(problem, Vec::new(), &rules, &parts, control))
    })?;
    let (sums, status) = counted.map_err(to_py)?;
    Ok((sums.iter().map(|tally| as_dict(py, tally)).collect::<PyResult<_>>()?, status.name()))
}

/// A paused enumeration, whatever the width of its masks.
trait Source: Send {
    fn batch(&mut self, max_trees: usize, control: &Control) -> (Vec<Row>, Option<Status>);
    fn limit(&mut self, node_limit: u64);
    fn n_built(&self) -> u64;
    fn n_distinct(&self) -> u64;
}

/// Used features, blocked features, search errors.
type Row = (Vec<usize>, Vec<usize>, f64);

struct Paused<M: Mask> {
    enumerator: Enumerator<M>,
    n_features: usize,
}

impl<M: Mask> Source for Paused<M> {
    fn batch(&mut self, max_trees: usize, control: &Control) -> (Vec<Row>, Option<Status>) {
        let (mut rows, n) = (Vec::new(), self.n_features);
        let pause = self.enumerator.run(control, |found| {
            let list = |mask: &M| mask.to_set(n).iter().collect();
            rows.push((list(found.used), list(found.blocked), in_samples(found.errors)));
            rows.len() < max_trees
        });
        let status = match pause {
            Pause::Visitor => None,
            Pause::Finished => Some(Status::Complete),
            Pause::NodeLimit => Some(Status::NodeLimit),
            Pause::Interrupted(interrupt) => Some(interrupt),
        };
        (rows, status)
    }

    fn limit(&mut self, node_limit: u64) {
        self.enumerator.limit(node_limit);
    }

    fn n_built(&self) -> u64 {
        self.enumerator.n_built
    }

    fn n_distinct(&self) -> u64 {
        self.enumerator.n_distinct
    }
}

/// A lazy enumeration of distinct trees.
#[pyclass(frozen, module = "treewright._core")]
pub struct DistinctTrees {
    state: Mutex<State>,
}

struct State {
    source: Option<Box<dyn Source>>,
    /// Not known to have arrived: a signal may come while they are handed over.
    ready: Vec<Row>,
    status: Option<Status>,
    n_built: u64,
    n_distinct: u64,
}

#[pymethods]
impl DistinctTrees {
    #[new]
    #[pyo3(signature = (dataset, building, search, *, growth, order="frontier", memory_limit=None, node_limit=None))]
    fn new(
        py: Python<'_>,
        dataset: &Dataset,
        building: Vector<i64>,
        search: Vector<i64>,
        growth: &Bound<'_, PyDict>,
        order: &str,
        memory_limit: Option<usize>,
        node_limit: Option<u64>,
    ) -> PyResult<Self> {
        let (params, data) = (search_growing(Some(growth))?, &dataset.inner);
        let order = choice("order", order, &ORDERS)?;
        let cap = memory_limit.unwrap_or(DEFAULT_CAP);
        let (building, search) = (building.0, search.0);
        let made = py.detach(|| -> Result<Box<dyn Source>, Error> {
            let search = check_rows("the search set", &search, data.n_rows())?;
            let problem = problem(data, &building, &params)?;
            Ok(match problem.n_features() <= 64 {
                true => source::<u64>(problem, search, order, cap, node_limit),
                false => source::<BitSet>(problem, search, order, cap, node_limit),
            })
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
    ) -> PyResult<Vec<Row>> {
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
        (self.ready, self.status) = source.batch(max_trees, control);
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

fn source<M: Mask>(
    problem: Arc<Problem>,
    search: Vec<u32>,
    order: Order,
    cap: usize,
    node_limit: Option<u64>,
) -> Box<dyn Source> {
    let n_features = problem.n_features();
    let mut enumerator = Enumerator::<M>::new(problem, search, order, cap);
    enumerator.limit(node_limit.unwrap_or(u64::MAX));
    Box::new(Paused { enumerator, n_features })
}
